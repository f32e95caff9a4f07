// The form in which every algorithm receives text: word ids and where each sentence begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "text/words.h"

namespace dragoman {

// Sentence i is ids[offsets[i] .. offsets[i+1]); offsets has one entry more than there are
// sentences. A view: the arrays belong to somebody else.
class Sentences {
 public:
  Sentences() = default;
  Sentences(std::span<const WordId> ids, std::span<const std::uint64_t> offsets)
      : ids_(ids), offsets_(offsets) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != ids.size()) {
      throw std::invalid_argument("offsets must run from 0 to the number of ids");
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      if (offsets[i] < offsets[i - 1]) throw std::invalid_argument("offsets must not decrease");
    }
  }

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::size_t words() const { return ids_.size(); }
  Sentence operator[](std::size_t i) const {
    return ids_.subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  std::span<const WordId> ids() const { return ids_; }
  std::span<const std::uint64_t> offsets() const { return offsets_; }

 private:
  std::span<const WordId> ids_;
  std::span<const std::uint64_t> offsets_;
};

}  // namespace dragoman
