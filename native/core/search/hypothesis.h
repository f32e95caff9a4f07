// Partial translations, and the counters of a search.
#pragma once

#include <cstdint>
#include <vector>

#include "model/phrase_options.h"
#include "search/coverage.h"

namespace dragoman {

inline constexpr std::uint32_t kNone = 0xffffffff;

struct Hypothesis {
  double score = 0;  // of what is translated; the distortion in it is that of the search
  double total = 0;  // with the estimate of what is not
  const LmState* states = nullptr;       // one per sequence model
  const PhraseOption* option = nullptr;  // the last; null at the start
  std::uint32_t back = kNone;            // the hypothesis this one extends
  CoverageId coverage = CoverageSet::kEmpty;
  std::uint32_t produced = 0;          // target words so far
  std::uint32_t alternatives = kNone;  // first of those recombined into this one
  SourceSpan last;                     // the source phrase of `option`
};

// A way to the same state that was not the best.
struct Alternative {
  double score = 0;
  const PhraseOption* option = nullptr;
  std::uint32_t back = kNone;
  std::uint32_t next = kNone;
  SourceSpan last;
};

struct SearchStats {
  // Partial hypotheses that were scored in context (paper 000), also those given up half-way.
  std::uint64_t evaluated = 0;
  // Words that language models were asked for while extending, also where the answer was
  // remembered.
  std::uint64_t lm_lookups = 0;
  std::uint64_t recombined = 0;
  std::uint64_t pruned_threshold = 0;
  std::uint64_t pruned_limit = 0;
  // Early pruning: how often the search for begins, for ends, for translations was broken off.
  std::uint64_t early_begins = 0;
  std::uint64_t early_ends = 0;
  std::uint64_t early_options = 0;
  std::uint64_t retried = 0;  // sentences searched again without early pruning

  SearchStats& operator+=(const SearchStats& other) {
    evaluated += other.evaluated;
    lm_lookups += other.lm_lookups;
    recombined += other.recombined;
    pruned_threshold += other.pruned_threshold;
    pruned_limit += other.pruned_limit;
    early_begins += other.early_begins;
    early_ends += other.early_ends;
    early_options += other.early_options;
    retried += other.retried;
    return *this;
  }
};

}  // namespace dragoman
