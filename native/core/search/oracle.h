// The derivations of a hypergraph that come nearest to a reference, by BLEU and model score.
//
// How many n-grams a derivation matches depends on the words around, so the graph is refined:
// its nodes are split by what partial derivations have matched and how they end (their profile),
// and each keeps the `beam` most promising profiles. What a profile has matched is not clipped;
// so the refined graph bounds the objective from above, and the best derivations are taken from
// it one after another until no other can be better by its true counts. With a beam that holds
// all profiles, and as much `effort` as it takes, the search is exact.
#pragma once

#include <cstdint>
#include <vector>

#include "search/bleu.h"
#include "search/hypergraph.h"

namespace dragoman {

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
  // How many translations are looked at for each that is asked for, and in any case.
  std::size_t effort = 10;
  std::size_t least_effort = 200;
};

struct OracleResult {
  bool found = false;
  double bleu = 0;   // of the target, clipped, with background and scale as in the options
  double score = 0;  // of the model
  double objective = 0;
  BleuCounts counts;
  std::vector<std::uint32_t> edges;  // tails before heads
  std::vector<WordId> target;
};

double bleu(const BleuCounts& counts, const OracleOptions& options);
// The best `n` translations, each by its best derivation, best first; fewer when there are no
// more.
std::vector<OracleResult> find_oracles(const Hypergraph& graph, Sentence reference,
                                       const OracleOptions& options, std::size_t n);
OracleResult find_oracle(const Hypergraph& graph, Sentence reference,
                         const OracleOptions& options);

}  // namespace dragoman
