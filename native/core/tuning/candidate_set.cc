#include "tuning/candidate_set.h"

#include "text/checksum.h"
#include "text/error.h"

namespace dragoman {

namespace {

CandidateSet::Key key_of(std::size_t sentence, std::string_view text,
                         std::span<const double> values) {
  const std::string_view bytes{reinterpret_cast<const char*>(values.data()), values.size_bytes()};
  CandidateSet::Key key{2 * sentence, 2 * sentence + 1};
  for (std::uint64_t& half : key) half = hash_bytes(bytes, hash_bytes(text, half));
  return key;
}

}  // namespace

std::vector<std::int64_t> CandidateSet::add(std::span<const std::int64_t> sizes,
                                            std::span<const std::string> texts,
                                            std::span<const double> features) {
  const std::size_t columns = texts.empty() ? 0 : features.size() / texts.size();
  std::size_t total = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) throw InputError("a list of translations has no negative size");
    total += static_cast<std::size_t>(size);
  }
  if (total != texts.size() || columns * texts.size() != features.size()) {
    throw InputError("texts and features are not of the same candidates");
  }
  latest_.clear();
  std::vector<std::int64_t> fresh;
  std::size_t row = 0;
  for (std::size_t sentence = 0; sentence < sizes.size(); ++sentence) {
    for (std::int64_t i = 0; i < sizes[sentence]; ++i, ++row) {
      const Key key = key_of(sentence, texts[row], features.subspan(row * columns, columns));
      if (!seen_.insert(key).second) continue;
      latest_.push_back(key);
      fresh.push_back(static_cast<std::int64_t>(row));
    }
  }
  return fresh;
}

void CandidateSet::restore(std::span<const std::uint64_t> keys) {
  if (keys.size() % 2 != 0) throw InputError("half a key");
  for (std::size_t i = 0; i < keys.size(); i += 2) seen_.insert({keys[i], keys[i + 1]});
}

}  // namespace dragoman
