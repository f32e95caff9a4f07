#include "preorder/node_features.h"

namespace dragoman {
namespace {

// Numbers of templates. Models hold weights by them: a number is never used for anything else.
enum Template : std::uint64_t {
  kLeftTags = 1,
  kRightTags = 2,
  kLeftWords = 3,
  kRightWords = 4,
  kBothTags = 5,
  kBothWords = 6,
  kBothAll = 7,
  kNearLeftTags = 8,
  kNearRightTags = 9,
  kNearLeftWords = 10,
  kNearRightWords = 11,
  kNearBothTags = 12,
  kNearBothWords = 13,
  kNearBothAll = 14,
  kSigma = 15,
  kSigmaLabel = 16,
  kSigmaPair = 17,
  kSigmaTags = 18,
  kSigmaWords = 19,
  kLiFirst = 32,   // 24 numbers
  kHeadFirst = 64  // 16 numbers
};

void emit(std::vector<std::uint64_t>& features, std::uint64_t name, std::uint64_t content) {
  features.push_back(mix_hash(name, content));
}

std::int32_t head_of(const Tree& tree, std::int32_t child) {
  return child < 0 ? ~child : tree.nodes[child].head;
}

}  // namespace

void NodeFeatures::begin(const Tree& tree) {
  tree_ = tree;
  words_.clear();
  tags_.clear();
  for (const TreeToken& token : tree.tokens) {
    words_.push_back(symbols_.hash(token.word));
    tags_.push_back(symbols_.hash(token.tag));
  }
  const std::size_t count = tree.nodes.size();
  sigma_.resize(count);
  sigma_tags_.resize(count);
  sigma_words_.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    const TreeNode& node = tree.nodes[n];
    const std::uint64_t own = symbols_.hash(node.label);
    const auto full = [&](std::int32_t child) {
      return child < 0 ? mix_hash(tags_[~child], words_[~child]) : sigma_[child];
    };
    const auto tags = [&](std::int32_t child) {
      return child < 0 ? tags_[~child] : sigma_tags_[child];
    };
    const auto words = [&](std::int32_t child) {
      return child < 0 ? words_[~child] : sigma_words_[child];
    };
    sigma_[n] = mix_hash(mix_hash(own, full(node.left)), full(node.right));
    sigma_tags_[n] = mix_hash(mix_hash(own, tags(node.left)), tags(node.right));
    sigma_words_[n] = mix_hash(mix_hash(0, words(node.left)), words(node.right));
  }
}

void NodeFeatures::of(std::size_t index, std::vector<std::uint64_t>& features) {
  features.clear();
  const TreeNode& node = tree_.nodes[index];
  if (sets_ & kSpans) spans(node, features);
  if (sets_ & kStructure) emit(features, kSigma, sigma_[index]);
  if (sets_ & kRelations) relations(static_cast<std::int32_t>(index), features);
  if (sets_ & kTagStructure) emit(features, kSigmaTags, sigma_tags_[index]);
  if (sets_ & kWordStructure) emit(features, kSigmaWords, sigma_words_[index]);
  if (sets_ & kLi) li(node, features);
  if (sets_ & kHeads) heads(node, features);
}

// Every pair of words meets at one node, so all nodes of a tree of n words together have
// n (n - 1) / 2 pairs of l and r.
void NodeFeatures::spans(const TreeNode& node, std::vector<std::uint64_t>& features) {
  left_tags_.clear();
  left_words_.clear();
  right_tags_.clear();
  right_words_.clear();
  std::uint64_t tags = 0;
  std::uint64_t words = 0;
  for (std::int32_t l = node.split - 1; l >= node.begin; --l) {
    left_tags_.push_back(tags = mix_hash(tags, tags_[l]));
    left_words_.push_back(words = mix_hash(words, words_[l]));
  }
  tags = words = 0;
  for (std::int32_t r = node.split; r < node.end; ++r) {
    right_tags_.push_back(tags = mix_hash(tags, tags_[r]));
    right_words_.push_back(words = mix_hash(words, words_[r]));
  }
  const auto both = [&](std::size_t l, std::size_t r, std::uint64_t shift) {
    const std::uint64_t tag_pair = mix_hash(left_tags_[l], right_tags_[r]);
    const std::uint64_t word_pair = mix_hash(left_words_[l], right_words_[r]);
    emit(features, kBothTags + shift, tag_pair);
    emit(features, kBothWords + shift, word_pair);
    emit(features, kBothAll + shift, mix_hash(tag_pair, word_pair));
  };
  emit(features, kLeftTags, left_tags_.back());
  emit(features, kRightTags, right_tags_.back());
  emit(features, kLeftWords, left_words_.back());
  emit(features, kRightWords, right_words_.back());
  both(left_tags_.size() - 1, right_tags_.size() - 1, 0);
  for (std::size_t l = 0; l < left_tags_.size(); ++l) {
    emit(features, kNearLeftTags, left_tags_[l]);
    emit(features, kNearLeftWords, left_words_[l]);
    for (std::size_t r = 0; r < right_tags_.size(); ++r) {
      both(l, r, kNearBothTags - kBothTags);
    }
  }
  for (std::size_t r = 0; r < right_tags_.size(); ++r) {
    emit(features, kNearRightTags, right_tags_[r]);
    emit(features, kNearRightWords, right_words_[r]);
  }
}

