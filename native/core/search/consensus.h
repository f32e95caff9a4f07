// What several models agree on: of all translations in their lists, the one whose n-grams they
// expect most (Kumar et al. 2009, DeNero et al. 2009; of several models, DeNero et al. 2010).
//
// A model believes in the translations of its list as their scores say. So it expects of every
// n-gram that it occurs in the translation a certain number of times, and of a translation that so
// many of its n-grams are right. Those expectations are features, and a weighted sum of them
// chooses. With one model and the weights that approximate BLEU this is minimum Bayes risk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neural/scorer.h"
#include "search/batch.h"
#include "text/vocabulary.h"

namespace dragoman {

inline constexpr std::size_t kConsensusOrder = 4;
// Of each model: score, listed, and the n-grams of each length.
inline constexpr std::size_t kMemberFeatures = 2 + kConsensusOrder;
// Those of all models, and the number of words.
inline std::size_t consensus_features(std::size_t members) {
  return members * kMemberFeatures + 1;
}

// A network that gives its opinion too, and what it must know of the sentence. The scorer has been
// told the source already.
struct NetworkView {
  NetworkScorer& scorer;
  const Vocabulary& target;
  // Of each model, where each word that it sees stands in the source; empty where it is just
  // there.
  std::vector<std::vector<std::uint32_t>> orders;
};

// A translation that is in the list of at least one model.
struct ConsensusCandidate {
  std::uint32_t member = 0;  // the first that lists it
  std::uint32_t entry = 0;   // of that one's list
  // Member by member:
  // score   by how much the model thinks it worse than its best; of what it does not list, as
  //         much as of the last that it does
  // listed  1 if it does
  // n       expected matches of its n-grams, each no more often than it occurs in both
  // and last the number of words, and what the network thinks, if one is asked.
  std::vector<double> features;
};

// The different translations of all lists, in their order. `results` has one for each model, with
// an n-best list of different targets; where a model found nothing, its features are 0. A
// translation is as probable as its score times `scale` says.
std::vector<ConsensusCandidate> consensus_candidates(std::span<const DecodeResult* const> results,
                                                     double scale,
                                                     const NetworkView* network = nullptr);

// The candidates sorted by weights · features: the best, and the first `nbest` of them. What the
// models have spent is added up. If no model found anything, the result of the first.
DecodeResult consensus(std::span<const DecodeResult* const> results, double scale,
                       std::span<const double> weights, std::size_t nbest,
                       const NetworkView* network = nullptr);

}  // namespace dragoman
