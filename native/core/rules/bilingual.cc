#include "rules/bilingual.h"

#include <algorithm>
#include <unordered_map>

#include "text/error.h"

namespace dragoman {

std::vector<std::string> bilingual_lines(const AlignedText& text, const Vocabulary& source_words,
                                         const Vocabulary& target_words, std::size_t first,
                                         std::size_t last) {
  if (first > last || last > text.size()) throw InputError("no such sentence pairs");
  std::vector<std::string> lines;
  std::vector<std::string> partners;
  for (std::size_t pair = first; pair < last; ++pair) {
    const Sentence here = text.source[pair];
    const Sentence there = text.target[pair];
    partners.assign(there.size(), std::string());
    for (const Link& link : text.links[pair]) {  // by source position, then target
      if (link.source >= here.size() || link.target >= there.size()) {
        throw InputError("sentence pair " + std::to_string(pair + 1) + ": the link " +
                         std::to_string(link.source) + "-" + std::to_string(link.target) +
                         " points outside it");
      }
      (partners[link.target] += kBilingualMark) += source_words.word(here[link.source]);
    }
    std::string line;
    for (std::size_t position = 0; position < there.size(); ++position) {
      if (position > 0) line += ' ';
      line += target_words.word(there[position]);
      if (partners[position].empty()) {
        line += kBilingualMark;
      } else {
        line += partners[position];
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

BilingualPhrases bilingual_phrases(const PhraseTable& table, const Vocabulary& source_words,
                                   const Vocabulary& target_words) {
  BilingualPhrases result;
  std::unordered_map<std::u32string, std::uint32_t> numbers;
  std::u32string key;  // target word, then source words, by id
  table.for_each_source([&](Sentence source, OptionRange range) {
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
      const Sentence target = table.target(row);
      const auto links = table.alignment(row);
      for (std::size_t position = 0; position < target.size(); ++position) {
        key.assign(1, static_cast<char32_t>(target[position]));
        for (const PhraseLink& link : links) {  // sorted by source position
          if (link.target == position) key += static_cast<char32_t>(source[link.source]);
        }
        const auto [entry, fresh] =
            numbers.try_emplace(key, static_cast<std::uint32_t>(result.spellings.size()));
        if (fresh) {
          std::string spelling(target_words.word(target[position]));
          if (key.size() == 1) spelling += kBilingualMark;
          for (std::size_t at = 1; at < key.size(); ++at) {
            (spelling += kBilingualMark) += source_words.word(static_cast<WordId>(key[at]));
          }
          result.spellings.push_back(std::move(spelling));
        }
        result.tokens.push_back(entry->second);
      }
    }
  });
  return result;
}

}  // namespace dragoman
