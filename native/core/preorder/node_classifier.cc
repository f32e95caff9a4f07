#include "preorder/node_classifier.h"

#include <bit>
#include <cmath>

#include "parallel/parallel_for.h"
#include "preorder/node_features.h"
#include "text/error.h"

namespace dragoman {
namespace {

constexpr std::string_view kKind = "preorder";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kTreesPerBlock = 64;

void check_buckets(std::size_t buckets) {
  if (!std::has_single_bit(buckets)) {
    throw std::invalid_argument("the number of buckets must be a power of two");
  }
}

}  // namespace

void NodeClassifier::save(const std::string& path, std::uint32_t sets, Binarisation binarisation,
                          HeadSide head_side, double bias, std::span<const float> weights) {
  check_buckets(weights.size());
  BinaryWriter writer(path, kKind, kVersion, 3);
  const std::int64_t header[] = {sets, static_cast<std::int64_t>(binarisation),
                                 static_cast<std::int64_t>(head_side)};
  writer.section(std::span<const std::int64_t>(header));
  writer.section(std::span<const double>(&bias, 1));
  writer.section(weights);
  writer.finish();
}

NodeClassifier::NodeClassifier(const std::string& path, Verify verify)
    : file_(path, kKind, kVersion, 3, verify), header_(file_.section<std::int64_t>(0)) {
  const auto bias = file_.section<double>(1);
  weights_ = file_.section<float>(2);
  const bool sound = header_.size() == 3 && bias.size() == 1 && std::isfinite(bias[0]) &&
                     std::has_single_bit(weights_.size()) && header_[0] > 0 &&
                     header_[0] <= kAllFeatures && header_[1] >= 0 && header_[1] <= 2 &&
                     header_[2] >= 0 && header_[2] <= 1;
  if (!sound) throw InputError(path + ": damaged: the parts of the model do not fit each other");
  if (!are_ordinary(weights_)) throw InputError(path + ": damaged: a weight is not a number");
  bias_ = bias[0];
}

std::vector<float> NodeClassifier::scores(const Trees& trees, int threads) const {
  std::vector<float> scores(trees.node_offsets().back());
  const std::uint64_t mask = weights_.size() - 1;
  const std::size_t blocks = (trees.size() + kTreesPerBlock - 1) / kTreesPerBlock;
  parallel_for(threads, blocks, [&](std::size_t block, int) {
    NodeFeatures maker(trees.symbols(), sets());
    std::vector<std::uint64_t> features;
    const std::size_t end = std::min(trees.size(), (block + 1) * kTreesPerBlock);
    for (std::size_t t = block * kTreesPerBlock; t < end; ++t) {
      const Tree tree = trees[t];
      maker.begin(tree);
      for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        maker.of(n, features);
        double sum = bias_;
        for (const std::uint64_t feature : features) sum += weights_[feature & mask];
        scores[trees.node_offsets()[t] + n] = static_cast<float>(sum);
      }
    }
  });
  return scores;
}

void count_features(const Trees& trees, std::span<const std::uint8_t> wanted, std::uint32_t sets,
                    std::span<std::uint8_t> counts) {
  check_buckets(counts.size());
  const std::uint64_t mask = counts.size() - 1;
  NodeFeatures maker(trees.symbols(), sets);
  std::vector<std::uint64_t> features;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Tree tree = trees[t];
    maker.begin(tree);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      if (!wanted[trees.node_offsets()[t] + n]) continue;
      maker.of(n, features);
      for (const std::uint64_t feature : features) {
        std::uint8_t& count = counts[feature & mask];
        if (count != 255) ++count;
      }
    }
  }
}

FeatureRows feature_rows(const Trees& trees, std::span<const std::uint8_t> wanted,
                         std::uint32_t sets, std::span<const std::int32_t> columns, int threads) {
  check_buckets(columns.size());
  const std::uint64_t mask = columns.size() - 1;
  const std::size_t blocks = (trees.size() + kTreesPerBlock - 1) / kTreesPerBlock;
  std::vector<FeatureRows> parts(blocks);
  parallel_for(threads, blocks, [&](std::size_t block, int) {
    FeatureRows& part = parts[block];
    NodeFeatures maker(trees.symbols(), sets);
    std::vector<std::uint64_t> features;
    const std::size_t end = std::min(trees.size(), (block + 1) * kTreesPerBlock);
    for (std::size_t t = block * kTreesPerBlock; t < end; ++t) {
      const Tree tree = trees[t];
      maker.begin(tree);
      for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        if (!wanted[trees.node_offsets()[t] + n]) continue;
        maker.of(n, features);
        for (const std::uint64_t feature : features) {
          const std::int32_t column = columns[feature & mask];
          if (column >= 0) part.columns.push_back(column);
        }
        part.offsets.push_back(static_cast<std::int64_t>(part.columns.size()));
      }
    }
  });
  FeatureRows rows;
  for (FeatureRows& part : parts) {
    const auto base = static_cast<std::int64_t>(rows.columns.size());
    rows.columns.insert(rows.columns.end(), part.columns.begin(), part.columns.end());
    for (std::size_t k = 1; k < part.offsets.size(); ++k) {
      rows.offsets.push_back(base + part.offsets[k]);
    }
    part = {};
  }
  return rows;
}

}  // namespace dragoman
