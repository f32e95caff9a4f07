// Binary files of every kind. The input is not a file but what is done to a sound one: its kind,
// then changes (place, length, bytes); checksums are put right behind them, as by a forger.
#include "../tests/check.h"
#include "../tests/samples.h"

using namespace dragoman;

namespace {

struct Sound {
  check::TemporaryDirectory directory;
  std::vector<std::string> files;

  Sound() {
    samples::write_samples(directory.path());
    for (const std::string& name : samples::kinds()) {
      files.push_back(samples::read_all(directory / name));
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sound sound;
  if (size == 0) return 0;
  const std::size_t kind = data[0] % sound.files.size();
  std::string bytes = sound.files[kind];
  std::size_t at = 1;
  const auto take = [&]() -> std::size_t { return at < size ? data[at++] : 0; };
  while (at < size) {
    std::size_t place = take();
    place = place << 16 | take() << 8 | take();
    place %= bytes.size();
    const std::size_t length = take() % 16;
    for (std::size_t k = 0; k < length && place + k < bytes.size(); ++k) {
      bytes[place + k] = static_cast<char>(take());
    }
  }
  samples::forge(bytes);
  const std::string& name = samples::kinds()[kind];
  const std::string path = sound.directory / name;
  samples::write_all(path, bytes);
  try {
    samples::use(sound.directory.path(), name);
  } catch (const InputError&) {
  }
  samples::write_all(path, sound.files[kind]);
  return 0;
}
