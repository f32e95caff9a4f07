#include "model/phrase_options.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "text/checksum.h"

namespace dragoman {

namespace {

// Sums of the same numbers in another order differ in the last bits.
constexpr double kRounding = 1e-7;

}  // namespace

WeightedModel::WeightedModel(std::shared_ptr<const TranslationModel> model,
                             std::span<const double> weights)
    : model_(std::move(model)), weights_(weights.begin(), weights.end()) {
  check_weights(model_->features(), weights);
}

double WeightedModel::weight(const Provenance& provenance) const {
  const FeatureSet& features = model_->features();
  double total = weight(features.phrases());
  for (std::size_t column = 0; column < features.table_columns(); ++column) {
    total += weights_[column] * static_cast<double>(provenance.log_prob);
  }
  const auto counter = features.counter_of(provenance);
  return total + (counter ? weights_[*counter] : 0);
}

std::size_t OptionList::bytes() const {
  return sizeof(OptionList) + options_.capacity() * sizeof(PhraseOption) +
         (targets_.capacity() + lm_words_.capacity()) * sizeof(WordId) +
         (lm_rest_.capacity() + reordering_.capacity()) * sizeof(float) +
         lm_ends_.capacity() * sizeof(LmState);
}

OptionBuilder::OptionBuilder(const WeightedModel& weighted, std::uint32_t limit, double threshold)
    : weighted_(weighted),
      limit_(limit == 0 ? std::numeric_limits<std::uint32_t>::max() : limit),
      threshold_(threshold),
      lm_only_lowers_(true),
      columns_(weighted.model().features().size()) {
  for (std::size_t i = 0; i < weighted.sequences(); ++i) {
    lm_only_lowers_ = lm_only_lowers_ && weighted.sequence_weight(i) >= 0;
  }
}

std::size_t OptionBuilder::ForwardHash::operator()(const ForwardScores& scores) const {
  std::array<std::uint64_t, sizeof(ForwardScores) / sizeof(std::uint64_t)> bits;
  std::memcpy(bits.data(), scores.data(), sizeof(bits));
  std::uint64_t hash = 0;
  for (const std::uint64_t two : bits) hash = fold_multiply(hash ^ two, 0x9e3779b97f4a7c15);
  return hash;
}

void OptionBuilder::forget() {
  lists_.clear();
  bytes_ = 0;
}

const OptionList& OptionBuilder::of_node(PhraseTable::Node node) {
  std::unique_ptr<OptionList>& list = lists_[node];
  if (list == nullptr) {
    list = std::make_unique<OptionList>();
    choose_rows(weighted_.model().table().options(node));
    fill(*list, {});
    bytes_ += list->bytes();
  }
  return *list;
}

std::unique_ptr<OptionList> OptionBuilder::judged(OptionRange range, const RowJudge& judge) {
  choose_rows(range, &judge);
  if (drafts_.empty()) return nullptr;
  auto list = std::make_unique<OptionList>();
  fill(*list, {});
  return list;
}

std::unique_ptr<OptionList> OptionBuilder::reweighed(const OptionList& list,
                                                     const RowJudge& context) const {
  auto own = std::make_unique<OptionList>();
  own->options_ = list.options_;
  for (PhraseOption& option : own->options_) {
    if (option.row == kNoRow) continue;
    const double more = context.judge(option.row).value_or(0);
    option.fixed += more;
    option.estimate += more;
  }
  std::stable_sort(
      own->options_.begin(), own->options_.end(),
      [](const PhraseOption& a, const PhraseOption& b) { return a.estimate > b.estimate; });
  return own;
}

std::unique_ptr<OptionList> OptionBuilder::with_extra(OptionRange range,
                                                      std::span<const ExtraOption> extra) {
  choose_rows(range);
  const FeatureSet& features = weighted_.model().features();
  for (std::size_t i = 0; i < extra.size(); ++i) {
    const ExtraOption& option = extra[i];
    Draft draft;
    draft.extra = static_cast<std::uint32_t>(i);
    draft.fixed = weighted_.weight(option.provenance) +
                  weighted_.weight(features.words()) * static_cast<double>(option.target.size());
    draft.estimate = draft.fixed;
    for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
      const NgramModel& model = weighted_.model().sequences()[m].model;
      LmState states[2];
      std::size_t now = 0;
      for (const WordId word : option.lm_words[m]) {
        draft.estimate += weighted_.sequence_weight(m) *
                          model.score(states[now], word, states[1 - now]).log_prob;
        now = 1 - now;
      }
    }
    drafts_.push_back(draft);
  }
  std::stable_sort(drafts_.begin(), drafts_.end(),
                   [](const Draft& a, const Draft& b) { return a.estimate > b.estimate; });
  auto list = std::make_unique<OptionList>();
  fill(*list, extra);
  return list;
}

