#include "context/context_lexicon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "text/checksum.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::string_view kContextKind = "context";
constexpr std::uint32_t kContextVersion = 1;
enum ContextSection : std::uint32_t {
  kContextShape,
  kContextStarts,
  kContextTranslations,
  kContextPriors,
  kContextWeights,
  kContextSections
};
constexpr std::uint32_t kMostBits = 28;
constexpr std::uint32_t kWidestWindow = 50;

// What a hash is of.
enum class Around : std::uint64_t { kLeft = 1, kRight, kBefore, kAfter, kPairBefore, kPairAfter };

std::uint64_t hash_of(Around what, WordId word, WordId with = 0) {
  const std::uint64_t both = static_cast<std::uint64_t>(static_cast<std::uint32_t>(with)) << 32 |
                             static_cast<std::uint32_t>(word);
  return fold_multiply(both ^ 0x243f6a8885a308d3,
                       0xd6e8feb86659fd93 + (static_cast<std::uint64_t>(what) << 40));
}

void demand(bool fits, const std::string& path, const char* problem) {
  if (!fits) throw InputError(path + ": " + problem + "; the file is damaged");
}

}  // namespace

bool ContextShape::sound() const {
  return bits > 0 && bits <= kMostBits && window <= kWidestWindow && source_words >= kReserved &&
         target_words >= kReserved;
}

std::span<const std::uint64_t> ContextHashes::at(Sentence source, std::size_t place) {
  hashes_.clear();
  const WordId before = place > 0 ? source[place - 1] : kBeginSentence;
  const WordId after = place + 1 < source.size() ? source[place + 1] : kEndSentence;
  hashes_.push_back(hash_of(Around::kBefore, before));
  hashes_.push_back(hash_of(Around::kAfter, after));
  hashes_.push_back(hash_of(Around::kPairBefore, before, source[place]));
  hashes_.push_back(hash_of(Around::kPairAfter, after, source[place]));
  const std::size_t first = place > window_ ? place - window_ : 0;
  const std::size_t last = std::min(source.size(), place + 1 + window_);
  for (std::size_t i = first; i < last; ++i) {
    // Of words that training did not see, nothing was learnt.
    if (i == place || source[i] == kUnknown) continue;
    hashes_.push_back(hash_of(i < place ? Around::kLeft : Around::kRight, source[i]));
  }
  return hashes_;
}

ContextLexicon::ContextLexicon(const std::string& path, Verify verify)
    : file_(path, kContextKind, kContextVersion, kContextSections, verify),
      starts_(file_.section<std::uint32_t>(kContextStarts)),
      translations_(file_.section<WordId>(kContextTranslations)),
      priors_(file_.section<float>(kContextPriors)),
      weights_(file_.section<std::int16_t>(kContextWeights)) {
  const auto shape = file_.section<ContextShape>(kContextShape);
  demand(shape.size() == 1 && shape.front().sound(), path, "its shape is impossible");
  shape_ = shape.front();
  demand(starts_.size() == std::size_t{shape_.source_words} + 1 && starts_.front() == 0 &&
             starts_.back() == translations_.size() && priors_.size() == translations_.size() &&
             weights_.size() == shape_.places(),
         path, "its parts do not fit together");
  for (std::size_t word = 0; word + 1 < starts_.size(); ++word) {
    const std::uint32_t begin = starts_[word];
    const std::uint32_t end = starts_[word + 1];
    demand(begin <= end && end - begin <= kMostTranslations && end <= translations_.size(), path,
           "its rows are out of order");
    for (std::uint32_t i = begin; i < end; ++i) {
      demand(translations_[i] >= kNoTranslation &&
                 translations_[i] < static_cast<WordId>(shape_.target_words) &&
                 (i == begin || translations_[i - 1] < translations_[i]),
             path, "its translations are out of order");
    }
  }
  demand(are_ordinary(priors_), path, "a probability is not a number");
}

void ContextLexicon::save(const std::string& path, const ContextShape& shape,
                          std::span<const std::uint32_t> starts,
                          std::span<const WordId> translations, std::span<const float> priors,
                          std::span<const std::int16_t> weights) {
  if (!shape.sound()) throw std::invalid_argument("no lexicon can have such a shape");
  BinaryWriter writer(path, kContextKind, kContextVersion, kContextSections);
  writer.section(std::span(&shape, 1));
  writer.section(starts);
  writer.section(translations);
  writer.section(priors);
  writer.section(weights);
  writer.finish();
}

std::span<const WordId> ContextLexicon::translations(WordId source) const {
  if (source < 0 || static_cast<std::uint32_t>(source) >= shape_.source_words) return {};
  const std::uint32_t* const row = starts_.data() + source;
  return translations_.subspan(row[0], row[1] - row[0]);
}

std::span<const float> ContextLexicon::priors(WordId source) const {
  if (source < 0 || static_cast<std::uint32_t>(source) >= shape_.source_words) return {};
  const std::uint32_t* const row = starts_.data() + source;
  return priors_.subspan(row[0], row[1] - row[0]);
}

SentenceContext::SentenceContext(const ContextLexicon& lexicon, Sentence source)
    : lexicon_(lexicon), source_(source.begin(), source.end()) {
  ContextHashes hashes(lexicon.shape());
  const std::size_t places = lexicon.shape().places();
  starts_.reserve(source.size());
  for (std::size_t place = 0; place < source.size(); ++place) {
    const auto translations = lexicon.translations(source[place]);
    const auto priors = lexicon.priors(source[place]);
    const std::size_t begin = log_probs_.size();
    starts_.push_back(static_cast<std::uint32_t>(begin));
    if (translations.size() < 2) {
      log_probs_.insert(log_probs_.end(), translations.size(), 0.0f);
      continue;
    }
    const auto around = hashes.at(source, place);
    double most = -INFINITY;
    for (std::size_t i = 0; i < translations.size(); ++i) {
      float score = priors[i];
      for (const std::uint64_t one : around) {
        score += lexicon.weight(weight_place(one, translations[i], places));
      }
      log_probs_.push_back(score);
      most = std::max(most, static_cast<double>(score));
    }
    double sum = 0;
    for (std::size_t i = begin; i < log_probs_.size(); ++i) {
      sum += std::exp(static_cast<double>(log_probs_[i]) - most);
    }
    const auto total = static_cast<float>(most + std::log(sum));
    for (std::size_t i = begin; i < log_probs_.size(); ++i) {
      log_probs_[i] = std::max(ContextLexicon::kLeast, log_probs_[i] - total);
    }
  }
}

float SentenceContext::log_prob(std::size_t place, WordId translation) const {
  const auto translations = lexicon_.translations(source_[place]);
  if (translations.empty()) return 0;
  const auto found = std::lower_bound(translations.begin(), translations.end(), translation);
  if (found == translations.end() || *found != translation) return ContextLexicon::kLeast;
  return log_probs_[starts_[place] + static_cast<std::size_t>(found - translations.begin())];
}

}  // namespace dragoman
