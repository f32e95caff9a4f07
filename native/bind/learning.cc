// Python's view of native/core/learning.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "bind.h"
#include "learning/joint_trainer.h"
#include "learning/violation.h"
#include "options.h"
#include "texts.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

using BoundJointTrainer = Unlocked<JointTrainer>;
using Span = std::pair<std::uint32_t, std::uint32_t>;
using Placed = std::pair<Span, Span>;

// tm.fwd tm.bwd lex.fwd lex.bwd sparse phrases distortion null
ForcedWeights weights_of(const ArrayIn<double>& weights) {
  const auto values = as_span(weights);
  if (values.size() != kRuleValues + 3) {
    throw nb::value_error(
        "weights of tm.fwd, tm.bwd, lex.fwd, lex.bwd, sparse, phrases, distortion and null rules "
        "are needed");
  }
  ForcedWeights own;
  std::copy_n(values.begin(), kRuleValues, own.values.begin());
  own.phrases = values[kRuleValues];
  own.distortion = values[kRuleValues + 1];
  own.null_rules = values[kRuleValues + 2];
  return own;
}

void require_range(const JointTrainer& trainer, std::size_t begin, std::size_t end) {
  if (begin > end || end > trainer.pairs()) {
    throw nb::index_error("no such range of sentence pairs");
  }
}

Placed placed(const PlacedRule& rule) {
  return {{rule.source_begin, rule.source_end}, {rule.target_begin, rule.target_end}};
}

}  // namespace

