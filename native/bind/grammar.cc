// Permutation trees, synchronous grammars, their factoring and parsing.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "bind.h"
#include "grammar/alignment_tree.h"
#include "grammar/factor.h"
#include "grammar/notation.h"
#include "grammar/parse.h"
#include "grammar/permutation_tree.h"
#include "text/error.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

void bind_permutations(nb::module_& module) {
  module.def(
      "permutation_tree",
      [](const ArrayIn<std::int64_t>& values, bool canonical, bool sorting) {
        std::vector<std::int32_t> permutation;
        PermutationTree tree;
        std::size_t rank = 0;
        {
          const nb::gil_scoped_release release;
          permutation = checked_permutation(as_span(values));
          tree = permutation_tree(permutation,
                                  canonical ? TreeForm::kCanonical : TreeForm::kLeftBranching,
                                  sorting ? TreeMethod::kSorting : TreeMethod::kLinear);
          rank = tree_rank(tree);
        }
        std::vector<std::uint8_t> kinds;
        kinds.reserve(tree.kinds.size());
        for (const auto kind : tree.kinds) kinds.push_back(static_cast<std::uint8_t>(kind));
        return nb::make_tuple(
            to_numpy(std::move(permutation)), to_numpy(std::move(tree.nesting.offsets)),
            to_numpy(std::move(tree.nesting.children)), to_numpy(std::move(tree.order)),
            to_numpy(std::move(kinds)), to_numpy(std::move(tree.begins)),
            to_numpy(std::move(tree.ends)), rank);
      },
      "values"_a, "canonical"_a, "sorting"_a,
      nb::sig("def permutation_tree(values: numpy.typing.NDArray[numpy.int64], canonical: bool, "
              "sorting: bool) -> tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8], "
              "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], int]"),
      "The permutation from 0, then child offsets, children, order, kinds, begins and ends of the "
      "inner nodes, and the rank.");
  module.def(
      "compose_tree",
      [](std::size_t leaves, const ArrayIn<std::uint32_t>& offsets,
         const ArrayIn<std::int32_t>& children, const ArrayIn<std::int32_t>& order) {
        Nesting nesting;
        nesting.leaves = leaves;
        const auto bounds = as_span(offsets);
        const auto ids = as_span(children);
        if (bounds.empty() || bounds.front() != 0 || bounds.back() != ids.size() ||
            !std::is_sorted(bounds.begin(), bounds.end())) {
          throw InputError("not a tree: offsets must run from 0 to the number of children");
        }
        nesting.offsets.assign(bounds.begin(), bounds.end());
        nesting.children.assign(ids.begin(), ids.end());
        std::vector<std::int32_t> permutation;
        {
          const nb::gil_scoped_release release;
          permutation = compose(nesting, as_span(order));
        }
        return to_numpy(std::move(permutation));
      },
      "leaves"_a, "offsets"_a, "children"_a, "order"_a,
      nb::sig("def compose_tree(leaves: int, offsets: numpy.typing.NDArray[numpy.uint32], "
              "children: numpy.typing.NDArray[numpy.int32], "
              "order: numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.int32]"),
      "The permutation, from 0, that the nodes of a tree compose.");
}

// Parsers share the grammar they use; millions of rules are freed without the GIL.
struct SharedGrammar {
  std::shared_ptr<const Grammar> grammar;

  explicit SharedGrammar(Grammar&& made) : grammar(std::make_shared<Grammar>(std::move(made))) {}
  SharedGrammar(const SharedGrammar&) = delete;
  SharedGrammar& operator=(const SharedGrammar&) = delete;
  ~SharedGrammar() {
    const nb::gil_scoped_release release;
    grammar.reset();
  }
};

std::unique_ptr<SharedGrammar> shared(Grammar&& grammar) {
  return std::make_unique<SharedGrammar>(std::move(grammar));
}

GrammarFormat format_named(const std::string& name, std::string_view text) {
  if (name == "auto") return guess_format(text);
  if (name == "rules") return GrammarFormat::kRules;
  if (name == "hiero") return GrammarFormat::kHiero;
  if (name == "moses") return GrammarFormat::kMoses;
  throw InputError("the format of a grammar is rules, hiero or moses, not '" + name + "'");
}

