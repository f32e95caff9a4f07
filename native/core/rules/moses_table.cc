#include "rules/moses_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "rules/score_phrases.h"
#include "text/checksum.h"
#include "text/error.h"
#include "text/parse_double.h"
#include "text/tokens.h"

namespace dragoman {
namespace {

constexpr std::string_view kSeparator = "|||";
constexpr double kPhrasePenalty = 2.718;

// Moses' columns among ours (kPhraseFeatures): p(s|t) lex(s|t) p(t|s) lex(t|s).
constexpr std::array<std::size_t, 4> kMosesColumns = {1, 3, 0, 2};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

// Fields end at tokens that are exactly the separator; words may contain its bars.
std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  const char* begin = line.data();
  for_each_token(line, [&](std::string_view token) {
    if (token != kSeparator) return;
    fields.push_back(trim({begin, static_cast<std::size_t>(token.data() - begin)}));
    begin = token.data() + token.size();
  });
  fields.push_back(trim({begin, static_cast<std::size_t>(line.data() + line.size() - begin)}));
  return fields;
}

template <class Use>
void for_each_line(std::string_view lines, Use&& use) {
  while (!lines.empty()) {
    const std::size_t at = lines.find('\n');
    use(lines.substr(0, at));
    if (at == std::string_view::npos) return;
    lines.remove_prefix(at + 1);
  }
}

std::uint64_t pair_key(std::string_view source, std::string_view target) {
  std::string key;  // tokens by single spaces, however the file spaces them
  for (const std::string_view side : {source, target}) {
    for_each_token(side, [&](std::string_view token) { (key += token) += ' '; });
    key += kSeparator;
  }
  return hash_bytes(key);
}

// Ten significant digits: enough for the float behind its logarithm to come back.
void append_probability(std::string& out, float log_probability) {
  char buffer[32];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, std::exp(static_cast<double>(log_probability)),
                    std::chars_format::general, 10);
  out.append(buffer, written.ptr);
}

void append_count(std::string& out, float count) {
  char buffer[32];
  const auto [end, problem] = std::to_chars(buffer, buffer + sizeof buffer, count);
  (void)problem;  // 32 characters hold every float
  out.append(buffer, end);
}

// Whether fields can be told from each other in spite of a phrase's words.
bool is_writable(const Vocabulary& vocabulary, Sentence phrase) {
  return std::none_of(phrase.begin(), phrase.end(), [&](WordId word) {
    return vocabulary.word(word).find(kSeparator) != std::string_view::npos;
  });
}

// The rows of a range that can be written.
template <class Write>
void for_each_writable(const PhraseTable& table, const Vocabulary& source_words, Sentence source,
                       const Vocabulary& target_words, OptionRange range, Write&& write) {
  if (!is_writable(source_words, source)) return;
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    if (is_writable(target_words, table.target(row))) write(row);
  }
}

void append_pair(std::string& out, const Vocabulary& source_words, Sentence source,
                 const Vocabulary& target_words, Sentence target) {
  ((out += source_words.decode(source)) += " ||| ") += target_words.decode(target);
  out += " ||| ";
}

}  // namespace

MosesImporter::MosesImporter(std::string phrase_table_name)
    : name_(std::move(phrase_table_name)), current_name_(name_) {}

void MosesImporter::refuse(const std::string& problem) const {
  throw InputError(current_name_ + ":" + std::to_string(line_) + ": " + problem);
}

void MosesImporter::add_phrases(std::string_view lines) {
  for_each_line(lines, [&](std::string_view line) {
    ++line_;
    add_phrase(line);
  });
}

std::uint64_t MosesImporter::add_words(VocabularyBuilder& vocabulary, std::string_view text,
                                       std::uint8_t& length) {
  const std::uint64_t start = words_.size();
  for_each_token(text, [&](std::string_view token) { words_.push_back(vocabulary.add(token)); });
  const std::uint64_t count = words_.size() - start;
  if (count == 0) refuse("an empty phrase");
  if (count > kLongestPhrase) {
    refuse("a phrase of " + std::to_string(count) + " words; at most " +
           std::to_string(kLongestPhrase) + " are possible");
  }
  length = static_cast<std::uint8_t>(count);
  return start;
}

