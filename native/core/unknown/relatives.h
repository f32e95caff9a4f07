// Relatives of a word: forms that differ at the beginning or the end and mean the same. Which
// rewrites are good is learnt in Python (dragoman.unknown.relatives).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknown/lexicon.h"

namespace dragoman {

// What a beginning or an end may become.
struct Rewrite {
  std::string from;
  std::string to;
  double goodness = 0;  // how much words that differ so mean the same, between 0 and 1
};

struct RewriteKnowledge {
  std::vector<Rewrite> ends;
  std::vector<Rewrite> beginnings;
  std::vector<double> stems;  // factors by letters that stay; the first is that of shortest_stem
  std::size_t shortest_stem = 3;
};

struct LikeWord {
  WordId known = kUnknown;
  double goodness = 0;
};

class Relatives {
 public:
  explicit Relatives(const RewriteKnowledge& knowledge);

  // Known words that this one may be a form of, best first, at most `most`.
  std::vector<LikeWord> of(std::string_view word, Lexicon& lexicon, std::size_t most) const;

 private:
  using Table = std::map<std::string, std::vector<Rewrite>, std::less<>>;  // by `from`
  double stem_factor(std::size_t letters) const;
  // Calls visit(changed word, goodness, letters that stay).
  template <class Visit>
  void for_each_ending(std::string_view word, double least, Visit&& visit) const;

  Table ends_;
  Table beginnings_;
  std::size_t longest_end_ = 0;  // letters
  std::size_t longest_beginning_ = 0;
  std::vector<double> stems_;
  std::size_t shortest_stem_;
};

}  // namespace dragoman
