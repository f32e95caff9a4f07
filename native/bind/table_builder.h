// From a bitext with links to a table, stage by stage: the same for phrases and for rules.
#pragma once

#include <optional>
#include <string>

#include "alignment/lexical_table.h"
#include "bind.h"
#include "options.h"
#include "rules/lexical_weight.h"
#include "text/error.h"
#include "texts.h"

// Reads the text, which must be kept alive.
template <class Counter, class Scorer>
class TableBuilder {
 public:
  // `options` are what the counter takes beside the text.
  template <class... Options>
  explicit TableBuilder(const BoundAlignedText& text, const Options&... options)
      : counter_(text.view, options...) {}

  Counter& counter() { return counter_; }

  template <class Options>
  void begin_scoring(const dragoman::LexicalTable& forward, const dragoman::LexicalTable& backward,
                     const Options& options) {
    forward_.emplace(forward);
    backward_.emplace(backward);
    scorer_.emplace(counter_, *forward_, *backward_, options);
  }
  Scorer& scorer() {
    if (!scorer_) throw dragoman::InputError("begin_scoring comes first");
    return *scorer_;
  }
  std::uint64_t spilled_bytes() const {
    return counter_.spilled_bytes() + (scorer_ ? scorer_->spilled_bytes() : 0);
  }

 private:
  Counter counter_;
  std::optional<dragoman::LexicalTable> forward_;
  std::optional<dragoman::LexicalTable> backward_;
  std::optional<Scorer> scorer_;
};

// What all tables made from counts are told.
template <class Options>
OptionGroup<Options>& add_table_scoring(OptionGroup<Options>& group) {
  return group
      .choice("lexical_weights", &Options::lexical_weights,
              Choices("lexical weighting", {"viterbi", "links"}),
              "Whose links they go along: those of Model 1, or the text's.")
      .value("source_words", &Options::source_words, "The size of the source vocabulary.")
      .value("target_words", &Options::target_words, "The size of the target vocabulary.");
}

// All but the constructor, whose options differ.
template <class ScoringOptions, class Builder>
void bind_stages(nb::class_<Builder>& builder) {
  using namespace nb::literals;
  builder
      .def("begin_scoring", &Builder::template begin_scoring<ScoringOptions>, "forward"_a,
           "backward"_a, "options"_a, nb::call_guard<nb::gil_scoped_release>(),
           "After all is joined, with p(target | source) and p(source | target).")
      .def_prop_ro("pairs", [](Builder& self) { return self.counter().pairs(); })
      .def_prop_ro("partitions", [](Builder& self) { return self.counter().partitions(); })
      .def_prop_ro("instances",
                   [](Builder& self) { return self.counter().statistics().instances; })
      .def_prop_ro("spilled_bytes", &Builder::spilled_bytes)
      .def_prop_ro("written", [](Builder& self) { return self.scorer().written(); })
      .def(
          "extract",
          [](Builder& self, std::size_t first, std::size_t last) {
            self.counter().extract(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Find what sentence pairs [first, last) hold.")
      .def(
          "aggregate",
          [](Builder& self, std::size_t first, std::size_t last) {
            self.counter().aggregate(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Count partitions [first, last), after all is extracted.")
      .def(
          "join",
          [](Builder& self, std::size_t first, std::size_t last) {
            self.counter().join(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Total target sides of partitions [first, last), after all is counted.")
      .def(
          "score",
          [](Builder& self, std::size_t first, std::size_t last) {
            self.scorer().score(first, last);
          },
          "first"_a, "last"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Score partitions [first, last), after all is joined.")
      .def(
          "put_away_counts",
          [](Builder& self, const std::string& path) { self.counter().put_away(path); }, "path"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Write what was extracted, counted and joined here, for builders that go on with it.")
      .def(
          "take_up_counts",
          [](Builder& self, const std::string& path) { self.counter().take_up(path); }, "path"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Go on with what a builder with the same text and options has put away.")
      .def(
          "put_away_scores",
          [](Builder& self, const std::string& path) { self.scorer().put_away(path); }, "path"_a,
          nb::call_guard<nb::gil_scoped_release>(), "Write what was scored here.")
      .def(
          "take_up_scores",
          [](Builder& self, const std::string& path) { self.scorer().take_up(path); }, "path"_a,
          nb::call_guard<nb::gil_scoped_release>(), "Go on with what another builder has scored.")
      .def(
          "write",
          [](Builder& self, const std::string& path) { return self.scorer().write(path); },
          "path"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Write a part of the table; True when it is whole.");
}
