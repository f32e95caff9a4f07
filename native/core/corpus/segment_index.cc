#include "corpus/segment_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "corpus/word_edits.h"
#include "text/checksum.h"
#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kMemoryKind = "memory";
constexpr std::uint32_t kMemoryVersion = 1;
enum MemorySection : std::uint32_t {
  kWordStarts,
  kWords,
  kTextStarts,
  kCharacters,
  kCounts,
  kLastSeen,
  kSegmentStarts,
  kSegments,
  kMemorySections
};

// Against the rounding of shares such as 0.7.
constexpr double kTiny = 1e-9;
// Beyond this nobody has translated a segment before; it also keeps counts small.
constexpr std::size_t kLongestSegment = 10'000;
// What comparing two segments costs, in looks at one word of one, and how many fewer have one word
// more in common; both roughly, for the time alone.
constexpr double kComparison = 100;
constexpr double kRarerWithEachWord = 3;

std::size_t most_edits(std::size_t length, double least) {
  return static_cast<std::size_t>(std::floor((1 - least) * static_cast<double>(length) + kTiny));
}

bool nearer(const SegmentMatch& a, const SegmentMatch& b) {
  return std::uint64_t{a.edits} * std::max(1u, b.length) <
         std::uint64_t{b.edits} * std::max(1u, a.length);
}

}  // namespace

SegmentIndex::SegmentIndex(const std::string& path, const std::string& vocabulary_path)
    : file_(path, kMemoryKind, kMemoryVersion, kMemorySections),
      vocabulary_(Vocabulary::open(vocabulary_path)),
      word_starts_(file_.section<std::uint64_t>(kWordStarts)),
      words_(file_.section<WordId>(kWords)),
      text_starts_(file_.section<std::uint64_t>(kTextStarts)),
      counts_(file_.section<std::uint32_t>(kCounts)),
      last_seen_(file_.section<std::uint32_t>(kLastSeen)),
      segment_starts_(file_.section<std::uint64_t>(kSegmentStarts)),
      segments_(file_.section<std::uint32_t>(kSegments)) {
  const auto characters = file_.section<char>(kCharacters);
  characters_ = {characters.data(), characters.size()};
  check();
}

void SegmentIndex::check() const {
  const auto runs = [](std::span<const std::uint64_t> starts, std::size_t parts,
                       std::size_t items) {
    return starts.size() == parts + 1 && starts.front() == 0 && starts.back() == items &&
           std::is_sorted(starts.begin(), starts.end());
  };
  const std::size_t segments = size();
  bool sound = last_seen_.size() == segments && runs(word_starts_, segments, words_.size()) &&
               runs(text_starts_, 2 * segments, characters_.size()) &&
               runs(segment_starts_, vocabulary_.size(), segments_.size());
  // A search counts on their order: by length, and of the segments with a word by number.
  for (std::size_t segment = 1; sound && segment < segments; ++segment) {
    sound = words_of(segment - 1).size() <= words_of(segment).size();
  }
  for (std::size_t word = 0; sound && word < vocabulary_.size(); ++word) {
    const auto with = segments_with(static_cast<WordId>(word));
    sound = std::is_sorted(with.begin(), with.end()) && (with.empty() || with.back() < segments);
  }
  if (!sound) throw InputError(file_.path() + ": damaged, or made with another vocabulary");
}

std::uint32_t SegmentIndex::checked(std::uint32_t segment) const {
  if (segment >= size()) throw std::out_of_range("no such segment");
  return segment;
}

std::uint32_t SegmentIndex::first_of_length(std::size_t length) const {
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (words_of(middle).size() < length) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<std::uint32_t>(low);
}

