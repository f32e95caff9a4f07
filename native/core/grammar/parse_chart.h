// The items of a synchronous parse and the tables that find them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "grammar/scfg.h"
#include "text/checksum.h"

namespace dragoman {

inline constexpr std::uint32_t kNoItem = std::numeric_limits<std::uint32_t>::max();
inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

inline double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

// A pair of spans: source [i, j), target [a, b).
struct SpanPair {
  std::uint16_t i = 0;
  std::uint16_t j = 0;
  std::uint16_t a = 0;
  std::uint16_t b = 0;
  auto operator<=>(const SpanPair&) const = default;
  std::uint32_t size() const { return static_cast<std::uint32_t>((j - i) + (b - a)); }
};

// How an item came about in its best derivation.
struct Backpointer {
  std::uint32_t rule = kNoItem;     // for passive items
  std::uint32_t active = kNoItem;   // the rule up to its last nonterminal
  std::uint32_t passive = kNoItem;  // the last nonterminal
};

// A nonterminal over a pair of spans.
struct Passive {
  SymbolId name = 0;
  SpanPair span;
  double inside = kLogZero;
  double best = kLogZero;
  Backpointer back;
};

// A rule some of whose nonterminals have been taken: source [i, j), target fragments.
struct Active {
  std::uint32_t rule = 0;
  std::uint16_t dot = 0;
  std::uint16_t i = 0;
  std::uint16_t j = 0;
  std::uint16_t fragment_bounds = 0;  // how many, two for each fragment
  std::uint64_t fragments = 0;        // where they begin
  double inside = kLogZero;
  double best = kLogZero;
  Backpointer back;
};

// Item numbers by hash of their content; the caller compares.
class ItemTable {
 public:
  ItemTable() : slots_(1024, kNoItem) {}

  // The number of the item for which `equal` holds; else `make`'s, remembered under the hash.
  template <class Equal, class Make, class Hash>
  std::uint32_t find_or_make(std::uint64_t hash, Equal&& equal, Make&& make, Hash&& hash_of) {
    if (2 * (count_ + 1) > slots_.size()) grow(hash_of);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != kNoItem) {
      if (equal(slots_[at])) return slots_[at];
      at = (at + 1) & (slots_.size() - 1);
    }
    ++count_;
    const auto made = make();
    slots_[at] = made;
    return made;
  }

 private:
  template <class Hash>
  void grow(Hash& hash_of) {
    std::vector<std::uint32_t> old(slots_.size() * 2, kNoItem);
    old.swap(slots_);
    for (const auto item : old) {
      if (item == kNoItem) continue;
      std::size_t at = hash_of(item) & (slots_.size() - 1);
      while (slots_[at] != kNoItem) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = item;
    }
  }

  std::vector<std::uint32_t> slots_;
  std::size_t count_ = 0;
};

// Where active and passive items that fit together meet: lists under 64-bit keys.
class MeetingTable {
 public:
  struct Entry {
    std::uint32_t item;
    std::uint32_t next;
  };
  struct Meeting {
    std::uint64_t key = 0;
    std::uint32_t actives = kNoItem;  // heads of lists in entries
    std::uint32_t passives = kNoItem;
    bool used = false;
  };

  MeetingTable() : slots_(1024) {}

  Meeting& at(std::uint64_t key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Meeting& place = slots_[place_of(key)];
    if (!place.used) {
      place.used = true;
      place.key = key;
      ++count_;
    }
    return place;
  }

  void push(std::uint32_t& head, std::uint32_t item) {
    entries_.push_back({item, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }
  const Entry& entry(std::uint32_t number) const { return entries_[number]; }

 private:
  std::size_t place_of(std::uint64_t key) const {
    std::size_t at = fold_multiply(key + 1, 0x9e3779b97f4a7c15) & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Meeting> old(slots_.size() * 2);
    old.swap(slots_);
    for (const auto& meeting : old) {
      if (meeting.used) slots_[place_of(meeting.key)] = meeting;
    }
  }

  std::vector<Meeting> slots_;
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace dragoman
