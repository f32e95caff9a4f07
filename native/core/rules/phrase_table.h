// The phrase table as the decoder reads it: memory-mapped and immutable.
//
// Source phrases are a trie: the nodes of each length lie together, sorted by their parent and
// then by word, so that a node's children are a contiguous, binary-searchable run. All spans of
// a sentence are found by one walk per start position (for_each_span), and a lattice decoder can
// walk node by node (root, child, options).
//
// The options (target phrases) of a source phrase are a contiguous range of rows, sorted by
// falling estimated score under the weights the table was last sorted with (paper 000 sorts
// offline); ties by target words. Everything about an option is found by its row in O(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/orientation.h"
#include "text/binary_format.h"
#include "text/words.h"

namespace dragoman {

// Phrases longer than this cannot be stored: positions inside a phrase have eight bits.
inline constexpr std::size_t kLongestPhrase = 255;

// A link inside a phrase pair, both positions counted from the phrase's first word.
struct PhraseLink {
  std::uint8_t source = 0;
  std::uint8_t target = 0;
  auto operator<=>(const PhraseLink&) const = default;
};

// How often the pair and its two sides were extracted. Re-estimated tables have fractions;
// imported ones without counts have zeros.
struct PhraseCounts {
  float joint = 0;
  float source = 0;
  float target = 0;
  bool operator==(const PhraseCounts&) const = default;
};

// Rows [begin, end).
struct OptionRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool empty() const { return begin == end; }
  std::uint32_t size() const { return end - begin; }
  bool operator==(const OptionRange&) const = default;
};

// Fixed facts about a table; also its first section in the file.
struct PhraseTableInfo {
  std::uint64_t options = 0;
  std::uint64_t source_phrases = 0;
  // Sizes of the vocabularies whose ids the table holds; a loader compares them with the
  // vocabularies it has. bilingual_words is 0 when there are no bilingual tokens.
  std::uint32_t source_words = 0;
  std::uint32_t target_words = 0;
  std::uint32_t bilingual_words = 0;
  std::uint32_t max_source_length = 0;
  std::uint32_t max_target_length = 0;
  std::uint32_t features = 0;
  std::uint32_t reorderings = 0;
  std::uint16_t quantised = 0;     // 1: scores are bytes that index a codebook per column
  std::uint16_t hierarchical = 0;  // 1: rules with gaps (extract_rules.h), not phrases
};
static_assert(sizeof(PhraseTableInfo) == 48);

class PhraseTable {
 public:
  // Reads everything once: the checksum, and then every index and number, after which no lookup
  // can leave its section, whoever has made the file. Verify::kHeader opens in O(1) what this
  // very process has written.
  explicit PhraseTable(const std::string& path, Verify verify = Verify::kContent);

  const std::string& path() const { return file_.path(); }
  const PhraseTableInfo& info() const { return info_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(info_.options); }

  // Names of the score columns, e.g. tm.fwd tm.bwd lex.fwd lex.bwd, and of the reordering models
  // (word, phrase, hierarchical), each of which has kScoresPerReordering columns of its own.
  std::span<const std::string> feature_names() const { return feature_names_; }
  std::span<const std::string> reordering_names() const { return reordering_names_; }
  std::optional<std::size_t> feature(std::string_view name) const;
  std::optional<std::size_t> reordering(std::string_view name) const;
  // The weights of the score columns under which the options were sorted last.
  std::span<const double> sort_weights() const { return sort_weights_; }

  // --- source phrases -------------------------------------------------------------------------

  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNoNode = 0;  // the root is nobody's child

