#include "grammar/alignment_tree.h"

#include <algorithm>
#include <cmath>

#include "grammar/notation.h"
#include "grammar/strong_intervals.h"
#include "parallel/parallel_for.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::size_t kPairsPerBlock = 256;

// Aligned words numbered from 0 on each side.
std::vector<std::int32_t> numbering(std::vector<std::int32_t>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<std::int32_t> number(words.empty() ? 0 : static_cast<std::size_t>(words.back()) + 1,
                                   -1);
  for (std::size_t k = 0; k < words.size(); ++k) {
    number[static_cast<std::size_t>(words[k])] = static_cast<std::int32_t>(k);
  }
  return number;
}

}  // namespace

AlignmentTree alignment_tree(std::span<const Link> links) {
  AlignmentTree tree;
  std::vector<std::int32_t> target_words;
  for (const auto& link : links) {
    tree.source_words.push_back(link.source);
    target_words.push_back(link.target);
  }
  const auto source_number = numbering(tree.source_words);
  const auto target_number = numbering(target_words);
  const std::size_t sources = tree.source_words.size();
  const std::size_t targets = target_words.size();
  Crossings crossings;
  crossings.first_target.assign(sources, static_cast<std::int32_t>(targets));
  crossings.last_target.assign(sources, -1);
  crossings.first_source.assign(targets, static_cast<std::int32_t>(sources));
  crossings.last_source.assign(targets, -1);
  for (const auto& link : links) {
    const auto s = source_number[link.source];
    const auto t = target_number[link.target];
    crossings.first_target[s] = std::min(crossings.first_target[s], t);
    crossings.last_target[s] = std::max(crossings.last_target[s], t);
    crossings.first_source[t] = std::min(crossings.first_source[t], s);
    crossings.last_source[t] = std::max(crossings.last_source[t], s);
  }
  tree.nesting = nest_strong_blocks(crossings);
  tree.phrase.assign(sources, false);
  for (std::size_t s = 0; s < sources; ++s) {
    const auto self = static_cast<std::int32_t>(s);
    bool alone = true;
    for (auto t = crossings.first_target[s]; t <= crossings.last_target[s] && alone; ++t) {
      alone = crossings.first_source[t] == self && crossings.last_source[t] == self;
    }
    tree.phrase[s] = alone;
    tree.target_begins.push_back(
        target_words[static_cast<std::size_t>(crossings.first_target[s])]);
    tree.target_ends.push_back(target_words[static_cast<std::size_t>(crossings.last_target[s])] +
                               1);
  }
  for (std::size_t node = 0; node < tree.nesting.inner(); ++node) {
    const auto children = tree.nesting.of(node);
    auto begin = tree.target_begins[children.front()];
    auto end = tree.target_ends[children.front()];
    bool phrases = true;
    for (const auto child : children) {
      begin = std::min(begin, tree.target_begins[child]);
      end = std::max(end, tree.target_ends[child]);
      phrases = phrases && (static_cast<std::size_t>(child) >= sources || tree.phrase[child]);
    }
    tree.target_begins.push_back(begin);
    tree.target_ends.push_back(end);
    // Phrase pairs side by side in the same or the opposite order on the target side: a run.
    const auto monotone = [&](bool up) {
      for (std::size_t i = 1; i < children.size(); ++i) {
        if ((tree.target_begins[children[i - 1]] < tree.target_begins[children[i]]) != up) {
          return false;
        }
      }
      return true;
    };
    tree.kinds.push_back(!phrases          ? NodeKind::kSimple
                         : monotone(true)  ? NodeKind::kStraight
                         : monotone(false) ? NodeKind::kInverted
                                           : NodeKind::kSimple);
  }
  return tree;
}

