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

// A permutation, counted from 0, with its tree.
struct TreeOfPermutation {
  std::vector<std::int32_t> permutation;
  std::vector<std::uint32_t> child_offsets;
  std::vector<std::int32_t> children;
  std::vector<std::int32_t> order;
  std::vector<std::uint8_t> kinds;
  std::vector<std::int32_t> begins;
  std::vector<std::int32_t> ends;
  std::size_t rank = 0;
};

void bind_permutations(nb::module_& module) {
  nb::class_<TreeOfPermutation> found(module, "PermutationTree",
                                      "How a permutation is composed; inner nodes in post-order.");
  def_array(found, "permutation", &TreeOfPermutation::permutation, "Counted from 0.");
  def_array(found, "child_offsets", &TreeOfPermutation::child_offsets,
            "Where the children of each node begin.");
  def_array(found, "children", &TreeOfPermutation::children,
            "Positions, or inner nodes counted from their number on.");
  def_array(found, "order", &TreeOfPermutation::order,
            "Each child's place among its siblings by value.");
  def_array(found, "kinds", &TreeOfPermutation::kinds, "0 straight, 1 inverted, 2 simple.");
  def_array(found, "begins", &TreeOfPermutation::begins, "First positions.");
  def_array(found, "ends", &TreeOfPermutation::ends, "Positions behind the last.");
  found.def_ro("rank", &TreeOfPermutation::rank);
  module.def(
      "permutation_tree",
      [](const ArrayIn<std::int64_t>& values, bool canonical, bool sorting) {
        const nb::gil_scoped_release release;
        TreeOfPermutation found;
        found.permutation = checked_permutation(as_span(values));
        PermutationTree tree = permutation_tree(
            found.permutation, canonical ? TreeForm::kCanonical : TreeForm::kLeftBranching,
            sorting ? TreeMethod::kSorting : TreeMethod::kLinear);
        found.rank = tree_rank(tree);
        for (const auto kind : tree.kinds) {
          found.kinds.push_back(static_cast<std::uint8_t>(kind));
        }
        found.child_offsets = std::move(tree.nesting.offsets);
        found.children = std::move(tree.nesting.children);
        found.order = std::move(tree.order);
        found.begins = std::move(tree.begins);
        found.ends = std::move(tree.ends);
        return found;
      },
      "values"_a, "canonical"_a, "sorting"_a,
      nb::sig("def permutation_tree(values: numpy.typing.NDArray[numpy.int64], canonical: bool, "
              "sorting: bool) -> PermutationTree"));
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

// A rule as people read it.
struct ToldRule {
  std::string left;
  std::string text;
  double log_probability = 0;
  std::size_t rank = 0;
  std::size_t line = 0;
};

void bind_grammar_class(nb::module_& module) {
  nb::class_<ToldRule>(module, "GrammarRule", "One rule, for looking at.")
      .def_ro("left", &ToldRule::left)
      .def_ro("text", &ToldRule::text, "Without the probability.")
      .def_ro("log_probability", &ToldRule::log_probability)
      .def_ro("rank", &ToldRule::rank)
      .def_ro("line", &ToldRule::line, "Where it was read, from 1; 0 for made rules.");
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
            if (index >= self.grammar->size()) throw nb::index_error("no such rule");
            const Rule rule = (*self.grammar)[index];
            return ToldRule{std::string(self.grammar->nonterminals.name(rule.lhs)),
                            write_rule(*self.grammar, rule), rule.log_weight, rule_rank(rule),
                            rule.line};
          },
          "index"_a)
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
  nb::class_<DerivationNode>(module, "ParseNode", "A rule at work.")
      .def_ro("rule", &DerivationNode::rule)
      .def_prop_ro(
          "source",
          [](const DerivationNode& self) { return std::pair(self.source_begin, self.source_end); })
      .def_prop_ro(
          "target",
          [](const DerivationNode& self) { return std::pair(self.target_begin, self.target_end); })
      .def_ro("children", &DerivationNode::children, "In source order.");
  nb::class_<ParseResult>(module, "ParseResult", "What is known about one pair.")
      .def_ro("generated", &ParseResult::generated)
      .def_ro("log_inside", &ParseResult::log_inside, "Of all derivations; if generated.")
      .def_ro("log_best", &ParseResult::log_best)
      .def_ro("derivation", &ParseResult::derivation, "The best one, in pre-order.")
      .def_ro("items", &ParseResult::items, "How much work it was.")
      .def_ro("combinations", &ParseResult::combinations);
  nb::class_<SharedParser>(module, "SynchronousParser", "Parses sentence pairs with one grammar.")
      .def(nb::init<const SharedGrammar&>(), "grammar"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "parse",
          [](const SharedParser& self, const std::string& start, nb::str source, nb::str target,
             std::uint64_t max_items) {
            const auto source_text = utf8_of(source);
            const auto target_text = utf8_of(target);
            const nb::gil_scoped_release release;
            const SymbolId id = self.grammar->nonterminals.find(start);
            if (id < 0) {
              throw InputError(self.grammar->origin + ": there is no nonterminal " + start +
                               " to start from");
            }
            ParseOptions options;
            options.max_items = max_items;
            options.tick = SignalCheck();
            return self.parser.parse(id, encode_terminals(*self.grammar, source_text),
                                     encode_terminals(*self.grammar, target_text), options);
          },
          "start"_a, "source"_a, "target"_a, "max_items"_a);
}

// By sentence pair.
struct AlignmentRanks {
  std::vector<std::uint16_t> rank, straight, inverted, simple;
};

void bind_alignments(nb::module_& module) {
  nb::class_<AlignmentRanks> ranks(module, "AlignmentRanks", "The trees of alignments, by pair.");
  def_array(ranks, "rank", &AlignmentRanks::rank, "Of the minimal rules.");
  def_array(ranks, "straight", &AlignmentRanks::straight, "Binary nodes.");
  def_array(ranks, "inverted", &AlignmentRanks::inverted, "Binary nodes.");
  def_array(ranks, "simple", &AlignmentRanks::simple, "All others.");
  module.def(
      "alignment_ranks",
      [](const BoundLinkSets& links, int threads) {
        const nb::gil_scoped_release release;
        AlignmentRanks ranks;
        for (const AlignmentRank& one : alignment_ranks(links.view, threads)) {
          ranks.rank.push_back(one.rank);
          ranks.straight.push_back(one.straight);
          ranks.inverted.push_back(one.inverted);
          ranks.simple.push_back(one.simple);
        }
        return ranks;
      },
      "links"_a, "threads"_a);
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
