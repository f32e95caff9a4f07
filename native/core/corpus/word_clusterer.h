// Word classes by the exchange algorithm (Kneser & Ney 1993; Martin, Liermann & Ney 1998): words
// move from class to class as long as the likelihood of the text under a class bigram model rises.
#pragma once

#include <cstdint>
#include <vector>

#include "corpus/sentences.h"

namespace dragoman {

class WordClusterer {
 public:
  // Classes 1..classes for words seen at least `min_count` times; class 0 holds the rest. At
  // first, words are dealt out by falling frequency. Memory holds the bigrams that differ and so
  // many that wait to be counted, whatever the size of the text.
  WordClusterer(const Sentences& text, std::size_t vocabulary, int classes,
                std::uint64_t min_count, std::size_t waiting = std::size_t{1} << 24);

  // Moves every word to where it fits best, frequent words first; returns how many moved.
  std::size_t sweep();

  // The log-likelihood of the text, up to a constant that does not depend on the classes.
  double objective() const;
  const std::vector<std::uint16_t>& classes() const { return classes_; }  // per word id

 private:
  struct Neighbour {
    std::int32_t word;
    std::int64_t count;
  };
  std::int64_t& pair(std::size_t before, std::size_t after) {
    return pairs_[before * width_ + after];
  }
  void gather(std::int32_t word);
  void shift(std::int32_t word, std::size_t to, std::int64_t sign);
  double gain(std::int32_t word, std::size_t to) const;

  std::size_t width_;  // classes, with those of rare words and of the sentence's edge
  std::vector<std::uint16_t> classes_;
  std::vector<std::int32_t> movable_;
  std::vector<std::uint64_t> after_offsets_, before_offsets_;
  std::vector<Neighbour> after_, before_;
  std::vector<std::int64_t> word_counts_;
  std::vector<std::int64_t> pairs_, totals_;  // bigrams of classes; words of each class
  // The word under examination: how often each class stands before and after it.
  std::vector<std::int64_t> before_class_, after_class_;
  std::vector<std::uint16_t> before_seen_, after_seen_;
  std::int64_t doubled_ = 0;  // how often it follows itself
};

}  // namespace dragoman
