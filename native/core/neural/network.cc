#include "neural/network.h"

#include <algorithm>
#include <stdexcept>

#include "text/error.h"

namespace dragoman {

namespace {

constexpr std::string_view kNetworkKind = "neural";
constexpr std::uint32_t kNetworkVersion = 1;
constexpr std::uint32_t kNetworkSections = 7;
constexpr std::size_t kShapeNumbers = 6;

// A stranger's file must not make us ask for more memory than it has itself, a few times.
constexpr std::uint32_t kMostHistory = 8;
constexpr std::uint32_t kMostWindow = 8;
constexpr std::uint32_t kMostDimensions = 1024;
constexpr std::uint32_t kMostHidden = 4096;
constexpr std::uint32_t kMostWords = 1 << 16;

bool lies(std::uint32_t number, std::uint32_t low, std::uint32_t high) {
  return low <= number && number <= high;
}

}  // namespace

bool NetworkShape::sound() const {
  return lies(history, 1, kMostHistory) && lies(window, 0, kMostWindow) &&
         lies(dimensions, 1, kMostDimensions) && lies(hidden, 1, kMostHidden) &&
         lies(source_words, kReserved, kMostWords) && lies(target_words, kReserved, kMostWords);
}

bool NetworkWeights::fit(const NetworkShape& shape) const {
  const std::size_t width = shape.dimensions;
  const std::size_t units = shape.hidden;
  return source.size() == shape.source_words * width &&
         target.size() == shape.target_words * width &&
         first.size() == shape.inputs() * width * units && bias.size() == units &&
         output.size() == shape.target_words * units && frequency.size() == shape.target_words;
}

void Network::save(const std::string& path, const NetworkShape& shape,
                   const NetworkWeights& weights) {
  if (!shape.sound() || !weights.fit(shape)) {
    throw std::invalid_argument("the weights of a network do not fit its shape");
  }
  BinaryWriter writer(path, kNetworkKind, kNetworkVersion, kNetworkSections);
  const std::uint32_t numbers[kShapeNumbers] = {shape.history,      shape.window,
                                                shape.dimensions,   shape.hidden,
                                                shape.source_words, shape.target_words};
  writer.section(std::span<const std::uint32_t>(numbers));
  for (const auto& part : {weights.source, weights.target, weights.first, weights.bias,
                           weights.output, weights.frequency}) {
    writer.section(part);
  }
  writer.finish();
}

Network::Network(const std::string& path, Verify verify)
    : file_(path, kNetworkKind, kNetworkVersion, kNetworkSections, verify) {
  const auto numbers = file_.section<std::uint32_t>(0);
  if (numbers.size() == kShapeNumbers) {
    shape_ = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
  }
  const auto part = [this](std::uint32_t index) { return file_.section<float>(index); };
  weights_ = {part(1), part(2), part(3), part(4), part(5), part(6)};
  if (!shape_.sound() || !weights_.fit(shape_)) {
    throw InputError(path + ": damaged: the parts of the network do not fit each other");
  }
  for (std::uint32_t index = 1; index < kNetworkSections; ++index) {
    if (!are_ordinary(part(index))) {
      throw InputError(path + ": damaged: a weight of the network is not a number");
    }
  }
}

}  // namespace dragoman
