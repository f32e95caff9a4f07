// Moses' text tables, in and out.
//
//   phrase-table      source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| 0-0 1-2 ||| counts
//   reordering-table  source ||| target ||| m s d m s d
//
// Counts are those of target, source and pair; they and the alignment may be missing. A fifth
// score of 2.718, the phrase penalty of older Moses, is accepted and dropped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/phrase_table.h"
#include "rules/phrase_table_writer.h"
#include "text/vocabulary.h"

namespace dragoman {

// Reads text tables line by line and writes a binary one with its vocabularies. All errors are
// InputErrors that begin "NAME:LINE: ".
class MosesImporter {
 public:
  explicit MosesImporter(std::string phrase_table_name);

  // Whole lines of the phrase table, one after another.
  void add_phrases(std::string_view lines);
  // Then begin_reordering() and whole lines, for each reordering model.
  void begin_reordering(const std::string& model, std::string file_name);
  void add_reordering(std::string_view lines);

  // Phrase pairs without an entry in some reordering table; they get equal probabilities.
  std::uint64_t without_reordering() const;
  std::uint64_t size() const { return rows_.size(); }

  // Options are sorted under the weights of tm.fwd, tm.bwd, lex.fwd, lex.bwd.
  void finish(const std::string& table_path, const std::string& source_vocabulary_path,
              const std::string& target_vocabulary_path, const std::vector<double>& weights);

 private:
  struct Row {
    std::uint64_t source = 0;  // where its words begin in words_
    std::uint64_t target = 0;
    std::uint64_t links = 0;  // where its links begin in links_
    std::uint8_t source_length = 0;
    std::uint8_t target_length = 0;
    std::uint16_t link_count = 0;
    float scores[4] = {};
    PhraseCounts counts;
    std::uint32_t run = 0;  // runs of lines with the same source phrase
    std::uint64_t line = 0;
  };
  struct Reordering {
    std::string model;
    std::string file;
    std::uint64_t lines = 0;
    std::uint64_t filled = 0;
    std::vector<float> scores;  // row by row
    std::vector<bool> seen;
  };

  void add_phrase(std::string_view line);
  void add_orientation(std::string_view line);
  std::uint64_t add_words(VocabularyBuilder& vocabulary, std::string_view text,
                          std::uint8_t& length);
  [[noreturn]] void refuse(const std::string& problem) const;
  Sentence words(std::uint64_t start, std::uint8_t length) const {
    return Sentence(words_).subspan(start, length);
  }

  std::string name_;
  std::string current_name_;  // of the file being read
  std::uint64_t line_ = 0;
  std::uint32_t run_ = 0;
  std::string run_source_;
  VocabularyBuilder source_vocabulary_;
  VocabularyBuilder target_vocabulary_;
  std::vector<WordId> words_;
  std::vector<PhraseLink> links_;
  std::vector<Row> rows_;
  // Hash of "source ||| target" to row: catches repeated pairs, joins the reordering tables.
  std::unordered_map<std::uint64_t, std::uint32_t> by_pair_;
  std::vector<Reordering> reorderings_;
};

// The rows of the source phrases that begin with the first words numbered [first, last), as lines
// of a phrase table, or of the reordering table of one of its models; without those that have
// "|||", which separates the fields, in a word. The table needs the four
// features of kPhraseFeatures; throws InputError when one is missing.
std::string moses_phrases(const PhraseTable& table, const Vocabulary& source_words,
                          const Vocabulary& target_words, std::uint32_t first, std::uint32_t last);
std::string moses_reordering(const PhraseTable& table, const Vocabulary& source_words,
                             const Vocabulary& target_words, std::size_t model,
                             std::uint32_t first, std::uint32_t last);

}  // namespace dragoman
