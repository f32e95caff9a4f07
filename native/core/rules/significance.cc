#include "rules/significance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "parallel/parallel_for.h"
#include "rules/phrase_hash.h"
#include "text/error.h"

namespace dragoman {
namespace {

// ln n!, by Stirling's series where it is exact to the last digits. Not by std::lgamma, which
// writes a global variable that threads must not share.
double log_factorial(double n) {
  if (n < 32) {
    double product = 1;
    for (double k = 2; k <= n; ++k) product *= k;
    return std::log(product);
  }
  const double square = n * n;
  const double series =
      (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / n;
  return n * std::log(n) - n + 0.5 * std::log(2 * std::numbers::pi * n) + series;
}

double log_choose(double n, double k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// For each phrase, the sentences in which it stands, rising.
class Occurrences {
 public:
  // find(sentence, visit) calls visit(phrase) for each phrase of the sentence, which may repeat.
  template <class Find>
  Occurrences(std::size_t phrases, const Sentences& text, Find&& find) {
    starts_.assign(phrases + 1, 0);
    std::vector<std::uint32_t> last(phrases, kNever);
    const auto for_each = [&](auto&& use) {
      std::fill(last.begin(), last.end(), kNever);
      for (std::size_t number = 0; number < text.size(); ++number) {
        const auto sentence = static_cast<std::uint32_t>(number);
        find(text[number], [&](std::size_t phrase) {
          if (last[phrase] != sentence) use(phrase, sentence);
          last[phrase] = sentence;
        });
      }
    };
    for_each([&](std::size_t phrase, std::uint32_t) { ++starts_[phrase + 1]; });
    for (std::size_t phrase = 0; phrase < phrases; ++phrase) {
      starts_[phrase + 1] += starts_[phrase];
    }
    sentences_.resize(starts_.back());
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for_each([&](std::size_t phrase, std::uint32_t sentence) {
      sentences_[next[phrase]++] = sentence;
    });
  }

  std::span<const std::uint32_t> operator[](std::size_t phrase) const {
    return std::span(sentences_).subspan(starts_[phrase], starts_[phrase + 1] - starts_[phrase]);
  }

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> sentences_;
};

std::uint64_t count_shared(std::span<const std::uint32_t> few,
                           std::span<const std::uint32_t> many) {
  if (few.size() > many.size()) std::swap(few, many);
  std::uint64_t shared = 0;
  auto at = many.begin();
  for (const std::uint32_t sentence : few) {
    at = std::lower_bound(at, many.end(), sentence);
    if (at == many.end()) break;
    if (*at == sentence) ++shared;
  }
  return shared;
}

}  // namespace

double negative_log_p_value(std::uint64_t both, std::uint64_t source, std::uint64_t target,
                            std::uint64_t pairs) {
  const std::uint64_t most = std::min(source, target);
  if (source > pairs || target > pairs || both > most) {
    throw InputError("a phrase cannot occur in more sentences than there are");
  }
  // Fewer than this many together is impossible: the p-value is 1.
  const std::uint64_t least = source + target > pairs ? source + target - pairs : 0;
  if (both <= least) return 0;
  const auto s = static_cast<double>(source);
  const auto t = static_cast<double>(target);
  const auto n = static_cast<double>(pairs);
  auto k = static_cast<double>(both);
  const double log_first = log_choose(s, k) + log_choose(n - s, t - k) - log_choose(n, t);
  // Terms relative to the first. They may rise before they fall, when the pair is rarer than
  // chance would have it.
  double term = 1;
  double sum = 1;
  for (; k < static_cast<double>(most); ++k) {
    term *= (s - k) * (t - k) / ((k + 1) * (n - s - t + k + 1));
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return std::max(0.0, -(log_first + std::log(sum)));
}

std::vector<float> significances(const PhraseTable& table, const ParallelText& text, int threads) {
  const Sentences& source = text.source;
  const Sentences& target = text.target;
  // Source phrases are numbered in the order of the table, found by their first row; target
  // phrases are numbered as they come and found by hash.
  std::vector<std::uint32_t> source_of(table.size());
  std::vector<std::uint32_t> target_of(table.size());
  std::unordered_map<std::uint64_t, std::uint32_t> targets;
  std::uint32_t sources = 0;
  table.for_each_source([&](Sentence, OptionRange range) {
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
      source_of[row] = sources;
      target_of[row] =
          targets
              .try_emplace(hash_of(table.target(row)), static_cast<std::uint32_t>(targets.size()))
              .first->second;
    }
    ++sources;
  });
  const Occurrences in_source(sources, source, [&](Sentence sentence, auto&& visit) {
    table.for_each_span(sentence, [&](std::size_t, std::size_t, OptionRange range) {
      visit(source_of[range.begin]);
    });
  });
  const std::size_t longest = table.info().max_target_length;
  const Occurrences in_target(targets.size(), target, [&](Sentence sentence, auto&& visit) {
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      for (std::size_t length = 1; length <= std::min(longest, sentence.size() - begin);
           ++length) {
        const auto found = targets.find(hash_of(sentence.subspan(begin, length)));
        if (found != targets.end()) visit(found->second);
      }
    }
  });

  std::vector<float> values(table.size());
  constexpr std::size_t kRowsPerBlock = 4096;
  parallel_for(threads, (values.size() + kRowsPerBlock - 1) / kRowsPerBlock,
               [&](std::size_t block, int) {
                 const std::size_t end = std::min(values.size(), (block + 1) * kRowsPerBlock);
                 for (std::size_t row = block * kRowsPerBlock; row < end; ++row) {
                   const auto here = in_source[source_of[row]];
                   const auto there = in_target[target_of[row]];
                   values[row] = static_cast<float>(negative_log_p_value(
                       count_shared(here, there), here.size(), there.size(), source.size()));
                 }
               });
  return values;
}

}  // namespace dragoman
