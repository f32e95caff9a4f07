#include "rules/phrase_table.h"

#include <algorithm>
#include <limits>

#include "text/error.h"

namespace dragoman {

PhraseTable::PhraseTable(const std::string& path, Verify verify)
    : file_(path, kKind, kVersion, kSections, Verify::kHeader) {
  const auto damaged = [&](const char* what) { return InputError(path + ": " + what); };
  const auto infos = file_.section<PhraseTableInfo>(kInfoSection);
  if (infos.size() != 1) throw damaged("the table has no description");
  info_ = infos[0];

  const auto text = file_.section<char>(kNamesSection);
  std::string name;
  for (const char character : text) {
    if (character != '\n') {
      name += character;
      continue;
    }
    (feature_names_.size() < info_.features ? feature_names_ : reordering_names_).push_back(name);
    name.clear();
  }
  sort_weights_ = file_.section<double>(kWeightsSection);
  nodes_ = file_.section<NodeRecord>(kNodesSection);
  options_ = file_.section<OptionRecord>(kOptionsSection);
  target_words_ = file_.section<WordId>(kTargetWordsSection);
  links_ = file_.section<PhraseLink>(kLinksSection);
  counts_ = file_.section<PhraseCounts>(kCountsSection);
  codebooks_ = file_.section<float>(kCodebooksSection);
  const std::uint64_t reordering_columns =
      static_cast<std::uint64_t>(info_.reorderings) * kScoresPerReordering;
  std::uint64_t scores = 0;
  std::uint64_t reordering_scores = 0;
  if (info_.quantised != 0) {
    score_codes_ = file_.section<std::uint8_t>(kScoresSection);
    reordering_codes_ = file_.section<std::uint8_t>(kReorderingSection);
    scores = score_codes_.size();
    reordering_scores = reordering_codes_.size();
  } else {
    scores_ = file_.section<float>(kScoresSection);
    reordering_scores_ = file_.section<float>(kReorderingSection);
    scores = scores_.size();
    reordering_scores = reordering_scores_.size();
  }
  bilingual_tokens_ = file_.section<WordId>(kBilingualTokensSection);
  bilingual_starts_ = file_.section<std::uint32_t>(kBilingualStartsSection);

  const bool consistent =
      feature_names_.size() == info_.features && reordering_names_.size() == info_.reorderings &&
      sort_weights_.size() == info_.features && nodes_.size() >= 2 &&
      options_.size() == info_.options && counts_.size() == info_.options &&
      scores == info_.options * info_.features &&
      reordering_scores == info_.options * reordering_columns &&
      codebooks_.size() ==
          (info_.quantised != 0 ? kCodes * (info_.features + reordering_columns) : 0) &&
      bilingual_starts_.size() == (info_.bilingual_words != 0 ? info_.options : 0);
  if (!consistent || info_.options > std::numeric_limits<std::uint32_t>::max() ||
      nodes_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw damaged("the sections do not fit each other");
  }
  if (verify == Verify::kContent) check_content();
}

std::optional<std::size_t> PhraseTable::feature(std::string_view name) const {
  const auto found = std::find(feature_names_.begin(), feature_names_.end(), name);
  if (found == feature_names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - feature_names_.begin());
}

std::optional<std::size_t> PhraseTable::reordering(std::string_view name) const {
  const auto found = std::find(reordering_names_.begin(), reordering_names_.end(), name);
  if (found == reordering_names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - reordering_names_.begin());
}

OptionRange PhraseTable::find(Sentence phrase) const {
  Node node = kRoot;
  for (const WordId word : phrase) {
    node = child(node, word);
    if (node == kNoNode) return {};
  }
  return options(node);
}

}  // namespace dragoman
