// Words put together in classes, and text as a sequence of these: what a language model over
// classes is made from and what it needs to read words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/sentences.h"
#include "text/binary_format.h"

namespace dragoman {

using WordClass = std::uint16_t;
// The class of words that are too rare to have learnt anything about.
inline constexpr WordClass kRareWords = 0;

// The word that a language model knows a class by.
std::string class_name(WordClass number);

// The class of each id of a vocabulary, in a file.
class WordClasses {
 public:
  // Throws InputError when the file is damaged.
  explicit WordClasses(const std::string& path, Verify verify = Verify::kContent);

  std::span<const WordClass> of_words() const { return of_words_; }
  static void save(const std::string& path, std::span<const WordClass> of_words);

 private:
  BinaryFile file_;
  std::span<const WordClass> of_words_;
};

// The sentences [first, last), one a line, with classes in the place of words. Throws InputError
// for a word that has no class.
std::string class_text(const Sentences& sentences, std::span<const WordClass> of_words,
                       std::size_t first, std::size_t last);

}  // namespace dragoman
