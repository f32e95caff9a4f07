#include "search/oracle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "search/kbest.h"
#include "search/reference_automaton.h"

namespace dragoman {

namespace {

constexpr std::size_t kEdge = kBleuOrder - 1;  // words that neighbours must see
constexpr double kWorst = -std::numeric_limits<double>::infinity();

// What the outside of a partial derivation can see of it.
struct Profile {
  std::uint16_t state = ReferenceAutomaton::kStart;
  std::uint16_t length = 0;
  std::array<std::uint16_t, kBleuOrder> matches{};  // not clipped
  // The first words, up to kEdge and no further than a stranger; kept only where something may
  // come before them.
  std::array<std::uint16_t, kEdge> left{};
  std::uint16_t left_size = 0;

  bool operator==(const Profile&) const = default;
  std::uint64_t hash() const {
    const auto words = std::bit_cast<std::array<std::uint16_t, 10>>(*this);
    std::uint64_t value = 0x9e3779b97f4a7c15ull;
    for (const std::uint16_t word : words) value = (value ^ word) * 0x100000001b3ull;
    return value ^ (value >> 29);
  }
};
static_assert(sizeof(Profile) == 20);

// Viterbi by the model: how long the rest of a translation is likely to be, seen from a node.
std::vector<double> rest_lengths(const Hypergraph& graph) {
  const std::size_t nodes = graph.nodes();
  std::vector<double> inside(nodes, kWorst);
  std::vector<double> inside_length(nodes, 0);
  const auto own_words = [&graph](const Hyperedge& edge) {
    return static_cast<double>(graph.target(edge).size()) - edge.tails;
  };
  for (Hypergraph::Node node = 0; node < nodes; ++node) {
    for (std::uint32_t e = graph.first_edge(node); e < graph.last_edge(node); ++e) {
      const Hyperedge& edge = graph.edge(e);
      double score = edge.score;
      double length = own_words(edge);
      for (const Hypergraph::Node tail : graph.tails(edge)) {
        score += inside[tail];
        length += inside_length[tail];
      }
      if (score > inside[node]) {
        inside[node] = score;
        inside_length[node] = length;
      }
    }
  }
  std::vector<double> outside(nodes, kWorst);
  std::vector<double> lengths(nodes, 0);
  outside[graph.goal()] = 0;
  for (auto node = static_cast<Hypergraph::Node>(nodes); node-- > 0;) {
    if (outside[node] == kWorst) continue;
    for (std::uint32_t e = graph.first_edge(node); e < graph.last_edge(node); ++e) {
      const Hyperedge& edge = graph.edge(e);
      double score = outside[node] + edge.score;
      double length = lengths[node] + own_words(edge);
      for (const Hypergraph::Node tail : graph.tails(edge)) {
        score += inside[tail];
        length += inside_length[tail];
      }
      for (const Hypergraph::Node tail : graph.tails(edge)) {
        if (score - inside[tail] > outside[tail]) {
          outside[tail] = score - inside[tail];
          lengths[tail] = length - inside_length[tail];
        }
      }
    }
  }
  return lengths;
}

class Search {
 public:
  Search(const Hypergraph& graph, Sentence reference, const OracleOptions& options)
      : graph_(graph),
        options_(options),
        automaton_(reference),
        reference_length_(static_cast<double>(reference.size())),
        rest_lengths_(rest_lengths(graph)),
        first_items_(graph.nodes() + 1, 0) {
    translate_words();
    find_rates();
  }

  std::vector<OracleResult> best(std::size_t n) {
    for (Hypergraph::Node node = 0; node < graph_.nodes(); ++node) {
      fill(node);
      first_items_[node + 1] = static_cast<std::uint32_t>(items_.size());
    }
    const Hypergraph refined = make_refined();
    return enumerate(refined, n);
  }

