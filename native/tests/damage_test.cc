// Damaged and forged binary files of every kind, always the same ones, under the sanitizers.
// DRAGOMAN_DAMAGE_ROUNDS sets how many files of each kind are tried.
#include "samples.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "check.h"

using namespace dragoman;

namespace {

int rounds() {
  const char* asked = std::getenv("DRAGOMAN_DAMAGE_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : 60;
}

}  // namespace

TEST(the_samples_are_sound) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  for (const std::string& name : samples::kinds()) samples::use(directory.path(), name);
  for (const char* table : {"phrases.table", "bytes.table", "hiero.table"}) {
    for (const std::string& line :
         samples::translate(samples::model_files(directory.path(), table)))
      CHECK(!line.empty());
  }
}

// Bad luck: no damage is overlooked, and the file is named.
TEST(damaged_files_are_refused_by_name) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  samples::Random random(1);
  for (const std::string& name : samples::kinds()) {
    const std::string path = directory / name;
    const std::string good = samples::read_all(path);
    for (int round = 0; round < rounds(); ++round) {
      std::string bad = samples::damaged(good, random);
      if (round % 10 == 0) bad.resize(random() % bad.size());
      if (round % 10 == 1) bad.append(1 + random() % 100, 'x');
      if (bad == good) continue;
      samples::write_all(path, bad);
      CHECK_THROWS(samples::use(directory.path(), name), InputError, path);
    }
    samples::write_all(path, good);
  }
}

// Bad will: checksums that fit. Refused, or of use without a read outside the file.
TEST(forged_files_do_no_harm) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  samples::Random random(2);
  for (const std::string& name : samples::kinds()) {
    const std::string path = directory / name;
    const std::string good = samples::read_all(path);
    int refused = 0;
    for (int round = 0; round < rounds(); ++round) {
      std::string bad = samples::damaged(good, random);
      if (round % 20 == 0) bad.resize(64 + random() % (bad.size() - 64));
      samples::forge(bad);
      samples::write_all(path, bad);
      try {
        samples::use(directory.path(), name);
      } catch (const InputError&) {
        ++refused;
      }
    }
    std::printf("%s: %d of %d forged files refused\n", name.c_str(), refused, rounds());
    samples::write_all(path, good);
    samples::use(directory.path(), name);
  }
}

CHECK_MAIN()
