#include "rules/smoothing.h"

#include <cmath>
#include <vector>

namespace dragoman {

void CountStatistics::add(const CountStatistics& other) {
  instances += other.instances;
  pairs += other.pairs;
  for (const auto& [count, number] : other.with_count) with_count[count] += number;
}

SmoothingModel::SmoothingModel(Smoothing smoothing, const CountStatistics& statistics)
    : smoothing_(smoothing),
      instances_(static_cast<double>(statistics.instances)),
      pairs_(static_cast<double>(statistics.pairs)) {
  const auto number = [&](std::uint32_t count) {
    const auto found = statistics.with_count.find(count);
    return found == statistics.with_count.end() ? 0.0 : static_cast<double>(found->second);
  };
  once_ = number(1);
  if (smoothing == Smoothing::kKneserNey) {
    discount_ = once_ > 0 ? once_ / (once_ + 2 * number(2)) : 0;
    if (once_ == 0) fallback_ = "no phrase pair occurs just once, so nothing is discounted";
  } else if (smoothing == Smoothing::kGoodTuring) {
    fit_good_turing(statistics);
  }
}

void SmoothingModel::fit_good_turing(const CountStatistics& statistics) {
  // Each number of pairs is spread over the gap to its neighbours, or the long tail of counts
  // that occur once would flatten the line.
  std::vector<double> x;
  std::vector<double> y;
  const auto& table = statistics.with_count;
  for (auto at = table.begin(); at != table.end(); ++at) {
    const double count = at->first;
    const double below = at == table.begin() ? 0 : std::prev(at)->first;
    const auto next = std::next(at);
    const double above = next == table.end() ? 2 * count - below : next->first;
    x.push_back(std::log(count));
    y.push_back(std::log(static_cast<double>(at->second) / (0.5 * (above - below))));
  }
  const auto points = static_cast<double>(x.size());
  double x_mean = 0, y_mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x_mean += x[i] / points;
    y_mean += y[i] / points;
  }
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - x_mean) * (y[i] - y_mean);
    variance += (x[i] - x_mean) * (x[i] - x_mean);
  }
  exponent_ = variance > 0 ? covariance / variance : 0;
  if (exponent_ > -1) {  // counts would grow instead of shrink
    exponent_ = -1;
    once_ = 0;
    fallback_ = "too few different counts for Good-Turing, so nothing is discounted";
  }
}

double SmoothingModel::discounted(std::uint32_t count) const {
  const auto plain = static_cast<double>(count);
  if (smoothing_ != Smoothing::kGoodTuring) return plain;
  return (plain + 1) * std::pow((plain + 1) / plain, exponent_);
}

double SmoothingModel::probability(std::uint32_t count, const SideTotal& given,
                                   const SideTotal& wanted) const {
  switch (smoothing_) {
    case Smoothing::kGoodTuring:
      return discounted(count) / (given.discounted + once_ * given.count / instances_);
    case Smoothing::kKneserNey: {
      const double back_off = discount_ * given.partners / given.count;
      return (static_cast<double>(count) - discount_) / given.count +
             back_off * wanted.partners / pairs_;
    }
    case Smoothing::kNone:
      break;
  }
  return static_cast<double>(count) / given.count;
}

}  // namespace dragoman
