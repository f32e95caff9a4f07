#include "lm/lm_vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "text/checksum.h"
#include "text/error.h"
#include "text/utf8.h"

namespace dragoman {
namespace {

constexpr std::uint64_t kTag = ~std::uint64_t{0} << 32;

std::uint64_t load(const char* from) {
  std::uint64_t number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

// From byte 16 - n on: n bytes of ones, then zeros.
constexpr auto kOnesThenZeros = [] {
  std::array<char, 2 * kWordPadding> bytes{};
  for (std::size_t i = 0; i < kWordPadding; ++i) bytes[i] = static_cast<char>(0xff);
  return bytes;
}();

// The first 16 bytes of a word, filled up with zeros: all of it for nearly every word. Without a
// branch on the length, which cannot be foreseen. 16 bytes must be readable.
struct Head {
  std::uint64_t first, last;
  bool operator==(const Head&) const = default;
};
Head padded_head(const char* word, std::size_t size) {
  const char* const mask = kOnesThenZeros.data() + kWordPadding - std::min(size, kWordPadding);
  return {load(word) & load(mask), load(word + 8) & load(mask + 8)};
}
Head head_of(std::string_view word) {
  if (word.size() >= kWordPadding) return {load(word.data()), load(word.data() + 8)};
  char padded[kWordPadding] = {};
  std::memcpy(padded, word.data(), word.size());
  return {load(padded), load(padded + 8)};
}

std::uint64_t word_hash(std::string_view word, Head head) {
  const std::size_t size = word.size();
  for (std::size_t i = kWordPadding; i < size; i += 8) {
    const std::uint64_t next = load(word.data() + std::min(i, size - 8));
    head.first = fold_multiply(head.first ^ next, 0x9e3779b97f4a7c15);
  }
  const std::uint64_t mixed =
      fold_multiply(head.first ^ size ^ 0xd6e8feb86659fd93, head.last ^ 0xb7e151628aed2a6b);
  return fold_multiply(mixed ^ 0x243f6a8885a308d3, 0x9e3779b97f4a7c15);
}

std::string_view word_at(std::span<const std::uint64_t> starts, std::string_view characters,
                         std::size_t id) {
  return characters.substr(starts[id], starts[id + 1] - starts[id]);
}

bool is_word_at(std::span<const std::uint64_t> starts, std::string_view characters, std::size_t id,
                std::string_view word, const Head& head) {
  const std::uint64_t start = starts[id];
  if (starts[id + 1] - start != word.size()) return false;
  if (word.size() <= kWordPadding && start + kWordPadding <= characters.size()) {
    return padded_head(characters.data() + start, word.size()) == head;
  }
  return word_at(starts, characters, id) == word;
}

std::uint64_t entry_of(std::uint64_t hash, std::size_t id) { return (hash & kTag) | (id + 1); }

// The id + 1 of `word`, or 0; `at` becomes its slot or the empty one where it belongs.
std::uint32_t probe(std::span<const std::uint64_t> starts, std::string_view characters,
                    std::span<const std::uint64_t> slots, std::string_view word, const Head& head,
                    std::uint64_t hash, std::size_t& at) {
  const std::size_t mask = slots.size() - 1;
  at = hash & mask;
  // The bound only matters in a damaged file: a sound table is at most half full.
  for (std::size_t probes = 0; probes <= mask; ++probes) {
    const std::uint64_t entry = slots[at];
    if (entry == 0) return 0;
    const auto id = static_cast<std::uint32_t>(entry);
    if (((entry ^ hash) & kTag) == 0 && id != 0 && id < starts.size() &&
        is_word_at(starts, characters, id - 1, word, head)) {
      return id;
    }
    at = (at + 1) & mask;
  }
  return 0;
}

}  // namespace

LmVocabulary::LmVocabulary(std::span<const std::uint64_t> starts, std::string_view characters,
                           std::span<const std::uint64_t> slots, const std::string& path)
    : starts_(starts), characters_(characters), slots_(slots) {
  const bool sound =
      starts.size() > kReserved && starts.front() == 0 && starts.back() == characters.size() &&
      starts.size() <= std::numeric_limits<WordId>::max() &&
      std::is_sorted(starts.begin(), starts.end()) && std::has_single_bit(slots.size());
  if (!sound) throw InputError(path + ": the vocabulary contradicts itself; the file is damaged");
  for (std::size_t id = 0; id < size(); ++id) {
    if (!is_token(word_at(starts_, characters_, id))) {
      throw InputError(path + ": word " + std::to_string(id) +
                       " of the vocabulary is no word; the file is damaged");
    }
  }
}

WordId LmVocabulary::find(std::string_view word) const {
  if (slots_.empty()) return kUnknown;
  const Head head = head_of(word);
  std::size_t at = 0;
  const std::uint32_t found =
      probe(starts_, characters_, slots_, word, head, word_hash(word, head), at);
  return found == 0 ? kUnknown : static_cast<WordId>(found - 1);
}

void LmVocabulary::find_padded(std::span<const std::string_view> words, WordId* ids) const {
  if (slots_.empty()) {
    std::fill_n(ids, words.size(), kUnknown);
    return;
  }
  // In groups, so that the slots of a group come from memory side by side.
  constexpr std::size_t kGroup = 16;
  std::array<Head, kGroup> heads;
  std::array<std::uint64_t, kGroup> hashes;
  while (!words.empty()) {
    const auto group = words.first(std::min(kGroup, words.size()));
    words = words.subspan(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      heads[i] = padded_head(group[i].data(), group[i].size());
      hashes[i] = word_hash(group[i], heads[i]);
      __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::size_t at = 0;
      const std::uint32_t found =
          probe(starts_, characters_, slots_, group[i], heads[i], hashes[i], at);
      *ids++ = found == 0 ? kUnknown : static_cast<WordId>(found - 1);
    }
  }
}

std::string_view LmVocabulary::word(WordId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= size()) {
    throw std::out_of_range("word id " + std::to_string(id) + " is outside the vocabulary of " +
                            std::to_string(size()) + " words");
  }
  return word_at(starts_, characters_, static_cast<std::size_t>(id));
}

LmVocabularyBuilder::LmVocabularyBuilder() : slots_(1024) {
  for (const std::string_view reserved : {"<unk>", "<s>", "</s>"}) add(reserved);
}

WordId LmVocabularyBuilder::add(std::string_view word) {
  const Head head = head_of(word);
  const std::uint64_t hash = word_hash(word, head);
  std::size_t at = 0;
  if (const std::uint32_t found = probe(starts_, characters_, slots_, word, head, hash, at)) {
    return static_cast<WordId>(found - 1);
  }
  const std::size_t id = size();
  if (id >= std::numeric_limits<WordId>::max() - 1) {
    throw InputError("more than 2,147,483,645 different words; is the text tokenised?");
  }
  slots_[at] = entry_of(hash, id);
  characters_ += word;
  starts_.push_back(characters_.size());
  if (2 * size() > slots_.size()) grow();
  return static_cast<WordId>(id);
}

void LmVocabularyBuilder::grow() {
  std::vector<std::uint64_t> larger(2 * slots_.size());
  const std::size_t mask = larger.size() - 1;
  for (std::size_t id = 0; id < size(); ++id) {
    const std::string_view word = word_at(starts_, characters_, id);
    const std::uint64_t hash = word_hash(word, head_of(word));
    std::size_t at = hash & mask;
    while (larger[at] != 0) at = (at + 1) & mask;
    larger[at] = entry_of(hash, id);
  }
  slots_ = std::move(larger);
}

LmVocabulary LmVocabularyBuilder::view() const {
  LmVocabulary vocabulary;
  vocabulary.starts_ = starts_;
  vocabulary.characters_ = characters_;
  vocabulary.slots_ = slots_;
  return vocabulary;
}

}  // namespace dragoman
