#include "model/rule_options.h"

#include <algorithm>
#include <limits>

namespace dragoman {

std::size_t RuleList::bytes() const {
  return sizeof(RuleList) + options_.capacity() * sizeof(RuleOption) +
         (targets_.capacity() + lm_symbols_.capacity()) * sizeof(WordId) +
         derived_.capacity() * sizeof(LmBoundary);
}

RuleOptionBuilder::RuleOptionBuilder(const WeightedModel& weighted, std::uint32_t limit,
                                     double threshold)
    : weighted_(weighted),
      limit_(limit == 0 ? std::numeric_limits<std::uint32_t>::max() : limit),
      threshold_(threshold),
      columns_(weighted.model().features().table_columns()) {}

void RuleOptionBuilder::forget() {
  lists_.clear();
  bytes_ = 0;
}

void RuleOptionBuilder::append_lm_symbols(Sentence target, std::vector<WordId>& symbols) const {
  for (const SequenceModel& sequence : weighted_.model().sequences()) {
    for (const WordId symbol : target) {
      symbols.push_back(is_gap(symbol) ? -1 - static_cast<WordId>(gap_number(symbol))
                                       : sequence.id_of(symbol));
    }
  }
}

// Weighted. With `derived`, there must be no gaps.
double RuleOptionBuilder::language_models(Sentence lm_symbols, std::size_t symbols,
                                          LmBoundary* derived) const {
  double total = 0;
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    const NgramModel& model = weighted_.model().sequences()[m].model;
    LmBoundary boundary;
    double log_prob = 0;
    for (std::size_t at = 0; at < symbols;) {
      LmJoiner joiner(model, boundary);
      for (; at < symbols && lm_symbols[m * symbols + at] >= 0; ++at) {
        joiner.word(lm_symbols[m * symbols + at]);
      }
      log_prob += joiner.log_prob();
      if (at < symbols) ++at;  // the gap
    }
    if (derived != nullptr) derived[m] = boundary;
    total += weighted_.sequence_weight(m) * log_prob;
  }
  return total;
}

RuleOptionBuilder::Draft RuleOptionBuilder::draft_of(std::uint32_t row) {
  const FeatureSet& features = weighted_.model().features();
  const PhraseTable& table = weighted_.model().table();
  const Sentence target = table.target(row);
  Draft draft;
  draft.row = row;
  table.scores(row, columns_.data());
  const auto words =
      std::count_if(target.begin(), target.end(), [](WordId symbol) { return !is_gap(symbol); });
  draft.fixed = weighted_.weight(features.phrases()) +
                weighted_.weight(features.words()) * static_cast<double>(words);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    draft.fixed += weighted_.weight(column) * static_cast<double>(columns_[column]);
  }
  scratch_.clear();
  append_lm_symbols(target, scratch_);
  draft.estimate = draft.fixed + language_models(scratch_, target.size(), nullptr);
  return draft;
}

const RuleList& RuleOptionBuilder::of_node(PhraseTable::Node node) {
  std::unique_ptr<RuleList>& list = lists_[node];
  if (list != nullptr) return *list;
  list = std::make_unique<RuleList>();
  const PhraseTable& table = weighted_.model().table();
  const OptionRange range = table.options(node);
  std::vector<Draft> drafts;
  drafts.reserve(range.size());
  for (std::uint32_t row = range.begin; row < range.end; ++row) drafts.push_back(draft_of(row));
  const auto better = [](const Draft& a, const Draft& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.row < b.row;
  };
  const auto kept = std::min<std::size_t>(drafts.size(), limit_);
  std::partial_sort(drafts.begin(), drafts.begin() + static_cast<std::ptrdiff_t>(kept),
                    drafts.end(), better);
  drafts.resize(kept);
  while (!drafts.empty() && drafts.back().estimate < drafts.front().estimate - threshold_) {
    drafts.pop_back();
  }
  // Reserved in full, because options point into them.
  std::size_t symbols = 0;
  for (const Draft& draft : drafts) symbols += table.target(draft.row).size();
  list->options_.reserve(drafts.size());
  list->lm_symbols_.reserve(symbols * weighted_.sequences());
  list->derived_.reserve(drafts.size() * weighted_.sequences());
  for (const Draft& draft : drafts) {
    const Sentence target = table.target(draft.row);
    RuleOption option;
    option.fixed = draft.fixed;
    option.estimate = draft.estimate;
    option.row = draft.row;
    option.target = target.data();
    option.symbols = static_cast<std::uint16_t>(target.size());
    scratch_.clear();
    append_lm_symbols(target, scratch_);
    finish(*list, option, scratch_);
  }
  bytes_ += list->bytes();
  return *list;
}

void RuleOptionBuilder::finish(RuleList& list, RuleOption option, Sentence lm_symbols) {
  const Sentence target = option.target_symbols();
  option.words = static_cast<std::uint16_t>(
      std::count_if(target.begin(), target.end(), [](WordId symbol) { return !is_gap(symbol); }));
  option.lm_symbols = list.lm_symbols_.data() + list.lm_symbols_.size();
  list.lm_symbols_.insert(list.lm_symbols_.end(), lm_symbols.begin(), lm_symbols.end());
  if (option.words == option.symbols) {
    const std::size_t first = list.derived_.size();
    list.derived_.resize(first + weighted_.sequences());
    LmBoundary* const derived = list.derived_.data() + first;
    option.derived = derived;
    option.estimate = option.fixed + language_models(lm_symbols, option.symbols, derived);
  }
  list.options_.push_back(option);
}

std::unique_ptr<RuleList> RuleOptionBuilder::extra(std::span<const Extra> extras) {
  const FeatureSet& features = weighted_.model().features();
  auto list = std::make_unique<RuleList>();
  std::size_t words = 0;
  for (const Extra& extra : extras) words += extra.ids.size();
  list->options_.reserve(extras.size());
  list->targets_.reserve(words);
  list->lm_symbols_.reserve(words * weighted_.sequences());
  list->derived_.reserve(extras.size() * weighted_.sequences());
  for (const Extra& extra : extras) {
    RuleOption option;
    option.provenance = extra.provenance;
    option.symbols = static_cast<std::uint16_t>(extra.ids.size());
    option.target = list->targets_.data() + list->targets_.size();
    list->targets_.insert(list->targets_.end(), extra.ids.begin(), extra.ids.end());
    option.fixed =
        weighted_.weight(extra.provenance) + weighted_.weight(features.words()) * option.symbols;
    scratch_.clear();
    for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
      for (const std::string& word : extra.words) {
        scratch_.push_back(weighted_.model().sequences()[m].model.vocabulary().find(word));
      }
    }
    finish(*list, option, scratch_);
  }
  std::stable_sort(
      list->options_.begin(), list->options_.end(),
      [](const RuleOption& a, const RuleOption& b) { return a.estimate > b.estimate; });
  return list;
}

}  // namespace dragoman
