// Aligners, lexical tables and links.
#include <nanobind/stl/string.h>

#include <string>

#include "align/alignment_model.h"
#include "align/lexical_table.h"
#include "align/links_file.h"
#include "align/model1.h"
#include "align/symmetrise.h"
#include "align/trainer.h"
#include "bind.h"
#include "corpus_in.h"
#include "text/error.h"

using namespace dragoman;
using namespace nb::literals;

namespace {

#define DRAGOMAN_SIDE(name)                             \
  name "_ids: numpy.typing.NDArray[numpy.int32], " name \
       "_offsets: numpy.typing.NDArray[numpy.uint64], "
#define DRAGOMAN_LINKS(name)                         \
  name ": numpy.typing.NDArray[numpy.uint16], " name \
       "_offsets: numpy.typing.NDArray[numpy.uint64], "
#define DRAGOMAN_LINKS_OUT \
  "tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint64]]"

using Ids = ArrayIn<WordId>;
using Offsets = ArrayIn<std::uint64_t>;

Sentences sentences_of(const Ids& ids, const Offsets& offsets) {
  return {as_span(ids), as_span(offsets)};
}

nb::ndarray<nb::numpy, const std::uint16_t, nb::shape<-1, 2>> view_links(
    std::span<const Link> links, nb::handle keeper) {
  return {reinterpret_cast<const std::uint16_t*>(links.data()), {links.size(), 2}, keeper};
}

nb::tuple links_to_numpy(std::vector<Link>&& links, std::vector<std::uint64_t>&& offsets) {
  auto owned = std::make_unique<std::vector<Link>>(std::move(links));
  std::vector<Link>* raw = owned.release();
  const nb::capsule keeper(
      raw, [](void* pointer) noexcept { delete static_cast<std::vector<Link>*>(pointer); });
  return nb::make_tuple(nb::ndarray<nb::numpy, std::uint16_t, nb::shape<-1, 2>>(
                            raw->data(), {raw->size(), 2}, keeper),
                        to_numpy(std::move(offsets)));
}

Stage stage_of(const std::string& name) {
  if (name == "model1") return Stage::kModel1;
  if (name == "hmm") return Stage::kHmm;
  throw nb::value_error("a stage is \"model1\" or \"hmm\"");
}

Direction direction_of(const std::string& name) {
  if (name == "forward") return Direction::kForward;
  if (name == "backward") return Direction::kBackward;
  throw nb::value_error("a direction is \"forward\" or \"backward\"");
}

void check_range(std::size_t begin, std::size_t end, std::size_t size) {
  if (begin > end || end > size) throw nb::index_error("no such range of sentence pairs");
}

// A trainer and the arrays it reads, which are NumPy's.
template <class Trainer>
struct Bound {
  Ids source_ids;
  Offsets source_offsets;
  Ids target_ids;
  Offsets target_offsets;
  std::size_t pairs;
  std::unique_ptr<Trainer> trainer;

  template <class... Arguments>
  Bound(Ids ids, Offsets offsets, Ids other_ids, Offsets other_offsets, Arguments... arguments)
      : source_ids(std::move(ids)),
        source_offsets(std::move(offsets)),
        target_ids(std::move(other_ids)),
        target_offsets(std::move(other_offsets)) {
    const Sentences source = sentences_of(source_ids, source_offsets);
    const Sentences target = sentences_of(target_ids, target_offsets);
    pairs = source.size();
    const nb::gil_scoped_release release;
    trainer = std::make_unique<Trainer>(source, target, arguments...);
  }
  ~Bound() {
    const nb::gil_scoped_release release;
    trainer.reset();
  }
};
struct ExampleArrays {
  LinksIn sure;
  Offsets sure_offsets;
  LinksIn possible;
  Offsets possible_offsets;
  std::uint32_t weight;

  Examples examples() const {
    return {link_sets_of(sure, sure_offsets), link_sets_of(possible, possible_offsets), weight};
  }
};
struct BoundTrainer : Bound<AlignTrainer> {
  ExampleArrays examples;

