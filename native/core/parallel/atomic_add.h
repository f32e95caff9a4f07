// Ordinary numbers that several threads add to. Whole numbers only: their sum does not depend on
// the order in which the threads come.
#pragma once

#include <concepts>

namespace dragoman {

// std::atomic_ref would say the same, but not every standard library has it yet; the compilers
// themselves do.
template <std::unsigned_integral T>
void atomic_add(T& sum, T value) {
  __atomic_fetch_add(&sum, value, __ATOMIC_RELAXED);
}

}  // namespace dragoman
