// What fails: memory at every allocation, mapping, writing, a full disk. An error every time,
// nothing leaked (under AddressSanitizer), and no file that passes for a whole one.
#include "samples.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

#include "check.h"

using namespace dragoman;

namespace {

// Counts down to the call that fails; below zero nothing does.
std::atomic<long> allocations_left{-1};
std::atomic<long> mappings_left{-1};
std::atomic<long> writes_left{-1};
// Whether what failed was asked for by somebody who can do without, as sorting can.
std::atomic<bool> done_without{false};

bool fails(std::atomic<long>& left) { return left.load() >= 0 && left.fetch_sub(1) == 0; }

}  // namespace

// The sanitizers' own operators are replaced by these; what they call is still watched.
void* operator new(std::size_t size) {
  if (fails(allocations_left)) throw std::bad_alloc();
  void* const room = std::malloc(size == 0 ? 1 : size);
  if (room == nullptr) throw std::bad_alloc();
  return room;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (!fails(allocations_left)) return std::malloc(size == 0 ? 1 : size);
  done_without = true;
  return nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* room) noexcept { std::free(room); }
void operator delete[](void* room) noexcept { std::free(room); }
void operator delete(void* room, std::size_t) noexcept { std::free(room); }
void operator delete[](void* room, std::size_t) noexcept { std::free(room); }
void operator delete(void* room, const std::nothrow_t&) noexcept { std::free(room); }
void operator delete[](void* room, const std::nothrow_t&) noexcept { std::free(room); }

// Calls of this program and its libraries come here first.
extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor,
                      off_t offset) noexcept {
  using Mmap = void* (*)(void*, std::size_t, int, int, int, off_t);
  static const auto real = reinterpret_cast<Mmap>(::dlsym(RTLD_NEXT, "mmap"));
  if (descriptor >= 0 && fails(mappings_left)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, size, protection, flags, descriptor, offset);
}
extern "C" ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  using Pwrite = ssize_t (*)(int, const void*, std::size_t, off_t);
  static const auto real = reinterpret_cast<Pwrite>(::dlsym(RTLD_NEXT, "pwrite"));
  if (fails(writes_left)) {
    errno = ENOSPC;
    return -1;
  }
  return real(descriptor, bytes, size, offset);
}
extern "C" std::size_t fwrite(const void* bytes, std::size_t size, std::size_t items,
                              std::FILE* file) {
  using Fwrite = std::size_t (*)(const void*, std::size_t, std::size_t, std::FILE*);
  static const auto real = reinterpret_cast<Fwrite>(::dlsym(RTLD_NEXT, "fwrite"));
  if (fails(writes_left)) {
    errno = ENOSPC;
    return 0;
  }
  return real(bytes, size, items, file);
}

namespace {

constexpr long kMostCalls = 1'000'000;

// Lets call number 0, 1, 2, ... fail until one run needs no more calls than that; returns how
// many there were. `step` > 1 leaves calls out.
template <class Expected>
long fail_each(std::atomic<long>& left, long step, const std::function<void()>& work) {
  for (long number = 0; number < kMostCalls; number += step) {
    left = number;
    done_without = false;
    bool failed = false;
    try {
      work();
    } catch (const Expected&) {
      failed = true;
    }
    const bool came = left.exchange(-1) < 0;
    CHECK(came == (failed || done_without));
    if (!came) return number;
  }
  CHECK(false);
  return 0;
}

// Readers of every kind, without what they are used for.
void open_one(const std::string& directory, const std::string& name) {
  const std::string path = directory + "/" + name;
  if (name.ends_with(".vocab")) Vocabulary::open(path);
  if (name.ends_with(".lm")) NgramModel::open(path);
  if (name.ends_with(".table")) TranslationModel(samples::model_files(directory, name));
  if (name == "lexicon") LexicalTable::open(path);
  if (name == "aligner") AlignmentModel::open(path);
  if (name == "links") LinksFile{path};
  if (name == "bitext") Bitext{path};
  if (name == "btg") BtgParser{path};
  if (name == "classifier") NodeClassifier{path};
  if (name == "ruleset") RuleSet::open(path);
  if (name == "memory") SegmentIndex(path, directory + "/memory.words");
}

}  // namespace

