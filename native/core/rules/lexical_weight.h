// How well the words of a phrase pair translate each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/lexical_table.h"
#include "rules/phrase_table.h"
#include "text/words.h"

namespace dragoman {

enum class LexicalWeighting : std::uint8_t {
  // Paper 000, section 2: the probability of the Viterbi alignment under IBM Model 1, without
  // its normalisation: every word takes its best partner, the empty word included.
  kViterbi,
  // Koehn, Och & Marcu (2003): every word takes the mean over the words it is linked to, or the
  // empty word when it has no link.
  kLinks,
};

// A word no partner explains has this probability, so that a log stays finite. It is below what
// a table trained on the same text gives to pairs that occur.
inline constexpr float kLexicalFloor = 1e-7f;

// Keeps a memory of recent lookups; one per thread.
class LexicalScorer {
 public:
  // The tables must live longer. Forward holds p(target | source), backward p(source | target).
  LexicalScorer(const LexicalTable& forward, const LexicalTable& backward,
                LexicalWeighting weighting);

  struct Scores {
    float forward = 0;  // log weight of the target phrase given the source phrase
    float backward = 0;
  };
  Scores operator()(Sentence source, Sentence target, std::span<const PhraseLink> alignment);

 private:
  // Phrase pairs of the same text ask for the same words again and again: a small direct-mapped
  // cache before the table's binary search.
  class Lookup {
   public:
    explicit Lookup(const LexicalTable& table) : table_(&table), slots_(kSlots) {}
    float operator()(WordId given, WordId word) {
      const std::uint64_t key =
          (static_cast<std::uint64_t>(static_cast<std::uint32_t>(given)) << 32) |
          static_cast<std::uint32_t>(word);
      Slot& slot = slots_[(key * 0x9e3779b97f4a7c15ull) >> (64 - kBits)];
      if (slot.key != key) slot = {key, table_->prob(given, word)};
      return slot.probability;
    }

   private:
    static constexpr unsigned kBits = 13;
    static constexpr std::size_t kSlots = std::size_t{1} << kBits;
    struct Slot {
      std::uint64_t key = ~std::uint64_t{0};  // given = word = -1: never asked for
      float probability = 0;
    };
    const LexicalTable* table_;
    std::vector<Slot> slots_;
  };

  static float viterbi(Lookup& lookup, Sentence given, Sentence generated);
  static float by_links(Lookup& lookup, Sentence given, Sentence generated,
                        std::span<const PhraseLink> alignment,
                        std::uint8_t PhraseLink::* given_position,
                        std::uint8_t PhraseLink::* generated_position);

  Lookup forward_;
  Lookup backward_;
  LexicalWeighting weighting_;
};

}  // namespace dragoman
