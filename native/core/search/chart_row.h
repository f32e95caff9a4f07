// What a chart search keeps of the spans that begin at one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/phrase_table.h"
#include "search/chart_space.h"

namespace dragoman {

// A rule's source side, matched up to and with what comes next.
struct Dotted {
  PhraseTable::Node node = PhraseTable::kRoot;
  std::uint8_t gaps = 0;
  SourceSpan spans[2];  // of the gaps
};

// Spans come shortest first, each closed before the next.
class ChartRow {
 public:
  // Nodes of S up to this word, best first.
  ChartSpace::Nodes before;
  // Rules that go on with the word behind the span that was closed last.
  std::vector<Dotted> with_word;

  void start(std::size_t begin);
  // Of the span under way: a rule that goes on with a gap.
  void add_with_gap(const Dotted& item) { with_gap_.push_back(item); }
  // The span is done; it derives these nodes, best first.
  void close(std::span<const std::uint32_t> nodes);

  // Both are of closed spans. The nodes move when another is closed.
  std::span<const std::uint32_t> cell(std::size_t end) const {
    return {nodes_.data() + ends_[end - begin_ - 1].nodes,
            nodes_.data() + ends_[end - begin_].nodes};
  }
  std::pair<std::size_t, std::size_t> with_gap_from(std::size_t end) const {
    return {ends_[end - begin_ - 1].with_gap, ends_[end - begin_].with_gap};
  }
  const Dotted& with_gap(std::size_t index) const { return with_gap_[index]; }

  // Which cells are still asked for: those in gaps of rules that may go on.
  template <class Visit>
  void for_each_gap(Visit&& visit) const {
    for (const auto* items : {&with_word, &with_gap_}) {
      for (const Dotted& item : *items) {
        for (std::size_t gap = 0; gap < item.gaps; ++gap) visit(item.spans[gap]);
      }
    }
  }
  void want(std::size_t end) { ends_[end - begin_].wanted = true; }
  void forget_unwanted();
  ChartSpace::Nodes& nodes() { return nodes_; }

 private:
  // Of what spans up to a length have, the end.
  struct Ends {
    std::uint32_t nodes = 0;
    std::uint32_t with_gap = 0;
    bool wanted = false;
  };

  std::size_t begin_ = 0;
  ChartSpace::Nodes nodes_;  // of X, span by span
  std::vector<Dotted> with_gap_;
  std::vector<Ends> ends_;  // by length
};

}  // namespace dragoman
