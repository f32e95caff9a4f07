#include "lm/column.h"

#include <cstdlib>

namespace dragoman {

std::FILE* open_unnamed_file(const std::string& directory) {
  std::string name = directory + "/dragoman-lm-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) throw_io_error("cannot make a temporary file in " + directory, errno);
  ::unlink(name.c_str());
  std::FILE* file = ::fdopen(descriptor, "w+b");
  if (file == nullptr) {
    const int problem = errno;
    ::close(descriptor);
    throw_io_error("cannot make a temporary file in " + directory, problem);
  }
  return file;
}

}  // namespace dragoman
