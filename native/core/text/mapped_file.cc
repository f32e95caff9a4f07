#include "text/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "text/error.h"

namespace dragoman {

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_io_error("cannot open " + path, errno);
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int failure = errno;
    ::close(descriptor);
    if (!S_ISREG(status.st_mode)) throw IoError("cannot map " + path + ": not a regular file");
    throw_io_error("cannot examine " + path, failure);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const int failure = errno;
    ::close(descriptor);
    if (address == MAP_FAILED) throw_io_error("cannot map " + path, failure);
    bytes_ = {static_cast<const std::byte*>(address), size};
  } else {
    ::close(descriptor);  // mmap refuses length 0; an empty span says the same
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace dragoman