void MosesImporter::add_phrase(std::string_view line) {
  const auto fields = split_fields(line);
  if (fields.size() < 3) {
    refuse("expected 'source ||| target ||| scores', found " + std::to_string(fields.size()) +
           " field(s); is this a phrase table?");
  }
  Row row;
  row.line = line_;
  row.source = add_words(source_vocabulary_, fields[0], row.source_length);
  row.target = add_words(target_vocabulary_, fields[1], row.target_length);

  std::size_t scores = 0;
  bool penalty = false;
  for_each_token(fields[2], [&](std::string_view token) {
    double value = 0;
    if (!parse_double(token, value)) refuse("'" + std::string(token) + "' is no number");
    const std::size_t column = scores++;
    if (column >= kMosesColumns.size()) {
      penalty = column == kMosesColumns.size() && std::abs(value - kPhrasePenalty) < 0.001;
      return;
    }
    if (!(value > 0 && value <= 1)) {  // NaN fails both
      refuse("the score " + std::string(token) + " is no probability above 0 and up to 1");
    }
    row.scores[kMosesColumns[column]] = static_cast<float>(std::log(value));
  });
  if (scores != kMosesColumns.size() && !penalty) {
    refuse(std::to_string(scores) + " scores; expected 4: p(s|t) lex(s|t) p(t|s) lex(t|s)");
  }

  row.links = links_.size();
  if (fields.size() > 3) {
    for_each_token(fields[3], [&](std::string_view token) {
      const std::size_t dash = token.find('-');
      unsigned source = 0;
      unsigned target = 0;
      const auto number = [&](std::string_view text, unsigned& value) {
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        return problem == std::errc() && end == text.data() + text.size();
      };
      if (dash == std::string_view::npos || !number(token.substr(0, dash), source) ||
          !number(token.substr(dash + 1), target)) {
        refuse("the link '" + std::string(token) + "' is not of the form 0-0");
      }
      if (source >= row.source_length || target >= row.target_length) {
        refuse("the link " + std::string(token) + " points outside the phrase pair");
      }
      links_.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
    });
    const auto begin = links_.begin() + static_cast<std::ptrdiff_t>(row.links);
    std::sort(begin, links_.end());
    links_.erase(std::unique(begin, links_.end()), links_.end());
    if (links_.size() - row.links > 0xffff) refuse("too many links");
    row.link_count = static_cast<std::uint16_t>(links_.size() - row.links);
  }
  if (fields.size() > 4) {
    float* const order[] = {&row.counts.target, &row.counts.source, &row.counts.joint};
    std::size_t count = 0;
    for_each_token(fields[4], [&](std::string_view token) {
      double value = 0;
      if (!parse_double(token, value) || !std::isfinite(value) || value < 0) {
        refuse("'" + std::string(token) + "' is no count");
      }
      if (count < 3) *order[count] = static_cast<float>(value);
      ++count;
    });
  }

  if (run_source_ != fields[0] || rows_.empty()) {
    run_source_ = fields[0];
    ++run_;
  }
  row.run = run_;
  if (rows_.size() >= 0xfffffffeu) refuse("more than 2^32 phrase pairs");
  const auto [entry, fresh] = by_pair_.try_emplace(pair_key(fields[0], fields[1]),
                                                   static_cast<std::uint32_t>(rows_.size()));
  if (!fresh) {
    refuse("the phrase pair '" + std::string(fields[0]) + " ||| " + std::string(fields[1]) +
           "' stands already in line " + std::to_string(rows_[entry->second].line));
  }
  rows_.push_back(row);
}

void MosesImporter::begin_reordering(const std::string& model, std::string file_name) {
  current_name_ = file_name;
  line_ = 0;
  Reordering reordering;
  reordering.model = model;
  reordering.file = std::move(file_name);
  reordering.scores.assign(rows_.size() * kScoresPerReordering,
                           static_cast<float>(-std::log(static_cast<double>(kOrientations))));
  reordering.seen.assign(rows_.size(), false);
  reorderings_.push_back(std::move(reordering));
}