void OptionBuilder::score_row(std::uint32_t row, Draft& draft) {
  const FeatureSet& features = weighted_.model().features();
  const PhraseTable& table = weighted_.model().table();
  table.scores(row, columns_.data());
  draft.row = row;
  draft.fixed = weighted_.weight(features.phrases()) +
                weighted_.weight(features.words()) * static_cast<double>(table.target(row).size());
  for (std::size_t column = 0; column < features.table_columns(); ++column) {
    draft.fixed += weighted_.weight(column) * static_cast<double>(columns_[column]);
  }
}

// The language models of the first word, which nothing before it makes more or less likely.
double OptionBuilder::most_likely(std::uint32_t row) const {
  double total = 0;
  const PhraseTable& table = weighted_.model().table();
  if (table.target(row).empty()) return total;
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    const SequenceModel& sequence = weighted_.model().sequences()[m];
    const WordId token = (sequence.bilingual() ? table.bilingual(row) : table.target(row))[0];
    total += weighted_.sequence_weight(m) *
             static_cast<double>(sequence.model.unigram(sequence.id_of(token)));
  }
  return total;
}

// What the language models say of the row; nothing when they make it worse than `least`, which
// its estimate with their first words is not.
std::optional<double> OptionBuilder::approximate(const Draft& draft, double least) {
  double total = 0;
  double at_most = draft.estimate;
  const PhraseTable& table = weighted_.model().table();
  const std::size_t words = table.target(draft.row).size();
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    const SequenceModel& sequence = weighted_.model().sequences()[m];
    const double weight = weighted_.sequence_weight(m);
    const Sentence tokens =
        sequence.bilingual() ? table.bilingual(draft.row) : table.target(draft.row);
    LmState states[2];
    std::size_t now = 0;
    double log_prob = 0;
    for (std::size_t i = 0; i < words; ++i) {
      const WordId word = sequence.id_of(tokens[i]);
      const float here = sequence.model.score(states[now], word, states[1 - now]).log_prob;
      log_prob += here;
      now = 1 - now;
      if (i == 0) continue;
      at_most += weight * static_cast<double>(here);
      if (at_most < least) return std::nullopt;
    }
    total += weight * log_prob;
  }
  return total;
}

// Leaves the best rows in drafts_, by falling estimate. Language models are asked only as long as
// a row may still be among the best: they can but lower the score.
void OptionBuilder::choose_rows(OptionRange range, const RowJudge* judge) {
  drafts_.clear();
  waiting_.clear();
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    const std::optional<double> judgement = judge ? judge->judge(row) : 0.0;
    if (!judgement) continue;
    score_row(row, waiting_.emplace_back());
    waiting_.back().fixed += *judgement;
    waiting_.back().estimate = waiting_.back().fixed + most_likely(row);
  }
  if (waiting_.empty()) return;
  const auto better = [](const Draft& a, const Draft& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.row < b.row;
  };
  const auto worse = [&better](const Draft& a, const Draft& b) { return better(b, a); };
  std::make_heap(waiting_.begin(), waiting_.end(), worse);
  double best = -std::numeric_limits<double>::infinity();
  while (!waiting_.empty()) {
    std::pop_heap(waiting_.begin(), waiting_.end(), worse);
    Draft draft = waiting_.back();
    waiting_.pop_back();
    double least = -std::numeric_limits<double>::infinity();
    if (lm_only_lowers_) {
      least = best - threshold_ - kRounding;
      if (drafts_.size() == limit_) least = std::max(least, drafts_.front().estimate - kRounding);
    }
    if (draft.estimate < least) break;
    const std::optional<double> models = approximate(draft, least);
    if (!models) continue;
    draft.estimate = draft.fixed + *models;
    best = std::max(best, draft.estimate);
    if (drafts_.size() < limit_) {
      drafts_.push_back(draft);
      std::push_heap(drafts_.begin(), drafts_.end(), better);
    } else if (better(draft, drafts_.front())) {  // the front is the worst
      std::pop_heap(drafts_.begin(), drafts_.end(), better);
      drafts_.back() = draft;
      std::push_heap(drafts_.begin(), drafts_.end(), better);
    }
  }
  std::sort(drafts_.begin(), drafts_.end(), better);
  while (drafts_.back().estimate < best - threshold_) drafts_.pop_back();
}

