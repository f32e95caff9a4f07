#include "grammar/factor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "grammar/notation.h"
#include "grammar/permutation_tree.h"
#include "text/checksum.h"
#include "text/parse_double.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::size_t kSmallestFactorable =
    3;  // nothing of rank two or less has a tree of lower rank
constexpr int kNameDigits = 12;

// Whether a table's nameless scores are logarithms or costs, as Chiang's and Joshua's are: no
// probability is zero, negative or above 1. Moses writes e for a feature that is always one.
bool holds_logarithms(const Grammar& grammar) {
  constexpr double kMosesConstant = 2.718;
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    bool strange = false;
    for_each_token(grammar[i].scores, [&strange](std::string_view token) {
      double value = 0;
      if (!parse_double(token, value)) return;
      strange = strange || value <= 0 || (value > 1 && std::abs(value - kMosesConstant) > 1e-3);
    });
    if (strange) return true;
  }
  return false;
}

class Factorer {
 public:
  explicit Factorer(const Grammar& input) : input_(input) {
    output_.grammar.origin = input.origin;
    for (std::size_t id = 0; id < input.nonterminals.size(); ++id) {
      output_.grammar.nonterminals.add(input.nonterminals.name(static_cast<SymbolId>(id)));
    }
    for (std::size_t id = 0; id < input.terminals.size(); ++id) {
      output_.grammar.terminals.add(input.terminals.name(static_cast<SymbolId>(id)));
    }
    output_.fresh.assign(input.nonterminals.size(), false);
    neutral_score_ = holds_logarithms(input) ? '0' : '1';
  }

  FactoredGrammar run() {
    for (std::size_t i = 0; i < input_.size(); ++i) factor_rule(i);
    return std::move(output_);
  }

 private:
  void factor_rule(std::size_t index) {
    const Rule rule = input_[index];
    if (rule_rank(rule) >= kSmallestFactorable) {
      const auto tree = permutation_tree(rule_permutation(rule));
      if (tree.nesting.inner() > 1) {
        add_nodes(rule, tree, index);
        return;
      }
    }
    output_.grammar.add(rule);
    output_.origins.push_back(static_cast<std::int32_t>(index));
  }

  void add_nodes(const Rule& rule, const PermutationTree& tree, std::size_t index) {
    places_of(rule.source, source_places_);
    places_of(rule.target, target_places_);
    const std::size_t inner = tree.nesting.inner();
    names_.clear();
    for (const auto place : source_places_) names_.push_back(~rule.source[place]);
    for (std::size_t node = 0; node < inner; ++node) {
      const bool root = node + 1 == inner;
      write_node(rule, tree, node, root);
      if (!root) {
        names_.push_back(fresh_nonterminal(rule));
        continue;
      }
      Rule kept = rule;
      kept.source = source_;
      kept.target = target_;
      kept.alignment = {};  // its positions are those of the whole rule
      output_.grammar.add(kept);
      output_.origins.push_back(static_cast<std::int32_t>(index));
    }
    // Behind the root, so that the first rule of the grammar still tells the start symbol.
    for (const Made& made : made_) {
      Rule fresh;
      fresh.lhs = made.name;
      fresh.source = made.source;
      fresh.target = made.target;
      fresh.scores = made.scores;
      output_.grammar.add(fresh);
      output_.origins.push_back(-1);
    }
    made_.clear();
  }

