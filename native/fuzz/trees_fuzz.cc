// Bracketed trees and dependencies in CoNLL-U; the first byte says which, and how to binarise.
#include "preorder/node_classifier.h"
#include "preorder/node_features.h"
#include "preorder/oracle.h"
#include "preorder/read_brackets.h"
#include "preorder/read_conllu.h"
#include "text/error.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto binarisation = static_cast<Binarisation>(data[0] / 2 % 3);
  const auto head_side = static_cast<HeadSide>(data[0] / 6 % 2);
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Trees trees;
  try {
    if (data[0] % 2 == 0) {
      for (const std::string_view line : lines) {
        read_brackets(line, "trees", 1, binarisation, head_side, trees);
      }
    } else {
      read_conllu(lines, "trees", 1, binarisation, trees);
    }
  } catch (const InputError&) {
  }
  NodeFeatures maker(trees.symbols(), kAllFeatures);
  std::vector<std::uint64_t> features;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Tree tree = trees[t];
    maker.begin(tree);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) maker.of(n, features);
  }
  return 0;
}
