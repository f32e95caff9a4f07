// Conditional phrase probabilities from joint counts: relative frequencies, or smoothed as in
// Foster, Kuhn & Johnson (2006), "Phrasetable smoothing for statistical machine translation".
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace dragoman {

enum class Smoothing : std::uint8_t { kNone, kGoodTuring, kKneserNey };

// What is known of all phrase pairs together once they are counted.
struct CountStatistics {
  std::uint64_t instances = 0;                             // all joint counts summed
  std::uint64_t pairs = 0;                                 // distinct phrase pairs
  std::map<std::uint32_t, std::uint64_t> with_count = {};  // how many pairs have each count

  void add(const CountStatistics& other);
};

// One side of a pair: how often it was extracted, with how many different partners, and the sum
// of its discounted joint counts.
struct SideTotal {
  double count = 0;
  double partners = 0;
  double discounted = 0;
};

class SmoothingModel {
 public:
  SmoothingModel() = default;
  SmoothingModel(Smoothing smoothing, const CountStatistics& statistics);

  // The joint count that the sums of SideTotal::discounted take. For Good-Turing it is
  // (c+1) S(c+1) / S(c), where S is the log-linear fit of the numbers of pairs per count (Gale &
  // Sampson 1995); for the others it is the count.
  double discounted(std::uint32_t count) const;

  // p(wanted | given) of a pair seen `count` times. Positive, at most 1.
  //   none         c / c(given)
  //   Good-Turing  c_g / (sum of c_g of given + n_1 c(given) / N)
  //   Kneser-Ney   (c - D) / c(given) + D n(given) / c(given) * n(wanted) / n,
  //                D = n_1 / (n_1 + 2 n_2); n(x): different partners of x, n: of all
  double probability(std::uint32_t count, const SideTotal& given, const SideTotal& wanted) const;

  double discount() const { return discount_; }  // D
  double exponent() const { return exponent_; }  // b of S(c) = a c^b
  // Why the counts could not be smoothed as asked; empty when they could.
  const std::string& fallback() const { return fallback_; }

 private:
  void fit_good_turing(const CountStatistics& statistics);

  Smoothing smoothing_ = Smoothing::kNone;
  double instances_ = 0;
  double pairs_ = 0;
  double once_ = 0;  // n_1
  double discount_ = 0;
  double exponent_ = -1;
  std::string fallback_;
};

}  // namespace dragoman
