#include "learning/rederive.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "learning/leave_one_out.h"
#include "search/kbest.h"
#include "search/oracle.h"
#include "search/reference_automaton.h"
#include "search/stack_batch.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

// A document forgets half of what it holds in seven pairs; this many tell what it is like.
constexpr std::size_t kFirstPairs = 32;

std::vector<WordId> ids_of(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<WordId> ids;
  for_each_token(text, [&](std::string_view word) { ids.push_back(vocabulary.find(word)); });
  return ids;
}

std::array<double, 2 * kBleuOrder + 2> flat(const BleuCounts& counts) {
  std::array<double, 2 * kBleuOrder + 2> values{};
  std::copy(counts.matches.begin(), counts.matches.end(), values.begin());
  std::copy(counts.totals.begin(), counts.totals.end(), values.begin() + kBleuOrder);
  values[2 * kBleuOrder] = counts.length;
  values[2 * kBleuOrder + 1] = counts.reference_length;
  return values;
}

// Knows which rows a pair may use, and what they are worth without it.
class PairJudge final : public RowJudge {
 public:
  PairJudge(const WeightedModel& weighted, const RederiveOptions& options)
      : weighted_(weighted),
        table_(weighted.model().table()),
        forced_(options.forced),
        leave_one_out_(options.leave_one_out),
        own_(options.max_phrase_length) {
    if (!leave_one_out_) return;
    forward_ = table_.feature("tm.fwd");
    backward_ = table_.feature("tm.bwd");
    if (table_.size() > 0 && table_.counts(0).source <= 0) {
      throw InputError(table_.path() +
                       ": holds no counts, which leave-one-out needs; it was imported");
    }
  }

  void begin(std::vector<WordId> source, std::vector<WordId> reference,
             std::span<const Link> links) {
    source_ = std::move(source);
    reference_ = std::move(reference);
    if (leave_one_out_) own_.extract(source_, reference_, links);
    ranges_.clear();
    table_.for_each_span(source_, [this](std::size_t begin, std::size_t end, OptionRange range) {
      const Sentence phrase = Sentence(source_).subspan(begin, end - begin);
      ranges_.push_back({range, phrase, leave_one_out_ ? own_.sources(phrase) : 0});
    });
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Place& a, const Place& b) { return a.range.begin < b.range.begin; });
  }

  std::optional<double> judge(std::uint32_t row) const override {
    const Sentence target = table_.target(row);
    const bool said = in_reference(target);
    if (forced_ && !said) return std::nullopt;
    if (!leave_one_out_) return 0.0;
    const auto place = std::prev(
        std::upper_bound(ranges_.begin(), ranges_.end(), row,
                         [](std::uint32_t r, const Place& p) { return r < p.range.begin; }));
    // A frequent phrase has thousands of rows; hardly any of them is the pair's own.
    const std::uint32_t own_source = place->own;
    const std::uint32_t own_target = said ? own_.targets(target) : 0;
    if (own_source == 0 && own_target == 0) return 0.0;
    const std::uint32_t own_pair = own_target > 0 ? own_.pairs(place->source, target) : 0;
    const PhraseCounts& counts = table_.counts(row);
    const double singleton =
        kSingletonLogProbPerWord * static_cast<double>(place->source.size() + target.size());
    double change = 0;
    if (forward_) {
      change += weighted_.weight(*forward_) *
                leave_one_out(counts.joint, counts.source, own_pair, own_source, singleton);
    }
    if (backward_) {
      change += weighted_.weight(*backward_) *
                leave_one_out(counts.joint, counts.target, own_pair, own_target, singleton);
    }
    return change;
  }

 private:
  struct Place {
    OptionRange range;
    Sentence source;
    std::uint32_t own;  // how often the pair has this source phrase
  };

  bool in_reference(Sentence target) const {
    return std::search(reference_.begin(), reference_.end(), target.begin(), target.end()) !=
           reference_.end();
  }

  const WeightedModel& weighted_;
  const PhraseTable& table_;
  bool forced_;
  bool leave_one_out_;
  std::optional<std::size_t> forward_;
  std::optional<std::size_t> backward_;
  OwnPhrases own_;
  std::vector<WordId> source_;
  std::vector<WordId> reference_;
  std::vector<Place> ranges_;
};

}  // namespace

class Rederiver::Worker {
 public:
  Worker(const std::shared_ptr<const TranslationModel>& model, std::span<const double> weights,
         const SearchOptions& search, const RederiveOptions& options)
      : options_(options),
        decoder_(model, weights, search),
        judge_(decoder_.weighted(), options) {}

  ShardDerivations run(std::span<const RederiveRequest> pairs) {
    ShardDerivations result;
    PseudoDocument document;
    std::vector<DecodeResult> first;
    while (!options_.forced && first.size() < std::min(pairs.size(), kFirstPairs)) {
      const RederiveRequest& pair = pairs[first.size()];
      const DecodeResult& decoded = first.emplace_back(decode(pair));
      if (!decoded.found) continue;
      const Seen seen(decoded, pair);
      document.add(seen.automaton.count(seen.best), static_cast<double>(decoded.words));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const DecodeResult decoded = i < first.size() ? std::move(first[i]) : decode(pairs[i]);
      add(pairs[i], decoded, document, result);
    }
    return result;
  }

 private:
  // A pair's words as numbers of its graph.
  struct Seen {
    Seen(const DecodeResult& decoded, const RederiveRequest& pair)
        : reference(decoded.graph->read(pair.reference)),
          best(decoded.graph->read(decoded.best.target)),
          automaton(reference) {}

