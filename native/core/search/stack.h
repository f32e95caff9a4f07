// Beam search over numbers of covered source words: paper 000, one code path for its three
// algorithms, and cube pruning over the same stacks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lm/lookup_memory.h"
#include "model/future_cost.h"
#include "model/sentence_options.h"
#include "search/beam.h"
#include "search/coverage.h"
#include "search/hypothesis.h"
#include "search/search_options.h"

namespace dragoman {

// Everything a search has found; points into the sentence's options.
struct SearchSpace {
  std::vector<Hypothesis> hypotheses;  // the start first; what others extend comes before them
  std::vector<Alternative> alternatives;
  std::uint32_t goal = kNone;  // the complete hypothesis; kNone when there is no translation
  std::unique_ptr<CoverageSet> coverages;
  SearchStats stats;
  // What happened in each stack, by number of covered words; early pruning, which happens between
  // stacks, is only in `stats`.
  std::vector<SearchStats> stacks;
  bool estimates_distortion = false;  // whether the scores hold the modified penalty
};

// One per thread; keeps its memory from sentence to sentence.
class StackSearch {
 public:
  StackSearch(const WeightedModel& weighted, const SearchOptions& options);
  ~StackSearch();

  // With `keep_edges`, the space also has what recombination would forget, for k-best lists and
  // posteriors. With a `reference`, only translations that are exactly these target words. Valid
  // until the next.
  const SearchSpace& run(const SentenceOptions& sentence, bool keep_edges,
                         std::optional<Sentence> reference = std::nullopt);

 private:
  // A way on from a set of covered words, for all hypotheses that have covered them.
  struct Step {
    SourceSpan span;
    const OptionList* options = nullptr;
    double future = 0;            // estimate of what is left afterwards
    double best = 0;              // that, with the best option
    CoverageId coverage = kNone;  // afterwards; found when first needed
    bool completes = false;       // whether nothing is left
  };
  struct Begin {
    std::uint32_t first_step = 0;
    std::uint32_t last_step = 0;
    std::uint16_t position = 0;
  };
  struct Orientations {
    std::uint8_t by_phrase = 0;
    std::uint8_t by_block_backward = 0;
    std::uint8_t by_block_forward = 0;
  };
  // One hypothesis on the way to one step.
  struct Departure {
    const Hypothesis* from = nullptr;
    std::uint32_t from_index = kNone;
    double base = 0;     // score with the jump
    double forward = 0;  // forward reordering scores of the last phrase
    Orientations orientations;
  };
  // Hypotheses [begin, end) of by_coverage_ with one set of covered words.
  struct Group {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct WeightedSequence {
    LookupMemory model;
    double weight = 0;
    double margin = 0;  // the part of the estimates' margin that it and those after it may use up
  };
  class Cube;

  bool attempt(SearchKind kind);
  void start();
  void close_stack(std::size_t covered);
  void group_by_coverage(std::uint32_t first);
  void find_steps(CoverageId coverage);
  void find_zones(CoverageId coverage, std::size_t last_begin);
  bool step_allowed(CoverageId coverage, std::size_t begin, std::size_t end) const;
  void expand(std::uint32_t first);
  void extend(std::uint32_t index, double acceptable);
  double jump_cost(const Hypothesis& from, SourceSpan next) const;
  SourceSpan block_of(const Hypothesis& from) const;
  Departure depart(std::uint32_t index, SourceSpan span, SourceSpan block, double base) const;
  bool matches_reference(const Hypothesis& from, const PhraseOption& option) const;
  // Computes the full score; true when the beam admits it, which then is in candidate_.
  bool evaluate(const Departure& departure, Step& step, const PhraseOption& option, Beam& beam);
  void finish_sentence(SourceSpan last);
  void fill_by_cubes(std::size_t covered);
  Beam& beam(std::size_t covered) { return beams_[covered & (beams_.size() - 1)]; }

  const WeightedModel& weighted_;
  SearchOptions options_;
  double distortion_weight_;
  bool lm_only_lowers_ = true;  // no language model has a negative weight
  bool only_lowers_ = true;     // nor has any orientation
  std::vector<WeightedSequence> sequences_;

  const SentenceOptions* sentence_ = nullptr;
  bool keep_edges_ = false;
  std::optional<Sentence> reference_;
  std::optional<FutureCost> future_;
  SearchKind kind_ = SearchKind::kEarly;
  bool may_stop_ = false;  // whether extensions are given up half-way
  bool doubts_ = false;    // whether estimates are enough for that
  double useless_ = 0;     // how much worse than its stack's best a hypothesis is never extended
  SearchSpace space_;
  std::vector<Beam> beams_;  // as many as a power of two
  StatePool states_;         // of the hypotheses that stayed
  std::vector<std::uint32_t> by_coverage_;
  std::vector<Group> groups_;
  std::vector<Step> steps_;
  std::vector<Begin> begins_;
  // Of the coverage under way: where steps must stay inside; and, by begin, what they must not be
  // inside of (each with the farthest end so far).
  Zone open_zone_;
  std::vector<Zone> barred_zones_;
  std::vector<std::uint32_t> next_covered_, next_free_;  // from its first uncovered word on
  Hypothesis candidate_;
  bool candidate_owns_states_ = false;
  bool candidate_complete_ = false;
  // Behind the candidate, for each sequence model: where they are, and together.
  std::vector<const LmState*> ends_;
  std::vector<LmState> scratch_;
  std::unique_ptr<Cube> cube_;
};

// Sums of the same numbers in another order differ in the last bits; a threshold must not tell
// them apart (paper 000, footnote 6, relies on equality).
inline constexpr double kRounding = 1e-7;

// The smallest Koehn distortion still to come for a hypothesis.
std::uint32_t pending_distortion(const CoverageSet& coverages, CoverageId coverage,
                                 std::uint32_t last_end);

}  // namespace dragoman
