#include "search/chart.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "text/error.h"
#include "text/tokens.h"

namespace dragoman {

namespace {

constexpr std::size_t kMaxRuleBytes = std::size_t{256} << 20;
constexpr std::size_t kBoundariesPerBlock = 4096;
constexpr std::size_t kMaxSpans = 20'000'000;
constexpr std::uint32_t kBeginNode = 0;

}  // namespace

ChartSentence::ChartSentence(std::string_view line, const Demands& demands,
                             const TranslationModel& model,
                             std::span<const OfferedTranslation> offers)
    : demands_(demands),
      words_(checked_words(line, demands)),
      barriers_(demands, words_.size()),
      offers_(offers),
      target_(model.target()) {
  for (const std::string& word : words_) ids_.push_back(model.source().find(word));
  std::stable_sort(demands_.given.begin(), demands_.given.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (const GivenTranslation& given : demands_.given) {
    if (!given.exclusive) continue;
    exclusive_at_.resize(words_.size(), nullptr);
    std::fill(exclusive_at_.begin() + given.begin, exclusive_at_.begin() + given.end, &given);
  }
}

std::span<const GivenTranslation> ChartSentence::given(std::size_t begin) const {
  const auto before = [](const GivenTranslation& one, std::size_t place) {
    return one.begin < place;
  };
  const auto first = std::lower_bound(demands_.given.begin(), demands_.given.end(), begin, before);
  const auto last = std::lower_bound(first, demands_.given.end(), begin + 1, before);
  return {first, last};
}

bool ChartSentence::allows(std::size_t begin, std::size_t end) const {
  if (barriers_.crossed(begin, end)) return false;
  // Exclusive translations do not overlap: what is not whole in the span lies at its edges.
  for (const std::size_t edge : {begin, end - 1}) {
    const GivenTranslation* const given = exclusive(edge);
    if (given != nullptr && (given->begin < begin || end < given->end)) return false;
  }
  return true;
}

bool ChartSentence::allows(std::size_t begin, std::size_t from, std::size_t to,
                           bool as_words) const {
  if (!barriers_.empty()) {
    for (const Zone& zone : barriers_.zones_from(begin + 1, to)) {
      const bool contains = from <= zone.begin && zone.end <= to;
      if (from < zone.end && !contains) return false;
    }
  }
  for (std::size_t at = from; as_words && at < to; ++at) {
    if (exclusive(at) != nullptr) return false;
  }
  return true;
}

bool ChartSentence::begins_well(std::size_t begin, std::size_t gap_end, std::size_t end) const {
  if (barriers_.empty()) return true;
  const auto zones = barriers_.zones_from(begin, begin + 1);
  return std::none_of(zones.begin(), zones.end(),
                      [=](const Zone& zone) { return gap_end < zone.end && zone.end < end; });
}

ChartSearch::ChartSearch(const WeightedModel& weighted, const ChartOptions& options)
    : weighted_(weighted),
      options_(options),
      builder_(weighted, options.ttable_limit, options.ttable_threshold),
      glue_weight_(weighted.weight(weighted.model().features().glue())) {
  check(options);
  if (options_.pop_limit == 0) options_.pop_limit = std::numeric_limits<std::uint32_t>::max();
}

ChartSearch::~ChartSearch() = default;

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
  space_.nodes.clear();
  space_.edges.clear();
  space_.goal = kNone;
  space_.stats = {};
  extra_.clear();
  blocks_used_ = 0;
  spare_ = nullptr;
  const std::size_t spans = (length + 1) * (limit_ + 1);
  if (spans > kMaxSpans) {
    throw InputError("a line of " + std::to_string(length) +
                     " words has too many spans of up to " + std::to_string(limit_) +
                     " words; give a lower span-limit");
  }
  cells_.resize(std::max(cells_.size(), spans));
  dotted_.resize(cells_.size());
  glued_.resize(std::max(glued_.size(), length + 1));
  for (std::size_t at = 0; at < spans; ++at) {
    cells_[at].clear();
    dotted_[at].clear();
  }
  for (std::size_t at = 0; at <= length; ++at) glued_[at].clear();
  // The begin of the sentence.
  LmBoundary* boundaries = new_boundaries();
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    LmJoiner joiner(weighted_.model().sequences()[m].model, boundaries[m]);
    joiner.begin_sentence();
  }
  space_.edges.push_back({});
  space_.nodes.push_back({0, boundaries, 0, kNone, {}});
  glued_[0].push_back(kBeginNode);
}

