#include "rules/score_phrases.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

// A scored source phrase in 32-bit words:
//   size of what follows, number of options, source length, source words,
//   per option: target length, number of links, three counts, scores, reordering scores,
//               target words, links (source * 256 + target).
constexpr std::size_t kFixedOptionWords = 5;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

PhraseScorer::PhraseScorer(PhraseCounter& counter, const LexicalTable& forward,
                           const LexicalTable& backward, const ScoringOptions& options)
    : counter_(counter),
      forward_(forward),
      backward_(backward),
      options_(options),
      scored_(counter.partitions(), counter.resources().memory / 3,
              counter.resources().directory) {
  if (!(options.reordering_smoothing > 0)) {
    throw InputError("the smoothing of orientations must be above 0, or unseen ones have no log");
  }
}

PhraseScorer::~PhraseScorer() = default;

void PhraseScorer::score(std::size_t first_partition, std::size_t last_partition) {
  const int threads = counter_.resources().threads;
  std::vector<std::unique_ptr<LexicalScorer>> lexical(static_cast<std::size_t>(threads));
  parallel_for(threads, last_partition - first_partition, [&](std::size_t block, int worker) {
    auto& mine = lexical[static_cast<std::size_t>(worker)];
    if (!mine) mine = std::make_unique<LexicalScorer>(forward_, backward_, options_.weighting);
    score_partition(first_partition + block, *mine);
  });
}

void PhraseScorer::score_partition(std::size_t partition, LexicalScorer& lexical) {
  const PhraseCounter::Partition counted = counter_.take(partition);
  const SmoothingModel& smoothing = counter_.smoothing();
  const std::size_t columns = counter_.reordering_kinds().size() * kScoresPerReordering;
  constexpr std::size_t kFeatures = kPhraseFeatures.size();

  struct Scored {
    std::array<float, kFeatures> scores;
    double estimate;
    std::size_t row;
    std::uint32_t first_link;
    std::uint32_t links;
  };
  std::vector<Scored> options;
  std::vector<PhraseLink> links;
  std::vector<PhraseLink> all_links;
  std::vector<std::uint32_t> out;
  const std::vector<PhraseRow>& rows = counted.rows;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end].first_of_source == 0) ++end;
    SideTotal source_total;
    source_total.partners = static_cast<double>(end - begin);
    for (std::size_t row = begin; row < end; ++row) {
      source_total.count += rows[row].count;
      source_total.discounted += smoothing.discounted(rows[row].count);
    }
    const Sentence source = counter_.source_phrase(rows[begin]);
    options.clear();
    all_links.clear();
    for (std::size_t row = begin; row < end; ++row) {
      const TargetTotal& total = counted.totals[row];
      const SideTotal target_total{static_cast<double>(total.count),
                                   static_cast<double>(total.partners), total.discounted};
      counter_.alignment(rows[row], links);
      const auto weights = lexical(source, counter_.target_phrase(rows[row]), links);
      const std::uint32_t count = rows[row].count;
      Scored scored;
      scored.scores = {
          static_cast<float>(std::log(smoothing.probability(count, source_total, target_total))),
          static_cast<float>(std::log(smoothing.probability(count, target_total, source_total))),
          weights.forward, weights.backward};
      scored.estimate = 0;
      for (std::size_t feature = 0; feature < kFeatures; ++feature) {
        scored.estimate +=
            options_.sort_weights[feature] * static_cast<double>(scored.scores[feature]);
      }
      scored.row = row;
      scored.first_link = static_cast<std::uint32_t>(all_links.size());
      scored.links = static_cast<std::uint32_t>(links.size());
      all_links.insert(all_links.end(), links.begin(), links.end());
      options.push_back(scored);
    }
    // Rows come by target words, so equal estimates stay in that order.
    std::stable_sort(options.begin(), options.end(),
                     [](const Scored& a, const Scored& b) { return a.estimate > b.estimate; });

    const std::size_t size_at = out.size();
    out.push_back(0);
    out.push_back(static_cast<std::uint32_t>(options.size()));
    out.push_back(static_cast<std::uint32_t>(source.size()));
    out.insert(out.end(), source.begin(), source.end());
    for (const Scored& scored : options) {
      const Sentence target = counter_.target_phrase(rows[scored.row]);
      out.push_back(static_cast<std::uint32_t>(target.size()));
      out.push_back(scored.links);
      out.push_back(bits(static_cast<float>(rows[scored.row].count)));
      out.push_back(bits(static_cast<float>(source_total.count)));
      out.push_back(bits(static_cast<float>(counted.totals[scored.row].count)));
      for (const float score : scored.scores) out.push_back(bits(score));
      const double total = rows[scored.row].count + kOrientations * options_.reordering_smoothing;
      for (std::size_t column = 0; column < columns; ++column) {
        const double count =
            counted.orientations[scored.row * columns + column] + options_.reordering_smoothing;
        out.push_back(bits(static_cast<float>(std::log(count / total))));
      }
      out.insert(out.end(), target.begin(), target.end());
      for (std::uint32_t at = 0; at < scored.links; ++at) {
        const PhraseLink link = all_links[scored.first_link + at];
        out.push_back(link.source * 256u + link.target);
      }
    }
    out[size_at] = static_cast<std::uint32_t>(out.size() - size_at - 1);
    begin = end;
  }
  scored_.append(partition, out);
}

