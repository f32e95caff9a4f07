#include "grammar/parse.h"

#include <algorithm>

#include "grammar/dotted_rule.h"
#include "grammar/parse_chart.h"
#include "grammar/unary_closure.h"
#include "grammar/unary_values.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

// A meeting key has 12 bits for a position; longer sentences are out of reach anyway.
constexpr std::size_t kLongestSentence = 4094;
constexpr std::size_t kMostNonterminals = std::size_t{1} << 24;
constexpr std::uint64_t kTickEvery = std::uint64_t{1} << 20;

// One parse. Items are finished in the order of their size (words of both sides they cover):
// every rule but a unary one makes an item larger than each of its parts.
class Chart {
 public:
  Chart(const Grammar& grammar, const UnaryClosure& unary, std::span<const SymbolId> source,
        std::span<const SymbolId> target, const ParseOptions& options)
      : grammar_(grammar),
        unary_(unary),
        source_(source),
        target_(target),
        options_(options),
        passive_by_size_(source.size() + target.size() + 1),
        active_by_size_(source.size() + target.size() + 1),
        starts_(grammar.nonterminals.size()),
        modes_(grammar.nonterminals.size(), 0),
        unary_values_(unary, grammar.nonterminals.size()) {
    choose_rules();
  }

  ParseResult run(SymbolId start) {
    add_lexical_items();
    for (std::uint32_t size = 1; size < passive_by_size_.size(); ++size) {
      if (options_.tick) options_.tick();
      close_unary(passive_by_size_[size]);
      for (const auto item : passive_by_size_[size]) {
        meet_actives(item);
        start_rules(item);
      }
      for (const auto item : active_by_size_[size]) meet_passives(item);
    }
    return result(start);
  }

 private:
  // Rules whose words all occur in the pair.
  void choose_rules() {
    std::vector<bool> in_source(grammar_.terminals.size(), false);
    std::vector<bool> in_target(grammar_.terminals.size(), false);
    for (const auto word : source_) {
      if (word >= 0) in_source[static_cast<std::size_t>(word)] = true;
    }
    for (const auto word : target_) {
      if (word >= 0) in_target[static_cast<std::size_t>(word)] = true;
    }
    const auto covered = [](std::span<const SymbolId> side, const std::vector<bool>& words) {
      return std::all_of(side.begin(), side.end(), [&](SymbolId symbol) {
        return !is_terminal(symbol) || words[static_cast<std::size_t>(symbol)];
      });
    };
    for (std::size_t i = 0; i < grammar_.size(); ++i) {
      const Rule rule = grammar_[i];
      if (is_unary(rule) || !covered(rule.source, in_source) || !covered(rule.target, in_target)) {
        continue;
      }
      rules_.push_back(dotted(rule, static_cast<std::uint32_t>(i)));
      const auto& steps = rules_.back().steps;
      const auto number = static_cast<std::uint32_t>(rules_.size() - 1);
      if (!steps.empty()) starts_[static_cast<std::size_t>(steps[0].name)].push_back(number);
      for (std::size_t k = 1; k < steps.size(); ++k) {
        modes_[static_cast<std::size_t>(steps[k].name)] |=
            static_cast<std::uint8_t>(1U << steps[k].filled);
      }
    }
  }

  static bool matches(std::span<const SymbolId> sentence, std::int64_t begin,
                      std::span<const SymbolId> words) {
    const auto size = static_cast<std::int64_t>(words.size());
    return begin >= 0 && begin + size <= static_cast<std::int64_t>(sentence.size()) &&
           std::equal(words.begin(), words.end(), sentence.begin() + begin);
  }
  static std::span<const SymbolId> part(std::span<const SymbolId> side, Stretch stretch) {
    return side.subspan(stretch.begin, stretch.end - stretch.begin);
  }

