// Combining the links of the two directions.
//
// Definitions: intersection and union are what they say; the others start from the
// intersection and add links of the union (Och & Ney 2003; Koehn, Och & Marcu 2003; Koehn et
// al. 2005, "Edinburgh System Description for the 2005 IWSLT Speech Translation Evaluation").
//   grow-diag            while links are added: for each link, target by target and then source
//                        by source, its neighbours (the diagonal ones last) join when they are
//                        in the union and their source or their target word is still unaligned;
//   grow-diag-final      then links of the forward set, and after them of the backward set, join
//                        when their source or target word is unaligned;
//   grow-diag-final-and  when both are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alignment/links.h"

namespace dragoman {

enum class Symmetry {
  kForward,
  kBackward,
  kIntersection,
  kUnion,
  kGrowDiag,
  kGrowDiagFinal,
  kGrowDiagFinalAnd,
  kPosterior,  // needs posteriors, so not for Symmetriser
};

// Names as users write them; throws InputError with the list of names for any other.
Symmetry symmetry_from_name(std::string_view name);

// Keeps its working memory between sentence pairs.
class Symmetriser {
 public:
  // Appends to `links`, sorted. The inputs must be sorted and without repetition.
  void combine(std::span<const Link> forward, std::span<const Link> backward, Symmetry symmetry,
               std::vector<Link>& links);

 private:
  // The definitions go through the links target by target, so target comes first in here.
  struct Point {
    std::uint16_t target = 0;
    std::uint16_t source = 0;
    auto operator<=>(const Point&) const = default;
  };
  static void flip(std::span<const Link> links, std::vector<Point>& points);
  void grow_diag();
  void finish(std::span<const Point> candidates, bool both_unaligned);
  void add(Point point);

  std::vector<Point> forward_, backward_, union_, current_;  // all sorted
  std::vector<char> source_aligned_, target_aligned_;
};

}  // namespace dragoman
