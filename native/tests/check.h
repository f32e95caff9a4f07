// A very small test framework: TEST(name) { CHECK(...); } and a main that runs them all.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Failure : std::exception {};

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Registrar {
  Registrar(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

inline void fail(const char* file, int line, const std::string& what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  throw Failure();
}

template <class A, class B>
void equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) return;
  std::ostringstream message;
  message << text << ": " << a << " != " << b;
  fail(file, line, message.str());
}

// A directory that is gone when the test ends.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "dragoman-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Failure();
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline int run_all() {
  int failures = 0;
  for (const Case& test : cases()) {
    try {
      test.run();
    } catch (const Failure&) {
      ++failures;
      std::fprintf(stderr, "FAILED %s\n", test.name);
    } catch (const std::exception& problem) {
      ++failures;
      std::fprintf(stderr, "FAILED %s: unexpected %s\n", test.name, problem.what());
    }
  }
  std::printf("%zu passed, %d failed\n", cases().size() - static_cast<std::size_t>(failures),
              failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                    \
  static void test_##name();                                          \
  static const check::Registrar registrar_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition) \
  ((condition) ? void() : check::fail(__FILE__, __LINE__, "not true: " #condition))
#define CHECK_EQUAL(a, b) check::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance)      \
  (std::abs((a) - (b)) <= (tolerance)    \
       ? void()                          \
       : check::fail(__FILE__, __LINE__, \
                     #a " near " #b ": " + std::to_string(a) + " and " + std::to_string(b)))
// The expression must throw `type` with `part` in its message.
#define CHECK_THROWS(expression, type, part)                                              \
  try {                                                                                   \
    (void)(expression);                                                                   \
    check::fail(__FILE__, __LINE__, "no exception: " #expression);                        \
  } catch (const type& problem) {                                                         \
    if (std::string(problem.what()).find(part) == std::string::npos)                      \
      check::fail(__FILE__, __LINE__, std::string("another message: ") + problem.what()); \
  }

#define CHECK_MAIN() \
  int main() { return check::run_all(); }