 private:
  struct Item {
    Profile profile;
    std::uint32_t first_way = 0;
    std::uint32_t ways = 0;
    double score = kWorst;  // of the best way
  };
  // One edge and one item of each of its tails.
  struct Way {
    double score = 0;
    std::uint32_t edge = 0;
    std::uint32_t first_tail = 0;  // in tail_items_
  };
  // Of the node under way.
  struct Draft {
    Profile profile;
    double score = kWorst;
    double worth = 0;
    std::uint32_t first_way = kNone;  // in draft_ways_, chained
    std::uint32_t next = kNone;       // with the same hash
    std::uint32_t ways = 0;
  };
  struct DraftWay {
    Way way;
    std::uint32_t next = kNone;
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  void translate_words() {
    for (std::uint32_t e = 0; e < graph_.edges(); ++e) {
      word_starts_.push_back(static_cast<std::uint32_t>(words_.size()));
      const Sentence target = graph_.target(graph_.edge(e));
      for (std::size_t i = 0; i < target.size(); ++i) {
        words_.push_back(target[i] < 0 ? ReferenceAutomaton::kStranger
                                       : automaton_.word(target[i]));
        needs_left_ = needs_left_ || (target[i] < 0 && i > 0);
      }
    }
  }

  // How much of what is still to come is taken to match: as much as in the other sentences.
  void find_rates() {
    const BleuCounts& background = options_.background;
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      rates_[n] = background.totals[n] > 0 ? background.matches[n] / background.totals[n]
                                           : std::pow(0.7, static_cast<double>(n + 1));
    }
  }

  void append(Profile& profile, ReferenceAutomaton::Word word) const {
    if (needs_left_ && profile.left_size < kEdge && profile.length == profile.left_size) {
      // After a stranger the length is ahead, and nothing more is added.
      if (word != ReferenceAutomaton::kStranger) profile.left[profile.left_size++] = word;
    }
    const auto ngram = automaton_.step(profile.state, word);
    for (std::size_t n = 0; n < automaton_.length(ngram); ++n) ++profile.matches[n];
    profile.state = automaton_.state(ngram);
    ++profile.length;
  }

  void append(Profile& profile, const Profile& part) const {
    if (profile.length == 0) {
      profile = part;
      return;
    }
    // N-grams inside the part are counted; those across the border are new.
    auto state = profile.state;
    for (std::size_t i = 0; i < part.left_size; ++i) {
      const auto ngram = automaton_.step(state, part.left[i]);
      for (std::size_t n = i + 1; n < automaton_.length(ngram); ++n) ++profile.matches[n];
      state = automaton_.state(ngram);
    }
    const bool stranger = part.left_size < std::min<std::size_t>(kEdge, part.length);
    if (profile.length == profile.left_size) {
      for (std::size_t i = 0; i < part.left_size && profile.left_size < kEdge; ++i) {
        profile.left[profile.left_size++] = part.left[i];
      }
    }
    profile.state = stranger || part.length >= kEdge ? part.state : state;
    for (std::size_t n = 0; n < kBleuOrder; ++n) profile.matches[n] += part.matches[n];
    profile.length = static_cast<std::uint16_t>(profile.length + part.length);
  }

  BleuCounts counts_of(const Profile& profile, double rest) const {
    BleuCounts counts;
    counts.length = profile.length + rest;
    counts.reference_length = reference_length_;
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      counts.totals[n] = std::max(0.0, counts.length - static_cast<double>(n));
      counts.matches[n] =
          std::min(counts.totals[n], static_cast<double>(profile.matches[n]) + rates_[n] * rest);
    }
    return counts;
  }

  void fill(Hypergraph::Node node) {
    drafts_.clear();
    draft_ways_.clear();
    draft_tails_.clear();
    std::size_t ways = 0;
    for (std::uint32_t e = graph_.first_edge(node); e < graph_.last_edge(node); ++e) {
      std::size_t product = 1;
      for (const Hypergraph::Node tail : graph_.tails(graph_.edge(e))) {
        product *= first_items_[tail + 1] - first_items_[tail];
      }
      ways += product;
    }
    buckets_.assign(std::bit_ceil(std::max<std::size_t>(16, ways)), kNone);
    for (std::uint32_t e = graph_.first_edge(node); e < graph_.last_edge(node); ++e) extend(e);

    const double rest = rest_lengths_[node];
    order_.resize(drafts_.size());
    for (std::uint32_t d = 0; d < drafts_.size(); ++d) {
      Draft& draft = drafts_[d];
      draft.worth = options_.bleu_weight * bleu(counts_of(draft.profile, rest), options_) +
                    options_.model_weight * draft.score;
      order_[d] = d;
    }
    const std::size_t beam = std::max<std::size_t>(1, options_.beam);
    const auto better = [this](std::uint32_t a, std::uint32_t b) {
      return drafts_[a].worth != drafts_[b].worth ? drafts_[a].worth > drafts_[b].worth : a < b;
    };
    if (order_.size() > beam) {
      std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(beam),
                       order_.end(), better);
      order_.resize(beam);
    }
    std::sort(order_.begin(), order_.end(), better);
    for (const std::uint32_t d : order_) keep(drafts_[d]);
  }

