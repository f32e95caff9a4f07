// Chart search with hierarchical rules: CKY+ finds which rules apply where (Chappelier & Rajman
// 1998), cube pruning combines them with the language models (Chiang 2007).
//
// Two kinds of constituents: X, what a rule derives from a short span, and S, any number of X side
// by side from the sentence's begin on, which glue puts together. S of no words is the begin of
// the sentence, so it has no words that others could come before.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/demands.h"
#include "model/local_vocabulary.h"
#include "model/rule_options.h"
#include "rules/orientation.h"
#include "search/hypothesis.h"
#include "search/search_options.h"

namespace dragoman {

// A constituent with the words at its edges, and the best way to derive it.
struct ChartNode {
  double score = 0;
  const LmBoundary* boundaries = nullptr;  // one per sequence model
  std::uint32_t best = kNone;              // an edge
  std::uint32_t others = kNone;            // first of the edges recombined into it
  SourceSpan span;
};

// A rule applied; glue when it has no rule but two tails, the end of the sentence when it has one
// tail, its begin when it has none.
struct ChartEdge {
  double score = 0;  // of the whole derivation
  const RuleOption* rule = nullptr;
  std::uint32_t tails[2] = {kNone, kNone};  // nodes
  std::uint32_t next = kNone;               // of the same node

  std::size_t tail_count() const {
    return (tails[0] != kNone ? 1u : 0u) + (tails[1] != kNone ? 1u : 0u);
  }
};

// Everything a search has found; nodes come after those they are made of.
struct ChartSpace {
  std::vector<ChartNode> nodes;
  std::vector<ChartEdge> edges;
  std::uint32_t goal = kNone;  // a node
  SearchStats stats;
};

// A sentence, what the user demands of it, and the words its translation may have.
class ChartSentence {
 public:
  // Throws InputError for a line that is too long, and for demands that cannot be met.
  // The offers must live longer.
  ChartSentence(std::string_view line, const Demands& demands, const TranslationModel& model,
                std::span<const OfferedTranslation> offers = {});
  ChartSentence(const ChartSentence&) = delete;  // points into itself
  ChartSentence& operator=(const ChartSentence&) = delete;

  std::size_t length() const { return words_.size(); }
  std::span<const std::string> words() const { return words_; }
  std::span<const WordId> ids() const { return ids_; }
  std::span<const GivenTranslation> given() const { return demands_.given; }
  // Those that begin there.
  std::span<const GivenTranslation> given(std::size_t begin) const;
  std::span<const OfferedTranslation> offers() const { return offers_; }
  // Whether a constituent may span [begin, end): none lies across a wall or the edge of a zone, or
  // in a part of what has an exclusive translation.
  bool allows(std::size_t begin, std::size_t end) const;
  // Whether a rule that begins at `begin` may take in the words, or what a gap derives from,
  // [from, to): those of a zone stay together, and those with an exclusive translation have that.
  bool allows(std::size_t begin, std::size_t from, std::size_t to, bool as_words) const;
  // Whether a rule that begins with a gap over [begin, gap_end), or with none, may span
  // [begin, end): a zone at its begin must be in that gap.
  bool begins_well(std::size_t begin, std::size_t gap_end, std::size_t end) const;
  // Of all target words that rules put in.
  const LocalVocabulary& target() const { return target_; }
  LocalVocabulary& target() { return target_; }

 private:
  const GivenTranslation* exclusive(std::size_t at) const {
    return exclusive_at_.empty() ? nullptr : exclusive_at_[at];
  }

  Demands demands_;
  std::vector<std::string> words_;
  Barriers barriers_;
  std::vector<const GivenTranslation*> exclusive_at_;  // by word; empty when there are none
  std::vector<WordId> ids_;
  std::span<const OfferedTranslation> offers_;
  LocalVocabulary target_;
};

// One per thread; keeps its memory, and what it has learnt about rules, from sentence to sentence.
class ChartSearch {
 public:
  ChartSearch(const WeightedModel& weighted, const ChartOptions& options);
  ~ChartSearch();

  // With `keep_edges`, the space also has what recombination would forget. Valid until the next.
  const ChartSpace& run(ChartSentence& sentence, bool keep_edges);

 private:
  using Cell = std::vector<std::uint32_t>;  // nodes, best first
  // A rule's source side, matched up to a point.
  struct Dotted {
    PhraseTable::Node node = PhraseTable::kRoot;
    PhraseTable::Node gap_child = PhraseTable::kNoNode;  // with a gap as the next symbol
    std::uint8_t gaps = 0;
    SourceSpan spans[2];
  };
  // The rules of one source side over what may fill its gaps; glue when there are no rules.
  struct Cube {
    std::span<const RuleOption> rules;
    const Cell* parts[2] = {nullptr, nullptr};
  };
  struct Candidate {
    double score = 0;
    std::uint32_t cube = 0;
    std::uint32_t ranks[3] = {0, 0, 0};  // of the rule, of the parts
    bool evaluated = false;              // else the score is an estimate
    const LmBoundary* boundaries = nullptr;
  };
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t node = kNone;
  };

  Cell& cell(std::size_t begin, std::size_t end) {
    return cells_[begin * (limit_ + 1) + end - begin];
  }
  std::vector<Dotted>& dotted(std::size_t begin, std::size_t end) {
    return dotted_[begin * (limit_ + 1) + end - begin];
  }
  void start(std::size_t length);
  void match(std::size_t begin, std::size_t end);
  void add_extra(std::size_t begin, std::size_t end);
  void add_dotted(std::size_t begin, std::size_t end, Dotted item);
  void fill(Cell& into, SourceSpan span);
  void push(std::uint32_t cube, std::uint32_t rule, std::uint32_t first, std::uint32_t second);
  double glue_score(const Candidate& candidate) const;
  void evaluate(Candidate& candidate);
  void admit(const Candidate& candidate, Cell& into, SourceSpan span);
  std::uint32_t& slot_of(const LmBoundary* boundaries);
  void finish();
  LmBoundary* new_boundaries();
  std::uint32_t part_index(const Candidate& candidate, std::size_t number) const {
    return (*cubes_[candidate.cube].parts[number])[candidate.ranks[number + 1]];
  }
  const ChartNode& part(const Candidate& candidate, std::size_t number) const {
    return space_.nodes[part_index(candidate, number)];
  }
  static bool worse(const Candidate& a, const Candidate& b);

  const WeightedModel& weighted_;
  ChartOptions options_;
  RuleOptionBuilder builder_;
  double glue_weight_;
  bool keep_edges_ = false;

  ChartSentence* sentence_ = nullptr;
  std::size_t limit_ = 0;  // words of the longest X
  ChartSpace space_;
  std::vector<Cell> cells_;  // of X, by begin and length
  std::vector<Cell> glued_;  // of S, by end
  std::vector<std::vector<Dotted>> dotted_;
  std::vector<Cube> cubes_;
  std::vector<Candidate> queue_;  // a heap
  std::vector<Slot> slots_;       // open addressing, a power of two; of the cell under way
  std::size_t slots_used_ = 0;
  std::vector<std::unique_ptr<RuleList>> extra_;  // copied words and given translations
  // Boundaries in blocks that do not move.
  std::vector<std::unique_ptr<LmBoundary[]>> blocks_;
  std::size_t blocks_used_ = 0;
  std::size_t block_at_ = 0;
  LmBoundary* spare_ = nullptr;
};

}  // namespace dragoman
