#include "unknown/relatives.h"

#include <algorithm>
#include <unordered_map>

#include "text/characters.h"

namespace dragoman {

namespace {

// Guesses that are worse than this are none.
constexpr double kLeastKinship = 0.03;
// Both ends are changed only where both changes together are at least so good.
constexpr double kLeastTogether = 0.2;

std::size_t letters_of(std::string_view text) { return code_point_bounds(text).size() - 1; }

}  // namespace

Relatives::Relatives(const RewriteKnowledge& knowledge)
    : stems_(knowledge.stems), shortest_stem_(knowledge.shortest_stem) {
  const auto fill = [](const std::vector<Rewrite>& rewrites, Table& table, std::size_t& longest) {
    for (const Rewrite& rewrite : rewrites) {
      table[rewrite.from].push_back(rewrite);
      longest = std::max(longest, letters_of(rewrite.from));
    }
    for (auto& [from, rows] : table) {
      std::stable_sort(rows.begin(), rows.end(),
                       [](const Rewrite& a, const Rewrite& b) { return a.goodness > b.goodness; });
    }
  };
  fill(knowledge.ends, ends_, longest_end_);
  fill(knowledge.beginnings, beginnings_, longest_beginning_);
}

double Relatives::stem_factor(std::size_t letters) const {
  if (letters < shortest_stem_ || stems_.empty()) return 0;
  return stems_[std::min(letters - shortest_stem_, stems_.size() - 1)];
}

template <class Visit>
void Relatives::for_each_ending(std::string_view word, double least, Visit&& visit) const {
  const std::vector<std::size_t> bounds = code_point_bounds(word);
  const std::size_t letters = bounds.size() - 1;
  std::string changed;
  for (std::size_t size = 0; size <= longest_end_ && size + shortest_stem_ <= letters; ++size) {
    const std::size_t cut = bounds[letters - size];
    const auto rows = ends_.find(word.substr(cut));
    if (rows == ends_.end()) continue;
    for (const Rewrite& rewrite : rows->second) {
      if (rewrite.goodness < least) break;
      changed.assign(word.substr(0, cut)).append(rewrite.to);
      visit(changed, rewrite.goodness, letters - size);
    }
  }
}

std::vector<LikeWord> Relatives::of(std::string_view word, Lexicon& lexicon,
                                    std::size_t most) const {
  std::unordered_map<WordId, double> found;
  const auto guess = [&](const std::string& changed, double goodness) {
    if (goodness < kLeastKinship) return;
    const WordId known = lexicon.form_of(changed);
    if (known != kUnknown) found[known] = std::max(found[known], std::min(1.0, goodness));
  };
  for_each_ending(word, 0, [&](const std::string& changed, double goodness, std::size_t stem) {
    guess(changed, goodness * stem_factor(stem));
  });
  const std::vector<std::size_t> bounds = code_point_bounds(word);
  const std::size_t letters = bounds.size() - 1;
  for (std::size_t size = 0; size <= longest_beginning_ && size + shortest_stem_ <= letters;
       ++size) {
    const auto rows = beginnings_.find(word.substr(0, bounds[size]));
    if (rows == beginnings_.end()) continue;
    const std::string_view rest = word.substr(bounds[size]);
    for (const Rewrite& rewrite : rows->second) {
      const std::string begun = rewrite.to + std::string(rest);
      const double goodness = rewrite.goodness * stem_factor(letters - size);
      guess(begun, goodness);
      // Both ends may change at once, as in German geparkt and parken.
      for_each_ending(begun, kLeastTogether / rewrite.goodness,
                      [&](const std::string& changed, double other, std::size_t stem) {
                        if (stem < letters_of(rewrite.to) + shortest_stem_) return;
                        guess(changed, goodness * other);
                      });
    }
  }
  std::vector<LikeWord> relatives;
  for (const auto& [known, goodness] : found) relatives.push_back({known, goodness});
  std::sort(relatives.begin(), relatives.end(), [](const LikeWord& a, const LikeWord& b) {
    return a.goodness != b.goodness ? a.goodness > b.goodness : a.known < b.known;
  });
  if (relatives.size() > most) relatives.resize(most);
  return relatives;
}

}  // namespace dragoman
