// What is offered for words that a table does not know: by their parts, by relatives, by their
// spelling, or as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknown/lexicon.h"
#include "unknown/parts.h"
#include "unknown/relatives.h"
#include "unknown/spelling.h"

namespace dragoman {

// What can be seen of a word from outside, which says how likely it is to be copied.
enum class WordKind : std::uint8_t {
  kNumber,   // digits, no letters
  kCode,     // both
  kSign,     // neither
  kCapital,  // Latin letters without diacritics, some of them large
  kLatin,    // the same, small ones only
  kLetters,  // others
  kKinds
};
WordKind kind_of(std::string_view word);

struct SourceKnowledge {
  RewriteKnowledge relatives;
  PartKnowledge parts;
  EditKnowledge spelling;
  // That a word is its own translation: by WordKind, for those the target side does not know,
  // then for those it knows.
  std::vector<double> copied;
};

// The order of the sources that answer here; theirs are the first features of sources.
enum class WordSource : std::uint8_t { kParts, kRelative, kSpelling, kCopy };

struct WordOffer {
  WordSource source = WordSource::kCopy;
  std::string target;
  double log_prob = 0;
  std::vector<WordId> bilingual;
  std::string why;  // for people
};

class WordSources {
 public:
  WordSources(Lexicon lexicon, const SourceKnowledge& knowledge);

  // Source by source, best first; the last is the word itself. `left_out`: as if the word had
  // never been seen.
  std::vector<WordOffer> offers(std::string_view word, bool left_out);

 private:
  void add(WordSource source, const MeaningMixture& mixture, std::vector<WordOffer>& offers) const;
  void add_like(WordSource source, const std::vector<LikeWord>& like,
                std::vector<WordOffer>& offers);

  Lexicon lexicon_;
  Relatives relatives_;
  Parts parts_;
  Spelling spelling_;
  std::vector<double> copied_;
};

}  // namespace dragoman
