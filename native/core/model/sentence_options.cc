#include "model/sentence_options.h"

#include <algorithm>
#include <map>
#include <utility>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

SentenceOptions::SentenceOptions(std::string_view line, const Demands& demands,
                                 OptionBuilder& builder, bool drop_unknown, const RowJudge* judge,
                                 std::span<const OfferedTranslation> offers)
    : model_(builder.weighted().model()),
      words_(checked_words(line, demands)),
      barriers_(demands, words_.size()),
      target_(model_.target()) {
  std::vector<WordId> ids;
  ids.reserve(words_.size());
  for (const std::string& word : words_) ids.push_back(model_.source().find(word));
  max_length_ = std::max<std::size_t>(1, model_.table().info().max_source_length);
  for (const GivenTranslation& given : demands.given) {
    max_length_ = std::max<std::size_t>(max_length_, given.end - given.begin);
  }
  max_length_ = std::max<std::size_t>(1, std::min(max_length_, words_.size()));
  lists_.assign(words_.size() * max_length_, nullptr);
  collect_from_table(builder, ids, judge);
  add_offered(offers, drop_unknown);
  copy_unknown(builder, drop_unknown);
  add_given(demands.given, builder, ids);
  forbid_crossing();
  if (model_.context() != nullptr) {
    context_.emplace(*model_.context(), ids);
    look_at_context(builder);
  }
}

void SentenceOptions::collect_from_table(OptionBuilder& builder, std::span<const WordId> ids,
                                         const RowJudge* judge) {
  const PhraseTable& table = model_.table();
  in_table_.assign(ids.size(), false);
  for (std::size_t begin = 0; begin < ids.size(); ++begin) {
    PhraseTable::Node node = PhraseTable::kRoot;
    for (std::size_t end = begin + 1; end <= std::min(ids.size(), begin + max_length_); ++end) {
      if (ids[end - 1] == kUnknown) break;
      node = table.child(node, ids[end - 1]);
      if (node == PhraseTable::kNoNode) break;
      if (table.options(node).empty()) continue;
      if (end == begin + 1) in_table_[begin] = true;
      if (judge == nullptr) {
        slot(begin, end) = &builder.of_node(node);
      } else if (auto list = builder.judged(table.options(node), *judge); list != nullptr) {
        own_lists_.push_back(std::move(list));
        slot(begin, end) = own_lists_.back().get();
      }
    }
  }
}

// What a source would copy is dropped when that is asked for.
void SentenceOptions::add_offered(std::span<const OfferedTranslation> offers, bool drop) {
  for (const OfferedTranslation& offer : offers) {
    if (offer.place >= words_.size() || (drop && offer.provenance.unknown)) continue;
    ExtraOption& option = offered_[offer.place].emplace_back(extra(tokens_of(offer.target)));
    option.provenance = offer.provenance;
    for (std::size_t m = 0; m < model_.sequences().size(); ++m) {
      const SequenceModel& sequence = model_.sequences()[m];
      if (!sequence.bilingual() || offer.bilingual.size() != option.target.size()) continue;
      std::transform(offer.bilingual.begin(), offer.bilingual.end(), option.lm_words[m].begin(),
                     [&sequence](WordId token) { return sequence.id_of(token); });
    }
  }
}

void SentenceOptions::copy_unknown(OptionBuilder& builder, bool drop) {
  for (std::size_t at = 0; at < words_.size(); ++at) {
    if (const auto found = offered_.find(static_cast<std::uint32_t>(at));
        found != offered_.end()) {
      const WordId id = model_.source().find(words_[at]);
      const OptionRange range = id == kUnknown ? OptionRange{} : model_.table().find({&id, 1});
      own_lists_.push_back(builder.with_extra(range, found->second));
      slot(at, at + 1) = own_lists_.back().get();
      continue;
    }
    if (slot(at, at + 1) != nullptr || in_table_[at]) continue;
    ExtraOption copied =
        drop ? extra({}) : extra(std::span<const std::string>(words_).subspan(at, 1));
    copied.provenance.unknown = true;
    own_lists_.push_back(builder.with_extra({}, {&copied, 1}));
    slot(at, at + 1) = own_lists_.back().get();
  }
}

