#include "unknown/parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/characters.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

// Of each part, so many meanings are combined.
constexpr std::size_t kMostMeanings = 4;
constexpr std::size_t kMostSplits = 3;
// Splits that are worse than this are debris.
constexpr double kLeastGoodness = 0.08;
// A word is split in two, and its last part once more.
constexpr int kDepth = 2;
// A part that nothing is known of stands for itself where a hyphen joins it.
constexpr double kStandsForItself = 0.5;

// The best meanings of one word each; a part that means several brings articles along.
Meanings short_meanings(const Meanings& all) {
  Meanings found;
  double total = 0;
  for (const Meaning& meaning : all) {
    if (found.size() == kMostMeanings) break;
    if (!meaning.one_word()) continue;
    found.push_back(meaning);
    total += meaning.probability;
  }
  for (Meaning& meaning : found) meaning.probability /= total;
  return found;
}

double at_most_last(const std::vector<double>& values, std::size_t place) {
  return values.empty() ? 0 : values[std::min(place, values.size() - 1)];
}

bool is_hyphen(std::string_view text) { return text == "-" || text == "/"; }

}  // namespace

Parts::Parts(PartKnowledge knowledge) : knowledge_(std::move(knowledge)) {
  for (const PartLink& link : knowledge_.links) {
    gained_letters_.push_back(code_point_bounds(link.gained).size() - 1);
  }
}

Parts::Part Parts::last_part(std::string_view word, bool hyphened, Lexicon& lexicon,
                             const Relatives& relatives, int depth) const {
  const WordId known = lexicon.form_of(word);
  if (known != kUnknown) {
    return {short_meanings(lexicon.meanings(known)), 1, std::string(word)};
  }
  Part part{{}, 0, std::string(word)};
  if (code_point_bounds(word).size() - 1 > knowledge_.shortest_part) {
    const std::vector<LikeWord> like = relatives.of(word, lexicon, 1);
    if (!like.empty()) {
      part.meanings = short_meanings(lexicon.meanings(like.front().known));
      part.goodness = like.front().goodness;
    }
  }
  if (depth > 1) {
    const std::vector<Split> again = splits(word, lexicon, relatives, depth - 1);
    if (!again.empty() && again.front().goodness > part.goodness) {
      MeaningMixture mixture;
      put_together(again.front(), lexicon, mixture);
      part.meanings.clear();
      for (auto& [meaning, why] : mixture.best(kMostMeanings)) {
        meaning.probability /= again.front().goodness;
        part.meanings.push_back(std::move(meaning));
      }
      part.goodness = again.front().goodness;
      part.spelt = again.front().first.spelt + " + " + again.front().second.spelt;
    }
  }
  if (hyphened && part.goodness < kStandsForItself) {
    part.meanings = {{std::string(word), 1, {kUnknown}}};
    part.goodness = kStandsForItself;
  }
  return part;
}

std::vector<Parts::Split> Parts::splits(std::string_view word, Lexicon& lexicon,
                                        const Relatives& relatives, int depth) const {
  std::vector<Split> found;
  const std::vector<std::size_t> bounds = code_point_bounds(word);
  const std::size_t letters = bounds.size() - 1;
  const std::size_t shortest = knowledge_.shortest_part;
  for (std::size_t place = shortest; place + shortest <= letters; ++place) {
    const std::string_view before = word.substr(0, bounds[place]);
    const bool hyphened =
        is_hyphen(word.substr(bounds[place - 1], bounds[place] - bounds[place - 1]));
    Part second;
    bool looked_up = false;
    for (std::size_t number = 0; number < knowledge_.links.size(); ++number) {
      const PartLink& link = knowledge_.links[number];
      if (place < shortest + gained_letters_[number] || !before.ends_with(link.gained)) continue;
      const std::size_t size = place - gained_letters_[number];
      const std::size_t shorter = std::min(size, letters - place) - shortest;
      const double trust = std::min(1.0, link.goodness * at_most_last(knowledge_.sizes, shorter));
      if (trust < kLeastGoodness) continue;
      std::string first(before.substr(0, before.size() - link.gained.size()));
      first += link.lost;
      WordId known = lexicon.form_of(first);
      const bool itself = known == kUnknown && is_hyphen(link.gained);
      if (known == kUnknown && !itself) continue;
      if (!looked_up) {
        second = last_part(word.substr(bounds[place]), hyphened, lexicon, relatives, depth);
        looked_up = true;
      }
      const double goodness = trust * second.goodness * (itself ? kStandsForItself : 1);
      if (goodness < kLeastGoodness) continue;
      Part part{{}, 1, std::string(before)};
      if (itself) {
        part.meanings = {{std::move(first), 1, {kUnknown}}};
      } else {
        part.meanings = short_meanings(lexicon.meanings(known));
      }
      if (part.meanings.empty() || second.meanings.empty()) continue;
      found.push_back({std::move(part), second, goodness});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Split& a, const Split& b) { return a.goodness > b.goodness; });
  if (found.size() > kMostSplits) found.resize(kMostSplits);
  return found;
}

