// The two ways native code refuses: each becomes a class of dragoman.errors.
#pragma once

#include <stdexcept>
#include <string>

namespace dragoman {

// What the user gave cannot be used: a bad line, a broken or foreign file.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The operating system refused: missing file, full disk, no permission.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The message of `errno_value` behind what was being done, e.g. "cannot open x: No such file".
[[noreturn]] void throw_io_error(const std::string& doing, int errno_value);

}  // namespace dragoman
