#include "search/chart.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::size_t kMaxRuleBytes = std::size_t{256} << 20;
constexpr std::size_t kBoundariesPerBlock = 4096;
constexpr std::size_t kMaxSpans = 20'000'000;
constexpr std::uint32_t kBeginNode = 0;

[[noreturn]] void refuse(std::size_t length, std::size_t limit, const char* what) {
  throw InputError("a line of " + std::to_string(length) + " words " + what + " of up to " +
                   std::to_string(limit) + " words; give a lower span-limit");
}

}  // namespace

ChartSearch::ChartSearch(const WeightedModel& weighted, const ChartOptions& options, Room room)
    : weighted_(weighted),
      options_(options),
      builder_(weighted, options.ttable_limit, options.ttable_threshold),
      glue_weight_(weighted.weight(weighted.model().features().glue())),
      room_(room),
      space_(weighted.sequences()),
      halves_(weighted.sequences()) {
  check(options);
  if (options_.pop_limit == 0) options_.pop_limit = std::numeric_limits<std::uint32_t>::max();
}

LmBoundary* ChartSearch::new_boundaries() {
  const std::size_t size = weighted_.sequences();
  if (blocks_used_ == 0 || block_at_ + size > kBoundariesPerBlock) {
    if (blocks_used_ == blocks_.size()) {
      blocks_.push_back(std::make_unique<LmBoundary[]>(kBoundariesPerBlock));
    }
    ++blocks_used_;
    block_at_ = 0;
  }
  LmBoundary* boundaries = blocks_[blocks_used_ - 1].get() + block_at_;
  block_at_ += size;
  return boundaries;
}

void ChartSearch::start(std::size_t length) {
  if (builder_.bytes() > kMaxRuleBytes) builder_.forget();
  limit_ = options_.span_limit == 0 ? length : std::min<std::size_t>(options_.span_limit, length);
  for (const GivenTranslation& given : sentence_->given()) {
    limit_ = std::max<std::size_t>(limit_, given.end - given.begin);
  }
  if ((length + 1) * (limit_ + 1) > kMaxSpans) refuse(length, limit_, "has too many spans");
  extra_.clear();
  rows_.resize(limit_ + 1);
  much_ = room_.few;
  // The begin of the sentence.
  blocks_used_ = 0;
  LmBoundary* boundaries = new_boundaries();
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    LmJoiner joiner(weighted_.model().sequences()[m].model, boundaries[m]);
    joiner.begin_sentence();
  }
  space_.halves_of(boundaries, halves_);
  begin_row(0);
  row(0).before.push_back(space_.add_node({}, halves_));
}

const ChartSpace& ChartSearch::run(ChartSentence& sentence, ChartKeeps keeps) {
  sentence_ = &sentence;
  space_.clear(keeps);
  const std::size_t length = sentence.length();
  start(length);
  for (std::size_t end = 1; end <= length; ++end) {
    const std::size_t first = end > limit_ ? end - limit_ : 0;
    for (std::size_t begin = end; begin-- > first;) {
      cubes_.clear();
      filled_.clear();
      const SourceSpan span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      if (sentence.allows(begin, end)) {
        match(begin, end);
        fill(span);
      } else {
        row(begin).with_word.clear();
      }
      if (!filled_.empty() && end - begin < limit_) {
        // The span may be the first gap of a longer one.
        Dotted item;
        item.node = weighted_.model().table().child(PhraseTable::kRoot, kGaps[0]);
        item.gaps = 1;
        item.spans[0] = span;
        if (item.node != PhraseTable::kNoNode) await_word(begin, end, item);
      }
      row(begin).close(filled_);
    }
    glue(first, end);
    if (space_.edges() > much_) forget(end);
  }
  finish();
  return space_;
}

// S up to the end, which the row that begins there is told.
void ChartSearch::glue(std::size_t first, std::size_t end) {
  cubes_.clear();
  filled_.clear();
  for (std::size_t middle = first; middle < end; ++middle) {
    const Nodes before = row(middle).before;
    const Nodes last = row(middle).cell(end);
    if (!before.empty() && !last.empty()) cubes_.push_back({{}, 2, {before, last}});
  }
  fill({0, static_cast<std::uint16_t>(end)});
  begin_row(end);
  row(end).before = filled_;
}

