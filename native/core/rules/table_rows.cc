#include "rules/table_rows.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "text/error.h"

namespace dragoman {

namespace {

std::string_view bytes_of(Sentence words) {
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

}  // namespace

RowFacts row_facts(const PhraseTable& table) {
  RowFacts facts;
  facts.sources.resize(table.size());
  facts.targets.resize(table.size());
  facts.source_lengths.resize(table.size());
  facts.counts.resize(3 * std::size_t{table.size()});
  std::uint32_t number = 0;
  std::unordered_map<std::string_view, std::uint32_t> targets;  // the table keeps their words
  table.for_each_source([&](Sentence source, OptionRange range) {
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
      facts.sources[row] = number;
      facts.source_lengths[row] = static_cast<std::uint8_t>(source.size());
      facts.targets[row] =
          targets
              .try_emplace(bytes_of(table.target(row)), static_cast<std::uint32_t>(targets.size()))
              .first->second;
      const PhraseCounts& counts = table.counts(row);
      facts.counts[3 * std::size_t{row}] = counts.joint;
      facts.counts[3 * std::size_t{row} + 1] = counts.source;
      facts.counts[3 * std::size_t{row} + 2] = counts.target;
    }
    ++number;
  });
  return facts;
}

std::vector<std::uint32_t> match_rows(const PhraseTable& table, const PhraseTable& other) {
  if (table.info().source_words != other.info().source_words ||
      table.info().target_words != other.info().target_words) {
    throw InputError(table.path() + " and " + other.path() + ": made with other vocabularies");
  }
  std::vector<std::uint32_t> matches(table.size(), kNoSuchRow);
  std::unordered_map<std::string_view, std::uint32_t> there;
  table.for_each_source([&](Sentence source, OptionRange range) {
    const OptionRange candidates = other.find(source);
    if (candidates.empty()) return;
    there.clear();
    for (std::uint32_t row = candidates.begin; row < candidates.end; ++row) {
      there.emplace(bytes_of(other.target(row)), row);
    }
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
      const auto place = there.find(bytes_of(table.target(row)));
      if (place != there.end()) matches[row] = place->second;
    }
  });
  return matches;
}

DerivedText derived_text(const PhraseTable& table, std::span<const std::uint32_t> steps,
                         std::span<const StepSpan> spans, std::span<const std::uint32_t> rows) {
  std::uint64_t total = 0;
  for (const std::uint32_t count : steps) total += count;
  if (total != spans.size() || rows.size() != spans.size()) {
    throw InputError(std::to_string(spans.size()) + " spans and " + std::to_string(rows.size()) +
                     " rows for " + std::to_string(total) + " steps");
  }
  DerivedText text;
  std::vector<Link> links;
  std::size_t at = 0;
  for (const std::uint32_t count : steps) {
    links.clear();
    std::size_t target = 0;  // words so far
    for (const std::size_t end = at + count; at < end; ++at) {
      const StepSpan& span = spans[at];
      if (rows[at] == kNoSuchRow) {
        text.ids.insert(text.ids.end(), span.target_words, kUnknown);
        for (std::size_t i = 0; i < span.target_words; ++i) {
          links.push_back({span.source_begin, static_cast<std::uint16_t>(target + i)});
        }
      } else {
        if (rows[at] >= table.size() || table.target(rows[at]).size() != span.target_words) {
          throw InputError(table.path() + ": derivations of another phrase table");
        }
        const Sentence words = table.target(rows[at]);
        text.ids.insert(text.ids.end(), words.begin(), words.end());
        for (const PhraseLink& link : table.alignment(rows[at])) {
          links.push_back({static_cast<std::uint16_t>(span.source_begin + link.source),
                           static_cast<std::uint16_t>(target + link.target)});
        }
      }
      target += span.target_words;
    }
    std::sort(links.begin(), links.end());
    text.links.insert(text.links.end(), links.begin(), links.end());
    text.offsets.push_back(text.ids.size());
    text.link_offsets.push_back(text.links.size());
  }
  return text;
}

}  // namespace dragoman
