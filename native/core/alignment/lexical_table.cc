#include "alignment/lexical_table.h"

#include <algorithm>
#include <stdexcept>

#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "lexical";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t { kRowStarts, kWords, kProbabilities, kSections };

// What makes a table unusable, or nullptr. Cheap enough to run on every opening, and then no
// lookup needs to check a bound again.
const char* problem_of(std::span<const std::uint64_t> row_starts, std::size_t words,
                       std::size_t probabilities) {
  if (row_starts.size() < 2 || row_starts.front() != 0 || row_starts.back() != words) {
    return "the rows do not cover the entries";
  }
  if (!std::is_sorted(row_starts.begin(), row_starts.end())) return "the rows are out of order";
  if (words != probabilities) return "not every entry has a probability";
  return nullptr;
}

}  // namespace

LexicalTable::LexicalTable(std::vector<std::uint64_t> row_starts, std::vector<WordId> words,
                           std::vector<float> probabilities) {
  if (const char* problem = problem_of(row_starts, words.size(), probabilities.size())) {
    throw std::invalid_argument(problem);
  }
  struct Owned {
    std::vector<std::uint64_t> row_starts;
    std::vector<WordId> words;
    std::vector<float> probabilities;
  };
  auto owned = std::make_shared<const Owned>(
      Owned{std::move(row_starts), std::move(words), std::move(probabilities)});
  row_starts_ = owned->row_starts;
  words_ = owned->words;
  probabilities_ = owned->probabilities;
  keeper_ = std::move(owned);
}

LexicalTable LexicalTable::open(const std::string& path, Verify verify) {
  auto file = std::make_shared<const BinaryFile>(path, kKind, kVersion, kSections, verify);
  LexicalTable table;
  table.row_starts_ = file->section<std::uint64_t>(kRowStarts);
  table.words_ = file->section<WordId>(kWords);
  table.probabilities_ = file->section<float>(kProbabilities);
  if (const char* problem =
          problem_of(table.row_starts_, table.words_.size(), table.probabilities_.size())) {
    throw InputError(path + ": " + problem);
  }
  if (!are_ordinary(table.probabilities_)) {
    throw InputError(path + ": damaged: a probability is not a number");
  }
  table.keeper_ = std::move(file);
  return table;
}

void LexicalTable::save(const std::string& path) const {
  BinaryWriter writer(path, kKind, kVersion, kSections);
  writer.section(row_starts_);
  writer.section(words_);
  writer.section(probabilities_);
  writer.finish();
}

std::span<const WordId> LexicalTable::words(WordId given) const {
  if (!has_row(given)) return {};
  const std::uint64_t* const row = row_starts_.data() + (given + 1);
  return words_.subspan(row[0], row[1] - row[0]);
}

std::span<const float> LexicalTable::probabilities(WordId given) const {
  if (!has_row(given)) return {};
  const std::uint64_t* const row = row_starts_.data() + (given + 1);
  return probabilities_.subspan(row[0], row[1] - row[0]);
}

float LexicalTable::prob(WordId given, WordId word) const {
  const auto row = words(given);
  const auto at = std::lower_bound(row.begin(), row.end(), word);
  if (at == row.end() || *at != word) return 0.0F;
  return probabilities_[static_cast<std::size_t>(&*at - words_.data())];
}

LexicalTable lexical_table_from_links(const AlignedText& text, Direction direction) {
  const bool forward = direction == Direction::kForward;
  const Sentences& given_side = forward ? text.source : text.target;
  const Sentences& word_side = forward ? text.target : text.source;
  const LinkSets& links = text.links;

  // Two passes over the links: how many each given word has, then the words themselves.
  const auto for_each_pair = [&](auto&& visit) {
    std::vector<bool> linked;
    for (std::size_t pair = 0; pair < links.size(); ++pair) {
      const Sentence given = given_side[pair];
      const Sentence words = word_side[pair];
      linked.assign(words.size(), false);
      for (const Link link : links[pair]) {
        const std::size_t i = forward ? link.source : link.target;
        const std::size_t j = forward ? link.target : link.source;
        if (i >= given.size() || j >= words.size()) {
          throw InputError("sentence pair " + std::to_string(pair + 1) + ": link " +
                           std::to_string(link.source) + "-" + std::to_string(link.target) +
                           " points outside a pair of " +
                           std::to_string(text.source[pair].size()) + " and " +
                           std::to_string(text.target[pair].size()) + " words");
        }
        linked[j] = true;
        visit(given[i], words[j]);
      }
      for (std::size_t j = 0; j < words.size(); ++j) {
        if (!linked[j]) visit(kNullWord, words[j]);
      }
    }
  };

  const auto ids = given_side.ids();
  const WordId largest = ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end());
  std::vector<std::uint64_t> bounds(static_cast<std::size_t>(largest) + 3, 0);
  for_each_pair([&](WordId given, WordId) { ++bounds[static_cast<std::size_t>(given + 2)]; });
  for (std::size_t row = 1; row < bounds.size(); ++row) bounds[row] += bounds[row - 1];

  std::vector<WordId> sorted(bounds.back());
  std::vector<std::uint64_t> next(bounds.begin(), bounds.end() - 1);
  for_each_pair([&](WordId given, WordId word) {
    sorted[next[static_cast<std::size_t>(given + 1)]++] = word;
  });

  std::vector<std::uint64_t> row_starts{0};
  std::vector<WordId> words;
  std::vector<float> probabilities;
  for (std::size_t row = 0; row + 1 < bounds.size(); ++row) {
    const std::span<WordId> seen(sorted.data() + bounds[row], bounds[row + 1] - bounds[row]);
    std::sort(seen.begin(), seen.end());
    for (std::size_t begin = 0, end = 0; begin < seen.size(); begin = end) {
      while (end < seen.size() && seen[end] == seen[begin]) ++end;
      words.push_back(seen[begin]);
      probabilities.push_back(
          static_cast<float>(static_cast<double>(end - begin) / static_cast<double>(seen.size())));
    }
    row_starts.push_back(words.size());
  }
  return LexicalTable(std::move(row_starts), std::move(words), std::move(probabilities));
}

}  // namespace dragoman
