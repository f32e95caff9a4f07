#include "corpus/word_edits.h"

#include <bit>

namespace dragoman {

namespace {

constexpr std::size_t kBits = 64;

std::size_t slot_of(WordId word, std::size_t slots) {
  return (static_cast<std::size_t>(word) * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

}  // namespace

WordEdits::WordEdits(Sentence sentence)
    : length_(sentence.size()),
      blocks_((sentence.size() + kBits - 1) / kBits),
      slots_(std::bit_ceil(2 * sentence.size() + 1)),
      masks_(blocks_),
      rising_(blocks_),
      falling_(blocks_) {
  for (std::size_t place = 0; place < length_; ++place) {
    std::size_t at = slot_of(sentence[place], slots_.size());
    while (slots_[at].word != -1 && slots_[at].word != sentence[place]) {
      at = (at + 1) & (slots_.size() - 1);
    }
    Slot& slot = slots_[at];
    if (slot.word == -1) {
      slot = {sentence[place], static_cast<std::uint32_t>(masks_.size() / blocks_)};
      masks_.resize(masks_.size() + blocks_);
    }
    masks_[slot.row * blocks_ + place / kBits] |= std::uint64_t{1} << (place % kBits);
  }
}

const std::uint64_t* WordEdits::places_of(WordId word) const {
  std::size_t at = slot_of(word, slots_.size());
  while (slots_[at].word != -1 && slots_[at].word != word) at = (at + 1) & (slots_.size() - 1);
  return masks_.data() + slots_[at].row * blocks_;
}

std::uint32_t WordEdits::distance(Sentence other) const {
  if (length_ == 0) return static_cast<std::uint32_t>(other.size());
  std::fill(rising_.begin(), rising_.end(), ~std::uint64_t{0});
  std::fill(falling_.begin(), falling_.end(), 0);
  const std::uint64_t last = std::uint64_t{1} << ((length_ - 1) % kBits);
  auto distance = static_cast<std::uint32_t>(length_);
  for (const WordId word : other) {
    const std::uint64_t* equal = places_of(word);
    // What the block above hands down: the difference of its last row to the column before. Above
    // the first block that is the row of the empty sentence, which rises by one a column.
    std::uint64_t up = 1;
    std::uint64_t down = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      std::uint64_t& rising = rising_[block];
      std::uint64_t& falling = falling_[block];
      const std::uint64_t matches = equal[block];
      const std::uint64_t vertical = matches | falling;
      const std::uint64_t reached = matches | down;
      const std::uint64_t diagonal = (((reached & rising) + rising) ^ rising) | reached | falling;
      std::uint64_t higher = falling | ~(diagonal | rising);
      std::uint64_t lower = rising & diagonal;
      if (block + 1 == blocks_) {
        distance += (higher & last) != 0 ? 1 : 0;
        distance -= (lower & last) != 0 ? 1 : 0;
      }
      const std::uint64_t up_out = higher >> (kBits - 1);
      const std::uint64_t down_out = lower >> (kBits - 1);
      higher = higher << 1 | up;
      lower = lower << 1 | down;
      rising = lower | ~(vertical | higher);
      falling = higher & vertical;
      up = up_out;
      down = down_out;
    }
  }
  return distance;
}

}  // namespace dragoman
