// Many sentences in, their translations by a chart search out.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "search/batch.h"
#include "search/chart.h"

namespace dragoman {

// Keeps what it has learnt about rules from call to call. Calls from several threads wait for
// each other; give one call several threads instead.
class ChartDecoder {
 public:
  // Throws InputError when weights or options cannot be used, or the model has no rules.
  ChartDecoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
               const ChartOptions& options);
  ~ChartDecoder();

  // The same whatever the number of threads. Steps come tails first; their targets have [1] and
  // [2] for what their gaps derive.
  std::vector<DecodeResult> decode(std::span<const DecodeRequest> requests,
                                   const DecodeWants& wants, int threads);

 private:
  void decode_one(ChartSearch& search, const DecodeRequest& request, const DecodeWants& wants,
                  DecodeResult& result) const;

  WeightedModel weighted_;
  ChartOptions options_;
  std::vector<std::unique_ptr<ChartSearch>> workers_;
  std::mutex busy_;
};

}  // namespace dragoman