const char* name_of(GrammarFormat format) {
  switch (format) {
    case GrammarFormat::kHiero:
      return "hiero";
    case GrammarFormat::kMoses:
      return "moses";
    case GrammarFormat::kRules:
      break;
  }
  return "rules";
}

Rule rule_at(const SharedGrammar& self, std::size_t index) {
  if (index >= self.grammar->size()) throw nb::index_error("no such rule");
  return (*self.grammar)[index];
}

void bind_grammar_class(nb::module_& module) {
  nb::class_<SharedGrammar>(module, "SynchronousGrammar",
                            "Rules with linked nonterminals; immutable.")
      .def_static(
          "read",
          [](const nb::bytes& data, const std::string& origin, const std::string& format,
             const std::string& score) {
            const std::string_view text(data.c_str(), data.size());
            const nb::gil_scoped_release release;
            return shared(
                read_grammar(text, origin, format_named(format, text), {.score = score}));
          },
          "data"_a, "origin"_a, "format"_a, "score"_a)
      .def_static(
          "guess_format",
          [](const nb::bytes& data) { return name_of(guess_format({data.c_str(), data.size()})); },
          "data"_a)
      .def("__len__", [](const SharedGrammar& self) { return self.grammar->size(); })
      .def(
          "write",
          [](const SharedGrammar& self, const std::string& format) {
            std::string text;
            {
              const nb::gil_scoped_release release;
              text = write_grammar(*self.grammar, format_named(format, {}));
            }
            return nb::bytes(text.data(), text.size());
          },
          "format"_a)
      .def(
          "rule",
          [](const SharedGrammar& self, std::size_t index) {
            const Rule rule = rule_at(self, index);
            const std::string text = write_rule(*self.grammar, rule);
            return nb::make_tuple(to_str(self.grammar->nonterminals.name(rule.lhs)), to_str(text),
                                  rule.log_weight, rule_rank(rule), rule.line);
          },
          "index"_a, nb::sig("def rule(self, index: int) -> tuple[str, str, float, int, int]"),
          "Left-hand side, text, log probability, rank and line.")
      .def_prop_ro("start",
                   [](const SharedGrammar& self) {
                     const auto start = self.grammar->default_start();
                     return start < 0 ? nb::str("")
                                      : to_str(self.grammar->nonterminals.name(start));
                   })
      .def("check_productive",
           [](const SharedGrammar& self) {
             const nb::gil_scoped_release release;
             check_productive(*self.grammar);
           })
      .def(
          "rank_histogram",
          [](const SharedGrammar& self) {
            const nb::gil_scoped_release release;
            auto histogram = rank_histogram(*self.grammar);
            return std::pair(std::move(histogram.rules), histogram.symbols);
          },
          "Rules of each rank, and the number of right-hand side symbols.")
      .def(
          "factor",
          [](const SharedGrammar& self) {
            FactoredGrammar factored;
            std::unique_ptr<SharedGrammar> grammar;
            {
              const nb::gil_scoped_release release;
              factored = factor(*self.grammar);
              grammar = shared(std::move(factored.grammar));
            }
            return nb::make_tuple(std::move(grammar), to_numpy(std::move(factored.origins)));
          },
          nb::sig("def factor(self) -> "
                  "tuple[SynchronousGrammar, numpy.typing.NDArray[numpy.int32]]"),
          "The factored grammar and, per rule, the rule it stands for; -1 for fresh ones.");
}

