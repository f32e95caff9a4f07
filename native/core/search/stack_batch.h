// Many sentences in, their translations by a stack search out.
#pragma once

#include <memory>
#include <span>

#include "search/batch.h"
#include "search/search_options.h"

namespace dragoman {

class PhraseDecoder final : public BatchDecoder {
 public:
  // Throws InputError when weights or options cannot be used, or the model has rules.
  PhraseDecoder(std::shared_ptr<const TranslationModel> model, std::span<const double> weights,
                const SearchOptions& options);

  const SearchOptions& options() const { return options_; }

 private:
  std::unique_ptr<LineDecoder> make_worker() const override;

  SearchOptions options_;
};

}  // namespace dragoman
