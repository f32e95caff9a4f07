#include "text/vocabulary.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "text/error.h"
#include "text/tokens.h"
#include "text/utf8.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "vocab";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t { kStarts, kCharacters, kCounts, kSlots, kSections };

constexpr std::string_view kReservedWords[] = {"<unk>", "<s>", "</s>"};
static_assert(std::size(kReservedWords) == kReserved);

// Half full at most, so that a probe ends soon.
std::size_t slots_for(std::size_t words) {
  return std::bit_ceil(std::max<std::size_t>(2 * words, 16));
}

// The slot that holds `word`, or the empty one where it belongs.
template <class WordOfSlot>
std::size_t find_slot(std::span<const std::uint32_t> slots, std::string_view word,
                      const WordOfSlot& word_of) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = hash_bytes(word) & mask;
  while (slots[at] != 0 && word_of(slots[at]) != word) at = (at + 1) & mask;
  return at;
}

}  // namespace

Vocabulary Vocabulary::open(const std::string& path) {
  auto file = std::make_shared<BinaryFile>(path, kKind, kVersion, kSections);
  Vocabulary vocabulary;
  vocabulary.starts_ = file->section<std::uint64_t>(kStarts);
  const auto characters = file->section<char>(kCharacters);
  vocabulary.characters_ = {characters.data(), characters.size()};
  vocabulary.counts_ = file->section<std::uint64_t>(kCounts);
  vocabulary.slots_ = file->section<std::uint32_t>(kSlots);
  const std::size_t size = vocabulary.size();
  // The checksum vouches for the rest; these keep a forged file from leading outside.
  const bool sound =
      size >= kReserved && vocabulary.starts_.size() == size + 1 && vocabulary.starts_[0] == 0 &&
      std::is_sorted(vocabulary.starts_.begin(), vocabulary.starts_.end()) &&
      vocabulary.starts_[size] == characters.size() &&
      size <= std::numeric_limits<WordId>::max() && vocabulary.slots_.size() == slots_for(size) &&
      std::all_of(vocabulary.slots_.begin(), vocabulary.slots_.end(),
                  [&](std::uint32_t id) { return id < size; }) &&
      std::find(vocabulary.slots_.begin(), vocabulary.slots_.end(), 0u) != vocabulary.slots_.end();
  if (!sound) throw InputError(path + ": the vocabulary contradicts itself");
  for (std::size_t id = 0; id < size; ++id) {
    if (!is_token(vocabulary.word(static_cast<WordId>(id)))) {
      throw InputError(path + ": word " + std::to_string(id) + " of the vocabulary is no word");
    }
  }
  vocabulary.keeper_ = std::move(file);
  return vocabulary;
}

void Vocabulary::save(const std::string& path) const {
  BinaryWriter writer(path, kKind, kVersion, kSections);
  writer.section(starts_);
  writer.section(std::span<const char>(characters_));
  writer.section(counts_);
  writer.section(slots_);
  writer.finish();
}

WordId Vocabulary::find(std::string_view word) const {
  const auto word_of = [this](std::uint32_t id) { return this->word(static_cast<WordId>(id)); };
  return static_cast<WordId>(slots_[find_slot(slots_, word, word_of)]);
}

std::string_view Vocabulary::word(WordId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= size()) {
    throw std::out_of_range("word id " + std::to_string(id) + " is outside the vocabulary of " +
                            std::to_string(size()) + " words");
  }
  const auto begin = starts_[static_cast<std::size_t>(id)];
  return characters_.substr(begin, starts_[static_cast<std::size_t>(id) + 1] - begin);
}

std::uint64_t Vocabulary::count(WordId id) const {
  word(id);  // checks the range
  return counts_[static_cast<std::size_t>(id)];
}

void Vocabulary::encode(std::string_view line, std::vector<WordId>& ids) const {
  for_each_token(line, [&](std::string_view token) { ids.push_back(find(token)); });
}

std::string Vocabulary::decode(Sentence ids) const {
  std::string line;
  for (const WordId id : ids) {
    if (!line.empty()) line += ' ';
    line += word(id);
  }
  return line;
}

std::string_view VocabularyBuilder::word(WordId id) const {
  const auto begin = starts_[static_cast<std::size_t>(id)];
  return std::string_view(characters_)
      .substr(begin, starts_[static_cast<std::size_t>(id) + 1] - begin);
}

WordId VocabularyBuilder::add(std::string_view word) {
  if (slots_.size() < slots_for(counts_.size() + 1)) grow();
  const auto word_of = [this](std::uint32_t slot) {
    return this->word(static_cast<WordId>(slot - 1));
  };
  std::uint32_t& slot = slots_[find_slot(slots_, word, word_of)];
  if (slot == 0) {
    if (counts_.size() >= std::numeric_limits<WordId>::max() - kReserved) {
      throw InputError("more than 2^31 distinct words");
    }
    characters_ += word;
    starts_.push_back(characters_.size());
    counts_.push_back(0);
    slot = static_cast<std::uint32_t>(counts_.size());
  }
  ++counts_[slot - 1];
  return static_cast<WordId>(slot - 1);
}

void VocabularyBuilder::grow() {
  std::vector<std::uint32_t> larger(slots_for(2 * (counts_.size() + 1)));
  const std::size_t mask = larger.size() - 1;
  for (std::size_t id = 0; id < counts_.size(); ++id) {
    std::size_t at = hash_bytes(word(static_cast<WordId>(id))) & mask;
    while (larger[at] != 0) at = (at + 1) & mask;
    larger[at] = static_cast<std::uint32_t>(id + 1);
  }
  slots_ = std::move(larger);
}

VocabularyBuilder::Result VocabularyBuilder::finish(std::uint64_t min_count) {
  std::vector<WordId> order(counts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order,
                [&](WordId id) { return counts_[static_cast<std::size_t>(id)] < min_count; });
  std::sort(order.begin(), order.end(), [&](WordId a, WordId b) {
    const auto count_a = counts_[static_cast<std::size_t>(a)];
    const auto count_b = counts_[static_cast<std::size_t>(b)];
    return count_a != count_b ? count_a > count_b : word(a) < word(b);
  });

  auto owned = std::make_shared<Vocabulary::Owned>();
  owned->starts.push_back(0);
  const auto append = [&](std::string_view word, std::uint64_t count) {
    owned->characters += word;
    owned->starts.push_back(owned->characters.size());
    owned->counts.push_back(count);
  };
  for (const auto word : kReservedWords) append(word, 0);
  std::vector<WordId> final_ids(counts_.size(), kUnknown);
  for (const WordId id : order) {
    final_ids[static_cast<std::size_t>(id)] = static_cast<WordId>(owned->counts.size());
    append(word(id), counts_[static_cast<std::size_t>(id)]);
  }
  owned->slots.resize(slots_for(owned->counts.size()));
  const std::size_t mask = owned->slots.size() - 1;
  for (const WordId id : order) {
    std::size_t at = hash_bytes(word(id)) & mask;
    while (owned->slots[at] != 0) at = (at + 1) & mask;
    owned->slots[at] = static_cast<std::uint32_t>(final_ids[static_cast<std::size_t>(id)]);
  }

  Vocabulary vocabulary;
  vocabulary.starts_ = owned->starts;
  vocabulary.characters_ = owned->characters;
  vocabulary.counts_ = owned->counts;
  vocabulary.slots_ = owned->slots;
  vocabulary.keeper_ = std::move(owned);
  *this = VocabularyBuilder();
  return {std::move(vocabulary), std::move(final_ids)};
}

}  // namespace dragoman
