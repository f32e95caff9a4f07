// What the user demands of a line and what sources offer for its words.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bind.h"
#include "model/demands.h"
#include "model/offers.h"
#include "spans.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

void bind_demands(nb::module_& module) {
  nb::class_<GivenTranslation>(module, "GivenTranslation",
                               "A translation that the user gave for words [begin, end).")
      .def(
          "__init__",
          [](GivenTranslation* self, std::uint32_t begin, std::uint32_t end, std::string target,
             double log_prob, bool exclusive) {
            new (self) GivenTranslation{begin, end, std::move(target), log_prob, exclusive};
          },
          "begin"_a, "end"_a, "target"_a, "log_prob"_a = 0.0, "exclusive"_a = true)
      .def_ro("begin", &GivenTranslation::begin)
      .def_ro("end", &GivenTranslation::end)
      .def_ro("target", &GivenTranslation::target, "Tokens separated by spaces.")
      .def_ro("log_prob", &GivenTranslation::log_prob,
              "The value of each feature of the phrase table.")
      .def_ro("exclusive", &GivenTranslation::exclusive,
              "Whether the words must be translated so; else it competes with the model's own.")
      .def(
          "__eq__",
          [](const GivenTranslation& self, nb::handle other) {
            return nb::isinstance<GivenTranslation>(other) &&
                   self == nb::cast<const GivenTranslation&>(other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const GivenTranslation& self) {
        return nb::str("GivenTranslation({}, {}, {!r}, {}, {})")
            .format(self.begin, self.end, self.target, self.log_prob, self.exclusive);
      });

  nb::class_<Demands>(module, "Demands", "What the user demands of one line.")
      .def(
          "__init__",
          [](Demands* self, std::vector<GivenTranslation> given, const std::vector<Span>& zones,
             std::vector<std::uint32_t> walls) {
            auto* made = new (self) Demands{std::move(given), {}, std::move(walls)};
            for (const auto& [begin, end] : zones) made->zones.push_back({begin, end});
          },
          "given"_a = std::vector<GivenTranslation>(), "zones"_a = std::vector<Span>(),
          "walls"_a = std::vector<std::uint32_t>())
      .def_ro("given", &Demands::given)
      .def_prop_ro(
          "zones",
          [](const Demands& self) {
            std::vector<Span> zones;
            for (const Zone& zone : self.zones) zones.emplace_back(zone.begin, zone.end);
            return zones;
          },
          "Words [begin, end) that are translated together, nothing else in between.")
      .def_ro("walls", &Demands::walls, "What is before a wall comes before what is behind it.");
}

void bind_offers(nb::module_& module) {
  nb::class_<OfferedTranslation>(module, "OfferedTranslation",
                                 "A translation that a source offers for one word.")
      .def(
          "__init__",
          [](OfferedTranslation* self, std::uint32_t place, std::string target, double log_prob,
             std::int8_t source, bool copied, std::vector<WordId> bilingual) {
            const Provenance provenance{static_cast<float>(log_prob), source, copied};
            new (self)
                OfferedTranslation{place, std::move(target), provenance, std::move(bilingual)};
          },
          "place"_a, "target"_a, "log_prob"_a, "source"_a, "copied"_a = false,
          "bilingual"_a = std::vector<WordId>(),
          "`source`: its place among the features of sources; `bilingual`: ids of the table's "
          "tokens, one for each target word.")
      .def_ro("place", &OfferedTranslation::place)
      .def_ro("target", &OfferedTranslation::target);
}

}  // namespace

void bind_search_demands(nb::module_& module) {
  bind_demands(module);
  bind_offers(module);
}