  void add_lexical_items() {
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
      const Rule& rule = rules_[r].rule;
      if (!rules_[r].steps.empty()) continue;
      for (std::size_t i = 0; i + rule.source.size() <= source_.size(); ++i) {
        if (!matches(source_, static_cast<std::int64_t>(i), rule.source)) continue;
        for (std::size_t a = 0; a + rule.target.size() <= target_.size(); ++a) {
          if (!matches(target_, static_cast<std::int64_t>(a), rule.target)) continue;
          const SpanPair span{
              static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + rule.source.size()),
              static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(a + rule.target.size())};
          add_passive(rule.lhs, span, rule.log_weight, rule.log_weight,
                      {rules_[r].index, kNoItem, kNoItem});
        }
      }
    }
  }

  static std::uint64_t hash_of(SymbolId name, const SpanPair& span) {
    const auto packed = (std::uint64_t{span.i} << 48) | (std::uint64_t{span.j} << 32) |
                        (std::uint64_t{span.a} << 16) | span.b;
    return fold_multiply(packed ^ 0x243f6a8885a308d3,
                         static_cast<std::uint64_t>(name) + 0x9e3779b97f4a7c15);
  }

  std::uint64_t hash_of_active(std::uint32_t rule, std::uint16_t dot, std::uint16_t i,
                               std::uint16_t j, std::span<const std::uint16_t> fragments) const {
    const auto packed = (std::uint64_t{i} << 48) | (std::uint64_t{j} << 32) | (std::uint64_t{dot});
    auto hash = fold_multiply(packed ^ 0x13198a2e03707344, rule + 0x9e3779b97f4a7c15);
    for (const auto bound : fragments) {
      hash = fold_multiply(hash ^ bound, 0xa4093822299f31d1);
    }
    return hash;
  }

  std::uint32_t passive_number(SymbolId name, const SpanPair& span) {
    return passive_table_.find_or_make(
        hash_of(name, span),
        [&](std::uint32_t item) {
          return passives_[item].name == name && passives_[item].span == span;
        },
        [&] {
          count_item();
          Passive passive;
          passive.name = name;
          passive.span = span;
          passives_.push_back(passive);
          const auto number = static_cast<std::uint32_t>(passives_.size() - 1);
          passive_by_size_[span.size()].push_back(number);
          return number;
        },
        [&](std::uint32_t item) { return hash_of(passives_[item].name, passives_[item].span); });
  }

  void add_passive(SymbolId name, const SpanPair& span, double inside, double best,
                   const Backpointer& back) {
    Passive& passive = passives_[passive_number(name, span)];
    passive.inside = log_add(passive.inside, inside);
    if (best > passive.best) {
      passive.best = best;
      passive.back = back;
    }
  }

  std::span<const std::uint16_t> fragments_of(const Active& active) const {
    return std::span(fragments_).subspan(active.fragments, active.fragment_bounds);
  }

  void add_active(std::uint32_t rule, std::uint16_t dot, std::uint16_t i, std::uint16_t j,
                  std::span<const std::uint16_t> fragments, double inside, double best,
                  const Backpointer& back) {
    const auto number = active_table_.find_or_make(
        hash_of_active(rule, dot, i, j, fragments),
        [&](std::uint32_t item) {
          const Active& other = actives_[item];
          const auto bounds = fragments_of(other);
          return other.rule == rule && other.dot == dot && other.i == i && other.j == j &&
                 std::equal(bounds.begin(), bounds.end(), fragments.begin(), fragments.end());
        },
        [&] {
          count_item();
          Active active;
          active.rule = rule;
          active.dot = dot;
          active.i = i;
          active.j = j;
          active.fragment_bounds = static_cast<std::uint16_t>(fragments.size());
          active.fragments = fragments_.size();
          fragments_.insert(fragments_.end(), fragments.begin(), fragments.end());
          actives_.push_back(active);
          const auto made = static_cast<std::uint32_t>(actives_.size() - 1);
          std::uint32_t size = static_cast<std::uint32_t>(j - i);
          for (std::size_t k = 0; k < fragments.size(); k += 2) {
            size += static_cast<std::uint32_t>(fragments[k + 1] - fragments[k]);
          }
          active_by_size_[size].push_back(made);
          return made;
        },
        [&](std::uint32_t item) {
          const Active& other = actives_[item];
          return hash_of_active(other.rule, other.dot, other.i, other.j, fragments_of(other));
        });
    Active& active = actives_[number];
    active.inside = log_add(active.inside, inside);
    if (best > active.best) {
      active.best = best;
      active.back = back;
    }
  }

  void count_item() {
    if (passives_.size() + actives_.size() < options_.max_items) return;
    throw InputError("the chart has grown past " + std::to_string(options_.max_items) +
                     " items; parse a shorter pair, factor the grammar, or raise the limit");
  }

  // Takes the next nonterminal of a rule; `active` is kNoItem when it is the first.
  void extend(std::uint32_t rule_number, std::uint32_t active, std::uint32_t passive_item) {
    if ((++combinations_ % kTickEvery) == 0 && options_.tick) options_.tick();
    const DottedRule& dotted = rules_[rule_number];
    const Passive& passive = passives_[passive_item];
    const bool first = active == kNoItem;
    const std::size_t dot = first ? 0 : actives_[active].dot;
    const Step& step = dotted.steps[dot];
    const auto& [i, j, a, b] = passive.span;

    const std::int32_t begin = first ? i - dotted.source_before.size() : actives_[active].i;
    if (first && !matches(source_, begin, part(dotted.rule.source, dotted.source_before))) return;
    if (!matches(source_, j, part(dotted.rule.source, step.source_after))) return;
    const std::int32_t end = j + step.source_after.size();
    const std::int32_t low = a - step.target_before.size();
    if (!matches(target_, low, part(dotted.rule.target, step.target_before))) return;
    if (!matches(target_, b, part(dotted.rule.target, step.target_after))) return;
    const std::int32_t high = b + step.target_after.size();

    bounds_.clear();
    if (!first) {
      const auto before = fragments_of(actives_[active]);
      bounds_.assign(before.begin(), before.end());
    }
    if (!add_fragment(step, low, high)) return;
    const double inside = passive.inside + (first ? 0 : actives_[active].inside);
    const double best = passive.best + (first ? 0 : actives_[active].best);
    if (dot + 1 < dotted.steps.size()) {
      add_active(rule_number, static_cast<std::uint16_t>(dot + 1),
                 static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end), bounds_,
                 inside, best, {kNoItem, active, passive_item});
    } else {
      const double weight = dotted.rule.log_weight;
      add_passive(dotted.rule.lhs,
                  {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end), bounds_[0],
                   bounds_[1]},
                  inside + weight, best + weight, {dotted.index, active, passive_item});
    }
  }

  // Puts [low, high) among the fragments in bounds_, joining neighbours; false if it is in the
  // way of others.
  bool add_fragment(const Step& step, std::int32_t low, std::int32_t high) {
    const std::size_t at = 2 * step.fragment;
    const bool left = (step.filled & kLeft) != 0;
    const bool right = (step.filled & kRight) != 0;
    if (at > 0 && (left ? bounds_[at - 1] != low : bounds_[at - 1] > low)) return false;
    if (at < bounds_.size() && (right ? bounds_[at] != high : bounds_[at] < high)) return false;
    const auto where = bounds_.begin() + static_cast<std::ptrdiff_t>(at);
    if (left && right) {
      bounds_.erase(where - 1, where + 1);
    } else if (left) {
      bounds_[at - 1] = static_cast<std::uint16_t>(high);
    } else if (right) {
      bounds_[at] = static_cast<std::uint16_t>(low);
    } else {
      const std::uint16_t added[] = {static_cast<std::uint16_t>(low),
                                     static_cast<std::uint16_t>(high)};
      bounds_.insert(where, std::begin(added), std::end(added));
    }
    return true;
  }

  // Who waits for a nonterminal at a source position, with its target span's begin and end given
  // as far as filled neighbours fix them.
  static std::uint64_t meeting_key(SymbolId name, std::uint64_t position, Neighbours fixed,
                                   std::uint64_t a, std::uint64_t b) {
    return (static_cast<std::uint64_t>(name) << 38) | (position << 26) |
           (static_cast<std::uint64_t>(fixed) << 24) | ((fixed & kLeft) != 0 ? a << 12 : 0) |
           ((fixed & kRight) != 0 ? b : 0);
  }

  void meet_actives(std::uint32_t item) {
    const Passive passive = passives_[item];
    const auto modes = modes_[static_cast<std::size_t>(passive.name)];
    for (const auto fixed : {kNone, kLeft, kRight, kBoth}) {
      if ((modes >> fixed & 1) == 0) continue;
      auto& meeting = meetings_.at(
          meeting_key(passive.name, passive.span.i, fixed, passive.span.a, passive.span.b));
      meetings_.push(meeting.passives, item);
      for (auto at = meeting.actives; at != kNoItem; at = meetings_.entry(at).next) {
        const auto active = meetings_.entry(at).item;
        extend(actives_[active].rule, active, item);
      }
    }
  }

  void start_rules(std::uint32_t item) {
    for (const auto rule : starts_[static_cast<std::size_t>(passives_[item].name)]) {
      extend(rule, kNoItem, item);
    }
  }

  void meet_passives(std::uint32_t item) {
    const Active active = actives_[item];
    const Step& step = rules_[active.rule].steps[active.dot];
    const auto bounds = fragments_of(active);
    const std::size_t at = 2 * step.fragment;
    const auto a = (step.filled & kLeft) != 0
                       ? static_cast<std::uint64_t>(bounds[at - 1] + step.target_before.size())
                       : 0;
    const auto b = (step.filled & kRight) != 0 ? std::uint64_t{bounds[at]} : 0;
    if (a > target_.size()) return;
    auto& meeting = meetings_.at(meeting_key(step.name, active.j, step.filled, a, b));
    meetings_.push(meeting.actives, item);
    for (auto entry = meeting.passives; entry != kNoItem; entry = meetings_.entry(entry).next) {
      extend(active.rule, item, meetings_.entry(entry).item);
    }
  }

  // Applies unary rules to the finished items of one size, span by span.
  void close_unary(const std::vector<std::uint32_t>& items) {
    if (unary_.groups().empty()) return;
    std::vector<std::uint32_t> sorted;
    for (const auto item : items) {
      if (unary_.involves(passives_[item].name)) sorted.push_back(item);
    }
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t x, std::uint32_t y) {
      return passives_[x].span < passives_[y].span;
    });
    for (std::size_t begin = 0; begin < sorted.size();) {
      const SpanPair span = passives_[sorted[begin]].span;
      std::size_t end = begin;
      while (end < sorted.size() && passives_[sorted[end]].span == span) ++end;
      close_span(span, std::span(sorted).subspan(begin, end - begin));
      begin = end;
    }
  }

  void close_span(const SpanPair& span, std::span<const std::uint32_t> items) {
    for (const auto item : items) {
      unary_values_.put(passives_[item].name, passives_[item].inside, passives_[item].best);
    }
    unary_values_.apply();
    unary_values_.take([&](SymbolId name, double inside, double best, const UnaryRule& back) {
      const auto item = passive_number(name, span);
      passives_[item].inside = inside;
      if (best > passives_[item].best) {
        // In a cycle this may be a new item, which moves the others.
        const auto child = passive_number(back.to, span);
        passives_[item].best = best;
        passives_[item].back = {back.rule, kNoItem, child};
      }
    });
  }

  ParseResult result(SymbolId start) {
    ParseResult found;
    found.items = passives_.size() + actives_.size();
    found.combinations = combinations_;
    const SpanPair whole{0, static_cast<std::uint16_t>(source_.size()), 0,
                         static_cast<std::uint16_t>(target_.size())};
    for (const auto item : passive_by_size_[whole.size()]) {
      if (passives_[item].name != start || passives_[item].span != whole) continue;
      found.generated = true;
      found.log_inside = passives_[item].inside;
      found.log_best = passives_[item].best;
      add_derivation(item, found.derivation);
    }
    return found;
  }

  void add_derivation(std::uint32_t root, std::vector<DerivationNode>& nodes) const {
    struct Pending {
      std::uint32_t item;
      std::uint32_t parent;
    };
    std::vector<Pending> agenda{{root, kNoItem}};
    while (!agenda.empty()) {
      const Pending pending = agenda.back();
      agenda.pop_back();
      const Passive& passive = passives_[pending.item];
      const auto number = static_cast<std::uint32_t>(nodes.size());
      if (pending.parent != kNoItem) nodes[pending.parent].children.push_back(number);
      nodes.push_back(
          {passive.back.rule, passive.span.i, passive.span.j, passive.span.a, passive.span.b, {}});
      // Last child first: the agenda is a stack, so the first child is visited next.
      if (passive.back.passive != kNoItem) agenda.push_back({passive.back.passive, number});
      for (auto active = passive.back.active; active != kNoItem;
           active = actives_[active].back.active) {
        agenda.push_back({actives_[active].back.passive, number});
      }
    }
  }

  const Grammar& grammar_;
  const UnaryClosure& unary_;
  std::span<const SymbolId> source_;
  std::span<const SymbolId> target_;
  const ParseOptions& options_;
  std::vector<DottedRule> rules_;
  std::vector<Passive> passives_;
  std::vector<Active> actives_;
  std::vector<std::uint16_t> fragments_;
  ItemTable passive_table_;
  ItemTable active_table_;
  MeetingTable meetings_;
  std::vector<std::vector<std::uint32_t>> passive_by_size_;
  std::vector<std::vector<std::uint32_t>> active_by_size_;
  std::vector<std::vector<std::uint32_t>> starts_;  // per nonterminal: rules that begin with it
  std::vector<std::uint8_t> modes_;  // per nonterminal: bits of the Neighbours it is wanted with
  UnaryValues unary_values_;
  std::vector<std::uint16_t> bounds_;
  std::uint64_t combinations_ = 0;
};

}  // namespace