  BoundTrainer(Ids source_ids, Offsets source_offsets, Ids target_ids, Offsets target_offsets,
               const AlignmentParameters& parameters, int threads, ExampleArrays arrays)
      : Bound(std::move(source_ids), std::move(source_offsets), std::move(target_ids),
              std::move(target_offsets), parameters, threads, arrays.examples()),
        examples(std::move(arrays)) {}
};
using BoundModel1 = Bound<Model1Trainer>;

void bind_trainers(nb::module_& module) {
  nb::class_<BoundTrainer>(module, "AlignTrainer",
                           "Trains both directions of an alignment model together.")
      .def(
          "__init__",
          [](BoundTrainer* self, Ids source_ids, Offsets source_offsets, Ids target_ids,
             Offsets target_offsets, double lexical_prior, double null_probability, int threads,
             LinksIn sure, Offsets sure_offsets, LinksIn possible, Offsets possible_offsets,
             std::uint32_t weight) {
            AlignmentParameters parameters;
            parameters.lexical_prior = lexical_prior;
            parameters.null_probability = null_probability;
            new (self)
                BoundTrainer(std::move(source_ids), std::move(source_offsets),
                             std::move(target_ids), std::move(target_offsets), parameters, threads,
                             {std::move(sure), std::move(sure_offsets), std::move(possible),
                              std::move(possible_offsets), weight});
          },
          nb::sig("def __init__(self, " DRAGOMAN_SIDE("source") DRAGOMAN_SIDE(
              "target") "lexical_prior: float, null_probability: float, threads: "
                        "int, " DRAGOMAN_LINKS("sure")
                            DRAGOMAN_LINKS("possible") "weight: int) -> None"),
          "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a,
          "lexical_prior"_a, "null_probability"_a, "threads"_a, "sure"_a, "sure_offsets"_a,
          "possible"_a, "possible_offsets"_a, "weight"_a,
          "The links are of examples, the first pairs, each of which counts `weight` times.")
      .def("__len__", [](const BoundTrainer& self) { return self.pairs; })
      .def_prop_ro("word_pairs",
                   [](const BoundTrainer& self) { return self.trainer->word_pairs(); })
      .def_prop_ro("skipped", [](const BoundTrainer& self) { return self.trainer->skipped(); })
      .def(
          "sweep",
          [](BoundTrainer& self, const std::string& stage, std::size_t begin, std::size_t end,
             int threads) {
            check_range(begin, end, self.pairs);
            const Stage which = stage_of(stage);
            const nb::gil_scoped_release release;
            self.trainer->sweep(which, begin, end, threads);
          },
          "stage"_a, "begin"_a, "end"_a, "threads"_a,
          "One part of a sweep over the corpus; the stage is \"model1\" or \"hmm\".")
      .def(
          "finish_sweep",
          [](BoundTrainer& self, const std::string& stage) {
            const Stage which = stage_of(stage);
            const nb::gil_scoped_release release;
            self.trainer->finish_sweep(which);
          },
          "stage"_a)
      .def(
          "align",
          [](const BoundTrainer& self, std::size_t begin, std::size_t end,
             const std::string& symmetry, double threshold, int threads) {
            check_range(begin, end, self.pairs);
            const Symmetry how = symmetry_from_name(symmetry);
            std::vector<Link> links;
            std::vector<std::uint64_t> offsets;
            {
              const nb::gil_scoped_release release;
              self.trainer->align(begin, end, how, threshold, threads, links, offsets);
            }
            return links_to_numpy(std::move(links), std::move(offsets));
          },
          "begin"_a, "end"_a, "symmetry"_a, "threshold"_a, "threads"_a,
          nb::sig("def align(self, begin: int, end: int, symmetry: str, threshold: float, "
                  "threads: int) -> " DRAGOMAN_LINKS_OUT))
      .def(
          "model",
          [](const BoundTrainer& self, double min_count) {
            const nb::gil_scoped_release release;
            return self.trainer->model(min_count);
          },
          "min_count"_a);

  nb::class_<BoundModel1>(module, "Model1Trainer", "IBM Model 1, one direction, plain EM.")
      .def(
          "__init__",
          [](BoundModel1* self, Ids given_ids, Offsets given_offsets, Ids word_ids,
             Offsets word_offsets, int threads) {
            new (self) BoundModel1(std::move(given_ids), std::move(given_offsets),
                                   std::move(word_ids), std::move(word_offsets), threads);
          },
          nb::sig("def __init__(self, " DRAGOMAN_SIDE("given")
                      DRAGOMAN_SIDE("word") "threads: int) -> None"),
          "given_ids"_a, "given_offsets"_a, "word_ids"_a, "word_offsets"_a, "threads"_a)
      .def("__len__", [](const BoundModel1& self) { return self.pairs; })
      .def(
          "sweep",
          [](BoundModel1& self, std::size_t begin, std::size_t end, int threads) {
            check_range(begin, end, self.pairs);
            const nb::gil_scoped_release release;
            self.trainer->sweep(begin, end, threads);
          },
          "begin"_a, "end"_a, "threads"_a)
      .def(
          "finish_sweep",
          [](BoundModel1& self) {
            const nb::gil_scoped_release release;
            return self.trainer->finish_sweep();
          },
          "The log-likelihood before this update, up to a constant.")
      .def(
          "table",
          [](const BoundModel1& self, double min_probability) {
            const nb::gil_scoped_release release;
            return self.trainer->table(min_probability);
          },
          "min_probability"_a);
}

void bind_model(nb::module_& module) {
  nb::class_<AlignmentModel>(module, "AlignmentModel", "A trained aligner, mapped from a file.")
      .def_static(
          "open",
          [](const std::string& path) {
            const nb::gil_scoped_release release;
            return AlignmentModel::open(path);
          },
          "path"_a)
      .def("save", &AlignmentModel::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("word_pairs", &AlignmentModel::word_pairs)
      .def(
          "align",
          [](const AlignmentModel& self, const Ids& source_ids, const Offsets& source_offsets,
             const Ids& target_ids, const Offsets& target_offsets, const std::string& symmetry,
             double threshold, int threads) {
            const Symmetry how = symmetry_from_name(symmetry);
            const Sentences source = sentences_of(source_ids, source_offsets);
            const Sentences target = sentences_of(target_ids, target_offsets);
            std::vector<Link> links;
            std::vector<std::uint64_t> offsets;
            {
              const nb::gil_scoped_release release;
              self.align(source, target, how, threshold, threads, links, offsets);
            }
            return links_to_numpy(std::move(links), std::move(offsets));
          },
          "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "symmetry"_a,
          "threshold"_a, "threads"_a,
          nb::sig("def align(self, " DRAGOMAN_SIDE("source") DRAGOMAN_SIDE(
              "target") "symmetry: str, threshold: float, threads: int) -> " DRAGOMAN_LINKS_OUT))
      .def(
          "lexical_table",
          [](const AlignmentModel& self, const std::string& direction) {
            const Direction which = direction_of(direction);
            const nb::gil_scoped_release release;
            return self.lexical_table(which);
          },
          "direction"_a);
}

void bind_lexical_table(nb::module_& module) {
  nb::class_<LexicalTable>(module, "LexicalTable",
                           "p(word | given), sparse; the null word is given word -1.")
      .def_static(
          "open",
          [](const std::string& path) {
            const nb::gil_scoped_release release;
            return LexicalTable::open(path);
          },
          "path"_a)
      .def("save", &LexicalTable::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &LexicalTable::size)
      .def_prop_ro("given_words", &LexicalTable::given_words)
      .def("prob", &LexicalTable::prob, "given"_a, "word"_a, "0 for a pair that is not there.")
      .def(
          "probs",
          [](const LexicalTable& self, const Ids& given, const Ids& words) {
            if (given.size() != words.size()) throw nb::value_error("arrays of different lengths");
            std::vector<float> result(given.size());
            {
              const nb::gil_scoped_release release;
              for (std::size_t k = 0; k < result.size(); ++k) {
                result[k] = self.prob(given.data()[k], words.data()[k]);
              }
            }
            return to_numpy(std::move(result));
          },
          "given"_a, "words"_a,
          nb::sig("def probs(self, given: numpy.typing.NDArray[numpy.int32], "
                  "words: numpy.typing.NDArray[numpy.int32]) -> "
                  "numpy.typing.NDArray[numpy.float32]"))
      .def(
          "row",
          [](nb::handle self, WordId given) {
            const auto& table = nb::cast<const LexicalTable&>(self);
            return nb::make_tuple(view_numpy(table.words(given), self),
                                  view_numpy(table.probabilities(given), self));
          },
          "given"_a,
          nb::sig("def row(self, given: int) -> tuple[numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.float32]]"),
          "The words a given word generates, by id, and their probabilities.");

  module.def(
      "lexical_table_from_links",
      [](const Ids& source_ids, const Offsets& source_offsets, const Ids& target_ids,
         const Offsets& target_offsets, const LinksIn& links, const Offsets& link_offsets,
         const std::string& direction) {
        const Sentences source = sentences_of(source_ids, source_offsets);
        const Sentences target = sentences_of(target_ids, target_offsets);
        const LinkSets sets = link_sets_of(links, link_offsets);
        const Direction which = direction_of(direction);
        const nb::gil_scoped_release release;
        return lexical_table_from_links(source, target, sets, which);
      },
      "source_ids"_a, "source_offsets"_a, "target_ids"_a, "target_offsets"_a, "links"_a,
      "links_offsets"_a, "direction"_a,
      nb::sig("def lexical_table_from_links(" DRAGOMAN_SIDE("source") DRAGOMAN_SIDE("target")
                  DRAGOMAN_LINKS("links") "direction: str) -> LexicalTable"));
}

void bind_links(nb::module_& module) {
  module.def(
      "symmetrise_links",
      [](const LinksIn& forward, const Offsets& forward_offsets, const LinksIn& backward,
         const Offsets& backward_offsets, const std::string& symmetry) {
        const LinkSets one = link_sets_of(forward, forward_offsets);
        const LinkSets other = link_sets_of(backward, backward_offsets);
        const Symmetry how = symmetry_from_name(symmetry);
        if (one.size() != other.size()) {
          throw InputError("the two directions have different numbers of sentence pairs: " +
                           std::to_string(one.size()) + " and " + std::to_string(other.size()));
        }
        std::vector<Link> links;
        std::vector<std::uint64_t> offsets{0};
        {
          const nb::gil_scoped_release release;
          Symmetriser symmetriser;
          for (std::size_t pair = 0; pair < one.size(); ++pair) {
            symmetriser.combine(one[pair], other[pair], how, links);
            offsets.push_back(links.size());
          }
        }
        return links_to_numpy(std::move(links), std::move(offsets));
      },
      "forward"_a, "forward_offsets"_a, "backward"_a, "backward_offsets"_a, "symmetry"_a,
      nb::sig("def symmetrise_links(" DRAGOMAN_LINKS("forward")
                  DRAGOMAN_LINKS("backward") "symmetry: str) -> " DRAGOMAN_LINKS_OUT));

  module.def(
      "parse_links",
      [](const nb::list& lines, const std::string& name, std::uint64_t first_line) {
        std::vector<std::string_view> views;
        for (const nb::handle line : lines) views.push_back(utf8_of(line));
        std::vector<Link> links;
        std::vector<std::uint64_t> offsets{0};
        {
          const nb::gil_scoped_release release;
          for (std::size_t k = 0; k < views.size(); ++k) {
            try {
              parse_links(views[k], links);
            } catch (const InputError& problem) {
              throw InputError(name + ":" + std::to_string(first_line + k) + ": " +
                               problem.what());
            }
            offsets.push_back(links.size());
          }
        }
        return links_to_numpy(std::move(links), std::move(offsets));
      },
      "lines"_a, "name"_a, "first_line"_a,
      nb::sig("def parse_links(lines: list[str], name: str, first_line: int) "
              "-> " DRAGOMAN_LINKS_OUT),
      "Links of Pharaoh lines; errors name the file and the line.");

  module.def(
      "format_links",
      [](const LinksIn& links, const Offsets& offsets) {
        const LinkSets sets = link_sets_of(links, offsets);
        std::string text;
        {
          const nb::gil_scoped_release release;
          for (std::size_t pair = 0; pair < sets.size(); ++pair) {
            format_links(sets[pair], text);
            text += '\n';
          }
        }
        return to_str(text);
      },
      "links"_a, "links_offsets"_a,
      nb::sig("def format_links(" DRAGOMAN_LINKS("links") ") -> str"),
      "Pharaoh lines, each with its end of line.");

  nb::class_<LinksFile>(module, "LinksFile", "Links mapped from a file.")
      .def(nb::init<const std::string&>(), "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro(
          "links",
          [](nb::handle self) {
            return view_links(nb::cast<const LinksFile&>(self).links().links(), self);
          },
          nb::sig("def links(self) -> numpy.typing.NDArray[numpy.uint16]"))
      .def_prop_ro(
          "offsets",
          [](nb::handle self) {
            return view_numpy(nb::cast<const LinksFile&>(self).links().offsets(), self);
          },
          nb::sig("def offsets(self) -> numpy.typing.NDArray[numpy.uint64]"));

  module.def(
      "save_links",
      [](const LinksIn& links, const Offsets& offsets, const std::string& path) {
        const LinkSets sets = link_sets_of(links, offsets);
        const nb::gil_scoped_release release;
        LinksFile::save(sets, path);
      },
      "links"_a, "links_offsets"_a, "path"_a,
      nb::sig("def save_links(" DRAGOMAN_LINKS("links") "path: str) -> None"));
}

}  // namespace

void bind_align(nb::module_& module) {
  bind_lexical_table(module);
  bind_links(module);
  bind_model(module);
  bind_trainers(module);
}
