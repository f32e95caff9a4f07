#include "text/error.h"

#include <system_error>

namespace dragoman {

void throw_io_error(const std::string& doing, int errno_value) {
  throw IoError(doing + ": " + std::generic_category().message(errno_value));
}

}  // namespace dragoman
