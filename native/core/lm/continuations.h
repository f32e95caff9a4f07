// The n-grams of one order, grouped by context: what can follow "a b" lies in one place.
//
// A context knows where its continuations begin, and a language-model state holds that place for
// each of its contexts. So the places to look at for all orders are known at once, the processor
// fetches them side by side, and each is mostly one cache line: contexts with few continuations
// (nearly all) are searched from front to back, likeliest word first; those with many are small
// hash tables of their own. Words are compared as they are, so n-grams are never confused.
//
// Every lookup stays inside the table and ends, whatever the bytes are: a model file is mapped
// without being read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dragoman {

// Where the continuations of a context are: an index into the table of the next order, with the
// highest bit set when they form a hash table. No two contexts share a place.
using LmPlace = std::uint32_t;
inline constexpr LmPlace kHashedPlace = LmPlace{1} << 31;
inline constexpr LmPlace kNoPlace = kHashedPlace - 1;  // of what is no context

inline constexpr std::uint32_t kNoEntry = 0xffffffff;
// The word of an entry that is empty, and the mark on the last entry of a list.
inline constexpr std::uint32_t kNoWord = 0x7fffffff;
inline constexpr std::uint32_t kLastOfList = std::uint32_t{1} << 31;
// Contexts with more continuations than this are hash tables: about two cache lines.
inline constexpr std::uint32_t kLongestList = 8;

// An n-gram that may be a context. Natural logarithms. The probability is never positive, so its
// sign bit is free to say whether some longer n-gram ends with this one, i.e. whether a longer
// context could change the probability.
struct ContextEntry {
  std::uint32_t word;
  float log_prob;
  float backoff;
  LmPlace continuations;
};
// The longest n-grams are never contexts.
struct LongestEntry {
  std::uint32_t word;
  float log_prob;
};
static_assert(sizeof(ContextEntry) == 16 && sizeof(LongestEntry) == 8);

// A hash table's first entry holds its number of slots instead of a word.
inline std::uint32_t slots_for(std::uint32_t words) { return words + words / 2; }
inline std::uint32_t home_slot(std::uint32_t word, std::uint32_t slots) {
  return static_cast<std::uint32_t>((std::uint64_t{word * 0x9e3779b1u} * slots) >> 32);
}

template <class Entry>
class Continuations {
 public:
  Continuations() = default;
  // The last entry must carry kLastOfList: it is what ends every search of a list.
  explicit Continuations(std::span<const Entry> entries) : entries_(entries) {}

  // The index of the entry, or kNoEntry.
  std::uint32_t find(LmPlace place, std::uint32_t word) const {
    if (place & kHashedPlace) return find_hashed(place & ~kHashedPlace, word);
    if (place >= entries_.size()) return kNoEntry;
    for (std::uint32_t at = place;; ++at) {
      const std::uint32_t here = entries_[at].word;
      if ((here & ~kLastOfList) == word) return at;
      if (here & kLastOfList) return kNoEntry;
    }
  }

  void prefetch(LmPlace place, std::uint32_t word) const {
    std::size_t at = place & ~kHashedPlace;
    if (at >= entries_.size()) return;
    if (place & kHashedPlace) at += 1 + home_slot(word, entries_[at].word);
    __builtin_prefetch(entries_.data() + at);
  }

  const Entry& operator[](std::uint32_t entry) const { return entries_[entry]; }
  std::size_t size() const { return entries_.size(); }

  // Calls visit(entry) for each continuation of a context.
  template <class Visit>
  void for_each(LmPlace place, Visit&& visit) const {
    const std::size_t begin = place & ~kHashedPlace;
    if (begin >= entries_.size()) return;
    if (place & kHashedPlace) {
      const std::size_t slots = entries_[begin].word;
      if (slots >= entries_.size() - begin) return;
      for (std::size_t at = begin + 1; at <= begin + slots; ++at) {
        if (entries_[at].word != kNoWord) visit(static_cast<std::uint32_t>(at));
      }
      return;
    }
    for (std::size_t at = begin;; ++at) {
      const std::uint32_t word = entries_[at].word;
      if ((word & ~kLastOfList) != kNoWord) visit(static_cast<std::uint32_t>(at));
      if (word & kLastOfList) return;
    }
  }

 private:
  std::uint32_t find_hashed(std::size_t begin, std::uint32_t word) const {
    if (begin >= entries_.size()) return kNoEntry;
    const std::uint32_t slots = entries_[begin].word;
    if (slots >= entries_.size() - begin) return kNoEntry;  // only in a damaged file
    const std::size_t first = begin + 1;
    std::uint32_t slot = home_slot(word, slots);
    for (std::uint32_t probes = 0; probes < slots; ++probes) {
      const std::uint32_t here = entries_[first + slot].word;
      if (here == word) return static_cast<std::uint32_t>(first + slot);
      if (here == kNoWord) return kNoEntry;
      if (++slot == slots) slot = 0;
    }
    return kNoEntry;
  }

  std::span<const Entry> entries_;
};

}  // namespace dragoman
