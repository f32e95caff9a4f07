// Preordering along trees: trees, oracle labels, node classifiers.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <string>

#include "bind.h"
#include "options.h"
#include "parallel/parallel_for.h"
#include "preorder/node_classifier.h"
#include "preorder/node_features.h"
#include "preorder/oracle.h"
#include "preorder/read_brackets.h"
#include "preorder/read_conllu.h"
#include "preorder/tree.h"
#include "text/error.h"
#include "text/tokens.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

const Choices kBinarisations("binarisation", {"left", "right", "head"});
const Choices kHeadSides("head side", {"first", "last"});

Binarisation binarisation_of(const std::string& name) {
  return kBinarisations.value<Binarisation>(name);
}

HeadSide head_side_of(const std::string& name) { return kHeadSides.value<HeadSide>(name); }

void check_pairs(const Trees& trees, const LinkSets& links) {
  if (links.size() != trees.size()) {
    throw InputError(std::to_string(links.size()) + " lines of links for " +
                     std::to_string(trees.size()) + " trees");
  }
}

std::vector<std::int32_t> positions_of(const LinkSets& links, std::size_t pair,
                                       std::size_t words) {
  try {
    return target_positions(links[pair], words);
  } catch (const InputError& problem) {
    throw InputError("sentence pair " + std::to_string(pair + 1) + ": " + problem.what());
  }
}

// A bracket is written -LRB- in trees, since it could not be told from the tree's own.
bool same_word(std::string_view leaf, std::string_view token) {
  if (leaf == token) return true;
  constexpr std::string_view kEscapes[][2] = {{"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["},
                                              {"-RSB-", "]"}, {"-LCB-", "{"}, {"-RCB-", "}"}};
  return std::any_of(std::begin(kEscapes), std::end(kEscapes),
                     [&](const auto& pair) { return leaf == pair[0] && token == pair[1]; });
}

// Which trees are empty though their sentences are not; InputError where words differ.
std::vector<std::uint8_t> check_words(const Trees& trees,
                                      std::span<const std::string_view> sentences,
                                      const std::string& name) {
  if (sentences.size() != trees.size()) {
    throw InputError(name + ": " + std::to_string(trees.size()) + " trees for " +
                     std::to_string(sentences.size()) + " sentences");
  }
  std::vector<std::uint8_t> missing(trees.size(), 0);
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree tree = trees[i];
    words.clear();
    for_each_token(sentences[i], [&](std::string_view word) { words.push_back(word); });
    if (tree.tokens.empty()) {
      missing[i] = words.empty() ? 0 : 1;
      continue;
    }
    const std::string place = name + ":" + std::to_string(tree.line) + ": ";
    for (std::size_t k = 0; k < std::min(words.size(), tree.tokens.size()); ++k) {
      const std::string_view leaf = trees.symbols().text(tree.tokens[k].word);
      if (!same_word(leaf, words[k])) {
        throw InputError(place + "word " + std::to_string(k + 1) + " of the tree is '" +
                         std::string(leaf) + "', but of sentence " + std::to_string(i + 1) +
                         " it is '" + std::string(words[k]) + "'");
      }
    }
    if (words.size() != tree.tokens.size()) {
      throw InputError(place + "the tree has " + std::to_string(tree.tokens.size()) +
                       " words, but sentence " + std::to_string(i + 1) + " has " +
                       std::to_string(words.size()));
    }
  }
  return missing;
}

