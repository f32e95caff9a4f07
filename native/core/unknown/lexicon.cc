#include "unknown/lexicon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/characters.h"

namespace dragoman {

namespace {

// Of a known word, so many translations are looked at.
constexpr std::size_t kMostTranslations = 12;
// What is less probable than the best by this factor is noise of the alignment.
constexpr double kNoise = 0.02;
constexpr std::size_t kMostRemembered = 50'000;

// What each column of the table says about a translation; together they tell the translations of
// a word from what stood beside it.
double trust_in(std::string_view column) {
  if (column == "tm.fwd") return 0.5;
  return column == "tm.bwd" || column == "lex.fwd" || column == "lex.bwd" ? 0.25 : 0;
}

}  // namespace

Lexicon::Lexicon(std::shared_ptr<const PhraseTable> table, Vocabulary source, Vocabulary target)
    : table_(std::move(table)), source_(std::move(source)), target_(std::move(target)) {
  for (const std::string& name : table_->feature_names()) trust_.push_back(trust_in(name));
}

std::uint64_t Lexicon::target_count(std::string_view word) const {
  const WordId id = target_.find(word);
  return id == kUnknown ? 0 : target_.count(id);
}

void Lexicon::index_capitals() {
  indexed_ = true;
  for (std::size_t id = kReserved; id < source_.size(); ++id) {
    const std::string_view word = source_.word(static_cast<WordId>(id));
    std::string lower = lower_case(word);
    // Of several, the most frequent one: it comes first.
    if (lower != word) capitalised_.emplace(std::move(lower), static_cast<WordId>(id));
  }
}

WordId Lexicon::form_of(std::string_view word) {
  WordId id = source_.find(word);
  if (is_known(id)) return id;
  if (!indexed_) index_capitals();
  if (capitalised_.empty()) return kUnknown;
  const std::string lower = lower_case(word);
  id = lower != word ? source_.find(lower) : kUnknown;
  if (is_known(id)) return id;
  const auto found = capitalised_.find(lower);
  return found != capitalised_.end() && is_known(found->second) ? found->second : kUnknown;
}

const Meanings& Lexicon::meanings(WordId id) {
  if (meanings_.size() > kMostRemembered) meanings_.clear();
  const auto [place, fresh] = meanings_.try_emplace(id);
  Meanings& found = place->second;
  if (!fresh) return found;
  const OptionRange range = table_->find({&id, 1});
  std::vector<std::pair<double, std::uint32_t>> rows;
  std::vector<float> columns(trust_.size());
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    if (table_->target(row).empty()) continue;
    table_->scores(row, columns.data());
    double worth = 0;
    for (std::size_t i = 0; i < trust_.size(); ++i) {
      if (trust_[i] > 0) worth += trust_[i] * static_cast<double>(columns[i]);
    }
    rows.emplace_back(-worth, row);
  }
  const std::size_t kept = std::min(rows.size(), kMostTranslations);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end());
  double total = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    const auto [cost, row] = rows[i];
    const double probability = std::exp(rows.front().first - cost);
    if (probability < kNoise) break;
    const Sentence tokens = table_->bilingual(row);
    found.push_back(
        {target_.decode(table_->target(row)), probability, {tokens.begin(), tokens.end()}});
    total += probability;
  }
  for (Meaning& meaning : found) meaning.probability /= total;
  return found;
}

double Lexicon::overlap(WordId first, WordId second) {
  // The first must not be forgotten while the second is looked up.
  if (meanings_.size() + 2 > kMostRemembered) meanings_.clear();
  const Meanings& ones = meanings(first);
  const Meanings& others = meanings(second);
  double total = 0;
  for (const Meaning& one : ones) {
    for (const Meaning& other : others) {
      if (one.target == other.target) total += std::min(one.probability, other.probability);
    }
  }
  return total;
}

void MeaningMixture::add(const Meaning& meaning, double weight, const std::string& why) {
  const auto [place, fresh] = places_.try_emplace(meaning.target, entries_.size());
  if (fresh) entries_.push_back({{meaning.target, 0, meaning.bilingual}, why});
  entries_[place->second].meaning.probability += weight * meaning.probability;
}

std::vector<MeaningMixture::Entry> MeaningMixture::best(std::size_t most) const {
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return a.meaning.probability > b.meaning.probability;
  });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

}  // namespace dragoman
