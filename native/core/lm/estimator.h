// Estimating a language model from text, in steps that a caller can watch and interrupt:
// add text, merge the counts, smooth order by order, write.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lm/kneser_ney.h"
#include "lm/ngram_counter.h"
#include "lm/suffix_trie.h"

namespace dragoman {

struct EstimateOptions {
  int order = 5;
  // Leave out n-grams seen so often or less, by order; the last entry holds for higher orders,
  // none means nothing is left out. Single words are never left out.
  std::vector<std::uint32_t> prune;
  // Discounts of counts 1, 2, 3+ where they cannot be estimated.
  std::array<double, 3> fallback{0.5, 1.0, 1.5};
  // Above this many bytes, counts and tables go to unnamed files in `spool`.
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::string spool = "/tmp";
  int threads = 1;
};

class LmEstimator {
 public:
  explicit LmEstimator(EstimateOptions options);

  void begin_file(const std::string& name, std::uint64_t lines_before = 0) {
    counter_.begin_file(name, lines_before);
  }
  void add(std::string_view piece) { counter_.add(piece); }
  void end_file() { counter_.end_file(); }

  // A text counted in parts, by different processes; see NgramCounter.
  void put_away_words(const std::string& path) const { counter_.put_away_words(path); }
  void take_up_words(const std::string& path) { counter_.take_up_words(path); }
  void put_away(const std::string& path) { counter_.put_away(path); }
  void take_up(const std::string& path) { counter_.take_up(path); }

  // Takes up to `limit` more n-grams from the sorted counts; false when there are none left.
  bool merge(std::uint64_t limit);
  // The longest n-gram the text has, known after merging.
  int order() const;
  const Discounts& discounts(int order) const;
  void smooth(int order);  // 1 .. order(), in this order
  void write(const std::string& path);

  std::uint64_t tokens() const { return counter_.tokens(); }
  std::uint64_t sentences() const { return counter_.sentences(); }
  std::uint64_t skipped() const { return counter_.skipped(); }
  std::uint64_t spilled() const { return counter_.spilled(); }

 private:
  const KneserNey& smoothed() const;

  EstimateOptions options_;
  NgramCounter counter_;
  Storage storage_;
  std::unique_ptr<SuffixTrie> trie_;
  std::unique_ptr<KneserNey> kneser_ney_;
};

}  // namespace dragoman
