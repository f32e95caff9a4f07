#include "learning/leave_one_out.h"

#include <algorithm>
#include <cmath>

namespace dragoman {

namespace {

constexpr WordId kBorder = -1;

std::vector<WordId> pair_key(Sentence source, Sentence target) {
  std::vector<WordId> key(source.begin(), source.end());
  key.push_back(kBorder);
  key.insert(key.end(), target.begin(), target.end());
  return key;
}

}  // namespace

OwnPhrases::OwnPhrases(std::size_t max_length)
    : extractor_(ExtractionOptions{max_length, {}}) {}  // no orientations

void OwnPhrases::extract(Sentence source, Sentence target, std::span<const Link> links) {
  pairs_.clear();
  sources_.clear();
  targets_.clear();
  extractor_.extract(source.size(), target.size(), links, found_);
  for (const PhraseInstance& pair : found_) {
    const Sentence here = source.subspan(pair.source_begin, pair.source_length);
    const Sentence there = target.subspan(pair.target_begin, pair.target_length);
    ++pairs_[pair_key(here, there)];
    ++sources_[{here.begin(), here.end()}];
    ++targets_[{there.begin(), there.end()}];
  }
}

std::uint32_t OwnPhrases::pairs(Sentence source, Sentence target) const {
  return count(pairs_, pair_key(source, target));
}

std::uint32_t OwnPhrases::count(const Counts& counts, Sentence phrase) {
  const auto place = counts.find({phrase.begin(), phrase.end()});
  return place == counts.end() ? 0 : place->second;
}

double leave_one_out(float joint, float whole, std::uint32_t own_joint, std::uint32_t own_whole,
                     double singleton) {
  if (own_joint == 0 && own_whole == 0) return 0;
  const double before = std::log(static_cast<double>(joint) / static_cast<double>(whole));
  const double others = static_cast<double>(joint) - own_joint;
  const double all_others = static_cast<double>(whole) - own_whole;
  // Smoothed or merged counts need not be whole numbers.
  if (others < 0.5 || all_others < 0.5) return singleton - before;
  return std::log(std::min(1.0, others / all_others)) - before;
}

}  // namespace dragoman