const ChartSpace& ChartSearch::run(ChartSentence& sentence, bool keep_edges) {
  sentence_ = &sentence;
  keep_edges_ = keep_edges;
  const std::size_t length = sentence.length();
  start(length);
  for (std::size_t end = 1; end <= length; ++end) {
    const std::size_t first = end > limit_ ? end - limit_ : 0;
    const auto until = static_cast<std::uint16_t>(end);
    for (std::size_t begin = end; begin-- > first;) {
      cubes_.clear();
      if (!sentence.allows(begin, end)) continue;
      match(begin, end);
      fill(cell(begin, end), {static_cast<std::uint16_t>(begin), until});
      if (end - begin == limit_ || cell(begin, end).empty()) continue;
      // The span may be the first gap of a longer one.
      Dotted item;
      item.node = weighted_.model().table().child(PhraseTable::kRoot, kGaps[0]);
      item.gaps = 1;
      item.spans[0] = {static_cast<std::uint16_t>(begin), until};
      if (item.node != PhraseTable::kNoNode) dotted(begin, end).push_back(item);
    }
    cubes_.clear();
    for (std::size_t middle = first; middle < end; ++middle) {
      if (glued_[middle].empty() || cell(middle, end).empty()) continue;
      cubes_.push_back({{}, {&glued_[middle], &cell(middle, end)}});
    }
    fill(glued_[end], {0, until});
  }
  finish();
  return space_;
}

void ChartSearch::add_dotted(std::size_t begin, std::size_t end, Dotted item) {
  const PhraseTable& table = weighted_.model().table();
  const bool gap_first = item.gaps > 0 && item.spans[0].begin == begin;
  if (!sentence_->begins_well(begin, gap_first ? item.spans[0].end : begin, end)) return;
  if (!table.options(item.node).empty()) {
    Cube cube;
    cube.rules = builder_.of_node(item.node).options();
    for (std::size_t gap = 0; gap < item.gaps; ++gap) {
      cube.parts[gap] = &cell(item.spans[gap].begin, item.spans[gap].end);
    }
    cubes_.push_back(cube);
  }
  if (end - begin == limit_) return;
  item.gap_child =
      item.gaps < kGaps.size() ? table.child(item.node, kGaps[item.gaps]) : PhraseTable::kNoNode;
  dotted(begin, end).push_back(item);
}

// All rules over [begin, end), as cubes; and what may become rules over longer spans.
void ChartSearch::match(std::size_t begin, std::size_t end) {
  const PhraseTable& table = weighted_.model().table();
  const WordId last = sentence_->ids()[end - 1];
  if (last != kUnknown && sentence_->allows(begin, end - 1, end, true)) {
    if (end == begin + 1) {
      Dotted item;
      item.node = table.child(PhraseTable::kRoot, last);
      if (item.node != PhraseTable::kNoNode) add_dotted(begin, end, item);
    } else {
      for (const Dotted& shorter : dotted(begin, end - 1)) {
        Dotted item = shorter;
        item.node = table.child(shorter.node, last);
        if (item.node != PhraseTable::kNoNode) add_dotted(begin, end, item);
      }
    }
  }
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    if (cell(middle, end).empty() || !sentence_->allows(begin, middle, end, false)) continue;
    for (const Dotted& shorter : dotted(begin, middle)) {
      if (shorter.gap_child == PhraseTable::kNoNode) continue;
      Dotted item = shorter;
      item.node = shorter.gap_child;
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
  cubes_.push_back({extra_.back()->options(), {nullptr, nullptr}});
}

bool ChartSearch::worse(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.cube != b.cube) return a.cube > b.cube;
  return std::lexicographical_compare(b.ranks, b.ranks + 3, a.ranks, a.ranks + 3);
}

