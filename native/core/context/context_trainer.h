// Learning what the words around a source word say about its translation, from linked text: by
// AdaGrad steps that raise the probability of what each word was linked to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alignment/aligned_text.h"
#include "context/context_lexicon.h"

namespace dragoman {

struct ContextOptions {
  ContextShape shape;
  std::size_t translations = 30;  // of a word, at most
  double rate = 0.1;              // of steps
  double decay = 1e-4;            // by which weights are drawn to zero
  std::uint64_t seed = 1;         // of the order of sentences
};

class ContextTrainer {
 public:
  // Counts links. The views must outlive the trainer. Throws InputError when a link points
  // outside its sentence pair.
  ContextTrainer(const AlignedText& text, const ContextOptions& options);

  std::size_t size() const { return order_.size(); }
  // Sentence pairs are put into a new random order.
  void begin_round();
  // Learns from some pairs of the order; returns the sum of the log-probabilities of what the
  // words were linked to, before each step, and how many words there were.
  std::pair<double, std::uint64_t> learn(std::size_t begin, std::size_t end);

  void save(const std::string& path) const;

 private:
  void count_links();
  double learn_pair(std::size_t pair, std::uint64_t& words);
  // What it was linked to, in equal shares, among the translations that are kept.
  void share_links(std::size_t pair, std::size_t place);
  void step(std::size_t around);

  AlignedText text_;
  ContextOptions options_;
  std::vector<std::uint32_t> starts_;
  std::vector<WordId> translations_;
  std::vector<float> priors_;
  std::vector<float> weights_, squares_;
  std::vector<std::uint32_t> order_;
  std::uint64_t random_ = 0;
  // Of the word under examination.
  std::vector<float> wanted_, found_;
  std::vector<std::size_t> places_;
};

}  // namespace dragoman
