// A bitext with links as Python gives it, and choices by name.
#pragma once

#include <initializer_list>
#include <string>

#include "align/links.h"
#include "bind.h"
#include "text/error.h"
#include "text/sentences.h"

using LinksIn = nb::ndarray<const std::uint16_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

inline std::span<const dragoman::Link> as_links(const LinksIn& links) {
  static_assert(sizeof(dragoman::Link) == 2 * sizeof(std::uint16_t));
  return {reinterpret_cast<const dragoman::Link*>(links.data()), links.shape(0)};
}

inline dragoman::LinkSets link_sets_of(const LinksIn& links,
                                       const ArrayIn<std::uint64_t>& offsets) {
  return {as_links(links), as_span(offsets)};
}

// Keeps the arrays.
struct Corpus {
  ArrayIn<dragoman::WordId> source_ids;
  ArrayIn<std::uint64_t> source_offsets;
  ArrayIn<dragoman::WordId> target_ids;
  ArrayIn<std::uint64_t> target_offsets;
  LinksIn links;
  ArrayIn<std::uint64_t> link_offsets;

  dragoman::Sentences source() const { return {as_span(source_ids), as_span(source_offsets)}; }
  dragoman::Sentences target() const { return {as_span(target_ids), as_span(target_offsets)}; }
  dragoman::LinkSets link_sets() const { return link_sets_of(links, link_offsets); }
};

template <class Enum>
Enum choose(const std::string& name, std::initializer_list<const char*> names,
            const std::string& what) {
  int number = 0;
  std::string known;
  for (const char* candidate : names) {
    if (name == candidate) return static_cast<Enum>(number);
    known += (number == 0 ? "" : ", ") + std::string(candidate);
    ++number;
  }
  throw dragoman::InputError("unknown " + what + " '" + name + "'; there are " + known);
}
