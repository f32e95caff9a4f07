// Looking through a table once, so that lookups need not look again: a table may come from
// anybody, and a checksum says only that it is as it was made.
#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "parallel/parallel_for.h"
#include "rules/extract_rules.h"
#include "rules/phrase_table.h"
#include "text/error.h"
#include "text/utf8.h"

namespace dragoman {
namespace {

constexpr std::size_t kFewNodes = 50'000;  // less work than starting a thread is worth

bool are_words(std::span<const WordId> words, std::uint32_t vocabulary) {
  bool good = true;
  for (const WordId word : words) good &= static_cast<std::uint32_t>(word) < vocabulary;
  return good && vocabulary <= std::uint32_t{1} << 31;
}

}  // namespace

inline void PhraseTable::demand(bool fits, const char* problem) const {
  if (!fits) [[unlikely]]
    throw InputError(path() + ": damaged: " + problem);
}

// The parts take about equally long, and tables are the largest files there are.
void PhraseTable::check_content() const {
  const auto check_part = [this](std::size_t part, int) {
    if (part == 0) file_.check_content();
    if (part == 1) check_trie();
    if (part == 2) check_numbers();
  };
  constexpr std::size_t kParts = 3;
  try {
    parallel_for(nodes_.size() < kFewNodes ? 1 : 2, kParts, check_part);
  } catch (const std::system_error&) {
    parallel_for(1, kParts, check_part);  // no thread is to be had
  }
}

void PhraseTable::check_numbers() const {
  for (const auto* names : {&feature_names_, &reordering_names_}) {
    for (const std::string& name : *names) demand(is_token(name), "a feature without a name");
  }
  demand(are_words(target_words_, info_.target_words), "a target word outside the vocabulary");
  demand(are_words(bilingual_tokens_, info_.bilingual_words),
         "a bilingual token outside the vocabulary");
  const std::span<const float> counts(reinterpret_cast<const float*>(counts_.data()),
                                      counts_.size() * sizeof(PhraseCounts) / sizeof(float));
  demand(are_ordinary(scores_) && are_ordinary(reordering_scores_) && are_ordinary(codebooks_) &&
             are_ordinary(counts),
         "a score or a count is not a number");
  demand(std::all_of(sort_weights_.begin(), sort_weights_.end(),
                     [](double weight) { return weight >= -1e30 && weight <= 1e30; }),
         "a weight is not a number");
}

// Depth first, as rows rise.
struct PhraseTable::CheckWalk {
  std::uint32_t next_row = 0;
  std::size_t depth = 0;
  std::size_t gaps = 0;  // of the source side
};

void PhraseTable::check_trie() const {
  const auto last = static_cast<std::uint32_t>(nodes_.size() - 1);
  demand(info_.max_source_length <= kLongestPhrase, "phrases too long");
  // Level by level: the children of all nodes of a level, in their order, are the next level.
  std::uint32_t begin = 0;
  std::uint32_t end = 1;
  for (std::uint32_t depth = 0; begin < end; ++depth) {
    demand(depth <= info_.max_source_length, "a source phrase too long");
    demand(nodes_[begin].first_child == end, "source phrases that nothing leads to");
    for (std::uint32_t node = begin; node < end; ++node) {
      const std::uint32_t first = nodes_[node].first_child;
      const std::uint32_t behind = nodes_[node + 1].first_child;
      demand(first <= behind && behind <= last, "a source phrase outside its section");
      for (std::uint32_t child = first; child < behind; ++child) {
        const WordId word = nodes_[child].word;
        demand(word >= 0 && static_cast<std::uint32_t>(word) < info_.source_words,
               "a source word outside the vocabulary");
        demand(child == first || nodes_[child - 1].word < word, "source words out of order");
      }
    }
    const std::uint32_t next = nodes_[end].first_child;
    begin = end;
    end = next;
  }
  demand(begin == last, "source phrases that nothing leads to");
  CheckWalk walk;
  demand(nodes_[kRoot].options == 0, "translations of nothing");
  check_source(kRoot, walk);
  demand(walk.next_row == options_.size(), "translations of no source phrase");
}

// Of all tables most rows are in order, so their conditions are gathered before they are looked
// at.
inline void PhraseTable::check_option(std::uint32_t row, const CheckWalk& walk) const {
  const OptionRecord& record = options_[row];
  bool inside = record.target_length > 0;
  inside &= std::uint64_t{record.target} + record.target_length <= target_words_.size();
  inside &= std::uint64_t{record.alignment} + record.alignment_size <= links_.size();
  if (!bilingual_starts_.empty()) {
    inside &=
        std::uint64_t{bilingual_starts_[row]} + record.target_length <= bilingual_tokens_.size();
  }
  demand(inside, "words or links outside their section");
  for (const PhraseLink link : alignment(row)) {
    inside &= link.source < walk.depth && link.target < record.target_length;
  }
  demand(inside, "a link outside its phrase pair");
  if (info_.hierarchical == 0) return;
  std::array<std::size_t, kGaps.size()> seen{};
  for (const WordId word : target(row)) {
    if (is_gap(word)) ++seen[gap_number(word)];
  }
  for (std::size_t gap = 0; gap < seen.size(); ++gap) {
    inside &= seen[gap] == (gap < walk.gaps ? 1 : 0);
  }
  demand(inside, "a rule whose two sides have other gaps");
}

// No deeper than a phrase is long.
void PhraseTable::check_source(Node node, CheckWalk& walk) const {
  const NodeRecord& record = nodes_[node];
  if (record.options > 0) {
    demand(
        record.first_option == walk.next_row && record.options <= options_.size() - walk.next_row,
        "translations outside their section");
    for (; walk.next_row < record.first_option + record.options; ++walk.next_row) {
      check_option(walk.next_row, walk);
    }
  }
  ++walk.depth;
  for (Node child = record.first_child; child < nodes_[node + 1].first_child; ++child) {
    const bool gap = info_.hierarchical != 0 && is_gap(nodes_[child].word);
    demand(!gap || gap_number(nodes_[child].word) == walk.gaps, "gaps out of order");
    walk.gaps += gap ? 1 : 0;
    check_source(child, walk);
    walk.gaps -= gap ? 1 : 0;
  }
  --walk.depth;
}

}  // namespace dragoman
