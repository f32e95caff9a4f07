#include "alignment/alignment_model.h"

#include <algorithm>
#include <cmath>

#include "alignment/cooccurrence.h"
#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "aligner";
constexpr std::uint32_t kVersion = 1;
enum Section : std::uint32_t {
  kRowStarts,
  kWords,
  kCounts,
  kSourceTotals,
  kTargetTotals,
  kSourceNull,
  kTargetNull,
  kForwardJumps,
  kBackwardJumps,
  kSourceGains,
  kTargetGains,
  kScalars,  // lexical prior, null probability
  kSections
};
constexpr int kFertilityRounds = 2;

Jumps jumps_of(std::span<const float> weights) {
  return Jumps(std::vector<double>(weights.begin(), weights.end()));
}

// Null probability of words the model has not seen: as if the rarest were seen once more.
constexpr float kUnseenNull = 1e-6F;

}  // namespace

AlignmentModel::AlignmentModel(Contents contents, const AlignmentParameters& parameters)
    : parameters_(parameters) {
  auto owned = std::make_shared<const Contents>(std::move(contents));
  row_starts_ = owned->row_starts;
  words_ = owned->words;
  counts_ = owned->counts;
  source_totals_ = owned->source_totals;
  target_totals_ = owned->target_totals;
  source_null_ = owned->source_null;
  target_null_ = owned->target_null;
  keeper_ = std::move(owned);
}

AlignmentModel AlignmentModel::open(const std::string& path) {
  auto file = std::make_shared<const BinaryFile>(path, kKind, kVersion, kSections);
  AlignmentModel model;
  model.row_starts_ = file->section<std::uint64_t>(kRowStarts);
  model.words_ = file->section<WordId>(kWords);
  model.counts_ = file->section<float>(kCounts);
  model.source_totals_ = file->section<double>(kSourceTotals);
  model.target_totals_ = file->section<double>(kTargetTotals);
  model.source_null_ = file->section<float>(kSourceNull);
  model.target_null_ = file->section<float>(kTargetNull);
  const auto forward = file->section<float>(kForwardJumps);
  const auto backward = file->section<float>(kBackwardJumps);
  const auto source_gains = file->section<float>(kSourceGains);
  const auto target_gains = file->section<float>(kTargetGains);
  const auto scalars = file->section<double>(kScalars);
  const auto rows = model.row_starts_;
  if (rows.empty() || rows.front() != 0 || rows.back() != model.words_.size() ||
      !std::is_sorted(rows.begin(), rows.end()) || model.words_.size() != model.counts_.size() ||
      model.source_totals_.size() != rows.size() - 1 ||
      model.source_null_.size() != rows.size() - 1 ||
      model.target_totals_.size() != model.target_null_.size() ||
      forward.size() != Jumps::kWeights || backward.size() != Jumps::kWeights ||
      source_gains.size() % kFertilities != 0 || target_gains.size() % kFertilities != 0 ||
      scalars.size() != 2) {
    throw InputError(path + ": the parts of the aligner do not fit together");
  }
  const std::size_t target_words = model.target_totals_.size();
  if (!std::all_of(model.words_.begin(), model.words_.end(), [&](WordId word) {
        return word >= 0 && static_cast<std::size_t>(word) < target_words;
      })) {
    throw InputError(path + ": damaged: a word outside the vocabulary");
  }
  const auto ordinary = [](std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [](double number) { return number >= 0 && number <= 1e30; });
  };
  if (!are_ordinary(model.counts_) || !are_ordinary(model.source_null_) ||
      !are_ordinary(model.target_null_) || !are_ordinary(forward) || !are_ordinary(backward) ||
      !are_ordinary(source_gains) || !are_ordinary(target_gains) ||
      !ordinary(model.source_totals_) || !ordinary(model.target_totals_) || !ordinary(scalars)) {
    throw InputError(path + ": damaged: a count is not a number");
  }
  model.parameters_.forward_jumps = jumps_of(forward);
  model.parameters_.backward_jumps = jumps_of(backward);
  model.parameters_.source_fertilities =
      Fertilities::from_gains({source_gains.begin(), source_gains.end()});
  model.parameters_.target_fertilities =
      Fertilities::from_gains({target_gains.begin(), target_gains.end()});
  model.parameters_.lexical_prior = scalars[0];
  model.parameters_.null_probability = scalars[1];
  model.keeper_ = std::move(file);
  return model;
}

void AlignmentModel::save(const std::string& path) const {
  const double scalars[] = {parameters_.lexical_prior, parameters_.null_probability};
  BinaryWriter writer(path, kKind, kVersion, kSections);
  writer.section(row_starts_);
  writer.section(words_);
  writer.section(counts_);
  writer.section(source_totals_);
  writer.section(target_totals_);
  writer.section(source_null_);
  writer.section(target_null_);
  writer.section(parameters_.forward_jumps.weights());
  writer.section(parameters_.backward_jumps.weights());
  writer.section(parameters_.source_fertilities.all());
  writer.section(parameters_.target_fertilities.all());
  writer.section(std::span<const double>(scalars));
  writer.finish();
}

float AlignmentModel::count(WordId source, WordId target) const {
  if (static_cast<std::size_t>(source) + 1 >= row_starts_.size()) return 0;
  const std::uint64_t* row = row_starts_.data() + source;
  const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(row[0]);
  const auto end = words_.begin() + static_cast<std::ptrdiff_t>(row[1]);
  const auto at = std::lower_bound(begin, end, target);
  return at == end || *at != target ? 0 : counts_[static_cast<std::size_t>(at - words_.begin())];
}