  // The node one word further, or kNoNode.
  Node child(Node node, WordId word) const {
    std::uint32_t low = nodes_[node].first_child;
    std::uint32_t high = nodes_[node + 1].first_child;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      const WordId there = nodes_[middle].word;
      if (there == word) return middle;
      if (there < word) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return kNoNode;
  }
  OptionRange options(Node node) const {
    const NodeRecord& record = nodes_[node];
    return {record.first_option, record.first_option + record.options};
  }
  // Empty when the phrase is not in the table.
  OptionRange find(Sentence phrase) const;
  // Calls visit(begin, end, range) for every span [begin, end) of the sentence that has options,
  // by begin, then end.
  template <class Visit>
  void for_each_span(Sentence sentence, Visit&& visit) const {
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      Node node = kRoot;
      for (std::size_t end = begin + 1; end <= sentence.size(); ++end) {
        node = child(node, sentence[end - 1]);
        if (node == kNoNode) break;
        const OptionRange range = options(node);
        if (!range.empty()) visit(begin, end, range);
      }
    }
  }
  // Calls visit(source phrase, range) for every source phrase, by rising word ids (a phrase comes
  // before its continuations); rows rise with them.
  template <class Visit>
  void for_each_source(Visit&& visit) const {
    for_each_source(0, first_words(), visit);
  }
  // The same for the phrases that begin with the first words numbered [first, last).
  std::uint32_t first_words() const { return nodes_[1].first_child - nodes_[0].first_child; }
  template <class Visit>
  void for_each_source(std::uint32_t first, std::uint32_t last, Visit&& visit) const {
    std::vector<WordId> words;
    visit_nodes(nodes_[0].first_child + first, nodes_[0].first_child + last, words, visit);
  }

  // --- options, by row ------------------------------------------------------------------------

  Sentence target(std::uint32_t row) const {
    const OptionRecord& record = options_[row];
    return target_words_.subspan(record.target, record.target_length);
  }
  // Sorted; the most frequent internal alignment.
  std::span<const PhraseLink> alignment(std::uint32_t row) const {
    const OptionRecord& record = options_[row];
    return links_.subspan(record.alignment, record.alignment_size);
  }
  const PhraseCounts& counts(std::uint32_t row) const { return counts_[row]; }

  // Natural logs, unweighted; `out` has room for info().features values.
  void scores(std::uint32_t row, float* out) const {
    read_columns(scores_, score_codes_, codebooks_, row, info_.features, out);
  }
  float score(std::uint32_t row, std::size_t feature) const {
    return read_column(scores_, score_codes_, codebooks_, row, info_.features, feature);
  }
  // The scores of one reordering model (reordering_column tells which is which); `out` has room
  // for kScoresPerReordering values.
  void reordering_scores(std::uint32_t row, std::size_t model, float* out) const {
    const std::size_t models = info_.reorderings;
    read_columns(reordering_scores_, reordering_codes_, reordering_codebooks(model),
                 row * models + model, kScoresPerReordering, out);
  }
  // One token per target word, ids of the bilingual vocabulary; empty when the table has none.
  Sentence bilingual(std::uint32_t row) const {
    if (bilingual_starts_.empty()) return {};
    return bilingual_tokens_.subspan(bilingual_starts_[row], options_[row].target_length);
  }

 private:
  friend class PhraseTableWriter;

  // A node's children are [first_child, first_child of the next node); a last node, of no word,
  // closes the last run.
  struct NodeRecord {
    WordId word = 0;
    std::uint32_t first_child = 0;
    std::uint32_t first_option = 0;
    std::uint32_t options = 0;
  };
  struct OptionRecord {
    std::uint32_t target = 0;     // where its words begin
    std::uint32_t alignment = 0;  // where its links begin
    std::uint16_t alignment_size = 0;
    std::uint8_t target_length = 0;
    std::uint8_t reserved = 0;
  };
  static_assert(sizeof(NodeRecord) == 16 && sizeof(OptionRecord) == 12);
  static constexpr std::size_t kCodes = 256;
  static constexpr std::string_view kKind = "phrases";
  static constexpr std::uint32_t kVersion = 1;
  enum Section : std::uint32_t {
    kInfoSection,
    kNamesSection,    // feature names, then reordering names, one a line
    kWeightsSection,  // sort weights
    kNodesSection,
    kOptionsSection,
    kTargetWordsSection,
    kLinksSection,
    kCountsSection,
    kScoresSection,      // floats or, when quantised, bytes; row by row
    kReorderingSection,  // the same
    kCodebooksSection,   // kCodes floats per score column, then per reordering column
    kBilingualTokensSection,
    kBilingualStartsSection,
    kSections
  };

  void check_content() const;
  void check_numbers() const;
  void check_trie() const;
  struct CheckWalk;
  void check_source(Node node, CheckWalk& walk) const;
  void check_option(std::uint32_t row, const CheckWalk& walk) const;
  void demand(bool fits, const char* problem) const;
  std::span<const float> reordering_codebooks(std::size_t model) const {
    if (codebooks_.empty()) return {};
    return codebooks_.subspan((info_.features + model * kScoresPerReordering) * kCodes);
  }
  static float read_column(std::span<const float> values, std::span<const std::uint8_t> codes,
                           std::span<const float> codebooks, std::size_t row, std::size_t columns,
                           std::size_t column) {
    const std::size_t at = row * columns + column;
    return codebooks.empty() ? values[at] : codebooks[column * kCodes + codes[at]];
  }
  static void read_columns(std::span<const float> values, std::span<const std::uint8_t> codes,
                           std::span<const float> codebooks, std::size_t row, std::size_t columns,
                           float* out) {
    for (std::size_t column = 0; column < columns; ++column) {
      out[column] = read_column(values, codes, codebooks, row, columns, column);
    }
  }
  template <class Visit>
  void visit_nodes(Node first, Node last, std::vector<WordId>& words, Visit& visit) const {
    for (Node node = first; node < last; ++node) {
      words.push_back(nodes_[node].word);
      if (const OptionRange range = options(node); !range.empty()) visit(Sentence(words), range);
      visit_nodes(nodes_[node].first_child, nodes_[node + 1].first_child, words, visit);
      words.pop_back();
    }
  }

  BinaryFile file_;
  PhraseTableInfo info_;
  std::vector<std::string> feature_names_;
  std::vector<std::string> reordering_names_;
  std::span<const double> sort_weights_;
  std::span<const NodeRecord> nodes_;
  std::span<const OptionRecord> options_;
  std::span<const WordId> target_words_;
  std::span<const PhraseLink> links_;
  std::span<const PhraseCounts> counts_;
  std::span<const float> scores_;
  std::span<const std::uint8_t> score_codes_;
  std::span<const float> reordering_scores_;
  std::span<const std::uint8_t> reordering_codes_;
  std::span<const float> codebooks_;
  std::span<const WordId> bilingual_tokens_;
  std::span<const std::uint32_t> bilingual_starts_;
};

}  // namespace dragoman
