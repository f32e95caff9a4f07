// Language models as ARPA text, read in pieces, written, opened and asked.
#include "../tests/check.h"
#include "../tests/samples.h"

using namespace dragoman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const check::TemporaryDirectory directory;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    ArpaReader reader("arpa");
    for (std::size_t at = 0; at < text.size(); at += 61) reader.add(text.substr(at, 61));
    reader.finish().write(directory / "model", 1);
    samples::use_lm(NgramModel::open(directory / "model"));
  } catch (const InputError&) {
  }
  return 0;
}
