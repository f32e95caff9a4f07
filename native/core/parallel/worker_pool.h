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

// Calls from several threads go on at the same time: each takes the workers it needs from those
// that are there, and gives them back.
template <class Worker>
class WorkerPool {
 public:
  void add(std::unique_ptr<Worker> worker) { idle_.push_back(std::move(worker)); }

  // Calls work(block, worker) once for each block in [0, blocks), as parallel_for does; make()
  // returns a pointer to a worker that is needed and not there yet, and may be called from
  // several threads.
  template <class Make, class Work>
  void run(int threads, std::size_t blocks, Make&& make, Work&& work) {
    const std::size_t most = std::clamp<std::size_t>(blocks, 1, kMost);
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(1, threads)), most);
    Taken taken(*this, wanted);
    while (taken.workers.size() < wanted) taken.workers.push_back(make());
    parallel_for(static_cast<int>(wanted), blocks, [&](std::size_t block, int worker) {
      work(block, *taken.workers[static_cast<std::size_t>(worker)]);
    });
  }

 private:
  static constexpr std::size_t kMost = 1024;

  // Workers of one call, which come back however it ends.
  struct Taken {
    Taken(WorkerPool& from, std::size_t wanted) : pool(from) {
      const std::lock_guard lock(pool.mutex_);
      workers.reserve(wanted);
      while (workers.size() < wanted && !pool.idle_.empty()) {
        workers.push_back(std::move(pool.idle_.back()));
        pool.idle_.pop_back();
      }
    }
    ~Taken() {
      const std::lock_guard lock(pool.mutex_);
      for (auto& worker : workers) pool.idle_.push_back(std::move(worker));
    }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;

    WorkerPool& pool;
    std::vector<std::unique_ptr<Worker>> workers;
  };

  std::vector<std::unique_ptr<Worker>> idle_;
  std::mutex mutex_;
};

}  // namespace dragoman
