// The features of a phrase model, in the one order in which values and weights are kept.
//
//   table columns   tm.fwd tm.bwd lex.fwd lex.bwd, or whatever the phrase table calls its own
//   lm lm.2 ...     log-probability of the target words, </s> included; lm.classes: of their
//                   classes; bilm: of their bilingual tokens
//   words           how many target words
//   phrases         how many phrase pairs
//   distortion      minus the sum of the jumps |end of last phrase - begin of next|, the jump to
//                   the end of the sentence included (paper 000, section 4)
//   unknown         how many words were copied because nothing is known of them
//                   Hierarchical models have rules and glue in the place of phrases and
//                   distortion: how many rules, and how often parts were only put side by side.
//   reorder.KIND.{backward,forward}.{monotone,swap,discontinuous}
//                   log-probability of the orientations, see rules/orientation.h
//   context.words   log-probability of the words that source words are linked to, where these
//                   stand (context/context_lexicon.h); context.none: of having no translation,
//                   of the source words that are linked to none
//   unknown.SOURCE  how many words were translated as this source of the model offers; what a
//                   source copies counts there and not as unknown
//
// Values are unweighted, natural logarithms where they are probabilities; a weight above zero
// says: the more of it, the better.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/offers.h"

namespace dragoman {

class FeatureSet {
 public:
  FeatureSet() = default;
  // `sequences` are the names of the language models, e.g. lm, lm.2, bilm. Throws InputError
  // when a name occurs twice.
  FeatureSet(std::span<const std::string> table, std::span<const std::string> sequences,
             std::span<const std::string> reorderings, bool hierarchical = false,
             std::span<const std::string> sources = {}, bool context = false);

  std::span<const std::string> names() const { return names_; }
  std::size_t size() const { return names_.size(); }
  std::optional<std::size_t> find(std::string_view name) const;

  std::size_t table_columns() const { return table_columns_; }  // the first positions
  std::size_t sequence(std::size_t index) const { return table_columns_ + index; }
  std::size_t words() const { return counters_; }
  std::size_t phrases() const { return counters_ + 1; }  // or rules
  std::size_t distortion() const { return counters_ + 2; }
  std::size_t glue() const { return counters_ + 2; }  // of hierarchical models
  std::size_t unknown() const { return counters_ + 3; }
  // The first of the model's kScoresPerReordering positions.
  std::size_t reordering(std::size_t model) const;
  std::size_t sources() const { return context_.value_or(names_.size()) - sources_; }
  // The first of the two of the lexicon that looks at the context.
  std::optional<std::size_t> context() const { return context_; }
  // The feature that counts what is not in the table; none counts what a user gave.
  std::optional<std::size_t> counter_of(const Provenance& provenance) const {
    if (provenance.source != Provenance::kNoSource) {
      return sources_ + static_cast<std::size_t>(provenance.source);
    }
    return provenance.unknown ? std::optional(unknown()) : std::nullopt;
  }

 private:
  std::vector<std::string> names_;
  std::size_t table_columns_ = 0;
  std::size_t counters_ = 0;
  std::size_t sources_ = 0;
  std::optional<std::size_t> context_;
};

// Throws InputError unless there is one finite weight per feature.
void check_weights(const FeatureSet& features, std::span<const double> weights);

}  // namespace dragoman
