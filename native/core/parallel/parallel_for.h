// Work in numbered blocks on several threads. The threads belong to the call.
//
// Determinism is the caller's: a block may write only to its own place, and whatever is summed
// over blocks is summed in block order afterwards. The number of blocks must depend on the data
// alone, never on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace dragoman {

// Calls work(block, worker) once for each block in [0, blocks), worker in [0, threads).
// Blocks are handed out in order. The first exception thrown (lowest block) is rethrown here
// after all threads have stopped; later blocks may then not have run.
void parallel_for(int threads, std::size_t blocks,
                  const std::function<void(std::size_t block, int worker)>& work);

}  // namespace dragoman
