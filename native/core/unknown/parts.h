// Parts of a word: compounds, and what is joined by hyphens. What joins parts and how their
// translations are put together is learnt in Python (dragoman.unknown.parts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknown/lexicon.h"
#include "unknown/relatives.h"

namespace dragoman {

// What a first part loses and gains when another follows, and how good such splits are.
struct PartLink {
  std::string lost;
  std::string gained;
  double goodness = 0;
};

// How two translations make one: "1 2", "2 of 1", "12" (one word), or "1" and "2" alone.
struct PartPattern {
  std::string text;
  double share = 0;
};

struct PartKnowledge {
  std::vector<PartLink> links;
  std::vector<double> sizes;  // factors by letters of the shorter part, from shortest_part on
  std::size_t shortest_part = 3;
  std::vector<PartPattern> patterns;
  // How good it is to take a known part for the whole, by its letters from shortest_part on:
  // one at the end, and one at the beginning.
  std::vector<double> ends;
  std::vector<double> beginnings;
};

class Parts {
 public:
  explicit Parts(PartKnowledge knowledge);

  // Meanings of a word by its parts; none when it has none that are known. `alone`: one part may
  // stand for a word that cannot be split.
  MeaningMixture of(std::string_view word, Lexicon& lexicon, const Relatives& relatives,
                    bool alone) const;

 private:
  struct Part {
    Meanings meanings;
    double goodness = 0;
    std::string spelt;  // for people
  };
  struct Split {
    Part first;
    Part second;
    double goodness = 0;
  };
  std::vector<Split> splits(std::string_view word, Lexicon& lexicon, const Relatives& relatives,
                            int depth) const;
  Part last_part(std::string_view word, bool hyphened, Lexicon& lexicon,
                 const Relatives& relatives, int depth) const;
  void put_together(const Split& split, Lexicon& lexicon, MeaningMixture& into) const;
  void add_known_part(std::string_view word, Lexicon& lexicon, MeaningMixture& into) const;

  PartKnowledge knowledge_;
  std::vector<std::size_t> gained_letters_;  // of each link
};

}  // namespace dragoman