// Putting the first part of a sentence after its begin is no glue.
double ChartSearch::glue_score(const Candidate& candidate) const {
  return part_index(candidate, 0) == kBeginNode ? 0 : glue_weight_;
}

void ChartSearch::push(std::uint32_t cube_index, std::uint32_t rule, std::uint32_t first,
                       std::uint32_t second) {
  const Cube& cube = cubes_[cube_index];
  if ((!cube.rules.empty() && rule >= cube.rules.size()) || (cube.rules.empty() && rule > 0) ||
      first >= (cube.parts[0] != nullptr ? cube.parts[0]->size() : 1) ||
      second >= (cube.parts[1] != nullptr ? cube.parts[1]->size() : 1)) {
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
  for (std::size_t number = 0; number < 2; ++number) {
    if (cube.parts[number] != nullptr) candidate.score += part(candidate, number).score;
  }
  if (cube.rules.empty()) candidate.score += glue_score(candidate);
  queue_.push_back(candidate);
  std::push_heap(queue_.begin(), queue_.end(), worse);
}

// The full score, with the language models across all seams.
void ChartSearch::evaluate(Candidate& candidate) {
  ++space_.stats.evaluated;
  const Cube& cube = cubes_[candidate.cube];
  const RuleOption* rule = cube.rules.empty() ? nullptr : &cube.rules[candidate.ranks[0]];
  if (spare_ == nullptr) spare_ = new_boundaries();
  double score = rule != nullptr ? rule->fixed : glue_score(candidate);
  for (std::size_t number = 0; number < 2; ++number) {
    if (cube.parts[number] != nullptr) score += part(candidate, number).score;
  }
  for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
    LmJoiner joiner(weighted_.model().sequences()[m].model, spare_[m]);
    if (rule == nullptr) {
      joiner.piece(part(candidate, 0).boundaries[m]);
      joiner.piece(part(candidate, 1).boundaries[m]);
    } else {
      const WordId* symbols = rule->lm_symbols + m * rule->symbols;
      for (std::size_t at = 0; at < rule->symbols; ++at) {
        if (symbols[at] >= 0) {
          joiner.word(symbols[at]);
        } else {
          joiner.piece(part(candidate, static_cast<std::size_t>(-1 - symbols[at])).boundaries[m]);
        }
      }
    }
    score += weighted_.sequence_weight(m) * joiner.log_prob();
  }
  candidate.score = score;
  candidate.boundaries = spare_;
  candidate.evaluated = true;
  spare_ = nullptr;
}

std::uint32_t& ChartSearch::slot_of(const LmBoundary* boundaries) {
  const std::size_t sequences = weighted_.sequences();
  std::uint64_t hash = 1;
  for (std::size_t m = 0; m < sequences; ++m) {
    hash = (hash ^ boundaries[m].hash()) * 0x9e3779b97f4a7c15ull;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash >> 32 & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.node == kNone) {
      slot.hash = hash;
      return slot.node;
    }
    if (slot.hash == hash &&
        std::equal(boundaries, boundaries + sequences, space_.nodes[slot.node].boundaries)) {
      return slot.node;
    }
  }
}

// Into the cell, as a node or as one more way to a node.
void ChartSearch::admit(const Candidate& candidate, Cell& into, SourceSpan span) {
  const Cube& cube = cubes_[candidate.cube];
  ChartEdge edge;
  edge.score = candidate.score;
  if (!cube.rules.empty()) edge.rule = &cube.rules[candidate.ranks[0]];
  for (std::size_t number = 0; number < 2; ++number) {
    if (cube.parts[number] != nullptr) {
      edge.tails[number] = part_index(candidate, number);
    }
  }
  std::uint32_t& node = slot_of(candidate.boundaries);
  const auto index = static_cast<std::uint32_t>(space_.edges.size());
  if (node == kNone) {
    node = static_cast<std::uint32_t>(space_.nodes.size());
    into.push_back(node);
    space_.nodes.push_back({edge.score, candidate.boundaries, index, kNone, span});
    space_.edges.push_back(edge);
    if (++slots_used_ * 2 > slots_.size()) {
      slots_.assign(slots_.size() * 2, {});
      for (const std::uint32_t there : into) slot_of(space_.nodes[there].boundaries) = there;
    }
    return;
  }
  ++space_.stats.recombined;
  ChartNode& known = space_.nodes[node];
  if (edge.score > known.score) {
    if (keep_edges_) {
      space_.edges[known.best].next = known.others;
      known.others = known.best;
      known.best = index;
      space_.edges.push_back(edge);
    } else {
      space_.edges[known.best] = edge;
    }
    known.score = edge.score;
  } else if (keep_edges_) {
    edge.next = known.others;
    known.others = index;
    space_.edges.push_back(edge);
  }
}

