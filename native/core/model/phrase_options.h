// The translations a search may choose from, with everything about them that does not depend on
// where they are used summed up beforehand.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/translation_model.h"

namespace dragoman {

inline constexpr std::uint32_t kNoRow = 0xffffffff;

// A model with one vector of weights, as one search uses it.
class WeightedModel {
 public:
  // Throws InputError when the weights do not fit the model.
  WeightedModel(std::shared_ptr<const TranslationModel> model, std::span<const double> weights);

  const TranslationModel& model() const { return *model_; }
  std::shared_ptr<const TranslationModel> shared_model() const { return model_; }
  std::span<const double> weights() const { return weights_; }
  double weight(std::size_t feature) const { return weights_[feature]; }
  std::size_t sequences() const { return model_->sequences().size(); }
  double sequence_weight(std::size_t index) const {
    return weights_[model_->features().sequence(index)];
  }
  // Of everything about an option that is not in the table but its words.
  double weight(const Provenance& provenance) const;
  double distortion_weight() const { return weights_[model_->features().distortion()]; }
  bool reorders() const { return model_->reorderings() > 0; }

 private:
  std::shared_ptr<const TranslationModel> model_;
  std::vector<double> weights_;
};

// Where an option's weighted reordering scores lie. Models that look at neighbouring phrases are
// summed, and so are those that look at blocks, because they share their orientations.
enum ReorderingPlace : std::uint8_t {
  kByPhraseBackward = 0,
  kByPhraseForward = 3,
  kByBlockBackward = 6,
  kByBlockForward = 9,
  kReorderingPlaces = 12
};

struct PhraseOption {
  // Weighted sum of all that does not depend on the neighbours.
  double fixed = 0;
  // That plus the language models with nothing known of the words before (paper 000, section 3).
  double estimate = 0;
  const WordId* target = nullptr;     // ids from the size of the vocabulary on: SentenceOptions
  const WordId* lm_words = nullptr;   // for each sequence model, as many as `words`
  const float* lm_rest = nullptr;     // for each sequence model kMaxLmOrder sums: what the words
                                      // from the i-th on cost with nothing known before the phrase
  const LmState* lm_end = nullptr;    // for each sequence model, likewise
  const float* reordering = nullptr;  // kReorderingPlaces, or null when there is no such model
  std::uint32_t row = kNoRow;         // of the phrase table
  // Options of the same number have the same forward reordering scores.
  std::uint32_t forward_class = 0;
  Provenance provenance;  // of what is not in the table
  std::uint16_t words = 0;

  Sentence target_words() const { return {target, words}; }
};

// The options of one source phrase by falling estimate, with the arrays they point to.
class OptionList {
 public:
  OptionList() = default;
  OptionList(const OptionList&) = delete;
  OptionList& operator=(const OptionList&) = delete;

  std::span<const PhraseOption> options() const { return options_; }
  bool empty() const { return options_.empty(); }
  double best() const { return options_.front().estimate; }
  std::size_t bytes() const;

 private:
  friend class OptionBuilder;
  std::vector<PhraseOption> options_;
  std::vector<WordId> targets_;  // of options that are not in the phrase table
  std::vector<WordId> lm_words_;
  std::vector<float> lm_rest_;
  std::vector<LmState> lm_ends_;
  std::vector<float> reordering_;
};

// An option that is not in the phrase table: a copied word, or a translation that the user gave or
// a source offers.
struct ExtraOption {
  std::vector<WordId> target;
  std::vector<std::vector<WordId>> lm_words;  // for each sequence model
  Provenance provenance;
};

// What one sentence thinks of the rows of the table, beside their scores: forced decoding uses
// only those of its reference, leave-one-out lowers those that the sentence itself has made.
class RowJudge {
 public:
  virtual ~RowJudge() = default;
  // Added to the row's weighted score; nothing when the row is not to be used.
  virtual std::optional<double> judge(std::uint32_t row) const = 0;
};

// Makes option lists, and keeps those of the phrase table: the same phrases come again and again.
// One per thread.
class OptionBuilder {
 public:
  // `limit` 0: no limit.
  OptionBuilder(const WeightedModel& weighted, std::uint32_t limit, double threshold);

  // The options of a source phrase, pruned by limit and threshold. Valid until forget().
  const OptionList& of_node(PhraseTable::Node node);
  // Those of `range` as the judge sees them; null when it leaves none.
  std::unique_ptr<OptionList> judged(OptionRange range, const RowJudge& judge);
  // The same options after what their context makes of them: a list that points into `list`.
  std::unique_ptr<OptionList> reweighed(const OptionList& list, const RowJudge& context) const;
  // The options of `range` (may be empty) and the extra ones, which are never pruned.
  std::unique_ptr<OptionList> with_extra(OptionRange range, std::span<const ExtraOption> extra);

  std::size_t bytes() const { return bytes_; }
  void forget();
  const WeightedModel& weighted() const { return weighted_; }

 private:
  struct Draft {
    double fixed = 0;
    double estimate = 0;
    std::uint32_t row = kNoRow;
    std::uint32_t extra = 0;
  };
  using ForwardScores = std::array<float, 2 * kOrientations>;
  struct ForwardHash {
    std::size_t operator()(const ForwardScores& scores) const;
  };
  void choose_rows(OptionRange range, const RowJudge* judge = nullptr);
  void score_row(std::uint32_t row, Draft& draft);
  double most_likely(std::uint32_t row) const;
  std::optional<double> approximate(const Draft& draft, double least);
  void fill(OptionList& list, std::span<const ExtraOption> extra);
  void fill_sequences(const PhraseOption& option, std::span<const ExtraOption> extra,
                      const Draft& draft, OptionList& list);
  void fill_reordering(const Draft& draft, PhraseOption& option, OptionList& list);

  const WeightedModel& weighted_;
  std::uint32_t limit_;
  double threshold_;
  bool lm_only_lowers_;  // no negative language model weight
  std::vector<Draft> drafts_, waiting_;
  std::vector<float> columns_;
  std::unordered_map<PhraseTable::Node, std::unique_ptr<OptionList>> lists_;
  std::unordered_map<ForwardScores, std::uint32_t, ForwardHash> forward_classes_;
  std::size_t bytes_ = 0;
};

}  // namespace dragoman
