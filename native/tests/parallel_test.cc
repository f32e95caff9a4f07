#include "check.h"

#include <atomic>
#include <stdexcept>

#include "parallel/parallel_for.h"

using dragoman::parallel_for;

TEST(every_block_runs_once) {
  for (const int threads : {1, 2, 4}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(threads, runs.size(), [&](std::size_t block, int worker) {
      CHECK(worker >= 0 && worker < threads);
      ++runs[block];
    });
    for (const auto& count : runs) CHECK_EQUAL(count.load(), 1);
  }
}

TEST(no_blocks_is_no_work) {
  parallel_for(4, 0, [](std::size_t, int) { throw std::runtime_error("ran"); });
}

TEST(the_first_failing_block_is_reported) {
  for (const int threads : {1, 4}) {
    CHECK_THROWS(parallel_for(threads, 100,
                              [](std::size_t block, int) {
                                if (block % 10 == 3) {
                                  throw std::runtime_error("block " + std::to_string(block));
                                }
                              }),
                 std::runtime_error, "block 3");
  }
}

TEST(threads_must_be_positive) {
  CHECK_THROWS(parallel_for(0, 1, [](std::size_t, int) {}), std::invalid_argument, "threads");
}

CHECK_MAIN()
