// How to go on with a translation that somebody has begun: the best completion that a search graph
// has for words that were typed, though the model might have said them otherwise (interactive
// translation; Barrachina et al. 2009, Koehn et al. 2014).
//
// What was typed is compared with every beginning of every translation in the graph: words may be
// the same, others, missing or too many, and each such edit costs score. A completion goes on
// where the best beginning ends.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/hypergraph.h"

namespace dragoman {

struct Completion {
  double score = 0;           // of the whole translation, less the edits
  WordId last = -1;           // what stands for the last word typed; -1: nothing
  std::vector<WordId> words;  // what comes behind it
};

// One graph, asked again and again while somebody types. Not for several threads at once.
class PrefixSearch {
 public:
  // Of a graph with several tails to an edge, in which beginnings lie scattered, only so many best
  // translations are looked at.
  explicit PrefixSearch(const Hypergraph& graph, std::size_t most_translations = 300);

  // The words that the graph has, each once.
  std::span<const WordId> words() const { return words_; }

  // The best completions, at most `most`, different ones. For every word typed there is a row of
  // `costs`: what it costs that each of words() stands for it, 0 for nothing, 1 for an edit. An
  // edit costs `edit_cost`, and so does a word typed for which nothing stands, or the reverse.
  // Rows that are the same as at the last call are not looked at again.
  std::vector<Completion> complete(std::span<const float> costs, double edit_cost,
                                   std::size_t most);

 private:
  struct Edge {
    std::uint32_t tail = 0;
    std::uint32_t head = 0;
    std::uint32_t first = 0;  // of its words in places_, which are also its states
    std::uint32_t words = 0;
    double score = 0;
  };
  // Where a completion begins: behind a word of an edge.
  struct Begin {
    double score = 0;
    std::uint32_t edge = 0;
    std::uint32_t place = 0;
    bool matched = false;  // whether that word stands for the last one typed
  };
  void take(const Hypergraph& graph);
  void take_best(const Hypergraph& graph, std::size_t most);
  void add_edge(std::uint32_t tail, std::uint32_t head, Sentence target, double score);
  void finish();
  void first_column();
  void next_column(std::span<const float> row);
  std::vector<Begin> begins(std::span<const float> row) const;
  Completion follow(const Begin& begin) const;
  double entering(const Edge& edge) const { return at_nodes_[edge.tail] + edge.score; }

  std::size_t nodes_ = 0;
  std::vector<Edge> edges_;            // those of a node lie together, nodes in topological order
  std::vector<std::uint32_t> places_;  // words of edges, by their number in words_
  std::vector<WordId> words_;
  std::vector<double> outside_;           // the best score from a node to the goal
  std::vector<std::uint32_t> best_exit_;  // and the first edge on that way; kNoEdge at the goal

  // The column of the words typed so far: the best score with which each place is reached when
  // they are used up, behind a word of an edge, and at a node.
  double edit_cost_ = 0;
  std::vector<float> typed_;  // the rows of costs that the column is for
  std::vector<double> at_places_;
  std::vector<double> at_nodes_;
};

}  // namespace dragoman
