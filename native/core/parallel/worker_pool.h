// Workers that outlive the call: each keeps what it has learnt for the next one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "parallel/parallel_for.h"

namespace dragoman {

// Calls from several threads wait for each other; give one call several threads instead.
template <class Worker>
class WorkerPool {
 public:
  void add(std::unique_ptr<Worker> worker) { workers_.push_back(std::move(worker)); }

  // Calls work(block, worker) once for each block in [0, blocks), as parallel_for does; make()
  // returns a pointer to a worker that is needed and not there yet.
  template <class Make, class Work>
  void run(int threads, std::size_t blocks, Make&& make, Work&& work) {
    const std::lock_guard lock(busy_);
    const std::size_t most = std::clamp<std::size_t>(blocks, 1, kMost);
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(1, threads)), most);
    while (workers_.size() < wanted) workers_.push_back(make());
    parallel_for(static_cast<int>(wanted), blocks, [&](std::size_t block, int worker) {
      work(block, *workers_[static_cast<std::size_t>(worker)]);
    });
  }

 private:
  static constexpr std::size_t kMost = 1024;

  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex busy_;
};

}  // namespace dragoman
