#include "text/mapped_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "text/error.h"

namespace dragoman {

MappedPages::MappedPages(const std::string& directory)
    : file_(std::make_unique<SpoolFile>(directory)) {}

MappedPages::~MappedPages() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

void MappedPages::grow(std::size_t bytes, std::size_t used) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  int descriptor = -1;
  if (file_ != nullptr) {
    file_->reserve(bytes);
    descriptor = file_->descriptor();
    flags = MAP_SHARED;
  }
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  if (mapped == MAP_FAILED) {
    throw_io_error("cannot allocate " + std::to_string(bytes >> 20) + " MiB of memory", errno);
  }
  if (file_ == nullptr && used > 0) std::memcpy(mapped, bytes_, used);
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
  bytes_ = static_cast<std::byte*>(mapped);
  size_ = bytes;
}

void MappedPages::swap(MappedPages& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  std::swap(file_, other.file_);
}

}  // namespace dragoman
