#include "unknown/spelling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/characters.h"

namespace dragoman {

namespace {

// Guesses that are worse than this are none.
constexpr double kLeastLikeness = 0.1;
constexpr std::size_t kMostEdits = 2;
constexpr char32_t kNothing = 0;

std::u32string code_points(std::string_view text) {
  std::u32string codes;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = code_point_at(text, at);
    codes += code;
    at += bytes;
  }
  return codes;
}

char32_t only(std::string_view text) {
  return text.empty() ? kNothing : code_point_at(text, 0).code;
}

}  // namespace

Spelling::Spelling(const EditKnowledge& knowledge)
    : other_cost_(-std::log(knowledge.other)),
      sizes_(knowledge.sizes),
      shortest_(knowledge.shortest) {
  for (const Edit& edit : knowledge.edits) {
    costs_[only(edit.from)][only(edit.to)] = -std::log(edit.goodness);
  }
}

double Spelling::cost(char32_t from, char32_t to) const {
  if (from == to) return 0;
  const auto changes = costs_.find(from);
  if (changes == costs_.end()) return other_cost_;
  const auto found = changes->second.find(to);
  return found == changes->second.end() ? other_cost_ : found->second;
}

void Spelling::sort_words(const Lexicon& lexicon) {
  sorted_ = true;
  for (std::size_t id = kReserved; id < lexicon.size(); ++id) {
    words_.push_back(static_cast<WordId>(id));
  }
  std::sort(words_.begin(), words_.end(),
            [&](WordId a, WordId b) { return lexicon.spell(a) < lexicon.spell(b); });
  starts_.push_back(0);
  std::u32string before;
  for (const WordId id : words_) {
    const std::u32string word = code_points(lexicon.spell(id));
    const auto here = std::mismatch(word.begin(), word.end(), before.begin(), before.end()).first;
    shared_.push_back(static_cast<std::uint32_t>(here - word.begin()));
    for (const char32_t letter : word) {
      const auto [place, fresh] =
          alphabet_.emplace(letter, static_cast<std::uint32_t>(alphabet_.size()));
      if (fresh) added_.push_back(cost(kNothing, letter));
      letters_.push_back(place->second);
    }
    starts_.push_back(letters_.size());
    before = word;
  }
}

std::vector<LikeWord> Spelling::near(std::string_view word, Lexicon& lexicon, std::size_t most) {
  const std::u32string wanted = code_points(word);
  std::vector<LikeWord> found;
  if (wanted.size() < shortest_ || sizes_.empty()) return found;
  if (!sorted_) sort_words(lexicon);
  const double factor = sizes_[std::min(wanted.size() - shortest_, sizes_.size() - 1)];
  const double limit = -std::log(kLeastLikeness / factor);
  if (!(limit > 0)) return found;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const std::size_t n = wanted.size();
  // What it costs to leave out each wanted letter, and to change it into each of the alphabet.
  std::vector<double> removed(n);
  std::vector<double> changed(n * alphabet_.size(), other_cost_);
  for (std::size_t i = 0; i < n; ++i) {
    removed[i] = cost(wanted[i], kNothing);
    double* const row = changed.data() + i * alphabet_.size();
    const auto set = [&](char32_t letter, double value) {
      const auto place = alphabet_.find(letter);
      if (place != alphabet_.end()) row[place->second] = value;
    };
    if (const auto changes = costs_.find(wanted[i]); changes != costs_.end()) {
      for (const auto& [letter, value] : changes->second) set(letter, value);
    }
    set(wanted[i], 0);
  }
  // Row d: what the first d letters of the known word cost against the first i of the wanted one.
  const std::size_t deepest = n + kMostEdits;
  std::vector<std::vector<double>> rows(deepest + 1, std::vector<double>(n + 1, kFar));
  for (std::size_t i = 0; i <= std::min(n, kMostEdits); ++i) {
    rows[0][i] = i == 0 ? 0 : rows[0][i - 1] + removed[i - 1];
  }
  std::size_t depth = 0;  // so many rows are those of the word
  for (std::size_t at = 0; at < words_.size();) {
    const std::uint32_t* const known = letters_.data() + starts_[at];
    const std::size_t length = starts_[at + 1] - starts_[at];
    bool far = false;
    while (depth < length && !far) {
      far = depth == deepest;
      if (far) {
        ++depth;
        break;
      }
      const std::uint32_t letter = known[depth];
      const std::vector<double>& above = rows[depth];
      std::vector<double>& row = rows[++depth];
      const std::size_t first = depth > kMostEdits ? depth - kMostEdits : 0;
      const std::size_t last = std::min(n, depth + kMostEdits);
      double best = kFar;
      if (first > 0) row[first - 1] = kFar;  // outside the band: maybe of another word
      for (std::size_t i = first; i <= last; ++i) {
        // Above the band's end nothing was written.
        double value = i < depth + kMostEdits ? above[i] + added_[letter] : kFar;
        if (i > 0) {
          value = std::min(value, above[i - 1] + changed[(i - 1) * alphabet_.size() + letter]);
          value = std::min(value, row[i - 1] + removed[i - 1]);
        }
        row[i] = value;
        best = std::min(best, value);
      }
      far = best > limit;
    }
    if (far) {
      // Nothing that begins so is near.
      do ++at;
      while (at < words_.size() && shared_[at] >= depth);
    } else {
      const bool inside = length <= deepest && length + kMostEdits >= n;
      const double total = inside ? rows[length][n] : kFar;
      const WordId id = words_[at];
      if (total <= limit && length >= shortest_ && id == lexicon.form_of(lexicon.spell(id))) {
        found.push_back({id, std::min(1.0, factor * std::exp(-total))});
      }
      ++at;
    }
    if (at < words_.size()) depth = std::min<std::size_t>(depth, shared_[at]);
  }
  std::sort(found.begin(), found.end(), [](const LikeWord& a, const LikeWord& b) {
    return a.goodness != b.goodness ? a.goodness > b.goodness : a.known < b.known;
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace dragoman