// Lets Ctrl-C stop a long parse; looks every tenth of a second.
class SignalCheck {
 public:
  void operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct SharedParser {
  std::shared_ptr<const Grammar> grammar;
  SynchronousParser parser;

  explicit SharedParser(const SharedGrammar& shared) : grammar(shared.grammar), parser(*grammar) {}
};

void bind_parser(nb::module_& module) {
  nb::class_<SharedParser>(module, "SynchronousParser", "Parses sentence pairs with one grammar.")
      .def(nb::init<const SharedGrammar&>(), "grammar"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "parse",
          [](const SharedParser& self, const std::string& start, nb::str source, nb::str target,
             std::uint64_t max_items) {
            const auto source_text = utf8_of(source);
            const auto target_text = utf8_of(target);
            ParseResult result;
            {
              const nb::gil_scoped_release release;
              const SymbolId id = self.grammar->nonterminals.find(start);
              if (id < 0) {
                throw InputError(self.grammar->origin + ": there is no nonterminal " + start +
                                 " to start from");
              }
              ParseOptions options;
              options.max_items = max_items;
              options.tick = SignalCheck();
              result = self.parser.parse(id, encode_terminals(*self.grammar, source_text),
                                         encode_terminals(*self.grammar, target_text), options);
            }
            nb::list nodes;
            for (const auto& node : result.derivation) {
              nodes.append(nb::make_tuple(
                  node.rule, nb::make_tuple(node.source_begin, node.source_end),
                  nb::make_tuple(node.target_begin, node.target_end), node.children));
            }
            return nb::make_tuple(result.generated, result.log_inside, result.log_best, nodes,
                                  result.items, result.combinations);
          },
          "start"_a, "source"_a, "target"_a, "max_items"_a,
          nb::sig("def parse(self, start: str, source: str, target: str, max_items: int) -> "
                  "tuple[bool, float, float, "
                  "list[tuple[int, tuple[int, int], tuple[int, int], list[int]]], int, int]"),
          "Whether the pair is generated, log inside and best probability, the best derivation in "
          "pre-order, and how many items and combinations it took.");
}

void bind_alignments(nb::module_& module) {
  module.def(
      "alignment_ranks",
      [](const BoundLinkSets& links, int threads) {
        std::vector<AlignmentRank> found;
        {
          const nb::gil_scoped_release release;
          found = alignment_ranks(links.view, threads);
        }
        std::vector<std::uint16_t> columns[4];
        for (const auto& one : found) {
          columns[0].push_back(one.rank);
          columns[1].push_back(one.straight);
          columns[2].push_back(one.inverted);
          columns[3].push_back(one.simple);
        }
        return nb::make_tuple(to_numpy(std::move(columns[0])), to_numpy(std::move(columns[1])),
                              to_numpy(std::move(columns[2])), to_numpy(std::move(columns[3])));
      },
      "links"_a, "threads"_a,
      nb::sig("def alignment_ranks(links: LinkSets, threads: int) -> "
              "tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint16], "
              "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint16]]"),
      "Per sentence pair: rank, and how many straight, inverted and simple nodes.");
  nb::class_<MinimalRuleCounter>(module, "MinimalRuleCounter",
                                 "Counts the minimal rules of aligned sentence pairs.")
      .def(nb::init<>())
      .def(
          "add",
          [](MinimalRuleCounter& self, const nb::list& source, const nb::list& target,
             const BoundLinkSets& links) {
            const auto sources = views_of(source);
            const auto targets = views_of(target);
            const LinkSets& sets = links.view;
            if (sources.size() != targets.size() || sources.size() != sets.size()) {
              throw nb::value_error("source, target and links must be equally many");
            }
            const nb::gil_scoped_release release;
            for (std::size_t i = 0; i < sources.size(); ++i) {
              self.add(sources[i], targets[i], sets[i]);
            }
          },
          "source"_a, "target"_a, "links"_a,
          nb::sig("def add(self, source: list[str], target: list[str], links: LinkSets) "
                  "-> None"))
      .def(
          "finish",
          [](const MinimalRuleCounter& self) {
            const nb::gil_scoped_release release;
            return shared(self.finish());
          },
          "The rules with their relative frequencies.")
      .def(
          "counts",
          [](const MinimalRuleCounter& self) {
            return to_numpy(
                std::vector<std::uint64_t>(self.counts().begin(), self.counts().end()));
          },
          nb::sig("def counts(self) -> numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace

void bind_grammar(nb::module_& module) {
  bind_permutations(module);
  bind_grammar_class(module);
  bind_parser(module);
  bind_alignments(module);
}