// Cube pruning over all cubes of a cell at once. A candidate is first queued with an estimate and
// meets the language models only when that comes to the front. Of a candidate's neighbours, each
// is reached from one side only (Gesmundo & Henderson 2010, "Faster cube pruning"), so that none
// comes twice.
void ChartSearch::fill(Cell& into, SourceSpan span) {
  queue_.clear();
  slots_.assign(std::max<std::size_t>(64, std::min<std::size_t>(slots_.size(), 1024)), {});
  slots_used_ = 0;
  for (std::size_t cube = 0; cube < cubes_.size(); ++cube) {
    push(static_cast<std::uint32_t>(cube), 0, 0, 0);
  }
  std::uint32_t pops = 0;
  double best = -std::numeric_limits<double>::infinity();
  while (!queue_.empty() && pops < options_.pop_limit) {
    std::pop_heap(queue_.begin(), queue_.end(), worse);
    Candidate candidate = queue_.back();
    queue_.pop_back();
    if (!candidate.evaluated) {
      evaluate(candidate);
      if (!queue_.empty() && worse(candidate, queue_.front())) {
        queue_.push_back(candidate);
        std::push_heap(queue_.begin(), queue_.end(), worse);
        continue;
      }
    }
    if (candidate.score < best - options_.beam_threshold) {
      space_.stats.pruned_threshold += queue_.size() + 1;
      queue_.clear();
      break;
    }
    best = std::max(best, candidate.score);
    admit(candidate, into, span);
    ++pops;
    const auto [rule, first, second] = candidate.ranks;
    push(candidate.cube, rule + 1, first, second);
    if (rule == 0) {
      push(candidate.cube, rule, first + 1, second);
      if (first == 0) push(candidate.cube, rule, first, second + 1);
    }
  }
  space_.stats.pruned_limit += queue_.size();
  std::sort(into.begin(), into.end(), [this](std::uint32_t a, std::uint32_t b) {
    const double x = space_.nodes[a].score, y = space_.nodes[b].score;
    return x != y ? x > y : a < b;
  });
}

// The end of the sentence: one node for all ways to get there.
void ChartSearch::finish() {
  const Cell& complete = glued_[sentence_->length()];
  if (complete.empty()) return;
  const auto goal = static_cast<std::uint32_t>(space_.nodes.size());
  LmBoundary scratch;
  ChartNode node;
  node.span = space_.nodes[complete.front()].span;
  for (const std::uint32_t tail : complete) {
    const ChartNode& from = space_.nodes[tail];
    ChartEdge edge;
    edge.score = from.score;
    edge.tails[0] = tail;
    for (std::size_t m = 0; m < weighted_.sequences(); ++m) {
      LmJoiner joiner(weighted_.model().sequences()[m].model, scratch);
      joiner.piece(from.boundaries[m]);
      joiner.word(kEndSentence);
      edge.score += weighted_.sequence_weight(m) * joiner.log_prob();
    }
    const auto index = static_cast<std::uint32_t>(space_.edges.size());
    const bool better = node.best == kNone || edge.score > node.score;
    if (better) {
      if (node.best != kNone) {
        space_.edges[node.best].next = node.others;
        node.others = node.best;
      }
      node.best = index;
      node.score = edge.score;
    } else {
      edge.next = node.others;
      node.others = index;
    }
    space_.edges.push_back(edge);
  }
  space_.nodes.push_back(node);
  space_.goal = goal;
}

}  // namespace dragoman