  static void places_of(std::span<const SymbolId> side, std::vector<std::size_t>& places) {
    places.clear();
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (!is_terminal(side[i])) places.push_back(i);
    }
  }

  // The node's rule into source_ and target_: its children and the terminals between them.
  void write_node(const Rule& rule, const PermutationTree& tree, std::size_t node, bool root) {
    const auto leaves = static_cast<std::int32_t>(tree.nesting.leaves);
    const auto children = tree.nesting.of(node);
    const auto offset = tree.nesting.offsets[node];
    const auto size_of = [&](std::int32_t child) {
      return child < leaves ? 1 : tree.ends[child - leaves] - tree.begins[child - leaves];
    };
    source_.clear();
    target_.clear();
    by_value_.resize(children.size());
    auto next = static_cast<std::size_t>(tree.begins[node]);
    for (std::size_t i = 0; i < children.size(); ++i) {
      by_value_[static_cast<std::size_t>(tree.order[offset + i])] = i;
      if (i > 0 || root) write_terminals(rule.source, source_places_, next, source_);
      source_.push_back(~names_[static_cast<std::size_t>(children[i])]);
      next += static_cast<std::size_t>(size_of(children[i]));
    }
    if (root) write_terminals(rule.source, source_places_, next, source_);
    next = static_cast<std::size_t>(tree.lows[node]);
    for (std::size_t rank = 0; rank < children.size(); ++rank) {
      if (rank > 0 || root) write_terminals(rule.target, target_places_, next, target_);
      target_.push_back(~static_cast<SymbolId>(by_value_[rank]));
      next += static_cast<std::size_t>(size_of(children[by_value_[rank]]));
    }
    if (root) write_terminals(rule.target, target_places_, next, target_);
  }

  // The terminals of a side between its nonterminals next - 1 and next.
  static void write_terminals(std::span<const SymbolId> side, std::span<const std::size_t> places,
                              std::size_t next, std::vector<SymbolId>& out) {
    const auto begin = next == 0 ? 0 : places[next - 1] + 1;
    const auto end = next == places.size() ? side.size() : places[next];
    out.insert(out.end(), side.begin() + static_cast<std::ptrdiff_t>(begin),
               side.begin() + static_cast<std::ptrdiff_t>(end));
  }

  // The nonterminal that derives what is in source_ and target_, with its one rule if it is
  // new.
  SymbolId fresh_nonterminal(const Rule& whole) {
    Rule rule;
    rule.source = source_;
    rule.target = target_;
    std::string content = write_rule(output_.grammar, rule);
    content.erase(0, content.find("->"));  // what it derives, whatever its name
    if (const auto found = by_content_.find(content); found != by_content_.end()) {
      return found->second;
    }
    std::string name = hex(hash_bytes(content)).insert(0, 1, '@');
    SymbolId id = output_.grammar.nonterminals.find(name);
    while (id >= 0 && !derives_only(id)) {
      name += '\'';
      id = output_.grammar.nonterminals.find(name);
    }
    if (id < 0) {
      id = output_.grammar.nonterminals.add(name);
      output_.fresh.push_back(true);
      made_.push_back({id, source_, target_, neutral_scores(whole.scores)});
    }
    by_content_.emplace(std::move(content), id);
    return id;
  }

  // Whether the input itself (a grammar factored before) has exactly this rule for `id`.
  bool derives_only(SymbolId id) {
    if (static_cast<std::size_t>(id) >= input_.nonterminals.size()) return false;
    if (input_rules_.empty()) {
      for (std::size_t i = 0; i < input_.size(); ++i) input_rules_[input_[i].lhs].push_back(i);
    }
    const auto found = input_rules_.find(id);
    if (found == input_rules_.end() || found->second.size() != 1) return false;
    const Rule rule = input_[found->second.front()];
    return rule.log_weight == 0 &&
           std::equal(rule.source.begin(), rule.source.end(), source_.begin(), source_.end()) &&
           std::equal(rule.target.begin(), rule.target.end(), target_.begin(), target_.end());
  }

  static std::string hex(std::uint64_t value) {
    std::string digits;
    for (int i = 0; i < kNameDigits; ++i, value >>= 4) digits += "0123456789abcdef"[value & 15];
    return digits;
  }

  // As many neutral scores as the rule has scores; nothing in the place of named features, where
  // 0 is left out.
  std::string neutral_scores(std::string_view scores) const {
    std::string neutral;
    if (scores.find('=') != std::string_view::npos) return neutral;
    for_each_token(scores, [&](std::string_view) {
      if (!neutral.empty()) neutral += ' ';
      neutral += neutral_score_;
    });
    return neutral;
  }

  const Grammar& input_;
  FactoredGrammar output_;
  char neutral_score_ = '1';
  std::unordered_map<std::string, SymbolId> by_content_;
  std::map<SymbolId, std::vector<std::size_t>> input_rules_;
  // Of the rule at hand.
  struct Made {
    SymbolId name;
    std::vector<SymbolId> source;
    std::vector<SymbolId> target;
    std::string scores;
  };
  std::vector<Made> made_;  // rules of fresh nonterminals
  std::vector<std::size_t> source_places_;
  std::vector<std::size_t> target_places_;
  std::vector<SymbolId> names_;  // per tree node: the nonterminal that stands for it
  std::vector<SymbolId> source_;
  std::vector<SymbolId> target_;
  std::vector<std::size_t> by_value_;
};

}  // namespace

FactoredGrammar factor(const Grammar& grammar) { return Factorer(grammar).run(); }

}  // namespace dragoman
