// Many sentences in, their translations by a chart search out.
#pragma once

#include <memory>
#include <span>

#include "search/batch.h"
#include "search/chart.h"

namespace dragoman {

// Steps of its translations come tails first; their targets have [1] and [2] for what their gaps
// derive.
class ChartDecoder final : public BatchDecoder {
 public:
  // Throws InputError when weights or options cannot be used, or the model has no rules.
  ChartDecoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
               const ChartOptions& options);

 private:
  std::unique_ptr<LineDecoder> make_worker() const override;

  ChartOptions options_;
};

}  // namespace dragoman
