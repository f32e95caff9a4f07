// A whole file, read-only, in memory by mmap: opened in O(1), shared between processes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dragoman {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::span<const std::byte> bytes_;
};

}  // namespace dragoman
