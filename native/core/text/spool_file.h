// Temporary files without names: gone with their last user, however that ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dragoman {

// A temporary file that only grows. Appending and reading are safe from several threads. Throws
// IoError when the disk is full or the directory cannot be written to.
class SpoolFile {
 public:
  explicit SpoolFile(const std::string& directory);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  // Returns where the bytes were put.
  std::uint64_t append(std::span<const std::byte> bytes);
  void read(std::uint64_t offset, std::span<std::byte> into) const;
  std::uint64_t size() const { return size_; }
  // Makes the file at least so long, with its room on the disk reserved: writing to a mapped hole
  // of a full disk would kill the process. What is there keeps its values. Not to be mixed with
  // append().
  void reserve(std::uint64_t bytes);
  // The same by writing zeros, for systems and file systems that know no other way.
  void fill(std::uint64_t bytes);
  int descriptor() const { return descriptor_; }  // for mapping

 private:
  std::string directory_;
  int descriptor_ = -1;
  std::atomic<std::uint64_t> size_ = 0;
};

}  // namespace dragoman
