#include "check.h"

#include "rules/extract_phrases.h"
#include "text/error.h"

using namespace dragoman;

namespace {

std::vector<PhraseInstance> extract(std::size_t source, std::size_t target,
                                    const std::vector<Link>& links, std::size_t longest = 7) {
  ExtractionOptions options;
  options.max_length = longest;
  options.reordering = {true, true, true};
  PhraseExtractor extractor(options);
  std::vector<PhraseInstance> found;
  extractor.extract(source, target, links, found);
  return found;
}

const PhraseInstance& at(const std::vector<PhraseInstance>& found, int source_begin,
                         int source_end, int target_begin, int target_end) {
  for (const PhraseInstance& pair : found) {
    if (pair.source_begin == source_begin &&
        pair.source_begin + pair.source_length == source_end &&
        pair.target_begin == target_begin &&
        pair.target_begin + pair.target_length == target_end) {
      return pair;
    }
  }
  throw check::Failure();
}

using enum Orientation;
using enum ReorderingKind;
using enum ReorderingDirection;

}  // namespace

TEST(one_link_one_phrase) {
  const auto found = extract(1, 1, {{0, 0}});
  CHECK_EQUAL(found.size(), 1u);
  CHECK(found[0].orientation(kWord, kBackward) == kMonotone);
  CHECK(found[0].orientation(kHierarchical, kForward) == kMonotone);
}

TEST(crossing_links_hold_together) {
  // Two source words both linked to both target words: only the whole is consistent.
  const auto found = extract(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK_EQUAL(found.size(), 1u);
  CHECK_EQUAL(int{found[0].source_length}, 2);
}

TEST(words_without_links_extend_and_respect_the_length) {
  CHECK_EQUAL(extract(5, 1, {{2, 0}}).size(), 9u);     // three begins, three ends
  CHECK_EQUAL(extract(5, 1, {{2, 0}}, 2).size(), 3u);  // alone, with its left, with its right
  CHECK_EQUAL(extract(1, 5, {{0, 2}}, 2).size(), 3u);
}

TEST(a_phrase_as_long_as_allowed) {
  std::vector<Link> links;
  for (std::uint16_t i = 0; i < 10; ++i) links.push_back({i, i});
  CHECK_EQUAL(extract(10, 10, links, 7).size(), 10u + 9 + 8 + 7 + 6 + 5 + 4);
  CHECK_EQUAL(extract(10, 10, links, 255).size(), 55u);
}

TEST(swap_and_discontinuous) {
  // la casa verde | the green house
  const auto found = extract(3, 3, {{0, 0}, {1, 2}, {2, 1}});
  const PhraseInstance& house = at(found, 1, 2, 2, 3);
  CHECK(house.orientation(kWord, kBackward) == kSwap);
  CHECK(house.orientation(kPhrase, kBackward) == kSwap);
  CHECK(house.orientation(kHierarchical, kBackward) == kSwap);
  CHECK(house.orientation(kHierarchical, kForward) == kDiscontinuous);  // no end of sentence
  CHECK(at(found, 2, 3, 1, 2).orientation(kHierarchical, kBackward) == kDiscontinuous);
  CHECK(at(found, 0, 1, 0, 1).orientation(kWord, kForward) == kDiscontinuous);
  CHECK(at(found, 0, 1, 0, 1).orientation(kPhrase, kForward) == kMonotone);  // "casa verde"
}

TEST(the_hierarchical_model_sees_what_is_too_long_for_the_phrase_model) {
  // Source 3 4 5 | 0 1 2 in the target order: the last word swaps with the block before it.
  const auto found = extract(4, 4, {{0, 3}, {1, 0}, {2, 1}, {3, 2}}, 2);
  const PhraseInstance& last = at(found, 0, 1, 3, 4);
  CHECK(last.orientation(kWord, kBackward) == kDiscontinuous);
  CHECK(last.orientation(kPhrase, kBackward) == kDiscontinuous);
  CHECK(last.orientation(kHierarchical, kBackward) == kSwap);
}

TEST(an_alignment_no_two_blocks_can_make) {
  const auto found = extract(5, 5, {{0, 2}, {1, 0}, {2, 3}, {3, 1}, {4, 4}}, 2);
  CHECK(at(found, 4, 5, 4, 5).orientation(kHierarchical, kBackward) == kMonotone);
}

TEST(the_decoder_contract_agrees_with_training) {
  // Translate source 1 0 3 2 word by word with the stack a decoder keeps.
  BlockStack stack;
  CHECK(stack.push({1, 2}) == kDiscontinuous);
  CHECK(stack.push({0, 1}) == kSwap);
  CHECK_EQUAL(stack.blocks().size(), 1u);
  CHECK(stack.push({3, 4}) == kDiscontinuous);
  CHECK(stack.push({2, 3}) == kSwap);
  CHECK_EQUAL(stack.blocks().size(), 1u);
  CHECK(stack.top() == (SourceSpan{0, 4}));
  const auto found = extract(4, 4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}, 1);
  CHECK(at(found, 1, 2, 0, 1).orientation(kHierarchical, kBackward) == kDiscontinuous);
  CHECK(at(found, 0, 1, 1, 2).orientation(kHierarchical, kBackward) == kSwap);
  CHECK(at(found, 3, 4, 2, 3).orientation(kHierarchical, kBackward) == kDiscontinuous);
  CHECK(at(found, 2, 3, 3, 4).orientation(kHierarchical, kBackward) == kSwap);
}

TEST(forward_orientation_by_coverage) {
  const auto none = [](std::size_t) { return false; };
  const auto all = [](std::size_t) { return true; };
  CHECK(forward_orientation({0, 1}, {1, 2}, 4, none) == kMonotone);
  CHECK(forward_orientation({0, 1}, {2, 3}, 4, none) == kMonotone);  // 1 will join it
  CHECK(forward_orientation({0, 1}, {2, 3}, 4, all) == kDiscontinuous);
  CHECK(forward_orientation({2, 3}, {0, 1}, 4, none) == kSwap);
  CHECK(forward_orientation({2, 3}, {0, 1}, 4, all) == kDiscontinuous);
  CHECK(forward_orientation({2, 3}, {1, 2}, 4, all) == kSwap);
}

TEST(bad_links_are_input_errors) {
  CHECK_THROWS(extract(2, 2, {{2, 0}}), InputError, "2-0 points outside");
  CHECK_THROWS(extract(2, 2, {{0, 0}, {0, 0}}), InputError, "given twice");
  CHECK_THROWS(extract(2, 2, {{1, 0}, {0, 0}}), InputError, "out of order");
  CHECK_THROWS(extract(1, 1, {{0, 0}}, 256), InputError, "1 to 255");
}

CHECK_MAIN()
