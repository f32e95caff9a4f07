// The Python module dragoman._core: only registers what the files beside it bind.
#include "bind.h"

NB_MODULE(_core, module) {
  module.doc() = "Dragoman's native core; use it through the dragoman package.";
  bind_errors(module);
  bind_text(module);
  bind_corpus(module);
  bind_alignment(module);
  bind_grammar(module);
  bind_lm(module);
  bind_preorder(module);
  bind_btg(module);
  bind_rules(module);
  bind_hiero(module);
  bind_phrase_table(module);
  bind_unknown(module);
  bind_context(module);
  bind_neural(module);
  bind_translation_model(module);
  bind_search(module);
  bind_consensus(module);
  bind_evaluation(module);
  bind_tuning(module);
  bind_reestimate(module);
  bind_learning(module);
}
