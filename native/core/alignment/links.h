// Word alignments: for each sentence pair a list of links, sorted by source, then target.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace dragoman {

// Positions are 0-based. Sixteen bits bound a sentence to 65,535 words; longer ones are
// refused where text comes in.
struct Link {
  std::uint16_t source = 0;
  std::uint16_t target = 0;
  auto operator<=>(const Link&) const = default;
};
static_assert(sizeof(Link) == 4);  // an array of links is an array of uint16 pairs

// Pair i has links[offsets[i] .. offsets[i+1]); a view, as Sentences is.
class LinkSets {
 public:
  LinkSets() = default;
  LinkSets(std::span<const Link> links, std::span<const std::uint64_t> offsets)
      : links_(links), offsets_(offsets) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != links.size()) {
      throw std::invalid_argument("offsets must run from 0 to the number of links");
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      if (offsets[i] < offsets[i - 1]) throw std::invalid_argument("offsets must not decrease");
    }
  }

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::span<const Link> operator[](std::size_t i) const {
    return links_.subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  std::span<const Link> links() const { return links_; }
  std::span<const std::uint64_t> offsets() const { return offsets_; }

 private:
  std::span<const Link> links_;
  std::span<const std::uint64_t> offsets_;
};

// Of the sorted links of a pair, those of `words` source words from `begin` on.
inline std::span<const Link> links_from(std::span<const Link> links, std::size_t begin,
                                        std::size_t words) {
  const auto before = [](const Link& link, std::size_t position) {
    return link.source < position;
  };
  const auto first = std::lower_bound(links.begin(), links.end(), begin, before);
  const auto last = std::find_if(
      first, links.end(), [end = begin + words](const Link& link) { return link.source >= end; });
  return {first, last};
}

}  // namespace dragoman
