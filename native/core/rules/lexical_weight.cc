#include "rules/lexical_weight.h"

#include <algorithm>
#include <cmath>

namespace dragoman {

LexicalScorer::LexicalScorer(const LexicalTable& forward, const LexicalTable& backward,
                             LexicalWeighting weighting)
    : forward_(forward), backward_(backward), weighting_(weighting) {}

LexicalScorer::Scores LexicalScorer::operator()(Sentence source, Sentence target,
                                                std::span<const PhraseLink> alignment) {
  if (weighting_ == LexicalWeighting::kViterbi) {
    return {viterbi(forward_, source, target), viterbi(backward_, target, source)};
  }
  return {
      by_links(forward_, source, target, alignment, &PhraseLink::source, &PhraseLink::target),
      by_links(backward_, target, source, alignment, &PhraseLink::target, &PhraseLink::source)};
}

float LexicalScorer::viterbi(Lookup& lookup, Sentence given, Sentence generated) {
  double sum = 0;
  for (const WordId word : generated) {
    float best = std::max(kLexicalFloor, lookup(kNullWord, word));
    for (const WordId partner : given) best = std::max(best, lookup(partner, word));
    sum += std::log(static_cast<double>(best));
  }
  return static_cast<float>(sum);
}

float LexicalScorer::by_links(Lookup& lookup, Sentence given, Sentence generated,
                              std::span<const PhraseLink> alignment,
                              std::uint8_t PhraseLink::* given_position,
                              std::uint8_t PhraseLink::* generated_position) {
  double sum = 0;
  for (std::size_t position = 0; position < generated.size(); ++position) {
    double total = 0;
    int links = 0;
    for (const PhraseLink& link : alignment) {
      if (link.*generated_position != position) continue;
      total += static_cast<double>(lookup(given[link.*given_position], generated[position]));
      ++links;
    }
    const double mean =
        links > 0 ? total / links : static_cast<double>(lookup(kNullWord, generated[position]));
    sum += std::log(std::max(static_cast<double>(kLexicalFloor), mean));
  }
  return static_cast<float>(sum);
}

}  // namespace dragoman