void MosesImporter::add_reordering(std::string_view lines) {
  for_each_line(lines, [&](std::string_view line) {
    ++line_;
    add_orientation(line);
  });
}

void MosesImporter::add_orientation(std::string_view line) {
  Reordering& reordering = reorderings_.back();
  const auto fields = split_fields(line);
  if (fields.size() != 3) {
    refuse("expected 'source ||| target ||| scores', found " + std::to_string(fields.size()) +
           " field(s); is this a reordering table?");
  }
  float scores[kScoresPerReordering] = {};
  std::size_t count = 0;
  for_each_token(fields[2], [&](std::string_view token) {
    double value = 0;
    if (!parse_double(token, value)) refuse("'" + std::string(token) + "' is no number");
    if (!(value > 0 && value <= 1)) {
      refuse("the score " + std::string(token) + " is no probability above 0 and up to 1");
    }
    if (count < kScoresPerReordering) scores[count] = static_cast<float>(std::log(value));
    ++count;
  });
  if (count != kScoresPerReordering) {
    refuse(std::to_string(count) + " scores; expected 6, of an msd-bidirectional-fe model");
  }
  const auto found = by_pair_.find(pair_key(fields[0], fields[1]));
  if (found == by_pair_.end()) {
    refuse("the phrase pair '" + std::string(fields[0]) + " ||| " + std::string(fields[1]) +
           "' is not in " + name_);
  }
  if (reordering.seen[found->second]) {
    refuse("the phrase pair '" + std::string(fields[0]) + " ||| " + std::string(fields[1]) +
           "' stands there twice");
  }
  reordering.seen[found->second] = true;
  ++reordering.filled;
  std::copy(std::begin(scores), std::end(scores),
            reordering.scores.begin() +
                static_cast<std::ptrdiff_t>(found->second * kScoresPerReordering));
}

std::uint64_t MosesImporter::without_reordering() const {
  std::uint64_t missing = 0;
  for (const Reordering& reordering : reorderings_) {
    missing = std::max<std::uint64_t>(missing, rows_.size() - reordering.filled);
  }
  return missing;
}

