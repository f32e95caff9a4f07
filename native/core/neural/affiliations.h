// Which source word a target word belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dragoman {

// Source and target position of each link, in any order.
using LinkPositions = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The middle one of the source words that a target word is linked to, the left one of two; of a
// word without links that of the nearest word that has some, to the right of two equally near
// (Devlin et al. 2014, section 2.1). Without any links, the first source word.
std::vector<std::uint32_t> affiliations(LinkPositions links, std::size_t target_words);

}  // namespace dragoman