std::vector<std::uint32_t> SegmentIndex::candidates(Sentence query, double least) const {
  const std::size_t n = query.size();
  const auto shortest = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(static_cast<double>(n) * least - kTiny)));
  const auto longest =
      static_cast<std::size_t>(std::floor(static_cast<double>(n) / least + kTiny));
  const std::uint32_t begin = first_of_length(shortest);
  const std::uint32_t end = first_of_length(longest + 1);
  if (n == 0 || begin == end) return {};
  struct Lot {
    std::span<const std::uint32_t> segments;
    std::uint16_t times;  // that the word is in the query
  };
  std::vector<WordId> sorted(query.begin(), query.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Lot> lots;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto next = std::upper_bound(at, sorted.end(), *at);
    const auto with = segments_with(*at);
    const auto from = std::lower_bound(with.begin(), with.end(), begin);
    const auto to = std::lower_bound(from, with.end(), end);
    lots.push_back({{from, to}, static_cast<std::uint16_t>(next - at)});
    at = next;
  }
  std::sort(lots.begin(), lots.end(),
            [](const Lot& a, const Lot& b) { return a.segments.size() < b.segments.size(); });
  std::vector<std::uint16_t> shared(end - begin);  // words with the query, of those looked at
  const std::size_t most_wrong = most_edits(std::max(n, longest), least);
  std::size_t looked_at = 0;
  double comparing = 0;
  for (const Lot& lot : lots) {
    // One more than may be wrong is enough; but a further word, of which few segments have both,
    // is looked at as long as that is cheaper than comparing those with fewer.
    if (looked_at > most_wrong) {
      if (static_cast<double>(lot.segments.size()) > comparing) break;
      comparing /= kRarerWithEachWord;
    } else {
      comparing += kComparison * static_cast<double>(lot.segments.size());
    }
    looked_at += lot.times;
    for (const std::uint32_t segment : lot.segments) shared[segment - begin] += lot.times;
  }
  std::vector<std::uint32_t> found;
  for (std::size_t length = shortest; length <= longest; ++length) {
    const std::size_t wrong = most_edits(std::max(n, length), least);
    const std::size_t needed = std::max<std::size_t>(1, looked_at - std::min(looked_at, wrong));
    const std::uint32_t last = first_of_length(length + 1);
    for (std::uint32_t segment = first_of_length(length); segment < last; ++segment) {
      if (shared[segment - begin] >= needed) found.push_back(segment);
    }
  }
  return found;
}

std::vector<SegmentMatch> SegmentIndex::search(std::string_view words, double least,
                                               std::size_t most) const {
  if (!(least > 0 && least <= 1)) throw InputError("a similarity lies above 0, and at most at 1");
  std::vector<SegmentMatch> best;  // a heap whose top is the worst
  if (most == 0) return best;
  std::vector<WordId> query;
  vocabulary_.encode(words, query);
  if (query.size() > kLongestSegment) return best;
  const auto better = [this](const SegmentMatch& a, const SegmentMatch& b) {
    if (nearer(a, b) || nearer(b, a)) return nearer(a, b);
    if (counts_[a.segment] != counts_[b.segment]) {
      return counts_[a.segment] > counts_[b.segment];
    }
    if (last_seen_[a.segment] != last_seen_[b.segment]) {
      return last_seen_[a.segment] > last_seen_[b.segment];
    }
    return a.segment < b.segment;
  };
  const WordEdits edits(query);
  for (const std::uint32_t segment : candidates(query, least)) {
    const Sentence other = words_of(segment);
    const std::size_t length = std::max(query.size(), other.size());
    const SegmentMatch match{segment, edits.distance(other), static_cast<std::uint32_t>(length)};
    if (match.edits > most_edits(length, least)) continue;
    if (best.size() == most) {
      if (!better(match, best.front())) continue;
      std::pop_heap(best.begin(), best.end(), better);
      best.pop_back();
    }
    best.push_back(match);
    std::push_heap(best.begin(), best.end(), better);
  }
  std::sort_heap(best.begin(), best.end(), better);
  return best;
}

void SegmentIndexBuilder::add(std::string_view words, std::string_view source,
                              std::string_view target) {
  if (pairs_.size() >= ~std::uint32_t{0}) throw InputError("too many segments for one memory");
  Pair pair;
  pair.first_word = words_.size();
  for_each_token(words,
                 [this](std::string_view word) { words_.push_back(vocabulary_.add(word)); });
  pair.words = static_cast<std::uint32_t>(words_.size() - pair.first_word);
  pair.source_bytes = static_cast<std::uint32_t>(source.size());
  pair.target_bytes = static_cast<std::uint32_t>(target.size());
  pair.last_seen = static_cast<std::uint32_t>(pairs_.size());
  buffer_.assign(source);
  buffer_ += target;
  for (std::size_t half = 0; half < 2; ++half) {
    pair.key[half] = hash_bytes(buffer_, hash_bytes(source, half));
  }
  pair.first_byte = texts_.append(std::as_bytes(std::span(buffer_)));
  pairs_.push_back(pair);
}

