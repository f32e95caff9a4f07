#include "search/oracle.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dragoman {

namespace {

using Ngram = std::vector<WordId>;

std::map<Ngram, int> count_ngrams(Sentence text) {
  std::map<Ngram, int> counts;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t n = 1; n <= kBleuOrder && begin + n <= text.size(); ++n) {
      ++counts[Ngram(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(begin + n))];
    }
  }
  return counts;
}

constexpr std::size_t kEdge = kBleuOrder - 1;  // words that neighbours must see

struct Partial {
  std::array<double, kBleuOrder> matches{};  // not clipped
  std::vector<WordId> left;                  // at most kEdge first words
  std::vector<WordId> right;                 // at most kEdge last words
  std::size_t length = 0;
  double score = 0;
  double worth = 0;
  std::uint32_t edge = 0;
  std::vector<std::uint32_t> ranks;  // of the tails
};

class Search {
 public:
  Search(const Hypergraph& graph, Sentence reference, const OracleOptions& options)
      : graph_(graph), reference_(reference), options_(options), partials_(graph.nodes()) {
    for (const auto& [ngram, count] : count_ngrams(reference)) ngrams_.insert(ngram);
  }

  void run() {
    for (Hypergraph::Node node = 0; node < graph_.nodes(); ++node) fill(node);
  }

  OracleResult best() const {
    OracleResult best;
    double best_worth = 0;
    for (std::uint32_t rank = 0; rank < partials_[graph_.goal()].size(); ++rank) {
      OracleResult one;
      one.found = true;
      one.target = unfold(graph_.goal(), rank, one.edges);
      one.score = partials_[graph_.goal()][rank].score;
      one.counts = count_bleu(one.target, reference_);
      one.bleu = bleu(one.counts, options_);
      const double worth = options_.bleu_weight * one.bleu + options_.model_weight * one.score;
      if (!best.found || worth > best_worth) {
        best = std::move(one);
        best_worth = worth;
      }
    }
    return best;
  }

 private:
  // Appends words, counting the n-grams that end in them.
  void append(Partial& partial, Sentence words) const {
    for (const WordId word : words) {
      partial.right.push_back(word);
      for (std::size_t n = 1; n <= std::min(kBleuOrder, partial.right.size()); ++n) {
        const Ngram ngram(partial.right.end() - static_cast<std::ptrdiff_t>(n),
                          partial.right.end());
        partial.matches[n - 1] += ngrams_.contains(ngram) ? 1 : 0;
      }
      if (partial.left.size() < kEdge) partial.left.push_back(word);
      if (partial.right.size() > kEdge) partial.right.erase(partial.right.begin());
      ++partial.length;
    }
  }

  void append(Partial& partial, const Partial& part) const {
    // The n-grams inside the part are counted; those across the border are new.
    const std::vector<WordId> before = partial.right;
    if (part.length <= kEdge) {
      append(partial, Sentence(part.left));
      return;
    }
    Partial border;
    border.right = before;
    for (std::size_t i = 0; i < kEdge; ++i) {
      border.right.push_back(part.left[i]);
      for (std::size_t n = i + 2; n <= std::min(kBleuOrder, border.right.size()); ++n) {
        const Ngram ngram(border.right.end() - static_cast<std::ptrdiff_t>(n), border.right.end());
        partial.matches[n - 1] += ngrams_.contains(ngram) ? 1 : 0;
      }
    }
    for (std::size_t n = 0; n < kBleuOrder; ++n) partial.matches[n] += part.matches[n];
    for (const WordId word : part.left) {
      if (partial.left.size() < kEdge) partial.left.push_back(word);
    }
    partial.right = part.right;
    partial.length += part.length;
  }

