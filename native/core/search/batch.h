// Many sentences in, their translations out: what the Python side calls.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/sentence_options.h"
#include "search/derivation.h"
#include "search/hypergraph.h"
#include "search/picture.h"
#include "search/search_options.h"

namespace dragoman {

struct DecodeRequest {
  std::string line;
  std::vector<GivenTranslation> given;
  std::vector<Zone> zones;
  std::vector<std::uint32_t> walls;
  std::optional<std::string> reference;  // only translations that are exactly these tokens
  const RowJudge* judge = nullptr;       // see SentenceInput
};

// What to return beside the best translation.
struct DecodeWants {
  std::size_t nbest = 0;
  bool distinct = false;
  bool graph = false;
  bool graph_values = false;  // feature values of the graph's edges
  bool features = true;
  bool picture = false;  // the stacks, to be drawn
};

struct OutputStep {
  SourceSpan source;
  std::string target;
  std::uint32_t target_begin = 0;
  std::uint32_t target_end = 0;
  std::uint32_t row = kNoRow;
  bool unknown = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> alignment;  // from the spans' begins on
};

struct OutputTranslation {
  std::string target;
  double score = 0;
  std::vector<double> features;
  std::vector<OutputStep> steps;
};

// A hypergraph that can spell its words.
struct SentenceGraph {
  Hypergraph graph;
  LocalVocabulary words;

  // Of what an edge or a derivation puts in; * stands for a tail.
  std::string spell(Sentence target) const;
  // The ids of tokens; those the graph does not know have ids that match nothing.
  std::vector<WordId> read(std::string_view text) const;
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

// Keeps the options of phrases seen before from call to call. Calls from several threads wait
// for each other; give one call several threads instead.
class Decoder {
 public:
  // Throws InputError when weights or options cannot be used.
  Decoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
          const SearchOptions& options);
  ~Decoder();

  // The same whatever the number of threads.
  std::vector<DecodeResult> decode(std::span<const DecodeRequest> requests,
                                   const DecodeWants& wants, int threads);

  const WeightedModel& weighted() const { return weighted_; }
  const SearchOptions& options() const { return options_; }

 private:
  struct Worker;
  void decode_one(Worker& worker, const DecodeRequest& request, const DecodeWants& wants,
                  DecodeResult& result) const;

  WeightedModel weighted_;
  SearchOptions options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex busy_;
};

}  // namespace dragoman