void AlignmentModel::fill(Sentence source, Sentence target, PairPosteriors& posteriors) const {
  posteriors.resize(source.size(), target.size());
  const auto prior = parameters_.lexical_prior;
  std::size_t cell = 0;
  for (const WordId s : source) {
    for (const WordId t : target) {
      posteriors.weights[cell++] = count(s, t) + static_cast<float>(prior);
    }
  }
  const auto describe = [&](Sentence words, std::span<const double> totals,
                            std::span<const float> nulls, std::size_t other_vocabulary,
                            std::vector<float>& factors, std::vector<float>& null_emissions) {
    const double prior_mass =
        prior * static_cast<double>(std::max<std::size_t>(other_vocabulary, 1));
    for (std::size_t k = 0; k < words.size(); ++k) {
      const auto word = static_cast<std::size_t>(words[k]);
      const bool known = word < totals.size();
      factors[k] = static_cast<float>(1 / ((known ? totals[word] : 0.0) + prior_mass));
      null_emissions[k] = known && nulls[word] > 0 ? nulls[word] : kUnseenNull;
    }
  };
  describe(source, source_totals_, source_null_, target_totals_.size(), posteriors.source_factor,
           posteriors.source_null);
  describe(target, target_totals_, target_null_, source_totals_.size(), posteriors.target_factor,
           posteriors.target_null);
}

void AlignmentModel::align(const ParallelText& text, Symmetry symmetry, double threshold,
                           int threads, std::vector<Link>& links,
                           std::vector<std::uint64_t>& offsets) const {
  const Sentences& source = text.source;
  const Sentences& target = text.target;
  vocabulary_bound(source);  // refuses negative ids
  vocabulary_bound(target);
  align_blocks(
      0, source.size(), symmetry, threshold, threads,
      [&](std::size_t pair, PairPosteriors& posteriors) {
        if (source[pair].empty() || target[pair].empty() ||
            !short_enough(source[pair].size(), target[pair].size())) {
          return false;
        }
        fill(source[pair], target[pair], posteriors);
        posteriors.compute(Stage::kHmm, parameters_, nullptr, nullptr);
        // Fertilities need a guess of the other links; two rounds settle it.
        for (int round = 0; round < kFertilityRounds; ++round) {
          posteriors.use_fertilities(source[pair], target[pair], parameters_);
          posteriors.compute(Stage::kHmm, parameters_, nullptr, nullptr);
        }
        return true;
      },
      links, offsets);
}

LexicalTable AlignmentModel::lexical_table(Direction direction) const {
  const bool forward = direction == Direction::kForward;
  const std::size_t given_words = forward ? source_totals_.size() : target_totals_.size();
  const auto nulls = forward ? target_null_ : source_null_;
  std::vector<std::uint64_t> starts(given_words + 2, 0);
  std::vector<WordId> words;
  std::vector<float> probabilities;
  for (std::size_t word = 0; word < nulls.size(); ++word) {
    if (nulls[word] <= 0) continue;
    words.push_back(static_cast<WordId>(word));
    probabilities.push_back(nulls[word]);
  }
  starts[1] = words.size();
  const std::size_t source_words = source_totals_.size();
  if (forward) {
    for (std::size_t s = 0; s < source_words; ++s) {
      for (std::uint64_t k = row_starts_[s]; k < row_starts_[s + 1]; ++k) {
        words.push_back(words_[k]);
        probabilities.push_back(static_cast<float>(counts_[k] / source_totals_[s]));
      }
      starts[s + 2] = words.size();
    }
  } else {
    // A transposition: count, place, and rows come out sorted because sources rise.
    std::vector<std::uint64_t> next(given_words + 1, 0);
    for (const WordId t : words_) ++next[static_cast<std::size_t>(t) + 1];
    for (std::size_t t = 0; t < given_words; ++t) next[t + 1] += next[t];
    for (std::size_t t = 0; t < given_words; ++t) starts[t + 2] = starts[1] + next[t + 1];
    words.resize(starts.back());
    probabilities.resize(starts.back());
    for (std::size_t s = 0; s < source_words; ++s) {
      for (std::uint64_t k = row_starts_[s]; k < row_starts_[s + 1]; ++k) {
        const auto t = static_cast<std::size_t>(words_[k]);
        const std::uint64_t place = starts[1] + next[t]++;
        words[place] = static_cast<WordId>(s);
        probabilities[place] = static_cast<float>(counts_[k] / target_totals_[t]);
      }
    }
  }
  return LexicalTable(std::move(starts), std::move(words), std::move(probabilities));
}

void align_blocks(std::size_t begin, std::size_t end, Symmetry symmetry, double threshold,
                  int threads,
                  const std::function<bool(std::size_t pair, PairPosteriors&)>& posteriors_of,
                  std::vector<Link>& links, std::vector<std::uint64_t>& offsets) {
  struct Block {
    std::vector<Link> links;
    std::vector<std::uint64_t> ends;
  };
  std::vector<Block> results((end - begin + kBlockPairs - 1) / kBlockPairs);
  std::vector<PairPosteriors> scratch(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(threads, results.size(), [&](std::size_t block, int worker) {
    PairPosteriors& posteriors = scratch[static_cast<std::size_t>(worker)];
    Block& result = results[block];
    const std::size_t first = begin + block * kBlockPairs;
    for (std::size_t pair = first; pair < std::min(end, first + kBlockPairs); ++pair) {
      if (posteriors_of(pair, posteriors)) posteriors.links(symmetry, threshold, result.links);
      result.ends.push_back(result.links.size());
    }
  });
  offsets.assign(1, 0);
  for (Block& result : results) {
    const std::uint64_t base = links.size();
    for (const std::uint64_t end_of_pair : result.ends) offsets.push_back(base + end_of_pair);
    links.insert(links.end(), result.links.begin(), result.links.end());
    result = {};
  }
}

}  // namespace dragoman
