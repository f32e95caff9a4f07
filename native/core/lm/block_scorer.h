// Scores many sentences in turns: the inner loop of score_text.h.
//
// NgramModel::score goes from order to order and stops where nothing is found. Where that is, and
// how many entries each search takes, no processor can foresee; wrong guesses cost more than the
// work. Here the first entry of the search of every order is looked at, and what they say is put
// together without branches; a search follows only where the first entry does not settle it. The
// scores are the same (but for the sign of zeros).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "corpus/sentences.h"
#include "lm/ngram_model.h"
#include "lm/score_text.h"

namespace dragoman {

class BlockScorer {
 public:
  // The model must outlive the scorer.
  BlockScorer(const NgramModel& model, const ScoreOptions& options);

  // Scores sentences [begin, end). The scores of sentence i go to entry first + i of `out`;
  // `words` may be null.
  void score(const Sentences& sentences, std::size_t begin, std::size_t end, std::size_t first,
             SentenceScores& out, WordScores* words);

 private:
  struct Lane;
  struct Turn;
  template <std::size_t kContexts>
  void run(Turn& turn) const;
  template <std::size_t kContexts>
  bool start(Lane& lane, Turn& turn) const;
  template <std::size_t kContexts>
  LmScore step(Lane& lane) const;
  template <std::size_t kContexts>
  void aim(Lane& lane, std::size_t context, const ContextEntry& entry, std::uint32_t mixed) const;

  // A table of continuations, at hand.
  template <class Entry>
  struct Table {
    Table() = default;
    Table(const Continuations<Entry>& table, const Entry& none);
    const Entry* entries = nullptr;  // never null once made of a table; a damaged one may be empty
    std::uint32_t last = 0;          // entry
    // Where the search begins; see Continuations::find.
    std::uint32_t first(LmPlace place, std::uint32_t mixed) const;
  };

  const NgramModel& model_;
  ScoreOptions options_;
  std::array<Table<ContextEntry>, kMaxLmOrder - 2> contexts_;
  Table<LongestEntry> longest_;
  std::vector<std::uint32_t> stream_;  // all words to be scored, and one more
};

}  // namespace dragoman