std::uint64_t NodeFeatures::label(std::int32_t child) const {
  return child < 0 ? tags_[~child] : symbols_.hash(tree_.nodes[child].label);
}

void NodeFeatures::relations(std::int32_t top, std::vector<std::uint64_t>& features) const {
  // Nodes under `top` stand before it, but not all that stand before it are under it.
  std::vector<std::int32_t> todo{top};
  emit(features, kSigmaLabel, label(top));
  while (!todo.empty()) {
    const std::int32_t parent = todo.back();
    todo.pop_back();
    for (const std::int32_t child : {tree_.nodes[parent].left, tree_.nodes[parent].right}) {
      emit(features, kSigmaLabel, label(child));
      emit(features, kSigmaPair, mix_hash(label(parent), label(child)));
      if (child >= 0) todo.push_back(child);
    }
  }
}

void NodeFeatures::li(const TreeNode& node, std::vector<std::uint64_t>& features) const {
  const std::int32_t count = static_cast<std::int32_t>(tree_.tokens.size());
  const std::int32_t places[] = {node.begin,     node.split - 1, head_of(tree_, node.left),
                                 node.split,     node.end - 1,   head_of(tree_, node.right),
                                 node.begin - 1, node.end};
  std::uint64_t name = kLiFirst;
  for (const auto* symbols : {&words_, &tags_}) {
    std::uint64_t found[8];
    for (int k = 0; k < 8; ++k) {
      found[k] = places[k] < 0 || places[k] >= count ? 0 : (*symbols)[places[k]];
      emit(features, name++, found[k]);
    }
    // First with first, last with last, head with head.
    for (int k = 0; k < 3; ++k) emit(features, name++, mix_hash(found[k], found[k + 3]));
  }
  const std::uint64_t parts = mix_hash(label(node.left), label(node.right));
  emit(features, name++, parts);
  emit(features, name, mix_hash(symbols_.hash(node.label), parts));
}

void NodeFeatures::heads(const TreeNode& node, std::vector<std::uint64_t>& features) const {
  const std::int32_t left = head_of(tree_, node.left);
  const std::int32_t right = head_of(tree_, node.right);
  const std::uint64_t own = symbols_.hash(node.label);
  const std::uint64_t parts = mix_hash(label(node.left), label(node.right));
  const std::uint64_t head_tags = mix_hash(tags_[left], tags_[right]);
  // The words at the inner and outer ends hold the particles and auxiliaries.
  const std::uint64_t ends = mix_hash(words_[node.split - 1], words_[node.end - 1]);
  std::uint64_t name = kHeadFirst;
  emit(features, name++, own);
  emit(features, name++, parts);
  emit(features, name++, mix_hash(own, parts));
  emit(features, name++, mix_hash(own, words_[left]));
  emit(features, name++, mix_hash(own, words_[right]));
  emit(features, name++, mix_hash(words_[left], words_[right]));
  emit(features, name++, mix_hash(words_[left], tags_[right]));
  emit(features, name++, mix_hash(tags_[left], words_[right]));
  emit(features, name++, head_tags);
  emit(features, name++, mix_hash(head_tags, words_[node.split - 1]));
  emit(features, name++, mix_hash(head_tags, words_[node.end - 1]));
  emit(features, name++, mix_hash(own, ends));
  emit(features, name++, mix_hash(parts, words_[node.split - 1]));
  emit(features, name++, mix_hash(parts, words_[node.end - 1]));
}

}  // namespace dragoman