TEST(memory_fails_at_every_allocation_of_a_reader) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  long calls = 0;
  for (const std::string& name : samples::kinds()) {
    calls +=
        fail_each<std::bad_alloc>(allocations_left, 1, [&] { open_one(directory.path(), name); });
    open_one(directory.path(), name);
  }
  std::printf("%ld allocations failed in readers\n", calls);
  CHECK(calls > 100);
}

// What a search does is more; every so manieth of its allocations fails.
TEST(memory_fails_in_a_search) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  for (const char* table : {"phrases.table", "hiero.table"}) {
    const auto files = samples::model_files(directory.path(), table);
    const auto sound = samples::translate(files);
    const long calls =
        fail_each<std::bad_alloc>(allocations_left, 37, [&] { samples::translate(files); });
    std::printf("%s: an allocation in 37 of %ld failed\n", table, calls);
    CHECK(samples::translate(files) == sound);
  }
}

TEST(mapping_fails) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  long calls = 0;
  for (const std::string& name : samples::kinds()) {
    calls += fail_each<IoError>(mappings_left, 1, [&] { open_one(directory.path(), name); });
  }
  CHECK(calls >= static_cast<long>(samples::kinds().size()));
}

// Whatever was being written then is refused; what was there before has another name.
TEST(every_write_fails) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  const std::string table = directory / "phrases.table";
  const std::string written = directory / "written";
  const std::vector<std::pair<std::function<void()>, std::function<void()>>> writers = {
      {[&] { samples::rewrite_table(table, written, false); }, [&] { PhraseTable{written}; }},
      {[&] {
         samples::Random random(1);
         write_lm(samples::random_text("t", random, 20), written, 3);
       },
       [&] { NgramModel::open(written); }},
      {[&] { Vocabulary::open(directory / "source.vocab").save(written); },
       [&] { Vocabulary::open(written); }},
      {[&] { RuleSet::open(directory / "ruleset").save(written); },
       [&] { RuleSet::open(written); }},
      {[&] {
         BitextBuilder builder(directory.path());
         for (int pair = 0; pair < 9; ++pair) builder.add("a b c", "x y");
         builder.finish(written, directory / "v1", directory / "v2");
       },
       [&] { Bitext{written}; }},
  };
  long calls = 0;
  for (const auto& [write, open] : writers) {
    for (long number = 0;; ++number) {
      ::unlink(written.c_str());
      writes_left = number;
      bool failed = false;
      try {
        write();
      } catch (const IoError& problem) {
        failed = true;
        CHECK(std::string(problem.what()).find(directory.path()) != std::string::npos);
      }
      const bool came = writes_left.exchange(-1) < 0;
      CHECK(came == failed);
      if (!came) break;
      ++calls;
      if (::access(written.c_str(), F_OK) == 0) CHECK_THROWS(open(), InputError, written);
    }
    open();
  }
  std::printf("%ld writes failed\n", calls);
  CHECK(calls > 50);
}

// As on a disk that is full: what is written beyond the limit fails, also when buffers are
// flushed or a file is closed.
TEST(files_grow_no_further) {
  const check::TemporaryDirectory directory;
  samples::write_samples(directory.path());
  const auto size = static_cast<rlim_t>(samples::read_all(directory / "phrases.table").size());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  for (rlim_t limit = 0; limit < size; limit += 1 + size / 40) {
    const rlimit narrow{limit, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &narrow);
    bool failed = false;
    try {
      samples::rewrite_table(directory / "phrases.table", directory / "written", false);
    } catch (const IoError&) {
      failed = true;
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK(failed);
    if (::access((directory / "written").c_str(), F_OK) == 0) {
      CHECK_THROWS(PhraseTable(directory / "written"), InputError, "written");
    }
  }
}

CHECK_MAIN()
