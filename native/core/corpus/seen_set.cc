#include "corpus/seen_set.h"

#include "text/checksum.h"

namespace dragoman {

SeenSet::Key SeenSet::key_of(std::string_view text) {
  // The 1 keeps a key apart from the all-zero empty slot.
  return {hash_bytes(text, 0) | 1, hash_bytes(text, 0x5851f42d4c957f2d)};
}

std::size_t SeenSet::find(const Key& key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = key.high & mask;
  while (slots_[at] != Key{} && slots_[at] != key) at = (at + 1) & mask;
  return at;
}

bool SeenSet::contains(std::string_view text) const { return slots_[find(key_of(text))] != Key{}; }

bool SeenSet::insert(std::string_view text) {
  const Key key = key_of(text);
  std::size_t at = find(key);
  if (slots_[at] != Key{}) return false;
  if (4 * (size_ + 1) > 3 * slots_.size()) {
    grow();
    at = find(key);
  }
  slots_[at] = key;
  ++size_;
  return true;
}

void SeenSet::grow() {
  std::vector<Key> former(2 * slots_.size());
  former.swap(slots_);
  for (const Key& key : former) {
    if (key != Key{}) slots_[find(key)] = key;
  }
}

}  // namespace dragoman