// Sorts pairs by length, and lets one stand for all that are the same.
void SegmentIndexBuilder::merge() {
  const auto rank = [](const Pair& pair) {
    return std::tie(pair.words, pair.key[0], pair.key[1], pair.last_seen);
  };
  std::sort(pairs_.begin(), pairs_.end(),
            [&rank](const Pair& a, const Pair& b) { return rank(a) < rank(b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Pair& last = pairs_[kept == 0 ? 0 : kept - 1];
    if (kept > 0 && last.words == pairs_[i].words && last.key[0] == pairs_[i].key[0] &&
        last.key[1] == pairs_[i].key[1]) {
      ++last.count;
      last.last_seen = pairs_[i].last_seen;
    } else {
      pairs_[kept++] = pairs_[i];
    }
  }
  pairs_.resize(kept);
}

void SegmentIndexBuilder::write_texts(BinaryWriter& writer) const {
  std::vector<std::uint64_t> starts{0};
  for (const Pair& pair : pairs_) {
    starts.push_back(starts.back() + pair.source_bytes);
    starts.push_back(starts.back() + pair.target_bytes);
  }
  writer.section(std::span<const std::uint64_t>(starts));
  writer.begin_section();
  std::vector<char> text;
  for (const Pair& pair : pairs_) {
    text.resize(std::size_t{pair.source_bytes} + pair.target_bytes);
    texts_.read(pair.first_byte, std::as_writable_bytes(std::span(text)));
    writer.append(std::span<const char>(text));
  }
}

// For each word the segments that have it, which are found in two rounds: counted, then put.
void SegmentIndexBuilder::write_segments(BinaryWriter& writer, std::size_t vocabulary) const {
  std::vector<std::uint64_t> starts(vocabulary + 1);
  std::vector<WordId> words;
  const auto for_each_word = [&](auto&& visit) {
    for (std::size_t segment = 0; segment < pairs_.size(); ++segment) {
      const auto first = words_.begin() + static_cast<std::ptrdiff_t>(pairs_[segment].first_word);
      words.assign(first, first + pairs_[segment].words);
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (const WordId word : words) visit(static_cast<std::size_t>(word), segment);
    }
  };
  for_each_word([&starts](std::size_t word, std::size_t) { ++starts[word + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> segments(starts.back());
  std::vector<std::uint64_t> next = starts;
  for_each_word([&](std::size_t word, std::size_t segment) {
    segments[next[word]++] = static_cast<std::uint32_t>(segment);
  });
  writer.section(std::span<const std::uint64_t>(starts));
  writer.section(std::span<const std::uint32_t>(segments));
}

void SegmentIndexBuilder::finish(const std::string& path, const std::string& vocabulary_path) {
  const auto [vocabulary, final_ids] = vocabulary_.finish();
  vocabulary.save(vocabulary_path);
  for (WordId& word : words_) word = final_ids[static_cast<std::size_t>(word)];
  merge();
  BinaryWriter writer(path, kMemoryKind, kMemoryVersion, kMemorySections);
  std::vector<std::uint64_t> starts{0};
  for (const Pair& pair : pairs_) starts.push_back(starts.back() + pair.words);
  writer.section(std::span<const std::uint64_t>(starts));
  writer.begin_section();
  for (const Pair& pair : pairs_) {
    writer.append(std::span<const WordId>(words_).subspan(pair.first_word, pair.words));
  }
  write_texts(writer);
  const auto column = [&](std::uint32_t Pair::* member) {
    std::vector<std::uint32_t> values;
    for (const Pair& pair : pairs_) values.push_back(pair.*member);
    writer.section(std::span<const std::uint32_t>(values));
  };
  column(&Pair::count);
  column(&Pair::last_seen);
  write_segments(writer, vocabulary.size());
  writer.finish();
}

}  // namespace dragoman
