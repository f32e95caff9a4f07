// Texts and links as Python holds them: views of NumPy's arrays, which they keep alive. Native
// code that goes on reading one after the call must keep it alive in its turn (nb::keep_alive).
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "alignment/aligned_text.h"
#include "bind.h"
#include "corpus/parallel_text.h"

using LinksIn = nb::ndarray<const std::uint16_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

inline std::span<const dragoman::Link> as_links(const LinksIn& links) {
  static_assert(sizeof(dragoman::Link) == 2 * sizeof(std::uint16_t));
  return {reinterpret_cast<const dragoman::Link*>(links.data()), links.shape(0)};
}

struct BoundSentences {
  BoundSentences(ArrayIn<dragoman::WordId> their_ids, ArrayIn<std::uint64_t> their_offsets)
      : ids(std::move(their_ids)),
        offsets(std::move(their_offsets)),
        view(as_span(ids), as_span(offsets)) {}

  ArrayIn<dragoman::WordId> ids;
  ArrayIn<std::uint64_t> offsets;
  dragoman::Sentences view;
};

struct BoundLinkSets {
  BoundLinkSets(LinksIn their_links, ArrayIn<std::uint64_t> their_offsets)
      : links(std::move(their_links)),
        offsets(std::move(their_offsets)),
        view(as_links(links), as_span(offsets)) {}

  LinksIn links;
  ArrayIn<std::uint64_t> offsets;
  dragoman::LinkSets view;
};

struct BoundParallelText {
  BoundParallelText(const BoundSentences& source_side, const BoundSentences& target_side)
      : source(source_side), target(target_side), view(source.view, target.view) {}

  BoundSentences source;
  BoundSentences target;
  dragoman::ParallelText view;
};

struct BoundAlignedText {
  BoundAlignedText(const BoundParallelText& parallel, const BoundLinkSets& sets)
      : text(parallel), links(sets), view(text.view, links.view) {}

  BoundParallelText text;
  BoundLinkSets links;
  dragoman::AlignedText view;
};

// What takes long to free is freed without the GIL.
template <class Work>
class Unlocked {
 public:
  template <class... Arguments>
    requires std::is_constructible_v<Work, Arguments...>
  explicit Unlocked(Arguments&&... arguments) {
    const nb::gil_scoped_release release;
    work_ = std::make_unique<Work>(std::forward<Arguments>(arguments)...);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() {
    const nb::gil_scoped_release release;
    work_.reset();
  }

  Work& operator*() const { return *work_; }
  Work* operator->() const { return work_.get(); }

 private:
  std::unique_ptr<Work> work_;
};
