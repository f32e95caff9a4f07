#include "corpus/word_classes.h"

#include "text/error.h"

namespace dragoman {
namespace {

constexpr const char* kClassesKind = "classes";
constexpr std::uint32_t kClassesVersion = 1;

}  // namespace

std::string class_name(WordClass number) { return std::to_string(number); }

WordClasses::WordClasses(const std::string& path, Verify verify)
    : file_(path, kClassesKind, kClassesVersion, 1, verify),
      of_words_(file_.section<WordClass>(0)) {}

void WordClasses::save(const std::string& path, std::span<const WordClass> of_words) {
  BinaryWriter writer(path, kClassesKind, kClassesVersion, 1);
  writer.section(of_words);
  writer.finish();
}

std::string class_text(const Sentences& sentences, std::span<const WordClass> of_words,
                       std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t at = first; at < last; ++at) {
    const char* separator = "";
    for (const WordId word : sentences[at]) {
      if (word < 0 || static_cast<std::size_t>(word) >= of_words.size()) {
        throw InputError("word " + std::to_string(word) + " of the text has no class; there are " +
                         std::to_string(of_words.size()));
      }
      text += separator;
      text += class_name(of_words[static_cast<std::size_t>(word)]);
      separator = " ";
    }
    text += '\n';
  }
  return text;
}

}  // namespace dragoman