std::vector<AlignmentRank> alignment_ranks(const LinkSets& links, int threads) {
  std::vector<AlignmentRank> ranks(links.size());
  const auto blocks = (links.size() + kPairsPerBlock - 1) / kPairsPerBlock;
  parallel_for(threads, blocks, [&](std::size_t block, int) {
    const auto end = std::min(links.size(), (block + 1) * kPairsPerBlock);
    for (std::size_t pair = block * kPairsPerBlock; pair < end; ++pair) {
      const AlignmentTree tree = alignment_tree(links[pair]);
      AlignmentRank& found = ranks[pair];
      for (std::size_t node = 0; node < tree.nesting.inner(); ++node) {
        const auto children = tree.nesting.of(node);
        const auto binary = static_cast<std::uint16_t>(children.size() - 1);
        std::size_t rank = 2;
        switch (tree.kinds[node]) {
          case NodeKind::kStraight:
            found.straight = static_cast<std::uint16_t>(found.straight + binary);
            break;
          case NodeKind::kInverted:
            found.inverted = static_cast<std::uint16_t>(found.inverted + binary);
            break;
          case NodeKind::kSimple:
            ++found.simple;
            rank = static_cast<std::size_t>(
                std::count_if(children.begin(), children.end(), [&](std::int32_t child) {
                  return static_cast<std::size_t>(child) >= tree.nesting.leaves ||
                         tree.phrase[child];
                }));
            break;
        }
        found.rank = std::max(found.rank, static_cast<std::uint16_t>(rank));
      }
    }
  });
  return ranks;
}

namespace {

// Writes the minimal rules of one sentence pair.
class RuleWriter {
 public:
  RuleWriter(Grammar& rules, const AlignmentTree& tree, std::span<const std::string_view> source,
             std::span<const std::string_view> target)
      : rules_(rules), tree_(tree), source_words_(source), target_words_(target) {}

  // A part of a rule: a phrase pair (nonterminal) over spans of both sentences.
  struct Part {
    std::int32_t source_begin;
    std::int32_t source_end;
    std::int32_t target_begin;
    std::int32_t target_end;
  };

  // Calls visit() with source_ and target_ filled, once for each rule.
  template <class Visit>
  void run(Visit&& visit) {
    const std::size_t leaves = tree_.nesting.leaves;
    const auto source_size = static_cast<std::int32_t>(source_words_.size());
    const auto target_size = static_cast<std::int32_t>(target_words_.size());
    const Part whole{0, source_size, 0, target_size};
    if (leaves == 0) {  // no links at all
      write(whole, {});
      visit();
      return;
    }
    std::vector<Part> parts;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const auto word = tree_.source_words[leaf];
      parts.push_back({word, word + 1, tree_.target_begins[leaf], tree_.target_ends[leaf]});
    }
    const std::size_t inner = tree_.nesting.inner();
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      if (!tree_.phrase[leaf]) continue;
      write(inner == 0 ? whole : parts[leaf], {});
      visit();
    }
    std::vector<Part> children;
    for (std::size_t node = 0; node < inner; ++node) {
      children.clear();
      const bool top = node + 1 == inner;
      const auto ids = tree_.nesting.of(node);
      const Part tight{parts[ids.front()].source_begin, parts[ids.back()].source_end,
                       tree_.target_begins[leaves + node], tree_.target_ends[leaves + node]};
      if (tree_.kinds[node] == NodeKind::kSimple) {
        for (const auto id : ids) {
          if (static_cast<std::size_t>(id) >= leaves || tree_.phrase[id]) {
            children.push_back(parts[id]);
          }
        }
        write(top ? whole : tight, children);
        visit();
      } else {  // a run: left-branching binary rules
        Part left = parts[ids.front()];
        for (std::size_t k = 1; k < ids.size(); ++k) {
          const Part& right = parts[ids[k]];
          children.assign({left, right});
          left = {left.source_begin, right.source_end,
                  std::min(left.target_begin, right.target_begin),
                  std::max(left.target_end, right.target_end)};
          write(top && k + 1 == ids.size() ? whole : left, children);
          visit();
        }
      }
      parts.push_back(tight);
    }
  }

  std::span<const SymbolId> source() const { return source_; }
  std::span<const SymbolId> target() const { return target_; }

 private:
  void write(const Part& span, std::span<const Part> children) {
    source_.clear();
    target_.clear();
    auto at = span.source_begin;
    for (const auto& child : children) {
      for (; at < child.source_begin; ++at) source_.push_back(word(source_words_, at));
      source_.push_back(~SymbolId{0});
      at = child.source_end;
    }
    for (; at < span.source_end; ++at) source_.push_back(word(source_words_, at));
    order_.resize(children.size());
    for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<SymbolId>(k);
    std::sort(order_.begin(), order_.end(), [&](SymbolId a, SymbolId b) {
      return children[static_cast<std::size_t>(a)].target_begin <
             children[static_cast<std::size_t>(b)].target_begin;
    });
    at = span.target_begin;
    for (const auto k : order_) {
      const Part& child = children[static_cast<std::size_t>(k)];
      for (; at < child.target_begin; ++at) target_.push_back(word(target_words_, at));
      target_.push_back(~k);
      at = child.target_end;
    }
    for (; at < span.target_end; ++at) target_.push_back(word(target_words_, at));
  }

  SymbolId word(std::span<const std::string_view> words, std::int32_t at) {
    return rules_.terminals.add(words[static_cast<std::size_t>(at)]);
  }

  Grammar& rules_;
  const AlignmentTree& tree_;
  std::span<const std::string_view> source_words_;
  std::span<const std::string_view> target_words_;
  std::vector<SymbolId> source_;
  std::vector<SymbolId> target_;
  std::vector<SymbolId> order_;
};

}  // namespace

