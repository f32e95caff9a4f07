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

std::uint64_t key(char32_t from, char32_t to) {
  return static_cast<std::uint64_t>(from) << 32 | to;
}

}  // namespace

Spelling::Spelling(const EditKnowledge& knowledge)
    : other_cost_(-std::log(knowledge.other)),
      sizes_(knowledge.sizes),
      shortest_(knowledge.shortest) {
  for (const Edit& edit : knowledge.edits) {
    costs_[key(only(edit.from), only(edit.to))] = -std::log(edit.goodness);
  }
}

double Spelling::cost(char32_t from, char32_t to) const {
  if (from == to) return 0;
  const auto found = costs_.find(key(from, to));
  return found == costs_.end() ? other_cost_ : found->second;
}

void Spelling::sort_words(const Lexicon& lexicon) {
  sorted_ = true;
  for (std::size_t id = kReserved; id < lexicon.size(); ++id) {
    words_.push_back(static_cast<WordId>(id));
  }
  std::sort(words_.begin(), words_.end(),
            [&](WordId a, WordId b) { return lexicon.spell(a) < lexicon.spell(b); });
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
  // Row d: what the first d letters of the known word cost against the first i of the wanted one.
  std::vector<std::vector<double>> rows(n + kMostEdits + 2, std::vector<double>(n + 1, kFar));
  for (std::size_t i = 0; i <= std::min(n, kMostEdits); ++i) {
    rows[0][i] = i == 0 ? 0 : rows[0][i - 1] + cost(wanted[i - 1], kNothing);
  }
  std::u32string path;  // the letters whose rows are filled
  for (auto at = words_.begin(); at != words_.end();) {
    const std::string_view spelt = lexicon.spell(*at);
    const std::u32string known = code_points(spelt);
    std::size_t depth = 0;
    while (depth < path.size() && depth < known.size() && path[depth] == known[depth]) ++depth;
    path.resize(depth);
    bool far = false;
    while (depth < known.size() && !far) {
      far = depth + 1 > n + kMostEdits;
      if (far) break;
      const char32_t letter = known[depth];
      const std::vector<double>& above = rows[depth];
      std::vector<double>& row = rows[depth + 1];
      double best = kFar;
      for (std::size_t i = 0; i <= n; ++i) {
        row[i] = kFar;
        if (i > depth + 1 + kMostEdits || i + kMostEdits < depth + 1) continue;
        row[i] = above[i] + (above[i] < kFar ? cost(kNothing, letter) : 0);
        if (i > 0) {
          if (above[i - 1] < kFar) {
            row[i] = std::min(row[i], above[i - 1] + cost(wanted[i - 1], letter));
          }
          if (row[i - 1] < kFar) {
            row[i] = std::min(row[i], row[i - 1] + cost(wanted[i - 1], kNothing));
          }
        }
        best = std::min(best, row[i]);
      }
      path += letter;
      ++depth;
      far = best > limit;
    }
    if (!far) {
      const double total = rows[known.size()][n];
      if (total <= limit && known.size() >= shortest_ && *at == lexicon.form_of(spelt)) {
        found.push_back({*at, std::min(1.0, factor * std::exp(-total))});
      }
      ++at;
      continue;
    }
    // Nothing that begins so is near.
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < std::max<std::size_t>(depth, 1); ++i) {
      bytes += code_point_at(spelt, bytes).bytes;
    }
    const std::string_view beginning = spelt.substr(0, bytes);
    at = std::partition_point(at, words_.end(), [&](WordId id) {
      return lexicon.spell(id).substr(0, bytes) <= beginning;
    });
  }
  std::sort(found.begin(), found.end(), [](const LikeWord& a, const LikeWord& b) {
    return a.goodness != b.goodness ? a.goodness > b.goodness : a.known < b.known;
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace dragoman
