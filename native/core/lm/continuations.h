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

// Where the continuations of a context are in the table of the next order. A list: the index of
// its first entry. A hash table: the highest bit, the logarithm of its size in the next five, and
// its first entry's index divided by kHashUnit; so the slot to look at is known without reading.
// No two contexts share a place.
using LmPlace = std::uint32_t;
inline constexpr LmPlace kHashedPlace = LmPlace{1} << 31;
inline constexpr LmPlace kNoPlace = kHashedPlace - 1;  // of what is no context
inline constexpr int kHashIndexBits = 26;
inline constexpr std::uint32_t kHashUnit = 4;
// What the places of hash tables can reach.
inline constexpr std::uint64_t kMostEntries = std::uint64_t{kHashUnit} << kHashIndexBits;

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

// A hash table of 2^bits slots, half to four fifths full; searched from the word's home slot on.
inline int hash_bits_for(std::uint32_t words) { return std::bit_width(words + words / 4); }
inline LmPlace hashed_place(std::uint64_t first_entry, int bits) {
  return kHashedPlace | static_cast<LmPlace>(bits) << kHashIndexBits |
         static_cast<LmPlace>(first_entry / kHashUnit);
}
struct HashRange {
  std::size_t first;    // entry
  std::uint32_t slots;  // a power of two
  int bits;
};
inline HashRange hash_range(LmPlace place) {
  const int bits = static_cast<int>(place >> kHashIndexBits & 31);
  const std::size_t index = place & ((LmPlace{1} << kHashIndexBits) - 1);
  return {index * kHashUnit, std::uint32_t{1} << bits, bits};
}
// The home slot in two steps: the first is the same for all tables.
inline std::uint32_t mixed_word(std::uint32_t word) { return word * 0x9e3779b1u; }
inline std::uint32_t mixed_slot(std::uint32_t mixed, int bits) {
  return static_cast<std::uint32_t>(std::uint64_t{mixed} >> (32 - bits));
}
inline std::uint32_t home_slot(std::uint32_t word, int bits) {
  return mixed_slot(mixed_word(word), bits);
}

template <class Entry>
class Continuations {
 public:
  Continuations() = default;
  // The last entry must carry kLastOfList: it is what ends every search of a list.
  explicit Continuations(std::span<const Entry> entries) : entries_(entries) {}

  // The index of the entry, or kNoEntry.
  std::uint32_t find(LmPlace place, std::uint32_t word) const {
    if (place & kHashedPlace) return find_hashed(hash_range(place), word);
    if (place >= entries_.size()) return kNoEntry;
    for (std::uint32_t at = place;; ++at) {
      const std::uint32_t here = entries_[at].word;
      if ((here & ~kLastOfList) == word) return at;
      if (here & kLastOfList) return kNoEntry;
    }
  }

  const Entry& operator[](std::uint32_t entry) const { return entries_[entry]; }
  std::size_t size() const { return entries_.size(); }

  // Calls visit(entry) for each continuation of a context.
  template <class Visit>
  void for_each(LmPlace place, Visit&& visit) const {
    if (place & kHashedPlace) {
      const HashRange range = hash_range(place);
      if (!fits(range)) return;
      for (std::size_t at = range.first; at < range.first + range.slots; ++at) {
        if (entries_[at].word != kNoWord) visit(static_cast<std::uint32_t>(at));
      }
      return;
    }
    const std::size_t begin = place;
    if (begin >= entries_.size()) return;
    for (std::size_t at = begin;; ++at) {
      const std::uint32_t word = entries_[at].word;
      if ((word & ~kLastOfList) != kNoWord) visit(static_cast<std::uint32_t>(at));
      if (word & kLastOfList) return;
    }
  }

 private:
  // Not so only in a damaged file.
  bool fits(const HashRange& range) const { return range.first + range.slots <= entries_.size(); }

  std::uint32_t find_hashed(const HashRange& range, std::uint32_t word) const {
    if (!fits(range)) return kNoEntry;
    std::uint32_t slot = home_slot(word, range.bits);
    for (std::uint32_t probes = 0; probes < range.slots; ++probes) {
      const std::uint32_t here = entries_[range.first + slot].word;
      if (here == word) return static_cast<std::uint32_t>(range.first + slot);
      if (here == kNoWord) return kNoEntry;
      slot = (slot + 1) & (range.slots - 1);
    }
    return kNoEntry;
  }

  std::span<const Entry> entries_;
};

}  // namespace dragoman
