#include "unknown/sources.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/characters.h"
#include "text/error.h"

namespace dragoman {

namespace {

// Longer words are no words: they are copied.
constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kMostRelatives = 8;
constexpr std::size_t kMostNeighbours = 4;
constexpr double kSureRelative = 0.3;
// Of each source, so many translations are offered, and none that is less probable.
constexpr std::size_t kMostOffers = 5;
constexpr double kLeastProbability = 1e-3;
// Among many words of a kind, none that is copied is rounded to never, which nothing is.
constexpr double kLeastCopied = 1e-4;

// What was learnt comes from a file that anybody may have written.
void check(const SourceKnowledge& knowledge) {
  const auto letters = [](std::size_t number) { return number >= 1 && number <= kLongestWord; };
  const auto number = [](double value) { return value >= 0 && std::isfinite(value); };
  const auto numbers = [&](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), number);
  };
  const auto rated = [&](const auto& rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const auto& row) { return number(row.goodness); });
  };
  const auto& [relatives, parts, spelling, copied] = knowledge;
  if (!letters(relatives.shortest_stem) || !letters(parts.shortest_part) ||
      !letters(spelling.shortest)) {
    throw InputError("a part of a word has between 1 and 64 letters");
  }
  if (!rated(relatives.ends) || !rated(relatives.beginnings) || !numbers(relatives.stems) ||
      !rated(parts.links) || !numbers(parts.sizes) || !numbers(parts.ends) ||
      !numbers(parts.beginnings) || !rated(spelling.edits) || !number(spelling.other) ||
      !numbers(spelling.sizes) || !numbers(copied) ||
      !std::all_of(parts.patterns.begin(), parts.patterns.end(),
                   [&](const PartPattern& pattern) { return number(pattern.share); })) {
    throw InputError("how good something is must be a number from 0 on");
  }
  if (copied.size() != 2 * static_cast<std::size_t>(WordKind::kKinds)) {
    throw InputError("one probability is wanted for each kind of word, known and unknown");
  }
}

}  // namespace

WordKind kind_of(std::string_view word) {
  bool digits = false, letters = false, capitals = false, ascii = true;
  for (std::size_t at = 0; at < word.size();) {
    const auto [code, bytes] = code_point_at(word, at);
    const Character character = character_of(code);
    digits = digits || character == Character::kDigit;
    letters = letters || character == Character::kLetter || character == Character::kUnspaced;
    capitals = capitals || lower_case(code) != code;
    ascii = ascii && bytes == 1;
    at += bytes;
  }
  if (digits) return letters ? WordKind::kCode : WordKind::kNumber;
  if (!letters) return WordKind::kSign;
  if (!ascii) return WordKind::kLetters;
  return capitals ? WordKind::kCapital : WordKind::kLatin;
}

WordSources::WordSources(Lexicon lexicon, const SourceKnowledge& knowledge)
    : lexicon_(std::move(lexicon)),
      relatives_(knowledge.relatives),
      parts_(knowledge.parts),
      spelling_(knowledge.spelling),
      copied_(knowledge.copied) {
  check(knowledge);
}

void WordSources::add(WordSource source, const MeaningMixture& mixture,
                      std::vector<WordOffer>& offers) const {
  for (auto& [meaning, why] : mixture.best(kMostOffers)) {
    if (meaning.probability < kLeastProbability) break;
    offers.push_back({source, meaning.target, std::log(std::min(1.0, meaning.probability)),
                      meaning.bilingual, why});
  }
}

// The more a known word is like the unknown one, the more its meanings count.
void WordSources::add_like(WordSource source, const std::vector<LikeWord>& like,
                           std::vector<WordOffer>& offers) {
  double total = 0;
  for (const LikeWord& one : like) total += one.goodness;
  MeaningMixture mixture;
  for (const LikeWord& one : like) {
    const std::string why = "like " + std::string(lexicon_.spell(one.known));
    for (const Meaning& meaning : lexicon_.meanings(one.known)) {
      mixture.add(meaning, one.goodness * like.front().goodness / total, why);
    }
  }
  add(source, mixture, offers);
}

std::vector<WordOffer> WordSources::offers(std::string_view word, bool left_out) {
  std::vector<WordOffer> found;
  const WordKind kind = kind_of(word);
  const std::size_t letters = code_point_bounds(word).size() - 1;
  lexicon_.leave_out(left_out ? lexicon_.id_of(word) : kUnknown);
  if (letters <= kLongestWord && kind != WordKind::kNumber && kind != WordKind::kSign) {
    const std::vector<LikeWord> relatives = relatives_.of(word, lexicon_, kMostRelatives);
    // A word with a good relative is neither misspelt nor made of one known part.
    const bool strange = relatives.empty() || relatives.front().goodness < kSureRelative;
    add(WordSource::kParts, parts_.of(word, lexicon_, relatives_, strange), found);
    add_like(WordSource::kRelative, relatives, found);
    if (strange) {
      add_like(WordSource::kSpelling, spelling_.near(word, lexicon_, kMostNeighbours), found);
    }
  }
  lexicon_.leave_out(kUnknown);
  const std::size_t known = lexicon_.target_count(word) > 0 ? 1 : 0;
  const double copied =
      copied_[known * static_cast<std::size_t>(WordKind::kKinds) + static_cast<std::size_t>(kind)];
  const double probability = std::clamp(copied, kLeastCopied, 1.0);
  found.push_back({WordSource::kCopy, std::string(word), std::log(probability), {}, "copied"});
  return found;
}

}  // namespace dragoman