void ChartSearch::begin_row(std::size_t begin) {
  row(begin).start(begin);
  await_word(begin, begin, {});
}

// What nothing can be made of any more, once all up to `end` is done.
void ChartSearch::forget(std::size_t end) {
  const std::size_t first = end + 1 > limit_ ? end + 1 - limit_ : 0;
  std::vector<ChartSpace::Nodes*> wanted;
  for (std::size_t begin = first; begin < end; ++begin) {
    row(begin).for_each_gap([this](SourceSpan gap) { row(gap.begin).want(gap.end); });
  }
  for (std::size_t begin = first; begin <= end; ++begin) {
    row(begin).forget_unwanted();
    wanted.push_back(&row(begin).nodes());
    wanted.push_back(&row(begin).before);
  }
  space_.keep(wanted);
  much_ = std::max(room_.few, 2 * space_.edges());
  if (space_.edges() > room_.most) {
    refuse(sentence_->length(), limit_, "leaves too much to keep with spans");
  }
}

// The rule is matched up to the end of the span: it is applied, and may go on.
void ChartSearch::add_dotted(std::size_t begin, std::size_t end, const Dotted& item) {
  const PhraseTable& table = weighted_.model().table();
  const bool gap_first = item.gaps > 0 && item.spans[0].begin == begin;
  if (!sentence_->begins_well(begin, gap_first ? item.spans[0].end : begin, end)) return;
  if (!table.options(item.node).empty()) {
    Cube cube;
    cube.rules = builder_.of_node(item.node).options();
    cube.part_count = item.gaps;
    for (std::size_t gap = 0; gap < item.gaps; ++gap) {
      cube.parts[gap] = row(item.spans[gap].begin).cell(item.spans[gap].end);
    }
    cubes_.push_back(cube);
  }
  if (end - begin == limit_) return;
  await_word(begin, end, item);
  if (item.gaps == kGaps.size()) return;
  Dotted next = item;
  next.node = table.child(item.node, kGaps[item.gaps]);
  if (next.node != PhraseTable::kNoNode) row(begin).add_with_gap(next);
}

// Only if there is a rule that goes on with the word behind the span, which most do not.
void ChartSearch::await_word(std::size_t begin, std::size_t end, const Dotted& item) {
  if (end == sentence_->length() || sentence_->ids()[end] == kUnknown) return;
  Dotted next = item;
  next.node = weighted_.model().table().child(item.node, sentence_->ids()[end]);
  if (next.node != PhraseTable::kNoNode) row(begin).with_word.push_back(next);
}

// All rules over [begin, end), as cubes; and what may become rules over longer spans.
void ChartSearch::match(std::size_t begin, std::size_t end) {
  ChartRow& mine = row(begin);
  with_word_.clear();
  with_word_.swap(mine.with_word);
  if (sentence_->allows(begin, end - 1, end, true)) {
    for (const Dotted& item : with_word_) add_dotted(begin, end, item);
  }
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    if (row(middle).cell(end).empty() || !sentence_->allows(begin, middle, end, false)) continue;
    const auto [from, to] = mine.with_gap_from(middle);
    for (std::size_t index = from; index < to; ++index) {
      Dotted item = mine.with_gap(index);
      item.spans[item.gaps++] = {static_cast<std::uint16_t>(middle),
                                 static_cast<std::uint16_t>(end)};
      add_dotted(begin, end, item);
    }
  }
  add_extra(begin, end);
}