void MosesImporter::finish(const std::string& table_path,
                           const std::string& source_vocabulary_path,
                           const std::string& target_vocabulary_path,
                           const std::vector<double>& weights) {
  if (rows_.empty()) throw InputError(name_ + ": no phrase pairs");
  const auto [source_vocabulary, source_ids] = source_vocabulary_.finish();
  const auto [target_vocabulary, target_ids] = target_vocabulary_.finish();
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.source_length; ++i) {
      WordId& word = words_[row.source + i];
      word = source_ids[static_cast<std::size_t>(word)];
    }
    for (std::size_t i = 0; i < row.target_length; ++i) {
      WordId& word = words_[row.target + i];
      word = target_ids[static_cast<std::size_t>(word)];
    }
  }
  const auto source_of = [&](const Row& row) { return words(row.source, row.source_length); };
  const auto target_of = [&](const Row& row) { return words(row.target, row.target_length); };
  std::vector<double> estimates(rows_.size());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (std::size_t feature = 0; feature < kPhraseFeatures.size(); ++feature) {
      estimates[row] += weights.at(feature) * static_cast<double>(rows_[row].scores[feature]);
    }
  }
  std::vector<std::uint32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Sentence x = source_of(rows_[a]);
    const Sentence y = source_of(rows_[b]);
    if (!same_words(x, y)) return words_before(x, y);
    if (estimates[a] != estimates[b]) return estimates[a] > estimates[b];
    return words_before(target_of(rows_[a]), target_of(rows_[b]));
  });
  // Lines of one source phrase stand together in a sorted table; where they do not, lines were
  // lost, mixed up or added, and whatever was counted over them is not to be trusted.
  for (std::size_t at = 1; at < order.size(); ++at) {
    const Row& a = rows_[order[at - 1]];
    const Row& b = rows_[order[at]];
    if (a.run != b.run && same_words(source_of(a), source_of(b))) {
      const auto [earlier, later] = std::minmax(a.line, b.line);
      throw InputError(name_ + ":" + std::to_string(later) + ": the table is not sorted: '" +
                       source_vocabulary.decode(source_of(a)) + "' stands already in line " +
                       std::to_string(earlier) +
                       ", with other phrases between; sort it: LC_ALL=C sort -u");
    }
  }

  source_vocabulary.save(source_vocabulary_path);
  target_vocabulary.save(target_vocabulary_path);
  PhraseTableLayout layout;
  layout.features.assign(kPhraseFeatures.begin(), kPhraseFeatures.end());
  for (const Reordering& reordering : reorderings_) layout.reorderings.push_back(reordering.model);
  layout.source_words = static_cast<std::uint32_t>(source_vocabulary.size());
  layout.target_words = static_cast<std::uint32_t>(target_vocabulary.size());
  layout.sort_weights = weights;
  PhraseTableWriter writer(table_path, std::move(layout));
  Sentence source;
  std::vector<float> reordering_scores(reorderings_.size() * kScoresPerReordering);
  for (const std::uint32_t number : order) {
    const Row& row = rows_[number];
    if (source.empty() || !same_words(source, source_of(row))) {
      source = source_of(row);
      writer.begin_source(source);
    }
    for (std::size_t model = 0; model < reorderings_.size(); ++model) {
      std::copy_n(
          reorderings_[model].scores.begin() +
              static_cast<std::ptrdiff_t>(std::size_t{number} * kScoresPerReordering),
          kScoresPerReordering,
          reordering_scores.begin() + static_cast<std::ptrdiff_t>(model * kScoresPerReordering));
    }
    OptionFields fields;
    fields.target = target_of(row);
    fields.alignment = std::span(links_).subspan(row.links, row.link_count);
    fields.counts = row.counts;
    fields.scores = row.scores;
    fields.reordering = reordering_scores;
    writer.add_option(fields);
  }
  writer.finish();
}

std::string moses_phrases(const PhraseTable& table, const Vocabulary& source_words,
                          const Vocabulary& target_words, std::uint32_t first,
                          std::uint32_t last) {
  std::array<std::size_t, 4> columns{};
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const char* const name = kPhraseFeatures[kMosesColumns[at]];
    const auto column = table.feature(name);
    if (!column) throw InputError(table.path() + ": has no feature " + name);
    columns[at] = *column;
  }
  std::string out;
  table.for_each_source(first, last, [&](Sentence source, OptionRange range) {
    for_each_writable(table, source_words, source, target_words, range, [&](std::uint32_t row) {
      append_pair(out, source_words, source, target_words, table.target(row));
      for (const std::size_t column : columns) {
        append_probability(out, table.score(row, column));
        out += ' ';
      }
      out += "|||";
      for (const PhraseLink& link : table.alignment(row)) {
        ((out += ' ') += std::to_string(link.source)) += '-';
        out += std::to_string(link.target);
      }
      out += " |||";
      const PhraseCounts& counts = table.counts(row);
      if (counts != PhraseCounts{}) {
        for (const float count : {counts.target, counts.source, counts.joint}) {
          append_count(out += ' ', count);
        }
      }
      out += '\n';
    });
  });
  return out;
}

std::string moses_reordering(const PhraseTable& table, const Vocabulary& source_words,
                             const Vocabulary& target_words, std::size_t model,
                             std::uint32_t first, std::uint32_t last) {
  if (model >= table.info().reorderings) throw InputError("there is no such reordering model");
  std::string out;
  float scores[kScoresPerReordering];
  table.for_each_source(first, last, [&](Sentence source, OptionRange range) {
    for_each_writable(table, source_words, source, target_words, range, [&](std::uint32_t row) {
      append_pair(out, source_words, source, target_words, table.target(row));
      table.reordering_scores(row, model, scores);
      for (std::size_t at = 0; at < kScoresPerReordering; ++at) {
        if (at > 0) out += ' ';
        append_probability(out, scores[at]);
      }
      out += '\n';
    });
  });
  return out;
}

}  // namespace dragoman
