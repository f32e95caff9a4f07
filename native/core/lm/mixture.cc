#include "lm/mixture.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lm/score_text.h"
#include "parallel/parallel_for.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::size_t kBlockNgrams = std::size_t{1} << 14;
// Probability left for words not listed; zero would make them impossible.
constexpr double kLeastMass = 1e-9;

}  // namespace

Mixture::Mixture(std::vector<const NgramModel*> models) : models_(std::move(models)) {
  if (models_.empty()) throw InputError("a mixture needs at least one model");
  for (const NgramModel* model : models_) {
    const auto size = static_cast<WordId>(model->vocabulary().size());
    for (WordId id = kReserved; id < size; ++id) vocabulary_.add(model->vocabulary().word(id));
  }
  for (const NgramModel* model : models_) {
    std::vector<WordId> ids{kUnknown, kBeginSentence, kEndSentence};
    std::size_t unknown = 1;
    for (WordId id = kReserved; id < static_cast<WordId>(vocabulary_.size()); ++id) {
      ids.push_back(model->vocabulary().find(vocabulary_.view().word(id)));
      unknown += ids.back() == kUnknown ? 1 : 0;
    }
    ids_.push_back(std::move(ids));
    unknown_words_.push_back(unknown);
  }
}

double Mixture::log_prob(std::size_t model, std::span<const std::uint32_t> words) const {
  const NgramModel& lm = *models_[model];
  const auto& ids = ids_[model];
  LmState states[2] = {lm.null_state(), {}};
  int current = 0;
  double log_prob = 0;
  for (const std::uint32_t word : words) {
    // <s> is where a sentence begins, not a word to be predicted.
    if (word == kBeginSentence) {
      states[current] = lm.begin_state();
      continue;
    }
    log_prob = lm.score(states[current], ids[word], states[1 - current]).log_prob;
    current = 1 - current;
  }
  if (ids[words.back()] == kUnknown) log_prob -= std::log(unknown_words_[model]);
  return log_prob;
}

std::vector<double> Mixture::word_log_probs(const std::vector<std::string_view>& lines,
                                            int threads) const {
  std::vector<double> all;
  for (std::size_t model = 0; model < models_.size(); ++model) {
    LineEncoder encoder(models_[model]->vocabulary());
    for (const std::string_view line : lines) encoder.add(line);
    const auto& ids = encoder.ids();
    const auto& offsets = encoder.offsets();
    ScoreOptions options;
    options.threads = threads;
    WordScores scores;
    score_sentences(*models_[model], Sentences(ids, offsets), options, &scores);
    const double share = std::log(unknown_words_[model]);
    std::size_t at = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      for (std::uint64_t i = offsets[line]; i < offsets[line + 1]; ++i, ++at) {
        all.push_back(scores.log_probs[at] - (ids[i] == kUnknown ? share : 0));
      }
      all.push_back(scores.log_probs[at++]);
    }
  }
  return all;
}

// With s = sum of p(w|h) over the words listed behind h, and t = sum of p(w|h') over the same
// words, h' being h without its first word: back-off(h) = (1 - s) / (1 - t).
void Mixture::set_backoffs(NgramList& list, int order, const Storage& storage) const {
  Column<double> listed(storage), lower(storage);
  listed.resize(list.size(order), 0);
  lower.resize(list.size(order), 0);
  for (std::size_t number = 0; number < list.size(order + 1); ++number) {
    const auto words = list.words(order + 1, number);
    const std::uint32_t context = list.find(words.first(words.size() - 1));
    const std::uint32_t suffix = list.find(words.subspan(1));
    if (context == kNoEntry || suffix == kNoEntry) {
      throw InputError("a model holds an n-gram without its parts; build it again from its ARPA");
    }
    listed[context] += std::exp(static_cast<double>(list.log_prob(order + 1, number)));
    lower[context] += std::exp(static_cast<double>(list.log_prob(order, suffix)));
  }
  for (std::size_t number = 0; number < list.size(order); ++number) {
    if (listed[number] == 0) continue;
    list.backoff(order, number) =
        static_cast<float>(std::log(std::max(1 - listed[number], kLeastMass)) -
                           std::log(std::max(1 - lower[number], kLeastMass)));
  }
}

// At most: n-grams that several models have are counted for each.
std::uint64_t Mixture::list_bytes() const {
  std::uint64_t bytes = 0;
  for (const NgramModel* model : models_) {
    for (int k = 1; k <= model->order(); ++k) {
      bytes += model->counts()[static_cast<std::size_t>(k - 1)] * NgramList::bytes_per_ngram(k);
    }
  }
  return bytes;
}

void Mixture::write(std::span<const double> weights, const std::string& path, int threads,
                    std::uint64_t memory, const std::string& spool) const {
  if (weights.size() != models_.size()) throw std::invalid_argument("one weight per model");
  int order = 1;
  for (const NgramModel* model : models_) order = std::max(order, model->order());
  Storage storage;
  if (list_bytes() > memory) storage.directory = spool;
  NgramList list(order, storage);
  for (WordId id = 0; id < static_cast<WordId>(vocabulary_.size()); ++id) {
    list.add_word(vocabulary_.view().word(id), 0, 0);
  }
  const LmVocabulary vocabulary = vocabulary_.view();
  std::vector<std::uint32_t> key;
  for (const NgramModel* model : models_) {
    std::vector<std::uint32_t> union_ids{kUnknown, kBeginSentence, kEndSentence};
    for (WordId id = kReserved; id < static_cast<WordId>(model->vocabulary().size()); ++id) {
      union_ids.push_back(
          static_cast<std::uint32_t>(vocabulary.find(model->vocabulary().word(id))));
    }
    for (int k = 2; k <= model->order(); ++k) {
      model->for_each_ngram(k, [&](std::span<const WordId> words, float, float) {
        key.clear();
        for (const WordId word : words) key.push_back(union_ids[static_cast<std::size_t>(word)]);
        list.add(key, 0, 0);
      });
    }
  }
  for (int k = 1; k <= order; ++k) {
    const std::size_t size = list.size(k);
    const std::size_t blocks = (size + kBlockNgrams - 1) / kBlockNgrams;
    parallel_for(threads, blocks, [&](std::size_t block, int) {
      const std::size_t end = std::min(size, (block + 1) * kBlockNgrams);
      for (std::size_t number = block * kBlockNgrams; number < end; ++number) {
        const auto word = static_cast<std::uint32_t>(number);
        const auto words = k == 1 ? std::span(&word, 1) : list.words(k, number);
        if (words.back() == kBeginSentence) continue;  // never predicted: stays 1
        double sum = 0;
        for (std::size_t model = 0; model < models_.size(); ++model) {
          sum += weights[model] * std::exp(log_prob(model, words));
        }
        list.log_prob(k, number) = static_cast<float>(std::min(0.0, std::log(sum)));
      }
    });
  }
  for (int k = 1; k < order; ++k) set_backoffs(list, k, storage);
  list.write(path, threads);
}

}  // namespace dragoman
