// From a bitext with links to a table, stage by stage: the same for phrases and for rules.
#pragma once

#include <optional>
#include <string>

#include "align/lexical_table.h"
#include "bind.h"
#include "corpus_in.h"
#include "rules/lexical_weight.h"
#include "text/error.h"

template <class Counter, class Scorer>
class TableBuilder {
 public:
  // `options` are what the counter takes beside the corpus.
  template <class... Options>
  explicit TableBuilder(Corpus corpus, const Options&... options)
      : corpus_(std::move(corpus)),
        counter_(corpus_.source(), corpus_.target(), corpus_.link_sets(), options...) {}

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
  Corpus corpus_;
  Counter counter_;
  std::optional<dragoman::LexicalTable> forward_;
  std::optional<dragoman::LexicalTable> backward_;
  std::optional<Scorer> scorer_;
};

inline dragoman::LexicalWeighting choose_weighting(const std::string& name) {
  return choose<dragoman::LexicalWeighting>(name, {"viterbi", "links"}, "lexical weighting");
}

// All but the constructor and begin_scoring, whose options differ.
template <class Builder>
void bind_stages(nb::class_<Builder>& builder) {
  using namespace nb::literals;
  builder.def_prop_ro("pairs", [](Builder& self) { return self.counter().pairs(); })
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
          "write",
          [](Builder& self, const std::string& path) { return self.scorer().write(path); },
          "path"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Write a part of the table; True when it is whole.");
}
