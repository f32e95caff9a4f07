// Chart search with hierarchical rules: CKY+ finds which rules apply where (Chappelier & Rajman
// 1998), cube pruning combines them with the language models (Chiang 2007).
//
// Two kinds of constituents: X, what a rule derives from a short span, and S, any number of X side
// by side from the sentence's begin on, which glue puts together. S of no words is the begin of
// the sentence, so it has no words that others could come before.
//
// What is kept does not grow faster than what can still be asked for: a span's nodes are needed
// while a rule that has it for a gap may go on, those at the end of S while glue reaches them, and
// the rest as far as these are made of them. All else is forgotten on the way (ChartSpace::keep).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/rule_options.h"
#include "search/chart_row.h"
#include "search/chart_sentence.h"
#include "search/chart_space.h"
#include "search/search_options.h"

namespace dragoman {

// One per thread; keeps its memory, and what it has learnt about rules, from sentence to sentence.
class ChartSearch {
 public:
  // In nodes and other ways to them.
  struct Room {
    std::size_t few = std::size_t{1} << 16;   // never looked through for what can be forgotten
    std::size_t most = std::size_t{1} << 25;  // that a line may need; beside it there may be as
                                              // much that is not forgotten yet (2.7 GB in all)
  };

  ChartSearch(const WeightedModel& weighted, const ChartOptions& options)
      : ChartSearch(weighted, options, Room()) {}
  ChartSearch(const WeightedModel& weighted, const ChartOptions& options, Room room);

  // Valid until the next. Throws InputError when too much would have to be kept.
  const ChartSpace& run(ChartSentence& sentence, ChartKeeps keeps);

 private:
  using Nodes = std::span<const std::uint32_t>;  // best first
  // The rules of one source side over what may fill its gaps; glue when there are no rules.
  struct Cube {
    std::span<const RuleOption> rules;
    std::size_t part_count = 0;
    Nodes parts[2];
  };
  struct Candidate {
    double score = 0;
    std::uint32_t cube = 0;
    std::uint32_t ranks[3] = {0, 0, 0};  // of the rule, of the parts
    bool evaluated = false;              // else the score is an estimate
    const LmBoundary* boundaries = nullptr;
  };
  // An object and no function, so that the heap's loops contain it.
  struct Worse {
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.score != b.score) return a.score < b.score;
      if (a.cube != b.cube) return a.cube > b.cube;
      return std::lexicographical_compare(b.ranks, b.ranks + 3, a.ranks, a.ranks + 3);
    }
  };
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t node = kNone;
  };

  // Of a word that a span under way may begin at, or of its end.
  ChartRow& row(std::size_t begin) { return rows_[begin % rows_.size()]; }
  void start(std::size_t length);
  void begin_row(std::size_t begin);
  void match(std::size_t begin, std::size_t end);
  void add_extra(std::size_t begin, std::size_t end);
  void add_dotted(std::size_t begin, std::size_t end, const Dotted& item);
  void await_word(std::size_t begin, std::size_t end, const Dotted& item);
  void glue(std::size_t first, std::size_t end);
  void fill(SourceSpan span);
  void push(std::uint32_t cube, std::uint32_t rule, std::uint32_t first, std::uint32_t second);
  double glue_score(const Candidate& candidate) const;
  void evaluate(Candidate& candidate);
  void admit(const Candidate& candidate, SourceSpan span);
  std::uint32_t& slot_of(std::span<const ChartSpace::Halves> halves);
  void grow_slots();
  void forget(std::size_t end);
  void finish();
  LmBoundary* new_boundaries();
  std::uint32_t part(const Candidate& candidate, std::size_t number) const {
    return cubes_[candidate.cube].parts[number][candidate.ranks[number + 1]];
  }

  const WeightedModel& weighted_;
  ChartOptions options_;
  RuleOptionBuilder builder_;
  double glue_weight_;
  Room room_;

  ChartSentence* sentence_ = nullptr;
  std::size_t limit_ = 0;  // words of the longest X
  ChartSpace space_;
  std::size_t much_ = 0;        // when there is more, it is time to forget
  std::vector<ChartRow> rows_;  // a ring, one more than the longest X has words
  std::vector<Dotted> with_word_;
  std::vector<Cube> cubes_;
  std::vector<Candidate> queue_;  // a heap
  ChartSpace::Nodes filled_;      // of the cell under way
  std::vector<Slot> slots_;       // of these; open addressing, a power of two
  std::vector<ChartSpace::Halves> halves_;
  std::vector<std::unique_ptr<RuleList>> extra_;  // copied words and given translations
  // Boundaries of candidates, in blocks that do not move.
  std::vector<std::unique_ptr<LmBoundary[]>> blocks_;
  std::size_t blocks_used_ = 0;
  std::size_t block_at_ = 0;
};

}  // namespace dragoman