    std::vector<WordId> reference;
    std::vector<WordId> best;
    ReferenceAutomaton automaton;
  };

  DecodeResult decode(const RederiveRequest& pair) {
    try {
      return try_to_decode(pair);
    } catch (const InputError& problem) {
      DecodeResult refused;
      refused.error = problem.what();
      return refused;
    }
  }

  DecodeResult try_to_decode(const RederiveRequest& pair) {
    DecodeRequest request;
    request.line = pair.source;
    if (options_.forced) request.reference = pair.reference;
    const TranslationModel& model = decoder_.weighted().model();
    const std::vector<WordId> reference = ids_of(model.target(), pair.reference);
    if (reference.size() > ReferenceAutomaton::kLongestReference) {
      throw InputError("a reference of " + std::to_string(reference.size()) +
                       " words is too long");
    }
    if (options_.forced || options_.leave_one_out) {
      judge_.begin(ids_of(model.source(), pair.source), reference, pair.links);
      request.judge = &judge_;
    }
    DecodeWants wants;
    wants.graph = true;
    wants.features = false;
    return std::move(decoder_.decode({&request, 1}, wants, 1).front());
  }

  void add(const RederiveRequest& pair, const DecodeResult& decoded, PseudoDocument& document,
           ShardDerivations& result) const {
    const auto number = static_cast<std::uint32_t>(result.outcomes.size());
    result.outcomes.push_back(static_cast<std::uint8_t>(Rederived::kFound));
    result.derivations.push_back(0);
    result.model.emplace_back();
    result.best.emplace_back();
    result.objectives.emplace_back();
    if (!decoded.error.empty()) {
      result.outcomes.back() = static_cast<std::uint8_t>(Rederived::kRefused);
      result.problems.emplace_back(number, decoded.error);
      return;
    }
    if (!decoded.found || decoded.words == 0) {
      result.outcomes.back() = static_cast<std::uint8_t>(Rederived::kNoDerivation);
      return;
    }
    const Hypergraph& graph = decoded.graph->graph;
    if (options_.forced) {
      KBest kbest(graph);
      for (const KBest::Entry& entry : kbest.entries(options_.nbest)) {
        add_derivation(graph, entry.edges, entry.score, result);
      }
      return;
    }
    const Seen seen(decoded, pair);
    OracleOptions oracle;
    oracle.beam = options_.beam;
    oracle.bleu_weight = 1 - options_.mu;
    oracle.model_weight = options_.mu;
    oracle.background = document.counts;
    oracle.scale = document.source_length + static_cast<double>(decoded.words);
    const auto objective = [&oracle](const BleuCounts& counts, double score) {
      return oracle.bleu_weight * bleu(counts, oracle) + oracle.model_weight * score;
    };
    const BleuCounts of_model = seen.automaton.count(seen.best);
    result.model.back() = flat(of_model);
    result.objectives.back()[0] = objective(of_model, decoded.best.score);
    if (options_.compare_with > 0) {
      double best = result.objectives.back()[0];
      KBest kbest(graph);
      for (const KBest::Entry& entry : kbest.entries(options_.compare_with)) {
        const BleuCounts counts = seen.automaton.count(graph.spell(entry.edges));
        best = std::max(best, objective(counts, entry.score));
      }
      result.objectives.back()[1] = best;
    }
    const auto found = find_oracles(graph, seen.reference, oracle, options_.nbest);
    for (const OracleResult& one : found) add_derivation(graph, one.edges, one.score, result);
    result.best.back() = flat(found.front().counts);
    result.objectives.back()[2] = found.front().objective;
    document.add(found.front().counts, static_cast<double>(decoded.words));
  }

  static void add_derivation(const Hypergraph& graph, const std::vector<std::uint32_t>& edges,
                             double score, ShardDerivations& result) {
    ++result.derivations.back();
    result.scores.push_back(score);
    std::uint32_t steps = 0;
    for (const std::uint32_t e : edges) {
      const Hyperedge& edge = graph.edge(e);
      if (edge.tails == 0) continue;  // the beginning
      ++steps;
      result.spans.push_back({edge.source.begin, edge.source.end,
                              static_cast<std::uint16_t>(graph.target(edge).size() - 1)});
      result.rows.push_back(edge.rule);
    }
    result.steps.push_back(steps);
  }

  const RederiveOptions& options_;
  PhraseDecoder decoder_;
  PairJudge judge_;
};

Rederiver::Rederiver(std::shared_ptr<const TranslationModel> model,
                     std::span<const double> weights, const SearchOptions& search,
                     const RederiveOptions& options)
    : model_(std::move(model)),
      weights_(weights.begin(), weights.end()),
      search_(search),
      options_(options) {
  if (options.nbest == 0) throw InputError("nbest must be 1 or more");
  if (!(options.mu >= 0 && options.mu <= 1)) {
    throw InputError("mu must lie between 0 and 1, not " + std::to_string(options.mu));
  }
  workers_.add(make_worker());  // here, so that what cannot be used is refused at once
}

Rederiver::~Rederiver() = default;

std::vector<ShardDerivations> Rederiver::run(
    std::span<const std::span<const RederiveRequest>> shards, int threads) {
  std::vector<ShardDerivations> results(shards.size());
  workers_.run(
      threads, shards.size(), [this] { return make_worker(); },
      [&](std::size_t number, Worker& worker) { results[number] = worker.run(shards[number]); });
  return results;
}

std::unique_ptr<Rederiver::Worker> Rederiver::make_worker() const {
  return std::make_unique<Worker>(model_, weights_, search_, options_);
}

}  // namespace dragoman
