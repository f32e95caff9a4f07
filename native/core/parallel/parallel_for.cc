#include "parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dragoman {
namespace {

// Waits for its threads, also when one more could not be started. (std::jthread would do; not
// every standard library has it yet.)
struct Pool {
  std::vector<std::thread> threads;
  ~Pool() {
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

void parallel_for(int threads, std::size_t blocks,
                  const std::function<void(std::size_t, int)>& work) {
  if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  const auto workers = static_cast<int>(
      std::min<std::size_t>(static_cast<std::size_t>(threads), std::max<std::size_t>(blocks, 1)));
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex guard;
  std::size_t failed_block = blocks;
  std::exception_ptr failure;

  const auto run = [&](int worker) {
    while (!failed.load(std::memory_order_relaxed)) {
      const std::size_t block = next.fetch_add(1, std::memory_order_relaxed);
      if (block >= blocks) return;
      try {
        work(block, worker);
      } catch (...) {
        const std::scoped_lock lock(guard);
        failed = true;
        if (block < failed_block) {
          failed_block = block;
          failure = std::current_exception();
        }
      }
    }
  };

  {
    Pool pool;
    for (int worker = 1; worker < workers; ++worker) pool.threads.emplace_back(run, worker);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace dragoman