  void extend(std::uint32_t e) {
    const Hyperedge& edge = graph_.edge(e);
    const auto tails = graph_.tails(edge);
    const Sentence target = graph_.target(edge);
    const ReferenceAutomaton::Word* words = words_.data() + word_starts_[e];
    chosen_.clear();
    for (const Hypergraph::Node tail : tails) chosen_.push_back(first_items_[tail]);
    while (true) {
      Profile profile;
      double score = edge.score;
      for (const std::uint32_t item : chosen_) score += items_[item].score;
      for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] >= 0) {
          append(profile, words[i]);
        } else {
          append(profile, items_[chosen_[static_cast<std::size_t>(-1 - target[i])]].profile);
        }
      }
      add(profile, score, e);
      std::size_t i = 0;
      while (i < tails.size() && ++chosen_[i] == first_items_[tails[i] + 1]) {
        chosen_[i] = first_items_[tails[i]];
        ++i;
      }
      if (i == tails.size()) break;
    }
  }

  void add(const Profile& profile, double score, std::uint32_t edge) {
    std::uint32_t& bucket = buckets_[profile.hash() & (buckets_.size() - 1)];
    std::uint32_t place = bucket;
    while (place != kNone && drafts_[place].profile != profile) place = drafts_[place].next;
    if (place == kNone) {
      place = static_cast<std::uint32_t>(drafts_.size());
      drafts_.push_back({profile, kWorst, 0, kNone, bucket, 0});
      bucket = place;
    }
    Draft& draft = drafts_[place];
    draft.score = std::max(draft.score, score);
    ++draft.ways;
    draft_ways_.push_back(
        {{score, edge, static_cast<std::uint32_t>(draft_tails_.size())}, draft.first_way});
    draft.first_way = static_cast<std::uint32_t>(draft_ways_.size() - 1);
    draft_tails_.insert(draft_tails_.end(), chosen_.begin(), chosen_.end());
  }

  void keep(const Draft& draft) {
    items_.push_back(
        {draft.profile, static_cast<std::uint32_t>(ways_.size()), draft.ways, draft.score});
    for (std::uint32_t w = draft.first_way; w != kNone; w = draft_ways_[w].next) {
      Way way = draft_ways_[w].way;
      const std::size_t tails = graph_.edge(way.edge).tails;
      const auto first = draft_tails_.begin() + way.first_tail;
      way.first_tail = static_cast<std::uint32_t>(tail_items_.size());
      tail_items_.insert(tail_items_.end(), first, first + static_cast<std::ptrdiff_t>(tails));
      ways_.push_back(way);
    }
  }

  // Items as nodes, ways as edges that bear the number of the graph's own edge as their rule, and
  // a goal whose edges pay for BLEU.
  Hypergraph make_refined() const {
    std::vector<bool> wanted(items_.size(), false);
    const Hypergraph::Node goal = graph_.goal();
    for (std::size_t i = first_items_[goal]; i < first_items_[goal + 1]; ++i) wanted[i] = true;
    for (std::size_t i = items_.size(); i-- > 0;) {
      if (wanted[i]) for_each_tail(items_[i], [&](std::uint32_t tail) { wanted[tail] = true; });
    }
    Hypergraph refined;
    std::vector<Hypergraph::Node> nodes(items_.size(), 0);
    std::vector<Hypergraph::Node> tails;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!wanted[i]) continue;
      nodes[i] = refined.add_node();
      for (std::uint32_t w = items_[i].first_way; w < items_[i].first_way + items_[i].ways; ++w) {
        const Hyperedge& edge = graph_.edge(ways_[w].edge);
        tails.clear();
        for (std::size_t t = 0; t < edge.tails; ++t) {
          tails.push_back(nodes[tail_items_[ways_[w].first_tail + t]]);
        }
        refined.add_edge(options_.model_weight * edge.score, tails, graph_.target(edge),
                         ways_[w].edge, {}, {});
      }
    }
    refined.set_goal(refined.add_node());
    for (std::size_t i = first_items_[goal]; i < first_items_[goal + 1]; ++i) {
      const double worth = options_.bleu_weight * bleu(counts_of(items_[i].profile, 0), options_);
      constexpr WordId kAllOfIt = -1;
      refined.add_edge(worth, std::span(&nodes[i], 1), std::span(&kAllOfIt, 1), kNone, {}, {});
    }
    return refined;
  }

  template <class Visit>
  void for_each_tail(const Item& item, Visit&& visit) const {
    for (std::uint32_t w = item.first_way; w < item.first_way + item.ways; ++w) {
      const std::size_t tails = graph_.edge(ways_[w].edge).tails;
      for (std::size_t t = 0; t < tails; ++t) visit(tail_items_[ways_[w].first_tail + t]);
    }
  }

  std::vector<OracleResult> enumerate(const Hypergraph& refined, std::size_t n) const {
    std::vector<OracleResult> found;
    const std::size_t effort = std::max(options_.effort * n, options_.least_effort);
    KBest kbest(refined, true);
    for (std::size_t k = 0; k < effort; ++k) {
      const auto entry = kbest.entry(k);
      // Clipping only lowers: what is still to come cannot be better than its score here.
      if (!entry || (found.size() == n && entry->score <= found.back().objective)) break;
      OracleResult one;
      one.found = true;
      for (const std::uint32_t e : entry->edges) {
        const std::uint32_t edge = refined.edge(e).rule;
        if (edge == kNone) continue;
        one.edges.push_back(edge);
        one.score += graph_.edge(edge).score;
      }
      one.target = graph_.spell(one.edges);
      one.counts = automaton_.count(one.target);
      one.bleu = bleu(one.counts, options_);
      one.objective = options_.bleu_weight * one.bleu + options_.model_weight * one.score;
      const auto place = std::upper_bound(
          found.begin(), found.end(), one.objective,
          [](double objective, const OracleResult& other) { return objective > other.objective; });
      if (found.size() == n && place == found.end()) continue;
      found.insert(place, std::move(one));
      if (found.size() > n) found.pop_back();
    }
    return found;
  }

  const Hypergraph& graph_;
  const OracleOptions& options_;
  ReferenceAutomaton automaton_;
  double reference_length_;
  std::vector<double> rest_lengths_;
  std::array<double, kBleuOrder> rates_{};
  std::vector<ReferenceAutomaton::Word> words_;  // of all edges
  std::vector<std::uint32_t> word_starts_;
  bool needs_left_ = false;

  std::vector<Item> items_;  // of all nodes
  std::vector<std::uint32_t> first_items_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> tail_items_;

  std::vector<Draft> drafts_;
  std::vector<DraftWay> draft_ways_;
  std::vector<std::uint32_t> draft_tails_;
  std::vector<std::uint32_t> buckets_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace

double bleu(const BleuCounts& counts, const OracleOptions& options) {
  const BleuCounts& background = options.background;
  const bool alone = background.length == 0;
  const double length = counts.length + background.length;
  const double reference_length = counts.reference_length + background.reference_length;
  if (length == 0) return 0;
  double precision = 1;  // to the power of kBleuOrder
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    const double added = alone && n > 0 ? 1 : 0;
    const double matches = counts.matches[n] + background.matches[n] + added;
    const double total = counts.totals[n] + background.totals[n] + added;
    if (matches <= 0) return 0;
    precision *= matches / total;
  }
  const double brevity = std::min(0.0, 1 - reference_length / length);
  return options.scale * std::exp(std::log(precision) / kBleuOrder + brevity);
}

std::vector<OracleResult> find_oracles(const Hypergraph& graph, Sentence reference,
                                       const OracleOptions& options, std::size_t n) {
  if (graph.empty() || n == 0) return {};
  return Search(graph, reference, options).best(n);
}

OracleResult find_oracle(const Hypergraph& graph, Sentence reference,
                         const OracleOptions& options) {
  std::vector<OracleResult> found = find_oracles(graph, reference, options, 1);
  return found.empty() ? OracleResult{} : std::move(found.front());
}

}  // namespace dragoman