void OptionBuilder::fill(OptionList& list, std::span<const ExtraOption> extra) {
  const PhraseTable& table = weighted_.model().table();
  const std::size_t sequences = weighted_.sequences();
  std::size_t words = 0;
  std::size_t extra_words = 0;
  for (const Draft& draft : drafts_) {
    const std::size_t length =
        draft.row == kNoRow ? extra[draft.extra].target.size() : table.target(draft.row).size();
    words += length;
    if (draft.row == kNoRow) extra_words += length;
  }
  // Reserved in full, because options point into them.
  list.options_.reserve(drafts_.size());
  list.targets_.reserve(extra_words);
  list.lm_words_.reserve(words * sequences);
  list.lm_rest_.reserve(drafts_.size() * sequences * kMaxLmOrder);
  list.lm_ends_.reserve(drafts_.size() * sequences);
  if (weighted_.reorders()) list.reordering_.reserve(drafts_.size() * kReorderingPlaces);
  for (const Draft& draft : drafts_) {
    PhraseOption option;
    option.fixed = draft.fixed;
    option.estimate = draft.estimate;
    option.row = draft.row;
    if (draft.row == kNoRow) {
      const ExtraOption& from = extra[draft.extra];
      option.target = list.targets_.data() + list.targets_.size();
      list.targets_.insert(list.targets_.end(), from.target.begin(), from.target.end());
      option.words = static_cast<std::uint16_t>(from.target.size());
      option.provenance = from.provenance;
    } else {
      const Sentence target = table.target(draft.row);
      option.target = target.data();
      option.words = static_cast<std::uint16_t>(target.size());
    }
    option.lm_words = list.lm_words_.data() + list.lm_words_.size();
    option.lm_rest = list.lm_rest_.data() + list.lm_rest_.size();
    option.lm_end = list.lm_ends_.data() + list.lm_ends_.size();
    fill_sequences(option, extra, draft, list);
    if (weighted_.reorders()) fill_reordering(draft, option, list);
    list.options_.push_back(option);
  }
}

void OptionBuilder::fill_sequences(const PhraseOption& option, std::span<const ExtraOption> extra,
                                   const Draft& draft, OptionList& list) {
  const PhraseTable& table = weighted_.model().table();
  std::vector<float> log_probs(option.words);
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    const SequenceModel& sequence = weighted_.model().sequences()[m];
    Sentence tokens;
    if (draft.row != kNoRow) {
      tokens = sequence.bilingual() ? table.bilingual(draft.row) : table.target(draft.row);
    }
    LmState states[2];
    std::size_t now = 0;
    for (std::size_t i = 0; i < option.words; ++i) {
      const WordId word =
          draft.row == kNoRow ? extra[draft.extra].lm_words[m][i] : sequence.id_of(tokens[i]);
      list.lm_words_.push_back(word);
      log_probs[i] = sequence.model.score(states[now], word, states[1 - now]).log_prob;
      now = 1 - now;
    }
    double rest = 0;
    std::array<float, kMaxLmOrder> sums{};
    for (std::size_t i = option.words; i-- > 0;) {
      rest += log_probs[i];
      if (i < sums.size()) sums[i] = static_cast<float>(rest);
    }
    list.lm_rest_.insert(list.lm_rest_.end(), sums.begin(), sums.end());
    list.lm_ends_.push_back(states[now]);
  }
}

void OptionBuilder::fill_reordering(const Draft& draft, PhraseOption& option, OptionList& list) {
  std::array<float, kReorderingPlaces> sums{};
  const TranslationModel& model = weighted_.model();
  // Options that are not in the table have no opinion on order.
  for (std::size_t r = 0; draft.row != kNoRow && r < model.reorderings(); ++r) {
    std::array<float, kScoresPerReordering> scores;
    model.table().reordering_scores(draft.row, r, scores.data());
    const std::size_t place = model.reordering_kind(r) == ReorderingKind::kHierarchical
                                  ? kByBlockBackward
                                  : kByPhraseBackward;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double weight = weighted_.weight(model.features().reordering(r) + i);
      sums[place + i] += static_cast<float>(weight * static_cast<double>(scores[i]));
    }
  }
  option.reordering = list.reordering_.data() + list.reordering_.size();
  list.reordering_.insert(list.reordering_.end(), sums.begin(), sums.end());
  ForwardScores forward;
  std::copy_n(sums.data() + kByPhraseForward, kOrientations, forward.begin());
  std::copy_n(sums.data() + kByBlockForward, kOrientations, forward.begin() + kOrientations);
  option.forward_class =
      forward_classes_.emplace(forward, static_cast<std::uint32_t>(forward_classes_.size()))
          .first->second;
}

}  // namespace dragoman
