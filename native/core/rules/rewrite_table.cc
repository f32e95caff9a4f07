#include "rules/rewrite_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::size_t kCodes = 256;

// 256 rising values that stand for the column's: means of bins of equal population.
void append_codebook(std::vector<float>& values, std::vector<float>& codebooks) {
  std::sort(values.begin(), values.end());
  float previous = 0;
  for (std::size_t code = 0; code < kCodes; ++code) {
    const std::size_t begin = values.size() * code / kCodes;
    const std::size_t end = values.size() * (code + 1) / kCodes;
    if (begin < end) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = values.begin() + static_cast<std::ptrdiff_t>(end);
      // A bin of equal values must stand for exactly that value.
      previous = *first == last[-1] ? *first
                                    : static_cast<float>(std::accumulate(first, last, 0.0) /
                                                         static_cast<double>(end - begin));
    }
    codebooks.push_back(previous);
  }
  std::sort(codebooks.end() - kCodes, codebooks.end());
}

}  // namespace

TableRewriter::TableRewriter(const PhraseTable& table, const std::string& path,
                             const RewriteOptions& options)
    : table_(table), options_(options) {
  const auto rows = static_cast<std::size_t>(table.size());
  if (path == table.path()) {
    throw InputError(path + ": a table cannot be rewritten onto itself");
  }
  if (options.columns.size() != options.column_names.size()) {
    throw InputError("every added column needs a name");
  }
  PhraseTableLayout layout;
  layout.features.assign(table.feature_names().begin(), table.feature_names().end());
  origins_.resize(layout.features.size());
  std::iota(origins_.begin(), origins_.end(), 0);
  for (std::size_t added = 0; added < options.columns.size(); ++added) {
    const std::string& name = options.column_names[added];
    if (options.columns[added].size() != rows) {
      throw InputError("the column " + name + " has " +
                       std::to_string(options.columns[added].size()) + " values for " +
                       std::to_string(rows) + " phrase pairs");
    }
    const auto there = std::find(layout.features.begin(), layout.features.end(), name);
    const int origin = -1 - static_cast<int>(added);
    if (there == layout.features.end()) {
      layout.features.push_back(name);
      origins_.push_back(origin);
    } else {
      origins_[static_cast<std::size_t>(there - layout.features.begin())] = origin;
    }
  }
  if (!options.sort_weights.empty() && options.sort_weights.size() != layout.features.size()) {
    throw InputError(std::to_string(options.sort_weights.size()) + " weights for " +
                     std::to_string(layout.features.size()) + " features");
  }
  if (!options.keep.empty() && options.keep.size() != rows) {
    throw InputError("the choice of phrase pairs has " + std::to_string(options.keep.size()) +
                     " entries for " + std::to_string(rows) + " phrase pairs");
  }
  const auto check_values = [rows](std::span<const float> values, std::size_t columns,
                                   const char* what) {
    if (!values.empty() && values.size() != rows * columns) {
      throw InputError(std::to_string(values.size()) + " " + what + " for " +
                       std::to_string(rows) + " phrase pairs of " + std::to_string(columns));
    }
  };
  check_values(options.reordering, table.info().reorderings * kScoresPerReordering,
               "reordering scores");
  check_values(options.counts, 3, "counts");
  layout.sort_weights = options.sort_weights;
  if (layout.sort_weights.empty()) {
    layout.sort_weights.assign(table.sort_weights().begin(), table.sort_weights().end());
    layout.sort_weights.resize(layout.features.size(), 0.0);
  }
  layout.reorderings.assign(table.reordering_names().begin(), table.reordering_names().end());
  layout.source_words = table.info().source_words;
  layout.target_words = table.info().target_words;
  layout.hierarchical = table.info().hierarchical != 0;
  layout.bilingual_words =
      options.bilingual_words != 0 ? options.bilingual_words : table.info().bilingual_words;
  if (options.bilingual_words != 0) {
    bilingual_starts_.push_back(0);
    for (std::uint32_t row = 0; row < table.size(); ++row) {
      bilingual_starts_.push_back(bilingual_starts_.back() + table.target(row).size());
    }
    if (bilingual_starts_.back() != options.bilingual.size()) {
      throw InputError(std::to_string(options.bilingual.size()) + " bilingual tokens for " +
                       std::to_string(bilingual_starts_.back()) + " target words");
    }
  }
  if (options.quantise) layout.codebooks = make_codebooks();
  writer_ = std::make_unique<PhraseTableWriter>(path, std::move(layout));
}