struct SynchronousParser::Compiled {
  explicit Compiled(const Grammar& grammar) : unary(grammar) {}
  UnaryClosure unary;
};

SynchronousParser::SynchronousParser(const Grammar& grammar)
    : grammar_(grammar), compiled_(std::make_unique<Compiled>(grammar)) {
  if (grammar.nonterminals.size() > kMostNonterminals) {
    throw InputError(grammar.origin + ": more than 16,777,216 nonterminals");
  }
  // The chart's order by size has no place for items of no size.
  for (std::size_t i = 0; i < grammar.size(); ++i) {
    const Rule rule = grammar[i];
    if (!rule.source.empty() || !rule.target.empty()) continue;
    throw InputError(grammar.place(rule) +
                     ": both sides are empty, and parsing takes no such rule; leave it out and "
                     "write each rule that uses " +
                     std::string(grammar.nonterminals.name(rule.lhs)) + " once without it");
  }
}

SynchronousParser::~SynchronousParser() = default;

ParseResult SynchronousParser::parse(SymbolId start, std::span<const SymbolId> source,
                                     std::span<const SymbolId> target,
                                     const ParseOptions& options) const {
  if (source.size() > kLongestSentence || target.size() > kLongestSentence) {
    throw InputError("synchronous parsing takes sentences of at most " +
                     std::to_string(kLongestSentence) + " words");
  }
  return Chart(grammar_, compiled_->unary, source, target, options).run(start);
}

std::vector<SymbolId> encode_terminals(const Grammar& grammar, std::string_view line) {
  std::vector<SymbolId> ids;
  for_each_token(line,
                 [&](std::string_view token) { ids.push_back(grammar.terminals.find(token)); });
  return ids;
}

}  // namespace dragoman
