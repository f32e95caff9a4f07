// Phrase and reordering tables of Moses: everything before a line "===" is the first, the rest
// the second. What is read is written, opened, used and exported again.
#include "../tests/check.h"
#include "../tests/samples.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const check::TemporaryDirectory directory;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t border = text.find("===\n");
  try {
    MosesImporter importer("phrases");
    importer.add_phrases(text.substr(0, border));
    if (border != std::string_view::npos) {
      importer.begin_reordering("word", "reordering");
      importer.add_reordering(text.substr(border + 4));
    }
    importer.finish(directory / "phrases.table", directory / "source.vocab",
                    directory / "target.vocab", {1, 1, 1, 1});
    samples::use_table(directory.path(), "phrases.table");
  } catch (const InputError&) {
  }
  return 0;
}