void TableRewriter::read_scores(std::uint32_t row, std::vector<float>& values) const {
  values.clear();
  for (const int origin : origins_) {
    values.push_back(origin >= 0 ? table_.score(row, static_cast<std::size_t>(origin))
                                 : options_.columns[static_cast<std::size_t>(-1 - origin)][row]);
  }
}

void TableRewriter::read_reordering(std::uint32_t row, std::vector<float>& values) const {
  const std::size_t models = table_.info().reorderings;
  values.resize(models * kScoresPerReordering);
  if (!options_.reordering.empty()) {
    std::copy_n(options_.reordering.begin() + static_cast<std::ptrdiff_t>(row * values.size()),
                values.size(), values.begin());
    return;
  }
  for (std::size_t model = 0; model < models; ++model) {
    table_.reordering_scores(row, model, values.data() + model * kScoresPerReordering);
  }
}

std::vector<float> TableRewriter::make_codebooks() const {
  std::vector<float> codebooks;
  std::vector<float> column(table_.size());
  std::vector<float> values;
  const auto add = [&](std::size_t number, auto read) {
    for (std::uint32_t row = 0; row < table_.size(); ++row) {
      read(row, values);
      column[row] = values[number];
    }
    append_codebook(column, codebooks);
  };
  for (std::size_t feature = 0; feature < origins_.size(); ++feature) {
    add(feature, [&](std::uint32_t row, std::vector<float>& into) { read_scores(row, into); });
  }
  for (std::size_t at = 0; at < table_.info().reorderings * kScoresPerReordering; ++at) {
    add(at, [&](std::uint32_t row, std::vector<float>& into) { read_reordering(row, into); });
  }
  return codebooks;
}

bool TableRewriter::run() {
  constexpr std::uint32_t kFirstWordsPerCall = 256;
  const std::uint32_t first = next_first_word_;
  next_first_word_ = std::min(table_.first_words(), first + kFirstWordsPerCall);
  table_.for_each_source(first, next_first_word_,
                         [&](Sentence source, OptionRange range) { rewrite(source, range); });
  if (next_first_word_ < table_.first_words()) return false;
  writer_->finish();
  return true;
}

void TableRewriter::rewrite(Sentence source, OptionRange range) {
  struct Entry {
    std::uint32_t row;
    double estimate;
  };
  std::vector<Entry> order;
  std::vector<float> scores;
  std::vector<float> reordering;
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    if (!options_.keep.empty() && options_.keep[row] == 0) continue;
    double estimate = 0;
    if (!options_.sort_weights.empty()) {
      read_scores(row, scores);
      for (std::size_t feature = 0; feature < scores.size(); ++feature) {
        estimate += options_.sort_weights[feature] * static_cast<double>(scores[feature]);
      }
    }
    order.push_back({row, estimate});
  }
  if (!options_.sort_weights.empty()) {
    // Ties by target words, so that the order does not depend on the one before.
    std::sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
      if (a.estimate != b.estimate) return a.estimate > b.estimate;
      return words_before(table_.target(a.row), table_.target(b.row));
    });
  }
  if (options_.limit != 0 && order.size() > options_.limit) {
    order.resize(options_.limit);
  }
  if (order.empty()) return;
  writer_->begin_source(source);
  for (const Entry& entry : order) {
    OptionFields fields;
    fields.target = table_.target(entry.row);
    fields.alignment = table_.alignment(entry.row);
    fields.counts = table_.counts(entry.row);
    if (!options_.counts.empty()) {
      const auto at = options_.counts.begin() + 3 * static_cast<std::ptrdiff_t>(entry.row);
      fields.counts = {at[0], at[1], at[2]};
    }
    read_scores(entry.row, scores);
    fields.scores = scores;
    read_reordering(entry.row, reordering);
    fields.reordering = reordering;
    fields.bilingual =
        options_.bilingual_words != 0
            ? options_.bilingual.subspan(bilingual_starts_[entry.row], fields.target.size())
            : table_.bilingual(entry.row);
    writer_->add_option(fields);
  }
}

}  // namespace dragoman
