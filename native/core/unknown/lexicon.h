// Known words and what they mean: what every source of translations for unknown words looks
// things up in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/phrase_table.h"
#include "text/vocabulary.h"

namespace dragoman {

// One translation of a word.
struct Meaning {
  std::string target;  // tokens separated by spaces
  double probability = 0;
  std::vector<WordId> bilingual;  // the table's tokens, one for each target word, or none

  bool one_word() const { return target.find(' ') == std::string::npos; }
};
using Meanings = std::vector<Meaning>;

// The words that a table translates on their own. One caller at a time: it remembers what it has
// looked up.
class Lexicon {
 public:
  Lexicon(std::shared_ptr<const PhraseTable> table, Vocabulary source, Vocabulary target);

  WordId id_of(std::string_view word) const { return source_.find(word); }
  // The word's id, or that of the same word in another case; kUnknown when nothing is known.
  WordId form_of(std::string_view word);
  // Translations of a known word, the best ones, whose probabilities add up to 1.
  const Meanings& meanings(WordId id);
  // How much two known words mean the same, between 0 and 1.
  double overlap(WordId first, WordId second);
  std::string_view spell(WordId id) const { return source_.word(id); }
  std::size_t size() const { return source_.size(); }
  std::uint64_t count(WordId id) const { return source_.count(id); }
  // How often the target side of training has the word.
  std::uint64_t target_count(std::string_view word) const;
  // Know nothing of this word from now on; kUnknown: know all again.
  void leave_out(WordId id) { left_out_ = id; }

 private:
  bool is_known(WordId id) {
    return id != kUnknown && id != left_out_ && !table_->find({&id, 1}).empty();
  }
  void index_capitals();

  std::shared_ptr<const PhraseTable> table_;
  Vocabulary source_;
  Vocabulary target_;
  std::vector<double> trust_;  // in the table's columns
  WordId left_out_ = kUnknown;
  bool indexed_ = false;
  std::unordered_map<std::string, WordId> capitalised_;  // by small letters
  std::unordered_map<WordId, Meanings> meanings_;
};

// Weighted meanings of several words as those of one, most probable first.
class MeaningMixture {
 public:
  // `why` says for people where the meaning is from; the first to bring it tells.
  void add(const Meaning& meaning, double weight, const std::string& why);

  struct Entry {
    Meaning meaning;
    std::string why;
  };
  std::vector<Entry> best(std::size_t most) const;

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace dragoman