void Parts::put_together(const Split& split, Lexicon& lexicon, MeaningMixture& into) const {
  const std::string why = split.first.spelt + " + " + split.second.spelt;
  for (const PartPattern& pattern : knowledge_.patterns) {
    const double weight = pattern.share * split.goodness;
    if (pattern.text == "1" || pattern.text == "2") {
      const Part& only = pattern.text == "1" ? split.first : split.second;
      for (const Meaning& meaning : only.meanings) into.add(meaning, weight, why);
      continue;
    }
    for (const Meaning& one : split.first.meanings) {
      for (const Meaning& two : split.second.meanings) {
        // The mean, lest two words be less probable than one of them whatever the shares say.
        Meaning made{"", std::sqrt(one.probability * two.probability), {}};
        if (pattern.text == "12") {
          made.target = one.target + two.target;
          if (lexicon.target_count(made.target) == 0) continue;
        } else {
          for (const std::string& piece : tokens_of(pattern.text)) {
            const Meaning* const part = piece == "1" ? &one : piece == "2" ? &two : nullptr;
            if (!made.target.empty()) made.target += ' ';
            made.target += part != nullptr ? part->target : piece;
            if (part == nullptr) {
              made.bilingual.push_back(kUnknown);
            } else {
              made.bilingual.insert(made.bilingual.end(), part->bilingual.begin(),
                                    part->bilingual.end());
            }
          }
        }
        into.add(made, weight, why);
      }
    }
  }
}

// Where only one part is known, it may stand for the whole: the longest at the end, or at the
// beginning.
void Parts::add_known_part(std::string_view word, Lexicon& lexicon, MeaningMixture& into) const {
  const std::vector<std::size_t> bounds = code_point_bounds(word);
  const std::size_t letters = bounds.size() - 1;
  const std::size_t shortest = knowledge_.shortest_part;
  const auto add = [&](std::string_view part, double goodness, const std::string& why) {
    const WordId known = goodness >= kLeastGoodness ? lexicon.form_of(part) : kUnknown;
    if (known == kUnknown) return false;
    for (const Meaning& meaning : short_meanings(lexicon.meanings(known))) {
      into.add(meaning, goodness, why);
    }
    return true;
  };
  for (std::size_t size = letters - 1; letters > 2 && size > shortest; --size) {
    const std::string_view part = word.substr(bounds[letters - size]);
    if (add(part, at_most_last(knowledge_.ends, size - shortest), "… + " + std::string(part)))
      break;
  }
  for (std::size_t size = letters - 1; letters > 2 && size > shortest; --size) {
    const std::string_view part = word.substr(0, bounds[size]);
    if (add(part, at_most_last(knowledge_.beginnings, size - shortest),
            std::string(part) + " + …")) {
      break;
    }
  }
}

MeaningMixture Parts::of(std::string_view word, Lexicon& lexicon, const Relatives& relatives,
                         bool alone) const {
  MeaningMixture mixture;
  const std::vector<Split> found = splits(word, lexicon, relatives, kDepth);
  // The same split may be reached by several links; the best one tells.
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool again =
        std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Split& other) { return other.first.spelt == found[i].first.spelt; });
    if (!again) put_together(found[i], lexicon, mixture);
  }
  if (found.empty() && alone) add_known_part(word, lexicon, mixture);
  return mixture;
}

}  // namespace dragoman
