#include "evaluation/edit_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>

#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::size_t kLongestMove = 10;
constexpr std::size_t kFarthestMove = 50;
constexpr std::size_t kMostMovesTried = 1000;
constexpr std::size_t kBeam = 25;        // cells on either side of the diagonal
constexpr std::int32_t kUnmatched = -1;  // a word that the reference has not
// So few are faster gone through than compared.
constexpr std::size_t kFewRows = 100;
constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max() / 2;

}  // namespace

std::size_t EditCounter::edits(std::string_view hypothesis, std::string_view reference) {
  std::unordered_map<std::string_view, Word> numbers;
  hypothesis_.clear();
  reference_.clear();
  for_each_token(reference, [&](std::string_view word) {
    reference_.push_back(numbers.emplace(word, static_cast<Word>(numbers.size())).first->second);
  });
  for_each_token(hypothesis, [&](std::string_view word) {
    const auto found = numbers.find(word);
    hypothesis_.push_back(found == numbers.end() ? kUnmatched : found->second);
  });
  return edits();
}

std::size_t EditCounter::edits() {
  if (reference_.empty()) return hypothesis_.size();
  above_.resize(reference_.size() + 1);
  row_.resize(reference_.size() + 1);
  std::size_t moves = 0;
  tried_ = 0;
  for (;;) {
    const std::size_t before = distance();
    align();
    Move best;
    // The move on which patience ends is not made any more.
    if (!find_best_move(before, best) || tried_ >= kMostMovesTried) return moves + before;
    shift(best, moved_);
    hypothesis_.swap(moved_);
    ++moves;
  }
}

EditCounter::Range EditCounter::cells(std::size_t row) const {
  const std::size_t columns = reference_.size() + 1;
  if (row == 0) return {0, columns};
  const double ratio =
      static_cast<double>(reference_.size()) / static_cast<double>(hypothesis_.size());
  // Sentences of very different length: rows must still overlap.
  const std::size_t beam =
      static_cast<double>(kBeam) < ratio / 2
          ? static_cast<std::size_t>(std::ceil(ratio / 2 + static_cast<double>(kBeam)))
          : kBeam;
  const auto diagonal = static_cast<std::size_t>(std::floor(static_cast<double>(row) * ratio));
  return {diagonal > beam ? diagonal - beam : 0,
          row == hypothesis_.size() ? columns : std::min(columns, diagonal + beam)};
}

std::uint32_t EditCounter::cost(std::size_t row, std::size_t column) const {
  if (row == 0) return static_cast<std::uint32_t>(column);
  const Range kept = cells(row);
  if (column < kept.begin || column >= kept.end) return kUnreached;
  return kept_[kept_starts_[row - 1] + column - kept.begin];
}

namespace {

// The leftmost cell that a row with cells from `begin` on reads of the row above it.
std::size_t read_from(std::size_t begin) { return begin > 0 ? begin - 1 : 0; }

}  // namespace

void EditCounter::begin_rows(std::size_t known, std::size_t rows) {
  if (known >= rows) return;
  next_ = cells(known + 1);
  for (std::size_t j = read_from(next_.begin); j < next_.end; ++j) row_[j] = cost(known, j);
}

void EditCounter::next_row(std::span<const Word> words, std::size_t row) {
  row_.swap(above_);
  const Range range = next_;
  if (row < words.size()) next_ = cells(row + 1);
  // All that this row or the next will read, and nobody writes.
  std::fill(row_.begin() + static_cast<std::ptrdiff_t>(read_from(range.begin)),
            row_.begin() + static_cast<std::ptrdiff_t>(std::max(range.end, next_.end)),
            kUnreached);
  for (std::size_t j = range.begin; j < range.end; ++j) {
    if (j == 0) {
      row_[j] = above_[j] + 1;
      continue;
    }
    const std::uint32_t replace = above_[j - 1] + (words[row - 1] == reference_[j - 1] ? 0 : 1);
    row_[j] = std::min({replace, above_[j] + 1, row_[j - 1] + 1, kUnreached});
  }
}

std::size_t EditCounter::distance() {
  kept_.clear();
  kept_starts_.clear();
  begin_rows(0, hypothesis_.size());
  for (std::size_t row = 1; row <= hypothesis_.size(); ++row) {
    next_row(hypothesis_, row);
    const Range range = cells(row);
    kept_starts_.push_back(kept_.size());
    kept_.insert(kept_.end(), row_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                 row_.begin() + static_cast<std::ptrdiff_t>(range.end));
  }
  return hypothesis_.empty() ? reference_.size() : row_[reference_.size()];
}

std::optional<std::ptrdiff_t> EditCounter::difference(std::size_t row) const {
  const Range range = cells(row);
  const std::uint32_t* const kept = kept_.data() + kept_starts_[row - 1];
  std::optional<std::ptrdiff_t> all;
  for (std::size_t j = range.begin; j < range.end; ++j) {
    const std::uint32_t there = kept[j - range.begin];
    if ((row_[j] == kUnreached) != (there == kUnreached)) return std::nullopt;
    if (there == kUnreached) continue;
    const auto here = static_cast<std::ptrdiff_t>(row_[j]) - static_cast<std::ptrdiff_t>(there);
    if (all.value_or(here) != here) return std::nullopt;
    all = here;
  }
  return all;
}