// What is not in the table: given translations, those that sources offer, and a word that nothing
// else translates.
void ChartSearch::add_extra(std::size_t begin, std::size_t end) {
  std::vector<RuleOptionBuilder::Extra> extras;
  const auto add = [&](std::vector<std::string> words, const Provenance& provenance) {
    RuleOptionBuilder::Extra& extra = extras.emplace_back();
    for (const std::string& word : words)
      extra.ids.push_back(sentence_->target().find_or_add(word));
    extra.words = std::move(words);
    extra.provenance = provenance;
  };
  const auto here = [&](const GivenTranslation& given) {
    return given.begin == begin && given.end == end;
  };
  const auto given = sentence_->given(begin);
  const bool exclusive = std::any_of(given.begin(), given.end(),
                                     [&](const auto& one) { return here(one) && one.exclusive; });
  for (const GivenTranslation& one : given) {
    if (here(one) && one.exclusive == exclusive) {
      add(tokens_of(one.target), {static_cast<float>(one.log_prob)});
    }
  }
  const bool drop = options_.unknown == UnknownWords::kDrop;
  for (const OfferedTranslation& offer : sentence_->offers()) {
    const bool at_word = end == begin + 1 && offer.place == begin;
    if (!at_word || exclusive || (drop && offer.provenance.unknown)) continue;
    add(tokens_of(offer.target), offer.provenance);
  }
  if (end == begin + 1 && cubes_.empty() && extras.empty()) {
    std::vector<std::string> copied;
    if (!drop) copied.push_back(sentence_->words()[begin]);
    add(std::move(copied), {.unknown = true});
  }
  if (extras.empty()) return;
  extra_.push_back(builder_.extra(extras));
  cubes_.push_back({extra_.back()->options(), 0, {}});
}

// Putting the first part of a sentence after its begin is no glue.
double ChartSearch::glue_score(const Candidate& candidate) const {
  return part(candidate, 0) == kBeginNode ? 0 : glue_weight_;
}

void ChartSearch::push(std::uint32_t cube_index, std::uint32_t rule, std::uint32_t first,
                       std::uint32_t second) {
  const Cube& cube = cubes_[cube_index];
  if (rule >= std::max<std::size_t>(cube.rules.size(), 1) ||
      first >= (cube.part_count > 0 ? cube.parts[0].size() : 1) ||
      second >= (cube.part_count > 1 ? cube.parts[1].size() : 1)) {
    return;
  }
  Candidate candidate;
  candidate.cube = cube_index;
  candidate.ranks[0] = rule;
  candidate.ranks[1] = first;
  candidate.ranks[2] = second;
  if (!cube.rules.empty()) {
    candidate.score = cube.rules[rule].estimate;
    candidate.boundaries = cube.rules[rule].derived;
    candidate.evaluated = candidate.boundaries != nullptr || weighted_.sequences() == 0;
  }
  for (std::size_t number = 0; number < cube.part_count; ++number) {
    candidate.score += space_.best(part(candidate, number)).score;
  }
  if (cube.rules.empty()) candidate.score += glue_score(candidate);
  queue_.push_back(candidate);
  std::push_heap(queue_.begin(), queue_.end(), Worse());
}

// The full score, with the language models across all seams.
void ChartSearch::evaluate(Candidate& candidate) {
  ++space_.stats.evaluated;
  const Cube& cube = cubes_[candidate.cube];
  const RuleOption* rule = cube.rules.empty() ? nullptr : &cube.rules[candidate.ranks[0]];
  LmBoundary* const boundaries = new_boundaries();
  double score = rule != nullptr ? rule->fixed : glue_score(candidate);
  const ChartSpace::Halves* halves[2];
  for (std::size_t number = 0; number < cube.part_count; ++number) {
    const std::uint32_t node = part(candidate, number);
    score += space_.best(node).score;
    halves[number] = space_.halves(node);
  }
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    LmJoiner joiner(weighted_.model().sequences()[m].model, boundaries[m]);
    if (rule == nullptr) {
      space_.join(joiner, m, halves[0][m]);
      space_.join(joiner, m, halves[1][m]);
    } else {
      const WordId* symbols = rule->lm_symbols + m * rule->symbols;
      for (std::size_t at = 0; at < rule->symbols; ++at) {
        if (symbols[at] >= 0) {
          joiner.word(symbols[at]);
        } else {
          space_.join(joiner, m, halves[-1 - symbols[at]][m]);
        }
      }
    }
    score += weighted_.sequence_weight(m) * joiner.log_prob();
  }
  candidate.score = score;
  candidate.boundaries = boundaries;
  candidate.evaluated = true;
}

