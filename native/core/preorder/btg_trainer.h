// Learning to split and to exchange, from word alignments.
//
// The order of the target says of each pair of aligned words whether they should be exchanged; a
// tree costs one for each pair that it puts into the wrong order. A table of the least cost of
// every span (cubic in the words) gives each decision its regret: how much worse the best tree
// becomes by it. Trees are latent, since many cost the same: what is raised is the logarithm of
//   sum over decisions d at the span of p(d) exp(-sharpness * regret(d)),
// p being log-linear, at the spans that the parser itself comes to (after a first round at those
// of best decisions), by AdaGrad steps.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "alignment/links.h"
#include "corpus/sentences.h"
#include "preorder/btg_parser.h"
#include "text/vocabulary.h"

namespace dragoman {

struct BtgOptions {
  int bits = 20;               // 2^bits places for features
  double sharpness = 1.0;      // of regrets
  double rate = 0.02;          // of steps
  std::uint64_t seed = 1;      // of the order of sentences
  std::size_t max_words = 60;  // longer sentences are not learnt from
};

class BtgTrainer {
 public:
  // `classes` by word id, 0 for rare words. The views must outlive the trainer.
  BtgTrainer(const Sentences& source, const LinkSets& links, const Vocabulary& vocabulary,
             std::span<const std::uint16_t> classes, const BtgOptions& options);

  std::size_t size() const { return order_.size(); }
  // Sentences are put into a new random order.
  void begin_round();
  // Learns from some sentences of the order; returns the regret of the decisions taken, and the
  // number of pairs of aligned words, so that their ratio falls as it learns.
  std::pair<double, double> learn(std::size_t begin, std::size_t end);

  void save(const std::string& path) const;

 private:
  double learn(std::size_t sentence, double& pairs);
  void least_costs(std::span<const std::int32_t> positions);
  std::int32_t cross(const std::vector<std::int32_t>& sums, std::int32_t begin, std::int32_t at,
                     std::int32_t end) const;
  void step();

  Sentences source_;
  LinkSets links_;
  BtgOptions options_;
  std::vector<BtgWord> lexicon_;       // by word id
  std::vector<std::uint64_t> hashes_;  // of known words, sorted, with their classes
  std::vector<std::uint16_t> classes_;
  std::vector<std::uint32_t> order_;
  std::mt19937_64 random_;
  int rounds_ = 0;
  // Of each feature: two weights, and the sums of squared gradients of both.
  std::vector<float> cells_;
  // Of the sentence at hand.
  std::int32_t count_ = 0;
  std::vector<std::int32_t> rising_, falling_;  // two-dimensional sums over pairs of words
  std::vector<std::int32_t> least_;             // by begin and end
  std::vector<std::array<float, 2>> rewards_, gradients_;
  std::vector<std::uint64_t> places_;
  BtgScores scores_;
};

}  // namespace dragoman
