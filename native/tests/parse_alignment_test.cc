// Minimal rules of word alignments, checked by parsing the pairs they come from.
#include <random>

#include "check.h"
#include "grammar/alignment_tree.h"
#include "grammar/notation.h"
#include "grammar/parse.h"
#include "text/error.h"

using namespace dragoman;

namespace {

using Links = std::vector<Link>;

Grammar minimal(const std::string& source, const std::string& target, const Links& links) {
  MinimalRuleCounter counter;
  counter.add(source, target, links);
  return counter.finish();
}

std::string shown(const Grammar& grammar) {
  std::string text;
  for (std::size_t i = 0; i < grammar.size(); ++i) text += write_rule(grammar, grammar[i]) + "\n";
  return text;
}

AlignmentRank rank_of(const Links& links) {
  const std::vector<std::uint64_t> offsets{0, links.size()};
  return alignment_ranks(LinkSets(links, offsets), 1)[0];
}

struct Phrase {
  int i, j, a, b;
};

// All tight phrase pairs over aligned words, by definition.
std::vector<Phrase> phrases_by_definition(const Links& links, int n) {
  std::vector<Phrase> found;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      int a = 1000, b = -1;
      bool first = false, last = false;
      for (const auto& l : links) {
        if (l.source < i || l.source > j) continue;
        a = std::min<int>(a, l.target);
        b = std::max<int>(b, l.target);
        first = first || l.source == i;
        last = last || l.source == j;
      }
      if (!first || !last) continue;
      bool closed = true;
      for (const auto& l : links) {
        if (l.target >= a && l.target <= b && (l.source < i || l.source > j)) closed = false;
      }
      if (closed) found.push_back({i, j, a, b});
    }
  }
  return found;
}

}  // namespace

TEST(minimal_rules_by_hand) {
  // Two words swap; an unaligned word between goes to the rule of the swap, one at the end to
  // the topmost rule.
  CHECK_EQUAL(shown(minimal("a u b c", "B A C v", {{0, 1}, {2, 0}, {3, 2}})),
              "X -> a | A\nX -> b | B\nX -> c | C\nX -> X[1] u X[2] | X[2] X[1]\n"
              "X -> X[1] X[2] | X[1] X[2] v\n");
  // "ne ... pas": words of one rule around another.
  CHECK_EQUAL(shown(minimal("ne va pas", "not go", {{0, 0}, {2, 0}, {1, 1}})),
              "X -> va | go\nX -> ne X[1] pas | not X[1]\n");
  CHECK_EQUAL(shown(minimal("a b", "c", {})), "X -> a b | c\n");
  CHECK_EQUAL(shown(minimal("a b", "c", {{1, 0}})), "X -> a b | c\n");
  CHECK_EQUAL(shown(minimal("a a a", "b b b", {{0, 0}, {1, 1}, {2, 2}})),
              "X -> a | b\nX -> X[1] X[2] | X[1] X[2]\n");
}

TEST(ranks_by_hand) {
  CHECK_EQUAL(rank_of({}).rank, 0);
  CHECK_EQUAL(rank_of({{0, 0}}).rank, 0);
  CHECK_EQUAL(rank_of({{0, 0}, {1, 1}, {2, 2}}).rank, 2);
  CHECK_EQUAL(rank_of({{0, 0}, {1, 1}, {2, 2}}).straight, 2);
  CHECK_EQUAL(rank_of({{0, 1}, {1, 0}}).inverted, 1);
  CHECK_EQUAL(rank_of({{0, 1}, {1, 3}, {2, 0}, {3, 2}}).rank, 4);  // 2 4 1 3
  CHECK_EQUAL(rank_of({{0, 0}, {2, 0}, {1, 1}}).rank, 1);
  CHECK_EQUAL(rank_of({{0, 0}, {0, 0}, {1, 1}}).rank, 2);  // a link given twice
}

TEST(links_outside_are_refused) {
  CHECK_THROWS(minimal("a", "b", {{0, 1}}), InputError,
               "sentence pair 1: link 0-1 points outside its 1 and 1 words");
}

TEST(random_alignments_have_the_strong_phrase_pairs_and_derive_their_pairs) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const int n = 1 + static_cast<int>(random() % 7);
    const int m = 1 + static_cast<int>(random() % 7);
    Links links;
    for (int k = static_cast<int>(random() % 9); k > 0; --k) {
      links.push_back(
          {static_cast<std::uint16_t>(random() % n), static_cast<std::uint16_t>(random() % m)});
    }
    const auto all = phrases_by_definition(links, n);
    std::vector<Phrase> strong;
    for (const auto& p : all) {
      bool overlapped = false;
      for (const auto& q : all) {
        overlapped = overlapped || (p.i < q.i && q.i <= p.j && p.j < q.j) ||
                     (q.i < p.i && p.i <= q.j && q.j < p.j);
      }
      if (!overlapped) strong.push_back(p);
    }
    const auto tree = alignment_tree(links);
    std::size_t phrases = tree.nesting.inner();
    for (std::size_t leaf = 0; leaf < tree.nesting.leaves; ++leaf) {
      phrases += tree.phrase[leaf] ? 1 : 0;
    }
    CHECK_EQUAL(phrases, strong.size());
    for (std::size_t node = 0; node < tree.nesting.inner(); ++node) {
      const auto a = tree.target_begins[tree.nesting.leaves + node];
      const auto b = tree.target_ends[tree.nesting.leaves + node];
      CHECK(std::any_of(strong.begin(), strong.end(),
                        [&](const Phrase& p) { return p.a == a && p.b + 1 == b; }));
    }
    std::string source;
    std::string target;
    for (int i = 0; i < n; ++i) source += " s" + std::to_string(i);
    for (int j = 0; j < m; ++j) target += " t" + std::to_string(j);
    const auto grammar = minimal(source, target, links);
    const SynchronousParser parser(grammar);
    CHECK(parser
              .parse(grammar.default_start(), encode_terminals(grammar, source),
                     encode_terminals(grammar, target))
              .generated);
    std::size_t rank = 0;
    for (std::size_t i = 0; i < grammar.size(); ++i) rank = std::max(rank, rule_rank(grammar[i]));
    CHECK_EQUAL(rank, static_cast<std::size_t>(rank_of(links).rank));
  }
}

CHECK_MAIN()