void MinimalRuleCounter::add(std::string_view source, std::string_view target,
                             std::span<const Link> links) {
  std::vector<std::string_view> source_words;
  std::vector<std::string_view> target_words;
  for_each_token(source, [&](std::string_view token) { source_words.push_back(token); });
  for_each_token(target, [&](std::string_view token) { target_words.push_back(token); });
  ++pairs_;
  for (const auto& link : links) {
    if (link.source >= source_words.size() || link.target >= target_words.size()) {
      throw InputError("sentence pair " + std::to_string(pairs_) + ": link " +
                       std::to_string(link.source) + "-" + std::to_string(link.target) +
                       " points outside its " + std::to_string(source_words.size()) + " and " +
                       std::to_string(target_words.size()) + " words");
    }
  }
  if (source_words.empty() && target_words.empty()) return;
  rules_.nonterminals.add("X");
  const AlignmentTree tree = alignment_tree(links);
  RuleWriter writer(rules_, tree, source_words, target_words);
  writer.run([&] {
    Rule rule;
    rule.source = writer.source();
    rule.target = writer.target();
    const auto bytes = [](std::span<const SymbolId> side) {
      return std::string_view(reinterpret_cast<const char*>(side.data()), side.size_bytes());
    };
    // The length of the source side tells where the target side begins.
    std::string content = std::to_string(rule.source.size()) + ":";
    content.append(bytes(rule.source)).append(bytes(rule.target));
    const auto [place, is_new] = by_content_.emplace(std::move(content), counts_.size());
    if (is_new) {
      rules_.add(rule);
      counts_.push_back(0);
    }
    ++counts_[place->second];
  });
}

Grammar MinimalRuleCounter::finish() const {
  Grammar grammar;
  grammar.origin = "minimal rules";
  std::uint64_t total = 0;
  for (const auto count : counts_) total += count;
  if (rules_.size() > 0) grammar.nonterminals.add("X");
  for (std::size_t id = 0; id < rules_.terminals.size(); ++id) {
    grammar.terminals.add(rules_.terminals.name(static_cast<SymbolId>(id)));
  }
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    Rule rule = rules_[i];
    const double probability = static_cast<double>(counts_[i]) / static_cast<double>(total);
    const std::string written = shortest(probability);
    rule.log_weight = std::log(probability);
    rule.scores = written;
    rule.line = static_cast<std::uint32_t>(i + 1);
    grammar.add(rule);
  }
  return grammar;
}

}  // namespace dragoman
