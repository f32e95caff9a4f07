// Synchronous grammars in three notations: read, written, read again, factored.
#include <cstdlib>

#include "grammar/factor.h"
#include "grammar/notation.h"
#include "text/error.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  ReadOptions options;
  if (data[0] & 4) options.score = data[0] & 8 ? "1" : "P";
  try {
    guess_format(text);
    const auto format = static_cast<GrammarFormat>(data[0] % 3);
    const Grammar grammar = read_grammar(text, "grammar", format, options);
    const std::string written = write_grammar(grammar, GrammarFormat::kRules);
    if (read_grammar(written, "again", GrammarFormat::kRules).size() != grammar.size()) {
      std::abort();  // what is written must be read
    }
    factor(grammar);
  } catch (const InputError&) {
  }
  return 0;
}
