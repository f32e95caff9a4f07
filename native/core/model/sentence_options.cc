#include "model/sentence_options.h"

#include <algorithm>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

bool overlap(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end) {
  return begin < other_end && other_begin < end;
}

// Neither apart nor one inside the other.
bool cross(std::size_t begin, std::size_t end, const Zone& zone) {
  return overlap(begin, end, zone.begin, zone.end) && !(zone.begin <= begin && end <= zone.end) &&
         !(begin <= zone.begin && zone.end <= end);
}

std::string span_text(std::size_t begin, std::size_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

}  // namespace

void check(const SentenceInput& input, std::size_t words) {
  const auto check_span = [words](const char* what, std::uint32_t begin, std::uint32_t end) {
    if (begin >= end || end > words) {
      throw InputError(std::string(what) + " " + span_text(begin, end) +
                       " does not lie in a sentence of " + std::to_string(words) + " words");
    }
  };
  for (const GivenTranslation& given : input.given) {
    check_span("the given translation of", given.begin, given.end);
    if (given.words.size() > 65'535) throw InputError("a given translation is too long");
  }
  for (const Zone& zone : input.zones) check_span("the zone", zone.begin, zone.end);
  for (const std::uint32_t wall : input.walls) {
    if (wall > words) {
      throw InputError("the wall at " + std::to_string(wall) + " lies outside the sentence");
    }
  }
  for (const GivenTranslation& one : input.given) {
    for (const GivenTranslation& other : input.given) {
      const bool same = one.begin == other.begin && one.end == other.end;
      if (!same && one.exclusive && other.exclusive &&
          overlap(one.begin, one.end, other.begin, other.end)) {
        throw InputError("given translations overlap: " + span_text(one.begin, one.end) + " and " +
                         span_text(other.begin, other.end));
      }
    }
    for (const Zone& zone : input.zones) {
      if (one.exclusive && cross(one.begin, one.end, zone)) {
        throw InputError("the given translation of " + span_text(one.begin, one.end) +
                         " crosses the zone " + span_text(zone.begin, zone.end));
      }
    }
    for (const std::uint32_t wall : input.walls) {
      if (one.exclusive && one.begin < wall && wall < one.end) {
        throw InputError("the given translation of " + span_text(one.begin, one.end) +
                         " crosses the wall at " + std::to_string(wall));
      }
    }
  }
  for (const Zone& one : input.zones) {
    for (const Zone& other : input.zones) {
      if (cross(one.begin, one.end, other)) {
        throw InputError("zones cross: " + span_text(one.begin, one.end) + " and " +
                         span_text(other.begin, other.end));
      }
    }
  }
}

SentenceOptions::SentenceOptions(const SentenceInput& input, OptionBuilder& builder,
                                 bool drop_unknown)
    : model_(builder.weighted().model()),
      zones_(input.zones),
      walls_(input.walls),
      target_(model_.target()) {
  for_each_token(input.line, [this](std::string_view word) { words_.emplace_back(word); });
  if (words_.size() > kMaxWords) {
    throw InputError("a line of " + std::to_string(words_.size()) + " words; at most " +
                     std::to_string(kMaxWords) + " can be translated at once");
  }
  check(input, words_.size());
  std::vector<WordId> ids;
  ids.reserve(words_.size());
  for (const std::string& word : words_) ids.push_back(model_.source().find(word));
  max_length_ = std::max<std::size_t>(1, model_.table().info().max_source_length);
  for (const GivenTranslation& given : input.given) {
    max_length_ = std::max<std::size_t>(max_length_, given.end - given.begin);
  }
  max_length_ = std::max<std::size_t>(1, std::min(max_length_, words_.size()));
  lists_.assign(words_.size() * max_length_, nullptr);
  collect_from_table(builder, ids, input.judge);
  copy_unknown(builder, drop_unknown);
  add_given(input, builder, ids);
  forbid_crossing();
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

void SentenceOptions::copy_unknown(OptionBuilder& builder, bool drop) {
  for (std::size_t at = 0; at < words_.size(); ++at) {
    if (slot(at, at + 1) != nullptr || in_table_[at]) continue;
    ExtraOption copied =
        drop ? extra({}) : extra(std::span<const std::string>(words_).subspan(at, 1));
    copied.unknown = true;
    own_lists_.push_back(builder.with_extra({}, {&copied, 1}));
    slot(at, at + 1) = own_lists_.back().get();
  }
}

void SentenceOptions::add_given(const SentenceInput& input, OptionBuilder& builder,
                                std::span<const WordId> ids) {
  // Exclusive ones clear away everything that overlaps them before any list is put in place.
  for (const GivenTranslation& given : input.given) {
    if (!given.exclusive) continue;
    const std::size_t from = given.begin >= max_length_ ? given.begin - max_length_ + 1 : 0;
    for (std::size_t begin = from; begin < given.end; ++begin) {
      for (std::size_t end = std::max<std::size_t>(begin, given.begin) + 1;
           end <= std::min(words_.size(), begin + max_length_); ++end) {
        slot(begin, end) = nullptr;
      }
    }
  }
  for (std::size_t i = 0; i < input.given.size(); ++i) {
    const GivenTranslation& first = input.given[i];
    const auto same_span = [&first](const GivenTranslation& other) {
      return other.begin == first.begin && other.end == first.end;
    };
    if (std::any_of(input.given.begin(), input.given.begin() + static_cast<std::ptrdiff_t>(i),
                    same_span)) {
      continue;  // taken together with the first of its span
    }
    bool exclusive = false;
    bool hidden = false;
    for (const GivenTranslation& other : input.given) {
      if (!overlap(first.begin, first.end, other.begin, other.end) || !other.exclusive) continue;
      (same_span(other) ? exclusive : hidden) = true;
    }
    if (hidden) continue;  // a suggestion under somebody else's exclusive span
    std::vector<ExtraOption> extras;
    for (const GivenTranslation& other : input.given) {
      if (!same_span(other) || (exclusive && !other.exclusive)) continue;
      extras.push_back(extra(other.words));
      extras.back().log_prob = other.log_prob;
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
  if (zones_.empty() && walls_.empty()) return;
  for (std::size_t begin = 0; begin < words_.size(); ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(words_.size(), begin + max_length_); ++end) {
      const bool crosses_zone =
          std::any_of(zones_.begin(), zones_.end(),
                      [begin, end](const Zone& zone) { return cross(begin, end, zone); });
      const bool crosses_wall =
          std::any_of(walls_.begin(), walls_.end(),
                      [begin, end](std::uint32_t wall) { return begin < wall && wall < end; });
      if (crosses_zone || crosses_wall) slot(begin, end) = nullptr;
    }
  }
}

ExtraOption SentenceOptions::extra(std::span<const std::string> target) {
  ExtraOption option;
  for (const std::string& word : target) option.target.push_back(target_.find_or_add(word));
  for (const SequenceModel& sequence : model_.sequences()) {
    std::vector<WordId>& ids = option.lm_words.emplace_back();
    for (const std::string& word : target) {
      ids.push_back(sequence.bilingual ? kUnknown : sequence.model.vocabulary().find(word));
    }
  }
  return option;
}

}  // namespace dragoman
