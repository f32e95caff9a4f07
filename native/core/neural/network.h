// A small feed-forward network that says how probable a word is after the words before it and
// beside the source words around its partner (Devlin et al. 2014). It is trained so that its
// scores are nearly normalised; nothing is summed over the vocabulary here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "text/binary_format.h"
#include "text/words.h"

namespace dragoman {

struct NetworkShape {
  std::uint32_t history = 0;       // target words before
  std::uint32_t window = 0;        // source words on each side of the partner
  std::uint32_t dimensions = 0;    // of the vector of a word
  std::uint32_t hidden = 0;        // units
  std::uint32_t source_words = 0;  // ids from here on are unknown to it
  std::uint32_t target_words = 0;

  std::uint32_t inputs() const { return history + 2 * window + 1; }
  // Whether all numbers are such as a network can have.
  bool sound() const;
};

// Row by row. Those of the first layer are by input (the word before, the one before that, ...,
// then the window from left to right) and dimension.
struct NetworkWeights {
  std::span<const float> source;  // a vector for each word
  std::span<const float> target;
  std::span<const float> first;  // to the hidden units
  std::span<const float> bias;
  std::span<const float> output;  // of the hidden units, for each target word
  std::span<const float> frequency;

  bool fit(const NetworkShape& shape) const;
};

class Network {
 public:
  static void save(const std::string& path, const NetworkShape& shape,
                   const NetworkWeights& weights);
  explicit Network(const std::string& path, Verify verify = Verify::kContent);

  const NetworkShape& shape() const { return shape_; }
  const NetworkWeights& weights() const { return weights_; }

 private:
  BinaryFile file_;
  NetworkShape shape_;
  NetworkWeights weights_;
};

}  // namespace dragoman
