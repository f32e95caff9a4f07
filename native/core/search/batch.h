// Many sentences in, their translations out, whichever search finds them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/demands.h"
#include "model/local_vocabulary.h"
#include "model/phrase_options.h"
#include "parallel/worker_pool.h"
#include "search/hypergraph.h"
#include "search/oracle.h"
#include "search/picture.h"

namespace dragoman {

struct DecodeRequest {
  std::string line;
  Demands demands;
  std::optional<std::string> reference;         // only translations that are exactly these tokens
  const RowJudge* judge = nullptr;              // null: no opinion; must live as long as the call
  std::vector<OfferedTranslation> offers = {};  // for words the table does not know
};

// What to return beside the best translation.
struct DecodeWants {
  std::size_t nbest = 0;
  bool distinct = false;
  bool graph = false;
  bool graph_values = false;  // feature values of the graph's edges
  bool features = true;
  bool steps = true;     // the phrases or rules of each translation
  bool picture = false;  // the stacks, to be drawn

  // Whether the search must keep more than the best derivation.
  bool edges() const { return nbest > 0 || graph; }
};

struct OutputStep {
  SourceSpan source;
  std::string target;
  std::uint32_t target_begin = 0;
  std::uint32_t target_end = 0;
  std::uint32_t row = kNoRow;
  Provenance provenance;                                           // of what is not in the table
  std::vector<std::pair<std::uint32_t, std::uint32_t>> alignment;  // from the spans' begins on

  // Links a word that was copied, or translated as a source offers, to all its words; what a user
  // gave has no links.
  void align_unknown(std::size_t words);
};

struct OutputTranslation {
  std::string target;
  double score = 0;
  std::vector<double> features;
  std::vector<OutputStep> steps;
  std::uint32_t member = 0;  // of a consensus: the model whose translation it is
};

// An edge as people read it.
struct SpelledEdge {
  std::uint32_t head = 0;
  std::vector<std::uint32_t> tails;
  double score = 0;
  SourceSpan source;
  std::string target;  // * stands for a tail
  std::uint32_t row = kNoRow;
};

// A derivation of a graph.
struct SpelledDerivation {
  double score = 0;
  std::string target;
  std::vector<std::uint32_t> edges;  // tails before heads, in target order where there is one
};

// The one that is nearest to a reference.
struct SpelledOracle {
  double bleu = 0;
  BleuCounts counts;
  SpelledDerivation derivation;
};

// A hypergraph that can spell its words.
struct SentenceGraph {
  Hypergraph graph;
  LocalVocabulary words;

  // Of what an edge or a derivation puts in; * stands for a tail.
  std::string spell(Sentence target) const;
  // The ids of tokens; those the graph does not know have ids that match nothing.
  std::vector<WordId> read(std::string_view text) const;

  SpelledEdge edge(std::size_t index) const;
  std::vector<SpelledDerivation> kbest(std::size_t k, bool distinct) const;
  SpelledOracle oracle(std::string_view reference, const OracleOptions& options) const;
};

struct DecodeResult {
  // Empty unless the line cannot be translated: then what is wrong with it.
  std::string error;
  bool found = false;
  std::size_t words = 0;
  OutputTranslation best;
  std::vector<OutputTranslation> nbest;
  std::shared_ptr<SentenceGraph> graph;
  std::shared_ptr<SearchPicture> picture;
  SearchStats stats;
};

// N-best lists of many lines without their derivations, one behind the other, as tuning needs
// them.
struct NbestArrays {
  std::vector<std::string> texts;
  std::vector<std::int64_t> sizes;  // how many each line has
  std::vector<double> features;     // text after text
};

// One thread's part of a batch: a search, and what it has learnt about phrases or rules.
class LineDecoder {
 public:
  virtual ~LineDecoder() = default;
  // Throws InputError when the line cannot be translated.
  virtual void decode(const DecodeRequest& request, const DecodeWants& wants,
                      DecodeResult& result) = 0;
};

// Whatever the search: lines in, results out, in the same order. Keeps its workers, and so what
// they have learnt, from call to call. Calls from several threads go on at the same time.
class BatchDecoder {
 public:
  virtual ~BatchDecoder() = default;

  // The same whatever the number of threads.
  std::vector<DecodeResult> decode(std::span<const DecodeRequest> requests,
                                   const DecodeWants& wants, int threads);
  NbestArrays decode_nbest(std::span<const DecodeRequest> requests, std::size_t nbest,
                           bool distinct, int threads);

  const WeightedModel& weighted() const { return weighted_; }

 protected:
  // Throws InputError when the weights do not fit the model.
  BatchDecoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights)
      : weighted_(std::move(model), weights) {}

 private:
  virtual std::unique_ptr<LineDecoder> make_worker() const = 0;

  WeightedModel weighted_;
  WorkerPool<LineDecoder> workers_;
};

// For line decoders: the n-best list and the graph, as far as they are wanted. `output_of` tells
// a derivation of the graph by its edges.
void add_derivations(
    SentenceGraph&& graph, const DecodeWants& wants,
    const std::function<OutputTranslation(const Hypergraph&, std::span<const std::uint32_t>)>&
        output_of,
    DecodeResult& result);

}  // namespace dragoman
