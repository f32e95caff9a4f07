// How the sentence pairs of a bitext are best derived by a model: by the derivations of its own
// search that come nearest to the references (paper 002), or by those that give exactly the
// references (forced decoding, Wuebker et al. 2010).
//
// A pair is judged with a pseudo-document of the pairs before it, so their order matters. It is
// fixed by shards of consecutive pairs, which know nothing of each other: the answer is the same
// whatever the number of threads. The document of a shard begins with the best translations, by
// the model, of its first pairs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alignment/links.h"
#include "model/translation_model.h"
#include "parallel/worker_pool.h"
#include "search/bleu.h"
#include "search/search_options.h"

namespace dragoman {

struct RederiveOptions {
  bool forced = false;
  // Of each pair: the oracle's best translations, each by its best derivation; derivations, when
  // the translation is given.
  std::size_t nbest = 1;
  // Of the oracle's objective, (1 - mu) * BLEU + mu * score (eq. 3), and its search.
  double mu = 0.5;
  std::size_t beam = 50;
  // Leave out what a pair itself has contributed to the table, whose phrases were so long.
  bool leave_one_out = true;
  std::size_t max_phrase_length = 7;
  // To measure the oracle: also look for the best objective among so many best by the model.
  std::size_t compare_with = 0;
};

struct RederiveRequest {
  std::string source;
  std::string reference;
  std::vector<Link> links;  // for leave_one_out
};

enum class Rederived : std::uint8_t {
  kFound,
  kNoDerivation,  // the search found none, or none of the reference
  kRefused        // see `problems`
};

// Of one shard; what belongs to a pair, a derivation or a step lies at the same place of each
// vector.
struct ShardDerivations {
  // By pair.
  std::vector<std::uint8_t> outcomes;
  std::vector<std::uint32_t> derivations;                     // how many
  std::vector<std::array<double, 2 * kBleuOrder + 2>> model;  // BLEU counts of the model's best
  std::vector<std::array<double, 2 * kBleuOrder + 2>> best;   // and of the first derivation
  std::vector<std::array<double, 3>> objectives;  // of the model's best, of the best of
                                                  // `compare_with`, of the first derivation
  std::vector<std::pair<std::uint32_t, std::string>> problems;
  // By derivation.
  std::vector<std::uint32_t> steps;  // how many
  std::vector<double> scores;        // of the model
  // By step, in target order.
  std::vector<std::array<std::uint16_t, 3>> spans;  // source begin and end, number of target words
  std::vector<std::uint32_t> rows;                  // kNoRow for words that were copied
};

class Rederiver {
 public:
  // Throws InputError when weights or options cannot be used, or counts are asked of a table that
  // has none.
  Rederiver(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
            const SearchOptions& search, const RederiveOptions& options);
  ~Rederiver();

  std::vector<ShardDerivations> run(std::span<const std::span<const RederiveRequest>> shards,
                                    int threads);

 private:
  class Worker;
  std::unique_ptr<Worker> make_worker() const;

  std::shared_ptr<const TranslationModel> model_;
  std::vector<double> weights_;
  SearchOptions search_;
  RederiveOptions options_;
  WorkerPool<Worker> workers_;
};

}  // namespace dragoman
