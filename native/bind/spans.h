// Source spans, and numbers that may stand for nothing, as Python sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "rules/orientation.h"

using Span = std::pair<std::uint32_t, std::uint32_t>;

inline Span to_pair(dragoman::SourceSpan span) { return {span.begin, span.end}; }

inline std::optional<std::uint32_t> unless(std::uint32_t none, std::uint32_t value) {
  return value == none ? std::optional<std::uint32_t>() : value;
}
