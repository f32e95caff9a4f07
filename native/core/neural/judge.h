// A network as those ask it who have words and not numbers.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "neural/network.h"
#include "neural/scorer.h"
#include "parallel/worker_pool.h"
#include "text/error.h"
#include "text/vocabulary.h"

namespace dragoman {

// Keeps its scorers, and so what they have computed, from call to call.
struct NetworkJudge {
  // Throws InputError when the network knows more words than the vocabularies have.
  NetworkJudge(const std::string& path, Vocabulary source_words, Vocabulary target_words)
      : network(std::make_shared<const Network>(path)),
        source(std::move(source_words)),
        target(std::move(target_words)) {
    if (network->shape().source_words > source.size() ||
        network->shape().target_words > target.size()) {
      throw InputError(path + ": is of another model: it knows more words than there are");
    }
  }

  std::shared_ptr<const Network> network;
  Vocabulary source;
  Vocabulary target;
  WorkerPool<NetworkScorer> scorers;
};

}  // namespace dragoman
