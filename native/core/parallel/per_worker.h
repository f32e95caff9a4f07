// What each worker of a parallel_for keeps to itself from one block to the next.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace dragoman {

// One T for each worker, made when that worker first asks for it.
template <class T>
class PerWorker {
 public:
  explicit PerWorker(int threads) : made_(static_cast<std::size_t>(threads)) {}

  template <class... Arguments>
  T& of(int worker, Arguments&&... arguments) {
    std::unique_ptr<T>& mine = made_[static_cast<std::size_t>(worker)];
    if (!mine) mine = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *mine;
  }

  // In the order of the workers.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (const std::unique_ptr<T>& mine : made_) {
      if (mine) visit(*mine);
    }
  }

 private:
  std::vector<std::unique_ptr<T>> made_;
};

}  // namespace dragoman