std::uint32_t& ChartSearch::slot_of(std::span<const ChartSpace::Halves> halves) {
  std::uint64_t hash = 1;
  for (const auto [left, right] : halves) {
    hash = (hash ^ (std::uint64_t{left} << 32 | right)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.node == kNone) {
      slot.hash = hash;
      return slot.node;
    }
    if (slot.hash == hash && std::equal(halves.begin(), halves.end(), space_.halves(slot.node))) {
      return slot.node;
    }
  }
}

// Into the cell, as a node or as one more way to a node.
void ChartSearch::admit(const Candidate& candidate, SourceSpan span) {
  const Cube& cube = cubes_[candidate.cube];
  ChartEdge edge;
  edge.score = candidate.score;
  edge.span = span;
  if (!cube.rules.empty()) edge.rule = &cube.rules[candidate.ranks[0]];
  for (std::size_t number = 0; number < cube.part_count; ++number) {
    edge.tails[number] = part(candidate, number);
  }
  space_.halves_of(candidate.boundaries, halves_);
  std::uint32_t& node = slot_of(halves_);
  if (node != kNone) {
    ++space_.stats.recombined;
    space_.add_edge(node, edge);
    return;
  }
  node = space_.add_node(edge, halves_);
  filled_.push_back(node);
  if (filled_.size() * 2 > slots_.size()) grow_slots();
}

void ChartSearch::grow_slots() {
  std::vector<Slot> slots(slots_.size() * 2);
  slots.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : slots) {
    if (slot.node == kNone) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].node != kNone) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

// Cube pruning over all cubes of a cell at once. A candidate is first queued with an estimate and
// meets the language models only when that comes to the front. Of a candidate's neighbours, each
// is reached from one side only (Gesmundo & Henderson 2010, "Faster cube pruning"), so that none
// comes twice.
void ChartSearch::fill(SourceSpan span) {
  queue_.clear();
  blocks_used_ = 0;
  slots_.assign(std::max<std::size_t>(64, std::min<std::size_t>(slots_.size(), 1024)), {});
  for (std::size_t cube = 0; cube < cubes_.size(); ++cube) {
    push(static_cast<std::uint32_t>(cube), 0, 0, 0);
  }
  std::uint32_t pops = 0;
  double best = -std::numeric_limits<double>::infinity();
  while (!queue_.empty() && pops < options_.pop_limit) {
    std::pop_heap(queue_.begin(), queue_.end(), Worse());
    Candidate candidate = queue_.back();
    queue_.pop_back();
    if (!candidate.evaluated) {
      evaluate(candidate);
      if (!queue_.empty() && Worse()(candidate, queue_.front())) {
        queue_.push_back(candidate);
        std::push_heap(queue_.begin(), queue_.end(), Worse());
        continue;
      }
    }
    if (candidate.score < best - options_.beam_threshold) {
      space_.stats.pruned_threshold += queue_.size() + 1;
      queue_.clear();
      break;
    }
    best = std::max(best, candidate.score);
    admit(candidate, span);
    ++pops;
    const auto [rule, first, second] = candidate.ranks;
    push(candidate.cube, rule + 1, first, second);
    if (rule == 0) {
      push(candidate.cube, rule, first + 1, second);
      if (first == 0) push(candidate.cube, rule, first, second + 1);
    }
  }
  space_.stats.pruned_limit += queue_.size();
  std::sort(filled_.begin(), filled_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const double x = space_.best(a).score, y = space_.best(b).score;
    return x != y ? x > y : a < b;
  });
}

// The end of the sentence: one node for all ways to get there.
void ChartSearch::finish() {
  LmBoundary scratch;
  std::uint32_t goal = kNone;
  for (const std::uint32_t tail : row(sentence_->length()).before) {
    ChartEdge edge;
    edge.score = space_.best(tail).score;
    edge.span = space_.best(tail).span;
    edge.tails[0] = tail;
    for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
      LmJoiner joiner(weighted_.model().sequences()[m].model, scratch);
      space_.join(joiner, m, space_.halves(tail)[m]);
      joiner.word(kEndSentence);
      edge.score += weighted_.sequence_weight(m) * joiner.log_prob();
    }
    if (goal == kNone) {
      goal = space_.add_node(edge, halves_);
    } else {
      space_.add_edge(goal, edge);
    }
  }
  space_.set_goal(goal);
}

}  // namespace dragoman
