// The derivation of a hypergraph that comes nearest to a reference, by BLEU.
//
// Exact search is out of reach, because matches depend on the words around: each node keeps its
// `beam` best partial derivations, with the words at their edges, and at the goal the survivors
// are compared by their true counts, clipped.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

inline constexpr std::size_t kBleuOrder = 4;

// Counts that BLEU is made of, of a sentence or of many.
struct BleuCounts {
  std::array<double, kBleuOrder> matches{};
  std::array<double, kBleuOrder> totals{};
  double length = 0;
  double reference_length = 0;
};

struct OracleOptions {
  std::size_t beam = 50;
  // What is maximised: bleu_weight * BLEU + model_weight * score.
  double bleu_weight = 1;
  double model_weight = 0;
  // Counts of other sentences, to which those of this one are added (the pseudo-document of
  // Chiang et al. 2008). All zero: sentence BLEU, one added to the counts beyond single words.
  BleuCounts background;
  // BLEU times this; with a background, the length of source and background (Chiang et al.).
  double scale = 1;
};

struct OracleResult {
  bool found = false;
  double bleu = 0;   // of the target, clipped, with background and scale as in the options
  double score = 0;  // of the model
  BleuCounts counts;
  std::vector<std::uint32_t> edges;  // tails before heads
  std::vector<WordId> target;
};

BleuCounts count_bleu(Sentence target, Sentence reference);
double bleu(const BleuCounts& counts, const OracleOptions& options);
OracleResult find_oracle(const Hypergraph& graph, Sentence reference,
                         const OracleOptions& options);

}  // namespace dragoman