std::size_t EditCounter::distance_after(const Move& move) {
  const std::size_t rows = hypothesis_.size();
  const std::size_t known = std::min(move.start, move.target);
  // Where the words are the same again; see shift().
  const std::size_t behind = move.target < move.start ? move.start + move.length
                             : move.target > move.start + move.length
                                 ? move.target
                                 : std::min(rows, move.length + move.target);
  shift(move, moved_);
  begin_rows(known, rows);
  for (std::size_t row = known + 1; row <= rows; ++row) {
    next_row(moved_, row);
    if (row < behind || row + kFewRows > rows) continue;
    if (const auto shared = difference(row)) {
      const auto kept = static_cast<std::ptrdiff_t>(cost(rows, reference_.size()));
      return static_cast<std::size_t>(kept + *shared);
    }
  }
  return known < rows ? row_[reference_.size()] : cost(rows, reference_.size());
}

// Follows the cheapest way back; of equal ones replacing comes first, then deleting.
void EditCounter::align() {
  std::size_t i = hypothesis_.size();
  std::size_t j = reference_.size();
  steps_.clear();
  while (i > 0 || j > 0) {
    const std::uint32_t here = cost(i, j);
    const bool same = i > 0 && j > 0 && hypothesis_[i - 1] == reference_[j - 1];
    if (i > 0 && j > 0 && cost(i - 1, j - 1) + (same ? 0 : 1) == here) {
      steps_.push_back(same ? Step::kMatch : Step::kReplace);
      --i;
      --j;
    } else if (i > 0 && (j == 0 || cost(i - 1, j) + 1 == here)) {
      steps_.push_back(Step::kDelete);
      --i;
    } else {
      steps_.push_back(Step::kInsert);
      --j;
    }
  }
  aligned_.clear();
  hypothesis_wrong_.clear();
  reference_wrong_.clear();
  std::ptrdiff_t position = -1;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const bool wrong = *step != Step::kMatch;
    if (*step != Step::kInsert) {
      ++position;
      hypothesis_wrong_.push_back(wrong);
    }
    if (*step != Step::kDelete) {
      aligned_.push_back(position);
      reference_wrong_.push_back(wrong);
    }
  }
}

// The move after which the distance is least; of equals the longest, then the one from the
// leftmost place, then the one to the leftmost place. False when none makes it less.
bool EditCounter::find_best_move(std::size_t before, Move& best) {
  using Rank = std::tuple<std::ptrdiff_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t>;
  Rank best_rank{0, 0, 0, 0};
  bool found = false;
  const auto any = [](const std::vector<bool>& wrong, std::size_t begin, std::size_t length) {
    const auto at = wrong.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::find(at, at + static_cast<std::ptrdiff_t>(length), true) !=
           at + static_cast<std::ptrdiff_t>(length);
  };
  const auto try_targets = [&](std::size_t start, std::size_t match, std::size_t length) {
    std::ptrdiff_t last = -1;
    for (std::size_t offset = 0; offset <= length; ++offset) {
      // In front of the matching words of the reference, then behind each of them.
      const std::size_t place = match + offset;
      const std::ptrdiff_t target = place == 0 ? 0 : aligned_[place - 1] + 1;
      if (target == last) continue;
      last = target;
      const Move move{start, length, static_cast<std::size_t>(target)};
      const auto gain =
          static_cast<std::ptrdiff_t>(before) - static_cast<std::ptrdiff_t>(distance_after(move));
      ++tried_;
      const Rank rank{gain, length, -static_cast<std::ptrdiff_t>(start), -target};
      if (!found || rank > best_rank) {
        found = true;
        best_rank = rank;
        best = move;
      }
    }
  };
  for (std::size_t start = 0; start < hypothesis_.size(); ++start) {
    const std::size_t first = start > kFarthestMove ? start - kFarthestMove : 0;
    const std::size_t last = std::min(reference_.size(), start + kFarthestMove + 1);
    for (std::size_t match = first; match < last; ++match) {
      const std::size_t most =
          std::min({kLongestMove, hypothesis_.size() - start, reference_.size() - match});
      for (std::size_t length = 1; length <= most; ++length) {
        if (hypothesis_[start + length - 1] != reference_[match + length - 1]) break;
        // Only what is wrong here and missing there is worth moving, and not into itself.
        if (!any(hypothesis_wrong_, start, length) || !any(reference_wrong_, match, length)) {
          continue;
        }
        const std::ptrdiff_t there = aligned_[match];
        if (there >= static_cast<std::ptrdiff_t>(start) &&
            there < static_cast<std::ptrdiff_t>(start + length)) {
          continue;
        }
        try_targets(start, match, length);
        if (tried_ >= kMostMovesTried) return found && std::get<0>(best_rank) > 0;
      }
    }
  }
  return found && std::get<0>(best_rank) > 0;
}

void EditCounter::shift(const Move& move, std::vector<Word>& words) const {
  words = hypothesis_;
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(move.start);
  const auto end = begin + static_cast<std::ptrdiff_t>(move.length);
  const auto target = words.begin() + static_cast<std::ptrdiff_t>(move.target);
  if (move.target < move.start) {
    std::rotate(target, begin, end);
  } else if (move.target > move.start + move.length) {
    std::rotate(begin, end, target);
  } else {
    // A target among the words themselves means so many places further on.
    const std::size_t stop = std::min(words.size(), move.length + move.target);
    std::rotate(begin, end, words.begin() + static_cast<std::ptrdiff_t>(stop));
  }
}

}  // namespace dragoman
