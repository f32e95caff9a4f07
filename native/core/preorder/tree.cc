#include "preorder/tree.h"

#include "text/checksum.h"

namespace dragoman {

std::uint32_t Symbols::intern(std::string_view text) {
  if (const auto found = index_.find(text); found != index_.end()) return found->second;
  const auto symbol = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  hashes_.push_back(hash_bytes(text));
  index_.emplace(texts_.back(), symbol);
  return symbol;
}

std::string Trees::text(std::size_t i) const {
  std::string line;
  for (const auto& token : (*this)[i].tokens) {
    if (!line.empty()) line += ' ';
    line += symbols_.text(token.word);
  }
  return line;
}

std::string Trees::brackets(std::size_t i) const {
  const Tree tree = (*this)[i];
  if (tree.tokens.empty()) return "()";
  std::string line;
  const auto escaped = [](std::string_view word) -> std::string_view {
    return word == "(" ? "-LRB-" : word == ")" ? "-RRB-" : word;
  };
  // Children still to write; `kClose` ends a constituent.
  constexpr std::int32_t kClose = INT32_MAX;
  std::vector<std::int32_t> todo{
      tree.nodes.empty() ? ~0 : static_cast<std::int32_t>(tree.nodes.size() - 1)};
  while (!todo.empty()) {
    const std::int32_t ref = todo.back();
    todo.pop_back();
    if (ref == kClose) {
      line += ')';
      continue;
    }
    if (!line.empty()) line += ' ';
    line += '(';
    if (ref < 0) {
      const auto& token = tree.tokens[~ref];
      line.append(symbols_.text(token.tag)).append(" ");
      line.append(escaped(symbols_.text(token.word))).append(")");
    } else {
      const auto& node = tree.nodes[ref];
      line += symbols_.text(node.label);
      todo.insert(todo.end(), {kClose, node.right, node.left});
    }
  }
  return line;
}

Trees Trees::select(std::span<const std::int64_t> indices) const {
  Trees chosen;
  for (const std::int64_t index : indices) {
    if (index < 0) {
      chosen.close_tree(0);
      continue;
    }
    const Tree tree = (*this)[static_cast<std::size_t>(index)];
    for (const TreeToken& token : tree.tokens) {
      chosen.add_token(symbols_.text(token.word), symbols_.text(token.tag));
    }
    for (TreeNode node : tree.nodes) {
      node.label = chosen.symbols_.intern(symbols_.text(node.label));
      chosen.add_node(node);
    }
    chosen.close_tree(tree.line);
  }
  return chosen;
}

void Trees::add_token(std::string_view word, std::string_view tag) {
  tokens_.push_back({symbols_.intern(word), symbols_.intern(tag)});
}

void Trees::close_tree(std::size_t line) {
  token_offsets_.push_back(tokens_.size());
  node_offsets_.push_back(nodes_.size());
  lines_.push_back(line);
}

void Trees::drop_open() {
  tokens_.resize(token_offsets_.back());
  nodes_.resize(node_offsets_.back());
}

TreePart join(Trees& trees, const TreePart& left, const TreePart& right, std::int32_t head,
              std::uint32_t label) {
  const auto index = static_cast<std::int32_t>(trees.open_nodes());
  trees.add_node({left.begin, right.begin, right.end, left.ref, right.ref, head, label});
  return {index, left.begin, right.end, head};
}

}  // namespace dragoman