void SentenceOptions::add_given(std::span<const GivenTranslation> all, OptionBuilder& builder,
                                std::span<const WordId> ids) {
  // Exclusive ones clear away everything that overlaps them before any list is put in place.
  for (const GivenTranslation& given : all) {
    if (!given.exclusive) continue;
    const std::size_t from = given.begin >= max_length_ ? given.begin - max_length_ + 1 : 0;
    for (std::size_t begin = from; begin < given.end; ++begin) {
      for (std::size_t end = std::max<std::size_t>(begin, given.begin) + 1;
           end <= std::min(words_.size(), begin + max_length_); ++end) {
        slot(begin, end) = nullptr;
      }
    }
  }
  // All of a span are taken together, in the place of the first. Exclusive ones do not overlap,
  // so that at most one lies at a word.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const GivenTranslation*>> by_span;
  std::vector<const GivenTranslation*> exclusive_at(words_.size(), nullptr);
  for (const GivenTranslation& given : all) {
    by_span[{given.begin, given.end}].push_back(&given);
    if (!given.exclusive) continue;
    std::fill(exclusive_at.begin() + given.begin, exclusive_at.begin() + given.end, &given);
  }
  for (const GivenTranslation& first : all) {
    const auto& together = by_span[{first.begin, first.end}];
    if (together.front() != &first) continue;
    const bool exclusive = std::any_of(together.begin(), together.end(),
                                       [](const auto* given) { return given->exclusive; });
    const bool hidden =
        !exclusive &&
        std::any_of(exclusive_at.begin() + first.begin, exclusive_at.begin() + first.end,
                    [](const auto* given) { return given != nullptr; });
    if (hidden) continue;  // a suggestion under somebody else's exclusive span
    std::vector<ExtraOption> extras;
    for (const GivenTranslation* other : together) {
      if (exclusive && !other->exclusive) continue;
      extras.push_back(extra(tokens_of(other->target)));
      extras.back().provenance.log_prob = static_cast<float>(other->log_prob);
    }
    const auto offered = offered_.find(first.begin);
    if (!exclusive && first.end == first.begin + 1 && offered != offered_.end()) {
      extras.insert(extras.end(), offered->second.begin(), offered->second.end());
    }
    const Sentence phrase = ids.subspan(first.begin, first.end - first.begin);
    const bool known = std::find(phrase.begin(), phrase.end(), kUnknown) == phrase.end();
    const OptionRange range = exclusive || !known ? OptionRange{} : model_.table().find(phrase);
    own_lists_.push_back(builder.with_extra(range, extras));
    slot(first.begin, first.end) = own_lists_.back().get();
  }
}

// Phrases lie inside a zone, outside of it, or contain it whole; none lies across a wall.
void SentenceOptions::forbid_crossing() {
  if (barriers_.empty()) return;
  for (std::size_t begin = 0; begin < words_.size(); ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(words_.size(), begin + max_length_); ++end) {
      if (barriers_.crossed(begin, end)) slot(begin, end) = nullptr;
    }
  }
}

SentenceOptions::ContextValues SentenceOptions::in_context(std::size_t begin, std::size_t end,
                                                           std::uint32_t row) const {
  ContextValues values;
  if (!context_) return values;
  const Sentence target = model_.table().target(row);
  const auto links = model_.table().alignment(row);
  auto link = links.begin();
  for (std::size_t place = begin; place < end; ++place) {
    double sum = 0;
    double count = 0;
    for (; link != links.end() && link->source == place - begin; ++link, ++count) {
      sum += static_cast<double>(context_->log_prob(place, target[link->target]));
    }
    if (count > 0) {
      values.words += sum / count;
    } else {
      values.none += static_cast<double>(context_->log_prob(place, kNoTranslation));
    }
  }
  return values;
}

void SentenceOptions::look_at_context(OptionBuilder& builder) {
  class Judge : public RowJudge {
   public:
    Judge(const SentenceOptions& sentence, const WeightedModel& weighted)
        : sentence_(sentence),
          words_(weighted.weight(*weighted.model().features().context())),
          none_(weighted.weight(*weighted.model().features().context() + 1)) {}
    std::optional<double> judge(std::uint32_t row) const override {
      const ContextValues values = sentence_.in_context(begin, end, row);
      return words_ * values.words + none_ * values.none;
    }
    bool silent() const { return words_ == 0 && none_ == 0; }
    std::size_t begin = 0, end = 0;

   private:
    const SentenceOptions& sentence_;
    double words_, none_;
  };
  Judge judge(*this, builder.weighted());
  if (judge.silent()) return;
  for (std::size_t begin = 0; begin < words_.size(); ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(words_.size(), begin + max_length_); ++end) {
      const OptionList*& list = slot(begin, end);
      if (list == nullptr) continue;
      judge.begin = begin;
      judge.end = end;
      own_lists_.push_back(builder.reweighed(*list, judge));
      list = own_lists_.back().get();
    }
  }
}

const PhraseOption* SentenceOptions::extra_option(SourceSpan span, Sentence target,
                                                  const Provenance& provenance) const {
  const OptionList* const list = options(span.begin, span.end);
  if (list == nullptr) return nullptr;
  for (const PhraseOption& option : list->options()) {
    const auto words = option.target_words();
    if (option.row == kNoRow && option.provenance == provenance &&
        std::equal(words.begin(), words.end(), target.begin(), target.end())) {
      return &option;
    }
  }
  return nullptr;
}

ExtraOption SentenceOptions::extra(std::span<const std::string> target) {
  ExtraOption option;
  for (const std::string& word : target) option.target.push_back(target_.find_or_add(word));
  for (const SequenceModel& sequence : model_.sequences()) {
    std::vector<WordId>& ids = option.lm_words.emplace_back();
    for (std::size_t i = 0; i < target.size(); ++i) {
      ids.push_back(sequence.bilingual() ? kUnknown : sequence.id_of(option.target[i], target[i]));
    }
  }
  return option;
}

}  // namespace dragoman
