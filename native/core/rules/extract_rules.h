// Hierarchical rules of one aligned sentence pair (Chiang 2005; 2007, section 3.2).
//
// Initial phrase pairs are consistent with the links and short. A rule is an initial phrase pair
// in which up to two smaller ones have been replaced by gaps, numbered in source order. Each
// initial phrase pair counts once, and its rules share that count equally.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/links.h"
#include "rules/extract_phrases.h"
#include "text/words.h"

namespace dragoman {

// Gaps stand in rules as words that no text has: <s> for the first, </s> for the second.
inline constexpr std::array<WordId, 2> kGaps = {kBeginSentence, kEndSentence};
constexpr bool is_gap(WordId symbol) { return symbol == kGaps[0] || symbol == kGaps[1]; }
constexpr std::size_t gap_number(WordId symbol) {
  return static_cast<std::size_t>(symbol - kGaps[0]);
}

struct RuleExtractionOptions {
  std::size_t max_span = 10;    // words of an initial phrase on either side, at most kLongestSpan
  std::size_t max_symbols = 5;  // words and gaps of a rule's source side
  std::size_t max_gaps = 2;
  std::size_t min_gap = 1;  // source words that a gap stands for, at least
  bool tight = true;        // no words without links at the edges of initial phrases
};

// Spans inside a rule have four bits each.
inline constexpr std::size_t kLongestSpan = 15;

// Throws InputError when an option is out of range.
void check(const RuleExtractionOptions& options);

// A part of a rule that was replaced, counted from the rule's first words.
struct RuleGap {
  std::size_t source = 0;
  std::size_t source_length = 0;
  std::size_t target = 0;
  std::size_t target_length = 0;
};

// A rule where it stands. Its shape is packed: lengths, then the gaps.
struct RuleInstance {
  std::uint16_t source_begin = 0;
  std::uint16_t target_begin = 0;
  std::uint32_t share = 0;  // how many rules its initial phrase pair has
  std::uint64_t shape = 0;

  std::size_t source_length() const { return field(0); }
  std::size_t target_length() const { return field(1); }
  std::size_t gaps() const { return (field(3) != 0 ? 1u : 0u) + (field(7) != 0 ? 1u : 0u); }
  RuleGap gap(std::size_t number) const {
    const unsigned first = 2 + 4 * static_cast<unsigned>(number);
    return {field(first), field(first + 1), field(first + 2), field(first + 3)};
  }
  void set(unsigned place, std::size_t value) {
    shape |= static_cast<std::uint64_t>(value) << (4 * place);
  }

 private:
  std::size_t field(unsigned place) const { return (shape >> (4 * place)) & 15u; }
};

// One side of a rule as symbols; replaces `symbols`.
void source_symbols(const RuleInstance& rule, Sentence sentence, std::vector<WordId>& symbols);
void target_symbols(const RuleInstance& rule, Sentence sentence, std::vector<WordId>& symbols);
// Where the word at `offset` from the rule's first stands among its symbols; -1 inside a gap.
int source_place(const RuleInstance& rule, std::size_t offset);
int target_place(const RuleInstance& rule, std::size_t offset);

// Keeps its scratch space from one sentence pair to the next; one per thread.
class RuleExtractor {
 public:
  explicit RuleExtractor(const RuleExtractionOptions& options);

  // Replaces `found` by the rules. Throws InputError for bad links, as PhraseExtractor does.
  void extract(std::size_t source_length, std::size_t target_length, std::span<const Link> links,
               std::vector<RuleInstance>& found);

 private:
  struct Initial {
    std::uint32_t source_begin, source_end, target_begin, target_end;
    std::uint32_t links;
  };
  void find_initial(std::size_t source_length, std::size_t target_length,
                    std::span<const Link> links);
  void rules_of(const Initial& whole, std::vector<RuleInstance>& found);

  RuleExtractionOptions options_;
  PhraseExtractor phrases_;
  std::vector<PhraseInstance> consistent_;
  std::vector<std::uint32_t> links_before_;  // of each source position
  std::vector<bool> source_linked_;
  std::vector<bool> target_linked_;
  std::vector<Initial> initial_;       // by source begin
  std::vector<std::uint32_t> first_;   // of each source begin, in initial_
  std::vector<const Initial*> inner_;  // of the phrase under way
};

}  // namespace dragoman
