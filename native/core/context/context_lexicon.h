// How a source word is translated where it stands: p(target word | source word, words around it).
//
// A log-linear model after the discriminative lexicons of Mauser, Hasan & Ney (2009), normalised
// over the few translations that the word has in the training text, with "none" as one of them.
// What counts is how often each was linked, which stays as it is, and weights of the words that
// stand around it: the neighbours, alone and together with the word, and those of a window, to
// the left and to the right. The weights lie in a table of a fixed size and are found by hashes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/binary_format.h"
#include "text/words.h"

namespace dragoman {

// Stands among the translations of a word for having none.
inline constexpr WordId kNoTranslation = -1;

struct ContextShape {
  std::uint32_t bits = 22;   // 2 to this power: places for weights
  std::uint32_t window = 5;  // words on each side
  std::uint32_t source_words = 0;
  std::uint32_t target_words = 0;

  bool sound() const;
  std::size_t places() const { return std::size_t{1} << bits; }
};

// The hashes of what stands around each place of a sentence.
class ContextHashes {
 public:
  explicit ContextHashes(const ContextShape& shape) : window_(shape.window) {}
  // Of the word at `place`; valid until the next.
  std::span<const std::uint64_t> at(Sentence source, std::size_t place);

 private:
  std::uint32_t window_;
  std::vector<std::uint64_t> hashes_;
};

// Where the weight of a translation beside something that stands around lies.
inline std::size_t weight_place(std::uint64_t around, WordId translation, std::size_t places) {
  const std::uint64_t mixed =
      (around ^ static_cast<std::uint32_t>(translation)) * 0x9e3779b97f4a7c15;
  return (mixed >> 32) & (places - 1);
}

class ContextLexicon {
 public:
  // A weight is so many of these.
  static constexpr float kUnit = 1.0f / 4096;
  // No word counts for less, nor does one that was never seen as a translation.
  static constexpr float kLeast = -10;
  static constexpr std::size_t kMostTranslations = 64;

  // Throws InputError when the file is damaged.
  explicit ContextLexicon(const std::string& path, Verify verify = Verify::kContent);
  // `starts` are of the translations of each source word, which rise, and one more.
  static void save(const std::string& path, const ContextShape& shape,
                   std::span<const std::uint32_t> starts, std::span<const WordId> translations,
                   std::span<const float> priors, std::span<const std::int16_t> weights);

  const std::string& path() const { return file_.path(); }
  const ContextShape& shape() const { return shape_; }
  // Rising; none for words that were never linked.
  std::span<const WordId> translations(WordId source) const;
  std::span<const float> priors(WordId source) const;
  float weight(std::size_t place) const { return kUnit * static_cast<float>(weights_[place]); }

 private:
  BinaryFile file_;
  ContextShape shape_;
  std::span<const std::uint32_t> starts_;
  std::span<const WordId> translations_;
  std::span<const float> priors_;
  std::span<const std::int16_t> weights_;
};

// The same for the words of one sentence.
class SentenceContext {
 public:
  SentenceContext(const ContextLexicon& lexicon, Sentence source);

  // Natural logarithms; 0 for a source word of which nothing is known.
  float log_prob(std::size_t place, WordId translation) const;

 private:
  const ContextLexicon& lexicon_;
  std::vector<WordId> source_;
  std::vector<std::uint32_t> starts_;
  std::vector<float> log_probs_;  // of the translations of each word
};

}  // namespace dragoman