  double worth(const Partial& partial) const {
    BleuCounts counts;
    counts.length = static_cast<double>(partial.length);
    // A part is compared with a part of the reference that is as long.
    counts.reference_length = std::min(counts.length, static_cast<double>(reference_.size()));
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      const double total = partial.length > n ? static_cast<double>(partial.length - n) : 0.0;
      counts.totals[n] = total;
      counts.matches[n] = std::min(partial.matches[n], total);
    }
    return options_.bleu_weight * bleu(counts, options_) + options_.model_weight * partial.score;
  }

  void fill(Hypergraph::Node node) {
    std::vector<Partial>& here = partials_[node];
    for (std::uint32_t e = graph_.first_edge(node); e < graph_.last_edge(node); ++e) {
      const Hyperedge& edge = graph_.edge(e);
      const auto tails = graph_.tails(edge);
      std::vector<std::uint32_t> ranks(tails.size(), 0);
      while (true) {
        Partial partial;
        partial.edge = e;
        partial.ranks = ranks;
        partial.score = edge.score;
        for (std::size_t i = 0; i < tails.size(); ++i) {
          partial.score += partials_[tails[i]][ranks[i]].score;
        }
        for (const WordId word : graph_.target(edge)) {
          if (word >= 0) {
            append(partial, Sentence(&word, 1));
          } else {
            const auto tail = static_cast<std::size_t>(-1 - word);
            append(partial, partials_[tails[tail]][ranks[tail]]);
          }
        }
        partial.worth = worth(partial);
        here.push_back(std::move(partial));
        std::size_t i = 0;
        while (i < tails.size() && ++ranks[i] == partials_[tails[i]].size()) ranks[i++] = 0;
        if (i == tails.size()) break;
      }
    }
    std::stable_sort(here.begin(), here.end(),
                     [](const Partial& a, const Partial& b) { return a.worth > b.worth; });
    // Of those that look the same from outside, the best is enough.
    std::set<std::vector<double>> seen;
    std::vector<Partial> kept;
    for (Partial& partial : here) {
      if (kept.size() == options_.beam) break;
      std::vector<double> key(partial.matches.begin(), partial.matches.end());
      key.push_back(static_cast<double>(partial.length));
      key.insert(key.end(), partial.left.begin(), partial.left.end());
      key.push_back(-1);
      key.insert(key.end(), partial.right.begin(), partial.right.end());
      if (seen.insert(std::move(key)).second) kept.push_back(std::move(partial));
    }
    here = std::move(kept);
  }

  std::vector<WordId> unfold(Hypergraph::Node node, std::uint32_t rank,
                             std::vector<std::uint32_t>& edges) const {
    struct Frame {
      const Partial* partial;
      std::size_t next_tail;
      std::vector<std::vector<WordId>> targets;
    };
    std::vector<Frame> frames;
    frames.push_back({&partials_[node][rank], 0, {}});
    while (true) {
      Frame& frame = frames.back();
      const Hyperedge& edge = graph_.edge(frame.partial->edge);
      if (frame.next_tail < edge.tails) {
        const std::size_t tail = frame.next_tail++;
        const Partial* below = &partials_[graph_.tails(edge)[tail]][frame.partial->ranks[tail]];
        frames.push_back({below, 0, {}});
        continue;
      }
      edges.push_back(frame.partial->edge);
      std::vector<WordId> target;
      for (const WordId word : graph_.target(edge)) {
        if (word >= 0) {
          target.push_back(word);
        } else {
          const auto& part = frame.targets[static_cast<std::size_t>(-1 - word)];
          target.insert(target.end(), part.begin(), part.end());
        }
      }
      frames.pop_back();
      if (frames.empty()) return target;
      frames.back().targets.push_back(std::move(target));
    }
  }

  const Hypergraph& graph_;
  Sentence reference_;
  const OracleOptions& options_;
  std::set<Ngram> ngrams_;
  std::vector<std::vector<Partial>> partials_;
};

}  // namespace

BleuCounts count_bleu(Sentence target, Sentence reference) {
  BleuCounts counts;
  counts.length = static_cast<double>(target.size());
  counts.reference_length = static_cast<double>(reference.size());
  const std::map<Ngram, int> wanted = count_ngrams(reference);
  for (const auto& [ngram, count] : count_ngrams(target)) {
    counts.totals[ngram.size() - 1] += count;
    const auto place = wanted.find(ngram);
    if (place != wanted.end()) {
      counts.matches[ngram.size() - 1] += std::min(count, place->second);
    }
  }
  return counts;
}

double bleu(const BleuCounts& counts, const OracleOptions& options) {
  const BleuCounts& background = options.background;
  const bool alone = background.length == 0;
  const double length = counts.length + background.length;
  const double reference_length = counts.reference_length + background.reference_length;
  if (length == 0) return 0;
  double log_precision = 0;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    const double added = alone && n > 0 ? 1 : 0;
    const double matches = counts.matches[n] + background.matches[n] + added;
    const double total = counts.totals[n] + background.totals[n] + added;
    if (matches == 0) return 0;
    log_precision += std::log(matches / total) / kBleuOrder;
  }
  const double brevity = std::min(0.0, 1 - reference_length / length);
  return options.scale * std::exp(log_precision + brevity);
}

OracleResult find_oracle(const Hypergraph& graph, Sentence reference,
                         const OracleOptions& options) {
  if (graph.empty()) return {};
  Search search(graph, reference, options);
  search.run();
  return search.best();
}

}  // namespace dragoman
