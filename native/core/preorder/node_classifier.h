// A linear classifier of nodes over hashed features: mapped from a file and ready.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "preorder/tree.h"
#include "text/binary_format.h"

namespace dragoman {

class NodeClassifier {
 public:
  // Weights by bucket, 2^bits of them; positive sums speak for turning over.
  static void save(const std::string& path, std::uint32_t sets, Binarisation binarisation,
                   HeadSide head_side, double bias, std::span<const float> weights);

  explicit NodeClassifier(const std::string& path, Verify verify = Verify::kContent);

  std::uint32_t sets() const { return static_cast<std::uint32_t>(header_[0]); }
  Binarisation binarisation() const { return static_cast<Binarisation>(header_[1]); }
  HeadSide head_side() const { return static_cast<HeadSide>(header_[2]); }
  double bias() const { return bias_; }
  std::span<const float> weights() const { return weights_; }

  // The log odds of each node of all trees for being turned over.
  std::vector<float> scores(const Trees& trees, int threads) const;

 private:
  BinaryFile file_;
  std::span<const std::int64_t> header_;
  double bias_ = 0;
  std::span<const float> weights_;
};

// The features of nodes as the rows of a sparse matrix. `wanted` marks the nodes; a bucket that
// `columns` gives no column (-1) is left out.
struct FeatureRows {
  std::vector<std::int32_t> columns;
  std::vector<std::int64_t> offsets{0};
};

// Adds to each bucket how many wanted nodes have it, up to 255.
void count_features(const Trees& trees, std::span<const std::uint8_t> wanted, std::uint32_t sets,
                    std::span<std::uint8_t> counts);
FeatureRows feature_rows(const Trees& trees, std::span<const std::uint8_t> wanted,
                         std::uint32_t sets, std::span<const std::int32_t> columns, int threads);

}  // namespace dragoman
