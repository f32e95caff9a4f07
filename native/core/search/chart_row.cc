#include "search/chart_row.h"

#include <algorithm>

namespace dragoman {

void ChartRow::start(std::size_t begin) {
  begin_ = begin;
  before.clear();
  with_word.clear();
  nodes_.clear();
  with_gap_.clear();
  ends_.assign(1, {});
}

void ChartRow::close(std::span<const std::uint32_t> nodes) {
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  ends_.push_back(
      {static_cast<std::uint32_t>(nodes_.size()), static_cast<std::uint32_t>(with_gap_.size())});
}

void ChartRow::forget_unwanted() {
  std::uint32_t begin = 0, kept = 0;
  for (Ends& ends : ends_) {
    const std::uint32_t end = ends.nodes;
    if (ends.wanted) {
      std::copy(nodes_.begin() + begin, nodes_.begin() + end, nodes_.begin() + kept);
      kept += end - begin;
    }
    begin = end;
    ends.nodes = kept;
    ends.wanted = false;
  }
  nodes_.resize(kept);
}

}  // namespace dragoman
