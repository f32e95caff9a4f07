#include "search/stack_cube.h"

#include <algorithm>
#include <limits>

namespace dragoman {

void StackSearch::fill_by_cubes(std::size_t covered) {
  std::size_t pops = options_.pop_limit != 0 ? options_.pop_limit : options_.beam_limit;
  if (pops == 0) pops = std::numeric_limits<std::size_t>::max();
  cube_->fill(*this, covered, pops);
}

void StackSearch::Cube::start(std::size_t length) {
  into_.clear();
  into_.resize(length + 1);
}

void StackSearch::Cube::close_stack(StackSearch& search, std::size_t covered) {
  for (const Group& group : search.groups_) {
    const auto& hypotheses = search.space_.hypotheses;
    search.find_steps(hypotheses[search.by_coverage_[group.begin]].coverage);
    for (const Step& step : search.steps_) {
      Edge edge{step, {}};
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const std::uint32_t index = search.by_coverage_[i];
        const Hypothesis& from = hypotheses[index];
        if (jump_allowed(from.last.end, step.span.begin, search.options_.distortion_limit)) {
          edge.departures.push_back(search.depart(index, step.span, search.block_of(from),
                                                  from.score + search.jump_cost(from, step.span)));
        }
      }
      if (edge.departures.empty()) continue;
      std::stable_sort(edge.departures.begin(), edge.departures.end(),
                       [](const Departure& a, const Departure& b) {
                         return a.base + a.forward > b.base + b.forward;
                       });
      into_[covered + step.span.end - step.span.begin].push_back(std::move(edge));
    }
  }
}

void StackSearch::Cube::push(StackSearch& search, std::vector<Edge>& edges, std::uint32_t edge,
                             std::uint32_t departure, std::uint32_t option, Beam& into) {
  Step& step = edges[edge].step;
  if (departure >= edges[edge].departures.size() || option >= step.options->options().size()) {
    return;
  }
  Departure& from = edges[edge].departures[departure];
  from.from = &search.space_.hypotheses[from.from_index];  // they may have moved since
  Item item;
  item.admitted = search.evaluate(from, step, step.options->options()[option], into);
  item.candidate = search.candidate_;
  item.owns_states = search.candidate_owns_states_;
  item.complete = search.candidate_complete_;
  item.edge = edge;
  item.departure = departure;
  item.option = option;
  const std::size_t sequences = search.weighted_.sequences();
  if (item.owns_states && sequences > 0) {
    LmState* copies = states_.take(sequences);
    std::copy_n(item.candidate.states, sequences, copies);
    item.candidate.states = copies;
  }
  queue_.push_back(item);
  std::push_heap(queue_.begin(), queue_.end());
}

void StackSearch::Cube::fill(StackSearch& search, std::size_t covered, std::size_t pops) {
  std::vector<Edge> edges = std::move(into_[covered]);
  Beam& into = search.beam(covered);
  queue_.clear();
  states_.clear();
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) push(search, edges, edge, 0, 0, into);
  for (std::size_t popped = 0; popped < pops && !queue_.empty(); ++popped) {
    std::pop_heap(queue_.begin(), queue_.end());
    const Item item = queue_.back();
    queue_.pop_back();
    if (item.admitted) {
      into.add(item.candidate, item.owns_states, item.complete);
    }
    // Each cell of the grid is reached one way only: down its column, or along the first row.
    push(search, edges, item.edge, item.departure + 1, item.option, into);
    if (item.departure == 0) push(search, edges, item.edge, 0, item.option + 1, into);
  }
}

}  // namespace dragoman
