#include "grammar/unary_closure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "text/error.h"

namespace dragoman {

namespace {

// Beyond this a cycle is a mistake rather than a grammar, and its matrix large.
constexpr std::size_t kLargestCycle = 1000;

// Strongly connected components (Tarjan 1972, without recursion), each after all it leads to.
class Components {
 public:
  explicit Components(const std::vector<std::vector<std::uint32_t>>& edges)
      : edges_(edges), index_(edges.size(), 0), low_(edges.size(), 0), open_(edges.size(), false) {
    for (std::uint32_t v = 0; v < edges.size(); ++v) {
      if (index_[v] == 0) visit(v);
    }
  }
  std::vector<std::vector<std::uint32_t>> found;

 private:
  void visit(std::uint32_t root) {
    struct Frame {
      std::uint32_t vertex;
      std::size_t next;
    };
    std::vector<Frame> frames;
    const auto enter = [&](std::uint32_t v) {
      index_[v] = low_[v] = ++count_;
      stack_.push_back(v);
      open_[v] = true;
      frames.push_back({v, 0});
    };
    enter(root);
    while (!frames.empty()) {
      auto& frame = frames.back();
      const auto v = frame.vertex;
      if (frame.next < edges_[v].size()) {
        const auto w = edges_[v][frame.next++];
        if (index_[w] == 0) {
          enter(w);
        } else if (open_[w]) {
          low_[v] = std::min(low_[v], index_[w]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty())
        low_[frames.back().vertex] = std::min(low_[frames.back().vertex], low_[v]);
      if (low_[v] != index_[v]) continue;
      auto& component = found.emplace_back();
      while (true) {
        const auto w = stack_.back();
        stack_.pop_back();
        open_[w] = false;
        component.push_back(w);
        if (w == v) break;
      }
      std::sort(component.begin(), component.end());
    }
  }

  const std::vector<std::vector<std::uint32_t>>& edges_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> open_;
  std::vector<std::uint32_t> stack_;
  std::uint32_t count_ = 0;
};

[[noreturn]] void refuse_cycle(const Grammar& grammar, const UnaryGroup& group,
                               const std::string& why) {
  std::set<std::uint32_t> lines;
  for (const auto& rule : group.rules) {
    if (std::find(group.members.begin(), group.members.end(), rule.to) != group.members.end()) {
      lines.insert(grammar[rule.rule].line);
    }
  }
  std::string shown;
  std::size_t count = 0;
  for (const auto line : lines) {
    if (++count > 8) {
      shown += ", ...";
      break;
    }
    shown += (shown.empty() ? "" : ", ") + std::to_string(line);
  }
  throw InputError(grammar.origin + ": the unary rules on lines " + shown + " form a cycle " +
                   why);
}

// (I - U)^-1 by elimination without exchanges. For U >= 0 all pivots are positive exactly if the
// series I + U + U^2 + ... converges.
bool invert(std::vector<double>& matrix, std::size_t size, std::vector<double>& inverse) {
  inverse.assign(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) inverse[i * size + i] = 1;
  for (std::size_t k = 0; k < size; ++k) {
    const double pivot = matrix[k * size + k];
    if (!(pivot > 1e-12)) return false;
    for (std::size_t j = 0; j < size; ++j) {
      matrix[k * size + j] /= pivot;
      inverse[k * size + j] /= pivot;
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = matrix[i * size + k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = 0; j < size; ++j) {
        matrix[i * size + j] -= factor * matrix[k * size + j];
        inverse[i * size + j] -= factor * inverse[k * size + j];
      }
    }
  }
  return true;
}

}  // namespace

bool is_unary(const Rule& rule) {
  return rule.source.size() == 1 && rule.target.size() == 1 && !is_terminal(rule.source[0]);
}

UnaryClosure::UnaryClosure(const Grammar& grammar)
    : involved_(grammar.nonterminals.size(), false) {
  std::vector<UnaryRule> rules;
  std::vector<SymbolId> symbols;
  std::map<SymbolId, std::uint32_t> vertex_of;
  const auto vertex = [&](SymbolId id) {
    const auto [place, is_new] = vertex_of.emplace(id, static_cast<std::uint32_t>(symbols.size()));
    if (is_new) symbols.push_back(id);
    involved_[static_cast<std::size_t>(id)] = true;
    return place->second;
  };
  std::vector<std::vector<std::uint32_t>> edges;
  std::vector<std::vector<std::uint32_t>> rules_of;
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    if (!is_unary(rule)) continue;
    const auto from = vertex(rule.lhs);
    const auto to = vertex(~rule.source[0]);
    edges.resize(symbols.size());
    rules_of.resize(symbols.size());
    edges[from].push_back(to);
    rules_of[from].push_back(static_cast<std::uint32_t>(rules.size()));
    rules.push_back({static_cast<std::uint32_t>(i), rule.lhs, ~rule.source[0], rule.log_weight});
  }
  const Components components(edges);
  for (const auto& component : components.found) {
    UnaryGroup group;
    std::map<SymbolId, std::size_t> place;
    for (const auto v : component) {
      place.emplace(symbols[v], group.members.size());
      group.members.push_back(symbols[v]);
      for (const auto rule : rules_of[v]) group.rules.push_back(rules[rule]);
    }
    const std::size_t size = component.size();
    const bool cyclic =
        std::any_of(group.rules.begin(), group.rules.end(),
                    [&](const UnaryRule& rule) { return place.contains(rule.to); });
    if (cyclic) {
      if (size > kLargestCycle) {
        refuse_cycle(grammar, group, "of " + std::to_string(size) + " nonterminals, too large");
      }
      std::vector<double> matrix(size * size, 0);
      for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] = 1;
      for (const auto& rule : group.rules) {
        const auto to = place.find(rule.to);
        if (to != place.end()) {
          matrix[place.at(rule.from) * size + to->second] -= std::exp(rule.log_weight);
        }
      }
      if (!invert(matrix, size, group.inverse)) {
        refuse_cycle(grammar, group,
                     "whose derivations add up to an infinite probability; lower their "
                     "probabilities or remove one of them");
      }
    }
    groups_.push_back(std::move(group));
  }
}

}  // namespace dragoman