// Takes the partitions' source phrases, each sorted, into one sorted stream.
class PhraseScorer::Merge {
 public:
  Merge(PhraseScorer& scorer, const std::string& path)
      : scorer_(scorer), writer_(path, layout(scorer)) {
    heads_.reserve(scorer.partitions());
    for (std::size_t partition = 0; partition < scorer.partitions(); ++partition) {
      heads_.push_back({{scorer.scored_, partition}, {}});
      if (advance(partition)) queue_.push_back(partition);
    }
    std::make_heap(queue_.begin(), queue_.end(), later());
  }

  bool run(std::size_t most_phrases) {
    for (std::size_t done = 0; done < most_phrases && !queue_.empty(); ++done) {
      std::pop_heap(queue_.begin(), queue_.end(), later());
      const std::size_t partition = queue_.back();
      copy(heads_[partition].phrase);
      if (advance(partition)) {
        std::push_heap(queue_.begin(), queue_.end(), later());
      } else {
        queue_.pop_back();
      }
    }
    scorer_.written_ = writer_.options();
    if (!queue_.empty()) return false;
    writer_.finish();
    return true;
  }

 private:
  struct Head {
    PartitionedSpool<std::uint32_t>::Reader reader;
    std::vector<std::uint32_t> phrase;  // without its size
  };

  static Sentence source_of(const std::vector<std::uint32_t>& phrase) {
    return {reinterpret_cast<const WordId*>(phrase.data() + 2), phrase[1]};
  }
  // Whether a partition's source phrase comes after another's; a heap's top is then the first.
  struct Later {
    const std::vector<Head>& heads;
    bool operator()(std::size_t a, std::size_t b) const {
      const Sentence x = source_of(heads[a].phrase);
      const Sentence y = source_of(heads[b].phrase);
      return std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end());
    }
  };
  Later later() const { return Later{heads_}; }

  static PhraseTableLayout layout(const PhraseScorer& scorer) {
    PhraseTableLayout layout;
    layout.features.assign(kPhraseFeatures.begin(), kPhraseFeatures.end());
    for (const ReorderingKind kind : scorer.counter_.reordering_kinds()) {
      layout.reorderings.emplace_back(kReorderingNames[static_cast<std::size_t>(kind)]);
    }
    const auto& weights = scorer.options_.sort_weights;
    layout.sort_weights.assign(weights.begin(), weights.end());
    layout.source_words = scorer.options_.source_words;
    layout.target_words = scorer.options_.target_words;
    return layout;
  }

  bool advance(std::size_t partition) {
    Head& head = heads_[partition];
    if (head.reader.at_end()) return false;
    const std::uint32_t size = head.reader.next(1)[0];
    const auto words = head.reader.next(size);
    head.phrase.assign(words.begin(), words.end());
    return true;
  }
  void copy(const std::vector<std::uint32_t>& phrase) {
    writer_.begin_source(source_of(phrase));
    constexpr std::size_t kFeatures = kPhraseFeatures.size();
    const std::size_t columns = scorer_.counter_.reordering_kinds().size() * kScoresPerReordering;
    const std::uint32_t* at = phrase.data() + 2 + phrase[1];
    for (std::uint32_t option = 0; option < phrase[0]; ++option) {
      const std::uint32_t target_length = at[0];
      const std::uint32_t link_count = at[1];
      OptionFields fields;
      fields.counts = {std::bit_cast<float>(at[2]), std::bit_cast<float>(at[3]),
                       std::bit_cast<float>(at[4])};
      at += kFixedOptionWords;
      values_.resize(kFeatures + columns);
      for (float& value : values_) value = std::bit_cast<float>(*at++);
      fields.scores = std::span(values_).first(kFeatures);
      fields.reordering = std::span(values_).subspan(kFeatures);
      fields.target = {reinterpret_cast<const WordId*>(at), target_length};
      at += target_length;
      links_.clear();
      for (std::uint32_t link = 0; link < link_count; ++link) {
        links_.push_back(
            {static_cast<std::uint8_t>(at[link] >> 8), static_cast<std::uint8_t>(at[link])});
      }
      at += link_count;
      fields.alignment = links_;
      writer_.add_option(fields);
    }
  }

  PhraseScorer& scorer_;
  PhraseTableWriter writer_;
  std::vector<Head> heads_;
  std::vector<std::size_t> queue_;
  std::vector<float> values_;
  std::vector<PhraseLink> links_;
};

bool PhraseScorer::write(const std::string& path) {
  constexpr std::size_t kPhrasesPerCall = 1 << 18;
  if (!merge_) merge_ = std::make_unique<Merge>(*this, path);
  const bool done = merge_->run(kPhrasesPerCall);
  if (done) merge_.reset();
  return done;
}

}  // namespace dragoman
