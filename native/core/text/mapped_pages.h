// Room that grows, in memory or in an unnamed file. What lies in a file may be larger than
// memory: the operating system writes pages out and takes their memory back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "text/spool_file.h"

namespace dragoman {

class MappedPages {
 public:
  MappedPages() = default;  // in memory
  explicit MappedPages(const std::string& directory);
  MappedPages(MappedPages&& other) noexcept { swap(other); }
  MappedPages& operator=(MappedPages&& other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedPages();

  std::byte* data() const { return bytes_; }
  std::size_t size() const { return size_; }
  // Makes room for so many bytes, more than before. The first `used` keep their values, but not
  // their address. Throws IoError when memory or disk are used up.
  void grow(std::size_t bytes, std::size_t used);

 private:
  void swap(MappedPages& other) noexcept;

  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<SpoolFile> file_;
};

}  // namespace dragoman
