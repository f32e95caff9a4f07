// The container every Dragoman binary file uses.
//
//   bytes 0..7    "DRAGOMAN"
//   bytes 8..15   kind, e.g. "bitext", padded with NUL
//   bytes 16..19  version of that kind        20..23  number of sections
//   bytes 24..31  size of the whole file      32..39  checksum of bytes 64..end
//   bytes 40..47  checksum of bytes 0..39     48..63  zero
//   then the section table (offset, size: two 64-bit words each) and the sections,
//   each beginning at a multiple of 64 bytes. Numbers are little-endian.
//
// A file is written to the end before its header is, so a cut or interrupted file never
// passes for a whole one.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/checksum.h"
#include "text/mapped_file.h"

namespace dragoman {

// Writes sections one after another; each may be appended in pieces.
// Call finish(); a writer destroyed before that leaves a file no reader accepts.
class BinaryWriter {
 public:
  BinaryWriter(const std::string& path, std::string_view kind, std::uint32_t version,
               std::uint32_t sections);
  ~BinaryWriter();
  BinaryWriter(const BinaryWriter&) = delete;
  BinaryWriter& operator=(const BinaryWriter&) = delete;

  void begin_section();
  template <class T>
  void append(std::span<const T> items) {
    append_bytes(std::as_bytes(items));
  }
  template <class T>
  void section(std::span<const T> items) {
    begin_section();
    append(items);
  }
  void finish();

 private:
  void append_bytes(std::span<const std::byte> bytes);
  void pad_to_alignment();
  void write(std::span<const std::byte> bytes);

  struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  std::string path_;
  std::string kind_;
  std::uint32_t version_;
  std::uint32_t announced_;
  std::vector<Extent> extents_;
  std::uint64_t position_ = 0;
  std::FILE* file_ = nullptr;
};

// Whether to read the whole file once at opening to compare its checksum. Sizes, magic,
// version and the header's own checksum are always compared.
enum class Verify { kHeader, kContent };

// Whether numbers from a file can be ordered and added up: all of them are numbers, and so far
// from the largest that no sum becomes infinite.
bool are_ordinary(std::span<const float> numbers);

class BinaryFile {
 public:
  BinaryFile(const std::string& path, std::string_view kind, std::uint32_t version,
             std::uint32_t sections, Verify verify = Verify::kContent);

  // Compares the checksum, for those who have opened with Verify::kHeader. Throws InputError.
  void check_content() const;
  // Throws InputError when the section's size is not a multiple of sizeof(T).
  template <class T>
  std::span<const T> section(std::uint32_t index) const {
    const auto bytes = section_bytes(index, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  const std::string& path() const { return file_.path(); }

 private:
  std::span<const std::byte> section_bytes(std::uint32_t index, std::size_t item_size) const;

  MappedFile file_;
  std::uint64_t content_checksum_ = 0;
  std::vector<std::span<const std::byte>> sections_;
};

}  // namespace dragoman