void bind_learning(nb::module_& module) {
  OptionGroup<JointOptions>(module, "JointOptions", "What joint training can be told.")
      .value("max_length", &JointOptions::max_length, "Words of a phrase on either side.")
      .value("k", &JointOptions::k, "How much short phrases are favoured.")
      .value("folds", &JointOptions::folds,
             "Weights are learnt from a pair with the rules of the other folds; 1: with all.")
      .value(
          "forced_beam", [](JointOptions& self) -> auto& { return self.forced.beam; },
          "Hypotheses of a stack in forced decoding; 0: all.")
      .value(
          "null_rules", [](JointOptions& self) -> auto& { return self.forced.null_rules; },
          "Whether words may be deleted and inserted.")
      .limit(
          "distortion_limit",
          [](JointOptions& self) -> auto& { return self.forced.distortion_limit; }, kNoLimit,
          "The longest jump.")
      .limit(
          "gap_limit", [](JointOptions& self) -> auto& { return self.forced.gap_limit; }, kNoLimit,
          "Most runs of uncovered words.")
      .finish();
  OptionGroup<RuleTableOptions>(module, "RuleTableOptions", "Which rules go into a table.")
      .value("min_count", &RuleTableOptions::min_count, "Rules below it are left out.")
      .limit("without", &RuleTableOptions::without, kNoFold, "A fold that does not count.")
      .value("limit", &RuleTableOptions::limit, "Options of a source phrase; 0: all.")
      .value("sparse", &RuleTableOptions::sparse, "With the rules' own weights as a column.")
      .value("source_words", &RuleTableOptions::source_words, "The size of the vocabulary.")
      .value("target_words", &RuleTableOptions::target_words, "The size of the vocabulary.")
      .finish();
  nb::class_<ForcedCounts>(module, "ForcedCounts", "What came of forced decoding some pairs.")
      .def_ro("pairs", &ForcedCounts::pairs)
      .def_ro("reachable", &ForcedCounts::reachable)
      .def_ro("empty", &ForcedCounts::empty)
      .def_ro("score", &ForcedCounts::score)
      .def_ro("evaluated", &ForcedCounts::evaluated);

  nb::class_<FoundRules>(module, "FoundRules", "What forced decoding found, not yet counted.")
      .def_ro("counts", &FoundRules::counts)
      .def("save", &FoundRules::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_static("open", &FoundRules::open, "path"_a, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<Lessons>(module, "Lessons", "What came of real decoding some pairs.")
      .def_ro("pairs", &Lessons::pairs)
      .def_ro("reachable", &Lessons::reachable)
      .def_ro("correct", &Lessons::correct)
      .def_ro("violations", &Lessons::violations)
      .def_ro("violation", &Lessons::violation)
      .def_prop_ro(
          "difference",
          [](const Lessons& self) { return to_numpy(std::vector<double>(self.difference)); },
          nb::rv_policy::automatic,
          nb::sig("def difference(self) -> numpy.typing.NDArray[numpy.float64]"));

  nb::class_<BoundJointTrainer>(module, "JointTrainer",
                                "Forced decoding over all phrase pairs, and learning from the "
                                "difference to real decoding.")
      .def(
          "__init__",
          [](BoundJointTrainer* self, const BoundParallelText& text, const LexicalTable& forward,
             const LexicalTable& backward, const JointOptions& options) {
            new (self) BoundJointTrainer(text.view, forward, backward, options);
          },
          "text"_a, "forward"_a, "backward"_a, "options"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
      .def("__len__", [](const BoundJointTrainer& self) { return self->pairs(); })
      .def_prop_ro(
          "rules", [](const BoundJointTrainer& self) { return self->proper_rules(); },
          "How many rules there are, null rules left out.")
      .def_prop_ro("null_rules",
                   [](const BoundJointTrainer& self) {
                     return self->rules().size() - self->proper_rules();
                   })
      .def(
          "counts",
          [](const BoundJointTrainer& self) {
            const RuleSet& rules = self->rules();
            std::vector<double> counts;
            for (const RuleSet::Rule& rule : rules.rules()) {
              if (rule.source != kNullPhrase && rule.target != kNullPhrase) {
                counts.push_back(rules.count(rule));
              }
            }
            return to_numpy(std::move(counts));
          },
          nb::sig("def counts(self) -> numpy.typing.NDArray[numpy.float64]"),
          "The counts of all rules, null rules left out.")
      .def(
          "rule",
          [](const BoundJointTrainer& self, const ArrayIn<WordId>& source,
             const ArrayIn<WordId>& target) -> std::optional<std::tuple<double, double, double>> {
            const RuleSet& rules = self->rules();
            const RuleSet::Rule* rule = rules.find(rules.sources().find(as_span(source)),
                                                   rules.targets().find(as_span(target)));
            if (rule == nullptr) return std::nullopt;
            const auto probabilities = rules.probabilities(*rule);
            return std::make_tuple(rules.count(*rule), static_cast<double>(probabilities.forward),
                                   static_cast<double>(probabilities.backward));
          },
          "source"_a, "target"_a,
          nb::sig("def rule(self, source: numpy.typing.NDArray[numpy.int32], "
                  "target: numpy.typing.NDArray[numpy.int32]) -> "
                  "tuple[float, float, float] | None"),
          "Count and log-probabilities (forward, backward) of a rule; an empty side is null.")
      .def(
          "find",
          [](const BoundJointTrainer& self, std::size_t begin, std::size_t end,
             const ArrayIn<double>& weights, double scale, double min_posterior, int threads) {
            require_range(*self, begin, end);
            const ForcedWeights own = weights_of(weights);
            const nb::gil_scoped_release release;
            return self->find(begin, end, own, scale, min_posterior, threads);
          },
          "begin"_a, "end"_a, "weights"_a, "scale"_a, "min_posterior"_a, "threads"_a,
          nb::sig("def find(self, begin: int, end: int, "
                  "weights: numpy.typing.NDArray[numpy.float64], scale: float, "
                  "min_posterior: float, threads: int) -> FoundRules"),
          "Forced decoding. Weights: tm.fwd tm.bwd lex.fwd lex.bwd sparse phrases distortion "
          "null.")
      .def(
          "add",
          [](BoundJointTrainer& self, const FoundRules& found) {
            const nb::gil_scoped_release release;
            self->add(found);
          },
          "found"_a, "Counts what was found, which must come in the order of the pairs.")
      .def(
          "finish_counting",
          [](BoundJointTrainer& self, bool unite) {
            const nb::gil_scoped_release release;
            self->finish_counting(unite);
          },
          "unite"_a = false,
          "What was counted are the rules now; with `unite`, what was known before as well.")
      .def(
          "learn",
          [](BoundJointTrainer& self, const ArrayIn<std::uint32_t>& pairs, double least_count,
             std::shared_ptr<TranslationModel> model, const ArrayIn<double>& weights,
             const SearchOptions& options, int threads) {
            const nb::gil_scoped_release release;
            return self->learn(as_span(pairs), least_count, std::move(model), as_span(weights),
                               options, threads);
          },
          "pairs"_a, "least_count"_a, "model"_a, "weights"_a, "options"_a, "threads"_a = 1,
          nb::sig("def learn(self, pairs: numpy.typing.NDArray[numpy.uint32], "
                  "least_count: float, model: TranslationModel, weights: "
                  "numpy.typing.NDArray[numpy.float64], options: SearchOptions, "
                  "threads: int = 1) -> Lessons"),
          "Forced and real decoding; the summed updates at the steps of greatest violation.")
      .def(
          "finish_learning",
          [](BoundJointTrainer& self, double sparse_rate) {
            const nb::gil_scoped_release release;
            self->finish_learning(sparse_rate);
          },
          "sparse_rate"_a = 0.0)
      .def(
          "write_table",
          [](const BoundJointTrainer& self, const std::string& path,
             const RuleTableOptions& options) {
            const nb::gil_scoped_release release;
            return self->write_table(path, options);
          },
          "path"_a, "options"_a, "An ordinary phrase table; returns how many rules are in it.")
      .def(
          "save_rules",
          [](const BoundJointTrainer& self, const std::string& path) {
            const nb::gil_scoped_release release;
            self->rules().save(path);
          },
          "path"_a)
      .def(
          "load_rules",
          [](BoundJointTrainer& self, const std::string& path) {
            const nb::gil_scoped_release release;
            self->set_rules(RuleSet::open(path));
          },
          "path"_a)
      .def(
          "derivations",
          [](const BoundJointTrainer& self, std::size_t pair, const ArrayIn<double>& weights,
             double scale) {
            std::vector<std::tuple<std::uint32_t, std::uint32_t, Placed, double, double>> found;
            for (const ForcedRule& edge : self->derivations(pair, weights_of(weights), scale)) {
              found.emplace_back(edge.head, edge.tail, placed(edge.rule), edge.score,
                                 edge.log_posterior);
            }
            return found;
          },
          "pair"_a, "weights"_a, "scale"_a = 1.0,
          nb::sig("def derivations(self, pair: int, "
                  "weights: numpy.typing.NDArray[numpy.float64], scale: float = 1.0) -> "
                  "list[tuple[int, int, tuple[tuple[int, int], tuple[int, int]], float, float]]"),
          "Edges of the forced derivations of a pair: head, tail, source and target span (both "
          "empty for the jump to the end), score, log-posterior.")
      .def(
          "best_derivation",
          [](const BoundJointTrainer& self, std::size_t pair, const ArrayIn<double>& weights) {
            std::vector<Placed> rules;
            for (const PlacedRule& rule : self->best_derivation(pair, weights_of(weights))) {
              rules.push_back(placed(rule));
            }
            return rules;
          },
          "pair"_a, "weights"_a,
          nb::sig("def best_derivation(self, pair: int, "
                  "weights: numpy.typing.NDArray[numpy.float64]) -> "
                  "list[tuple[tuple[int, int], tuple[int, int]]]"),
          "Source and target spans of the best forced derivation, in target order.");
}
