#include "search/picture.h"

namespace dragoman {

SearchPicture picture_of(const SentenceOptions& sentence, const SearchSpace& space) {
  SearchPicture picture;
  picture.stacks = space.stacks;
  picture.hypotheses.reserve(space.hypotheses.size());
  for (const Hypothesis& hypothesis : space.hypotheses) {
    PicturedHypothesis& out = picture.hypotheses.emplace_back();
    out.covered = space.coverages->covered(hypothesis.coverage);
    out.back = hypothesis.back;
    out.total = hypothesis.total;
    out.source = hypothesis.last;
    if (hypothesis.option != nullptr) {
      out.target = sentence.target().spell(hypothesis.option->target_words());
    }
    out.coverage.assign(sentence.length(), '0');
    for (std::size_t i = 0; i < sentence.length(); ++i) {
      if (space.coverages->is_covered(hypothesis.coverage, i)) out.coverage[i] = '1';
    }
  }
  for (std::uint32_t at = space.goal; at != kNone; at = space.hypotheses[at].back) {
    picture.hypotheses[at].best = true;
  }
  return picture;
}

}  // namespace dragoman