void bind_trees(nb::module_& module) {
  nb::class_<Trees>(module, "Trees", "Binary trees of sentences, one after the other.")
      .def(nb::init<>())
      .def("__len__", &Trees::size)
      .def(
          "read_brackets",
          [](Trees& self, const nb::list& lines, const std::string& name, std::size_t first_line,
             const std::string& binarisation, const std::string& head_side) {
            const auto views = views_of(lines);
            const Binarisation how = binarisation_of(binarisation);
            const HeadSide side = head_side_of(head_side);
            const nb::gil_scoped_release release;
            for (std::size_t k = 0; k < views.size(); ++k) {
              read_brackets(views[k], name, first_line + k, how, side, self);
            }
          },
          "lines"_a, "name"_a, "first_line"_a, "binarisation"_a, "head_side"_a,
          nb::sig("def read_brackets(self, lines: list[str], name: str, first_line: int, "
                  "binarisation: str, head_side: str) -> None"),
          "Adds the trees of some lines of a file.")
      .def(
          "read_conllu",
          [](Trees& self, const nb::list& lines, const std::string& name, std::size_t first_line,
             const std::string& binarisation) {
            const auto views = views_of(lines);
            const Binarisation how = binarisation_of(binarisation);
            const nb::gil_scoped_release release;
            read_conllu(views, name, first_line, how, self);
          },
          "lines"_a, "name"_a, "first_line"_a, "binarisation"_a,
          nb::sig("def read_conllu(self, lines: list[str], name: str, first_line: int, "
                  "binarisation: str) -> None"),
          "Adds the trees of whole sentences of a file.")
      .def(
          "select",
          [](const Trees& self, const ArrayIn<std::int64_t>& indices) {
            const auto wanted = as_span(indices);
            for (const std::int64_t index : wanted) {
              if (index >= static_cast<std::int64_t>(self.size())) {
                throw nb::index_error("no such tree");
              }
            }
            const nb::gil_scoped_release release;
            return std::make_unique<Trees>(self.select(wanted));
          },
          "indices"_a,
          nb::sig("def select(self, indices: numpy.typing.NDArray[numpy.int64]) -> Trees"),
          "These trees in this order; -1 stands for an empty tree.")
      .def(
          "text",
          [](const Trees& self, std::size_t index) {
            if (index >= self.size()) throw nb::index_error("no such tree");
            return self.text(index);
          },
          "index"_a, "The words of a tree, separated by spaces.")
      .def(
          "brackets",
          [](const Trees& self, std::size_t index) {
            if (index >= self.size()) throw nb::index_error("no such tree");
            return self.brackets(index);
          },
          "index"_a)
      .def(
          "nodes",
          [](const Trees& self, std::size_t index) {
            if (index >= self.size()) throw nb::index_error("no such tree");
            nb::list rows;
            for (const TreeNode& node : self[index].nodes) {
              rows.append(nb::make_tuple(node.begin, node.split, node.end, node.head,
                                         to_str(self.symbols().text(node.label))));
            }
            return rows;
          },
          "index"_a,
          nb::sig("def nodes(self, index: int) -> list[tuple[int, int, int, int, str]]"),
          "Begin, split, end, head and label of each node, children before parents.")
      .def_prop_ro(
          "token_offsets",
          [](const Trees& self) {
            const auto offsets = self.token_offsets();
            return to_numpy(std::vector<std::uint64_t>(offsets.begin(), offsets.end()));
          },
          nb::rv_policy::move,
          nb::sig("def token_offsets(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def_prop_ro(
          "node_offsets",
          [](const Trees& self) {
            const auto offsets = self.node_offsets();
            return to_numpy(std::vector<std::uint64_t>(offsets.begin(), offsets.end()));
          },
          nb::rv_policy::move,
          nb::sig("def node_offsets(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def(
          "check_words",
          [](const Trees& self, const nb::list& sentences, const std::string& name) {
            const auto views = views_of(sentences);
            std::vector<std::uint8_t> missing;
            {
              const nb::gil_scoped_release release;
              missing = check_words(self, views, name);
            }
            return to_numpy(std::move(missing));
          },
          "sentences"_a, "name"_a,
          nb::sig("def check_words(self, sentences: list[str], name: str) -> "
                  "numpy.typing.NDArray[numpy.uint8]"),
          "Marks empty trees of sentences with words; InputError where words differ.")
      .def(
          "oracle",
          [](const Trees& self, const BoundLinkSets& links) {
            const LinkSets& sets = links.view;
            std::vector<std::int64_t> scores;
            {
              const nb::gil_scoped_release release;
              check_pairs(self, sets);
              scores.reserve(self.node_offsets().back());
              for (std::size_t i = 0; i < self.size(); ++i) {
                const Tree tree = self[i];
                if (tree.nodes.empty()) continue;
                const auto positions = positions_of(sets, i, tree.tokens.size());
                for (const CrossPairs& pairs : cross_pairs(tree, positions)) {
                  scores.push_back(pairs.score());
                }
              }
            }
            return to_numpy(std::move(scores));
          },
          "links"_a,
          nb::sig("def oracle(self, links: LinkSets) -> numpy.typing.NDArray[numpy.int64]"),
          "The score s(v) of every node: negative for those to turn over.")
      .def(
          "reorder",
          [](const Trees& self, const ArrayIn<std::uint8_t>& turned) {
            if (turned.size() != self.node_offsets().back()) {
              throw nb::value_error("one mark per node");
            }
            std::vector<std::int32_t> orders;
            {
              const nb::gil_scoped_release release;
              orders.reserve(self.token_offsets().back());
              for (std::size_t i = 0; i < self.size(); ++i) {
                const Tree tree = self[i];
                const auto order = reorder(
                    tree, as_span(turned).subspan(self.node_offsets()[i], tree.nodes.size()));
                orders.insert(orders.end(), order.begin(), order.end());
              }
            }
            return to_numpy(std::move(orders));
          },
          "turned"_a,
          nb::sig("def reorder(self, turned: numpy.typing.NDArray[numpy.uint8]) -> "
                  "numpy.typing.NDArray[numpy.int32]"),
          "The orders of all sentences, one behind the other, when the marked nodes are turned.");
  module.def(
      "order_concordance",
      [](const BoundSentences& orders, const BoundLinkSets& links) {
        const LinkSets& sets = links.view;
        const Sentences& all = orders.view;
        if (sets.size() != all.size()) {
          throw InputError(std::to_string(sets.size()) + " lines of links for " +
                           std::to_string(all.size()) + " sentences");
        }
        std::vector<std::int64_t> concordant;
        std::vector<std::int64_t> words;
        {
          const nb::gil_scoped_release release;
          for (std::size_t i = 0; i < all.size(); ++i) {
            const auto positions = positions_of(sets, i, all[i].size());
            for (const std::int32_t word : all[i]) {
              if (word < 0 || static_cast<std::size_t>(word) >= all[i].size()) {
                throw std::invalid_argument("an order must hold positions of its sentence");
              }
            }
            const Concordance found = concordance(all[i], positions);
            concordant.push_back(found.concordant);
            words.push_back(found.words);
          }
        }
        return nb::make_tuple(to_numpy(std::move(concordant)), to_numpy(std::move(words)));
      },
      "orders"_a, "links"_a,
      nb::sig("def order_concordance(orders: Sentences, links: LinkSets) -> "
              "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
      "Of sentences of positions: pairs of aligned words in rising order of their target "
      "positions, and how "
      "many words are aligned.");
}

void bind_classifier(nb::module_& module) {
  nb::class_<NodeClassifier>(module, "NodeClassifier",
                             "Says which nodes to turn over; mapped from a file.")
      .def(
          "__init__",
          [](NodeClassifier* self, const std::string& path, bool verify) {
            const nb::gil_scoped_release release;
            new (self) NodeClassifier(path, verify ? Verify::kContent : Verify::kHeader);
          },
          "path"_a, "verify"_a = true)
      .def_static(
          "save",
          [](const std::string& path, std::uint32_t sets, const std::string& binarisation,
             const std::string& head_side, double bias, const ArrayIn<float>& weights) {
            const Binarisation how = binarisation_of(binarisation);
            const HeadSide side = head_side_of(head_side);
            const nb::gil_scoped_release release;
            NodeClassifier::save(path, sets, how, side, bias, as_span(weights));
          },
          "path"_a, "sets"_a, "binarisation"_a, "head_side"_a, "bias"_a, "weights"_a,
          nb::sig("def save(path: str, sets: int, binarisation: str, head_side: str, bias: float, "
                  "weights: numpy.typing.NDArray[numpy.float32]) -> None"))
      .def_prop_ro("sets", &NodeClassifier::sets)
      .def_prop_ro(
          "binarisation",
          [](const NodeClassifier& self) { return kBinarisations.name(self.binarisation()); })
      .def_prop_ro("head_side",
                   [](const NodeClassifier& self) { return kHeadSides.name(self.head_side()); })
      .def_prop_ro("buckets", [](const NodeClassifier& self) { return self.weights().size(); })
      .def(
          "scores",
          [](const NodeClassifier& self, const Trees& trees, int threads) {
            std::vector<float> scores;
            {
              const nb::gil_scoped_release release;
              scores = self.scores(trees, threads);
            }
            return to_numpy(std::move(scores));
          },
          "trees"_a, "threads"_a,
          nb::sig("def scores(self, trees: Trees, threads: int) -> "
                  "numpy.typing.NDArray[numpy.float32]"),
          "The log odds of each node for being turned over.");
  module.def(
      "count_node_features",
      [](const Trees& trees, const ArrayIn<std::uint8_t>& wanted, std::uint32_t sets,
         nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> counts) {
        if (wanted.size() != trees.node_offsets().back()) {
          throw nb::value_error("one mark per node");
        }
        const nb::gil_scoped_release release;
        count_features(trees, as_span(wanted), sets, {counts.data(), counts.size()});
      },
      "trees"_a, "wanted"_a, "sets"_a, "counts"_a,
      nb::sig("def count_node_features(trees: Trees, wanted: numpy.typing.NDArray[numpy.uint8], "
              "sets: int, counts: numpy.typing.NDArray[numpy.uint8]) -> None"),
      "Adds to each bucket how often the wanted nodes have it, up to 255.");
  module.def(
      "node_feature_rows",
      [](const Trees& trees, const ArrayIn<std::uint8_t>& wanted, std::uint32_t sets,
         const ArrayIn<std::int32_t>& columns, int threads) {
        if (wanted.size() != trees.node_offsets().back()) {
          throw nb::value_error("one mark per node");
        }
        FeatureRows rows;
        {
          const nb::gil_scoped_release release;
          rows = feature_rows(trees, as_span(wanted), sets, as_span(columns), threads);
        }
        return nb::make_tuple(to_numpy(std::move(rows.columns)),
                              to_numpy(std::move(rows.offsets)));
      },
      "trees"_a, "wanted"_a, "sets"_a, "columns"_a, "threads"_a,
      nb::sig("def node_feature_rows(trees: Trees, wanted: numpy.typing.NDArray[numpy.uint8], "
              "sets: int, columns: numpy.typing.NDArray[numpy.int32], threads: int) -> "
              "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]"),
      "The features of the wanted nodes as a sparse matrix: columns, and where each row begins.");
}

}  // namespace

void bind_preorder(nb::module_& module) {
  bind_trees(module);
  bind_classifier(module);
}
