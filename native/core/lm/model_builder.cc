#include "lm/model_builder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lm/model_layout.h"
#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlockContexts = std::size_t{1} << 14;

// See ContextEntry for the sign.
float stored_log_prob(const NewNgram& ngram) {
  const float size = std::fabs(ngram.log_prob);
  return ngram.extends_left ? -size : size;
}

void set(ContextEntry& entry, const NewNgram& ngram, std::uint32_t mark) {
  entry = {ngram.word | mark, stored_log_prob(ngram), ngram.backoff, kNoPlace};
}
void set(LongestEntry& entry, const NewNgram& ngram, std::uint32_t mark) {
  entry = {ngram.word | mark, stored_log_prob(ngram)};
}

}  // namespace

ModelBuilder::ModelBuilder(int order, Storage storage, int threads)
    : order_(order), storage_(std::move(storage)), threads_(threads) {
  if (order < 1 || order > kMaxLmOrder) throw std::invalid_argument("order out of range");
}

ContextEntry& ModelBuilder::context(std::size_t number) {
  if (added_ == 1) return unigrams_[number];
  return contexts_[static_cast<std::size_t>(added_ - 2)][places_[number]];
}

void ModelBuilder::add_words(std::size_t words, const Source& ngram) {
  if (added_ != 0) throw std::logic_error("single words come first");
  unigrams_ = Column<ContextEntry>(storage_);
  unigrams_.resize(words, {});
  for (std::size_t word = 0; word < words; ++word) set(unigrams_[word], ngram(word), 0);
  counts_.push_back(words);
  added_ = 1;
}

void ModelBuilder::add_order(std::span<const std::uint32_t> contexts, const Source& ngram) {
  if (added_ == 0 || added_ == order_) throw std::logic_error("an order too early or too many");
  if (added_ + 1 == order_) {
    lay_out(contexts, ngram, longest_);
  } else {
    lay_out(contexts, ngram, contexts_[static_cast<std::size_t>(added_ - 1)]);
  }
  ++added_;
}

template <class Entry>
void ModelBuilder::lay_out(std::span<const std::uint32_t> context_of, const Source& ngram,
                           Column<Entry>& table) {
  const std::size_t contexts = added_ == 1 ? unigrams_.size() : places_.size();
  // Group the numbers by context (a counting sort).
  Column<std::uint32_t> group_end(storage_);
  group_end.resize(contexts, 0);
  std::size_t kept = 0;
  for (const std::uint32_t context : context_of) {
    if (context == kNoEntry) continue;
    ++group_end[context];
    ++kept;
  }
  std::uint64_t entries = 0;
  std::uint32_t sum = 0;
  for (std::size_t number = 0; number < contexts; ++number) {
    const std::uint32_t words = group_end[number];
    group_end[number] = sum;
    sum += words;
    if (added_ > 1 && places_[number] == kNoEntry) continue;
    ContextEntry& entry = context(number);
    if (words > kLongestList) {
      const int bits = hash_bits_for(words);
      entries = (entries + kHashUnit - 1) / kHashUnit * kHashUnit;
      entry.continuations = hashed_place(entries, bits);
      entries += std::uint64_t{1} << bits;
    } else if (words > 0) {
      entry.continuations = static_cast<LmPlace>(entries);
      entries += words;
    } else if (entry.backoff != 0) {
      // No n-gram begins with it, yet it changes scores: an empty list tells it from others.
      entry.continuations = static_cast<LmPlace>(entries);
      entries += 1;
    }
  }
  if (entries >= kMostEntries) {
    throw InputError("too many n-grams of order " + std::to_string(added_ + 1) + ": " +
                     std::to_string(kept) + "; prune the model or lower its order");
  }
  Column<std::uint32_t> grouped(storage_);
  grouped.resize(kept, 0);
  for (std::size_t i = 0; i < context_of.size(); ++i) {
    if (context_of[i] == kNoEntry) continue;
    grouped[group_end[context_of[i]]++] = static_cast<std::uint32_t>(i);
  }

  // One entry more ends the last search; see Continuations.
  NewNgram nothing;
  nothing.word = kNoWord;
  Entry empty{};
  set(empty, nothing, 0);
  table = Column<Entry>(storage_);
  table.resize(entries + 1, empty);
  table.back().word |= kLastOfList;
  Column<std::uint32_t> places(storage_);
  places.resize(context_of.size(), kNoEntry);
  const std::size_t blocks = (contexts + kBlockContexts - 1) / kBlockContexts;
  parallel_for(threads_, blocks, [&](std::size_t block, int) {
    struct Numbered {
      NewNgram ngram;
      std::uint32_t number;
    };
    std::vector<Numbered> group;
    const std::size_t end = std::min(contexts, (block + 1) * kBlockContexts);
    for (std::size_t number = block * kBlockContexts; number < end; ++number) {
      // After grouping, an end is where the next group begins.
      const std::uint32_t first = number == 0 ? 0 : group_end[number - 1];
      if (added_ > 1 && places_[number] == kNoEntry) continue;
      const LmPlace place = context(number).continuations;
      if (place == kNoPlace) continue;
      const bool hashed = (place & kHashedPlace) != 0;
      const HashRange range = hash_range(place);
      if (first == group_end[number]) {
        table[place].word |= kLastOfList;
        continue;
      }
      group.clear();
      for (std::uint32_t i = first; i < group_end[number]; ++i) {
        group.push_back({ngram(grouped[i]), grouped[i]});
      }
      std::sort(group.begin(), group.end(), [](const Numbered& a, const Numbered& b) {
        return a.ngram.log_prob != b.ngram.log_prob ? a.ngram.log_prob > b.ngram.log_prob
                                                    : a.ngram.word < b.ngram.word;
      });
      for (std::size_t i = 0; i < group.size(); ++i) {
        std::size_t at = place + i;
        if (hashed) {
          std::uint32_t slot = home_slot(group[i].ngram.word, range.bits);
          while (table[range.first + slot].word != kNoWord) slot = (slot + 1) & (range.slots - 1);
          at = range.first + slot;
        }
        set(table[at], group[i].ngram, !hashed && i + 1 == group.size() ? kLastOfList : 0);
        places[group[i].number] = static_cast<std::uint32_t>(at);
      }
    }
  });
  places_ = std::move(places);
  counts_.push_back(kept);
}

void ModelBuilder::write(const std::string& path, const LmVocabulary& vocabulary) const {
  if (added_ != order_) throw std::logic_error("fewer orders than announced");
  if (vocabulary.size() != unigrams_.size()) throw std::logic_error("a unigram for every word");
  BinaryWriter writer(path, kLmKind, kLmVersion, kLmSections);
  writer.section(std::span<const std::uint64_t>(counts_));
  writer.section(vocabulary.starts());
  writer.section(std::span<const char>(vocabulary.characters()));
  writer.section(vocabulary.slots());
  writer.section(static_cast<std::span<const ContextEntry>>(unigrams_));
  writer.section(static_cast<std::span<const LongestEntry>>(longest_));
  for (const auto& table : contexts_) {
    writer.section(static_cast<std::span<const ContextEntry>>(table));
  }
  writer.finish();
}

}  // namespace dragoman
