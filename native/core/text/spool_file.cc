#include "text/spool_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "text/error.h"

namespace dragoman {

SpoolFile::SpoolFile(const std::string& directory) : directory_(directory) {
  std::string name = directory + "/dragoman-spool-XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw_io_error("cannot write a temporary file in " + directory, errno);
  ::unlink(name.c_str());
}

SpoolFile::~SpoolFile() { ::close(descriptor_); }

std::uint64_t SpoolFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t begin = size_.fetch_add(bytes.size());
  std::uint64_t offset = begin;
  while (!bytes.empty()) {
    const ::ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<::off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_io_error("cannot write a temporary file in " + directory_, errno);
    }
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return begin;
}

void SpoolFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ::ssize_t count =
        ::pread(descriptor_, into.data(), into.size(), static_cast<::off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw_io_error("cannot read back a temporary file in " + directory_,
                     count < 0 ? errno : EIO);
    }
    offset += static_cast<std::uint64_t>(count);
    into = into.subspan(static_cast<std::size_t>(count));
  }
}

void SpoolFile::reserve(std::uint64_t bytes) {
#if defined(__APPLE__)
  fill(bytes);  // there is no posix_fallocate
#else
  const int problem = ::posix_fallocate(descriptor_, 0, static_cast<::off_t>(bytes));
  if (problem == EOPNOTSUPP || problem == EINVAL) return fill(bytes);  // not by this file system
  if (problem != 0) throw_io_error("cannot write a temporary file in " + directory_, problem);
  size_ = std::max(size_.load(), bytes);
#endif
}

void SpoolFile::fill(std::uint64_t bytes) {
  const std::vector<std::byte> zeros(std::size_t{1} << 20);
  while (size_ < bytes) {
    append(std::span(zeros).first(std::min<std::uint64_t>(zeros.size(), bytes - size_)));
  }
}

}  // namespace dragoman
