#include "rules/extract_rules.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "text/error.h"

namespace dragoman {

namespace {

void demand(bool holds, const char* name, std::size_t low, std::size_t high, std::size_t value) {
  if (!holds) {
    throw InputError(std::string(name) + " must lie between " + std::to_string(low) + " and " +
                     std::to_string(high) + ", not " + std::to_string(value));
  }
}

// Calls word(offset) and gap(number) for one side's symbols from left to right.
template <class Word, class Gap>
void walk(const RuleInstance& rule, std::size_t length, std::size_t RuleGap::* begin,
          std::size_t RuleGap::* size, Word&& word, Gap&& gap) {
  for (std::size_t at = 0; at < length;) {
    bool inside = false;
    for (std::size_t number = 0; number < rule.gaps() && !inside; ++number) {
      const RuleGap part = rule.gap(number);
      if (part.*begin != at) continue;
      gap(number);
      at += part.*size;
      inside = true;
    }
    if (!inside) word(at++);
  }
}

void symbols_of(const RuleInstance& rule, Sentence words, std::size_t RuleGap::* begin,
                std::size_t RuleGap::* size, std::vector<WordId>& symbols) {
  symbols.clear();
  walk(
      rule, words.size(), begin, size, [&](std::size_t at) { symbols.push_back(words[at]); },
      [&](std::size_t number) { symbols.push_back(kGaps[number]); });
}

int place_of(const RuleInstance& rule, std::size_t length, std::size_t RuleGap::* begin,
             std::size_t RuleGap::* size, std::size_t offset) {
  int place = 0;
  int found = -1;
  walk(
      rule, length, begin, size,
      [&](std::size_t at) {
        if (at == offset) found = place;
        ++place;
      },
      [&](std::size_t) { ++place; });
  return found;
}

}  // namespace

void check(const RuleExtractionOptions& options) {
  demand(options.max_span >= 1 && options.max_span <= kLongestSpan, "max_span", 1, kLongestSpan,
         options.max_span);
  demand(options.max_symbols >= 1 && options.max_symbols <= kLongestSpan, "max_symbols", 1,
         kLongestSpan, options.max_symbols);
  demand(options.max_gaps <= kGaps.size(), "max_gaps", 0, kGaps.size(), options.max_gaps);
  demand(options.min_gap >= 1 && options.min_gap <= kLongestSpan, "min_gap", 1, kLongestSpan,
         options.min_gap);
}

void source_symbols(const RuleInstance& rule, Sentence sentence, std::vector<WordId>& symbols) {
  symbols_of(rule, sentence.subspan(rule.source_begin, rule.source_length()), &RuleGap::source,
             &RuleGap::source_length, symbols);
}

void target_symbols(const RuleInstance& rule, Sentence sentence, std::vector<WordId>& symbols) {
  symbols_of(rule, sentence.subspan(rule.target_begin, rule.target_length()), &RuleGap::target,
             &RuleGap::target_length, symbols);
}

int source_place(const RuleInstance& rule, std::size_t offset) {
  return place_of(rule, rule.source_length(), &RuleGap::source, &RuleGap::source_length, offset);
}

int target_place(const RuleInstance& rule, std::size_t offset) {
  return place_of(rule, rule.target_length(), &RuleGap::target, &RuleGap::target_length, offset);
}

RuleExtractor::RuleExtractor(const RuleExtractionOptions& options)
    : options_(options), phrases_({options.max_span, {}, {}}) {
  check(options);
}

void RuleExtractor::find_initial(std::size_t source_length, std::size_t target_length,
                                 std::span<const Link> links) {
  phrases_.extract(source_length, target_length, links, consistent_);
  links_before_.assign(source_length + 1, 0);
  source_linked_.assign(source_length, false);
  target_linked_.assign(target_length, false);
  for (const Link& link : links) {
    ++links_before_[link.source + 1u];
    source_linked_[link.source] = true;
    target_linked_[link.target] = true;
  }
  for (std::size_t i = 0; i < source_length; ++i) links_before_[i + 1] += links_before_[i];
  initial_.clear();
  for (const PhraseInstance& pair : consistent_) {
    Initial one{
        pair.source_begin, static_cast<std::uint32_t>(pair.source_begin) + pair.source_length,
        pair.target_begin, static_cast<std::uint32_t>(pair.target_begin) + pair.target_length, 0};
    if (options_.tight &&
        !(source_linked_[one.source_begin] && source_linked_[one.source_end - 1] &&
          target_linked_[one.target_begin] && target_linked_[one.target_end - 1])) {
      continue;
    }
    // All links of its source words lie inside a consistent pair.
    one.links = links_before_[one.source_end] - links_before_[one.source_begin];
    initial_.push_back(one);
  }
  std::sort(initial_.begin(), initial_.end(), [](const Initial& a, const Initial& b) {
    return std::tie(a.source_begin, a.source_end, a.target_begin, a.target_end) <
           std::tie(b.source_begin, b.source_end, b.target_begin, b.target_end);
  });
  first_.assign(source_length + 1, static_cast<std::uint32_t>(initial_.size()));
  for (std::size_t at = initial_.size(); at-- > 0;) {
    first_[initial_[at].source_begin] = static_cast<std::uint32_t>(at);
  }
  for (std::size_t i = source_length; i-- > 0;) first_[i] = std::min(first_[i], first_[i + 1]);
}

void RuleExtractor::rules_of(const Initial& whole, std::vector<RuleInstance>& found) {
  const std::size_t first_rule = found.size();
  const std::size_t source_length = whole.source_end - whole.source_begin;
  RuleInstance plain;
  plain.source_begin = static_cast<std::uint16_t>(whole.source_begin);
  plain.target_begin = static_cast<std::uint16_t>(whole.target_begin);
  plain.set(0, source_length);
  plain.set(1, whole.target_end - whole.target_begin);
  if (source_length <= options_.max_symbols) found.push_back(plain);
  const auto cut = [&whole](RuleInstance rule, unsigned number, const Initial& part) {
    const unsigned place = 2 + 4 * number;
    rule.set(place, part.source_begin - whole.source_begin);
    rule.set(place + 1, part.source_end - part.source_begin);
    rule.set(place + 2, part.target_begin - whole.target_begin);
    rule.set(place + 3, part.target_end - part.target_begin);
    return rule;
  };
  if (options_.max_gaps > 0) {
    inner_.clear();
    for (std::uint32_t at = first_[whole.source_begin]; at < first_[whole.source_end]; ++at) {
      const Initial& part = initial_[at];
      // A part with all the links would leave a rule without a linked word.
      if (part.source_end <= whole.source_end && part.target_begin >= whole.target_begin &&
          part.target_end <= whole.target_end && part.links < whole.links &&
          part.source_end - part.source_begin >= options_.min_gap) {
        inner_.push_back(&part);
      }
    }
    for (std::size_t one = 0; one < inner_.size(); ++one) {
      const Initial& first = *inner_[one];
      const std::size_t left = source_length - (first.source_end - first.source_begin);
      const RuleInstance with_gap = cut(plain, 0, first);
      if (left + 1 <= options_.max_symbols) found.push_back(with_gap);
      if (options_.max_gaps < 2) continue;
      for (std::size_t two = one + 1; two < inner_.size(); ++two) {
        const Initial& second = *inner_[two];
        // Not touching on the source side, not overlapping on the target side.
        if (second.source_begin <= first.source_end ||
            left - (second.source_end - second.source_begin) + 2 > options_.max_symbols ||
            (second.target_begin < first.target_end && first.target_begin < second.target_end) ||
            first.links + second.links >= whole.links) {
          continue;
        }
        found.push_back(cut(with_gap, 1, second));
      }
    }
  }
  const auto share = static_cast<std::uint32_t>(found.size() - first_rule);
  for (std::size_t at = first_rule; at < found.size(); ++at) found[at].share = share;
}

void RuleExtractor::extract(std::size_t source_length, std::size_t target_length,
                            std::span<const Link> links, std::vector<RuleInstance>& found) {
  found.clear();
  find_initial(source_length, target_length, links);
  for (const Initial& whole : initial_) rules_of(whole, found);
}

}  // namespace dragoman
