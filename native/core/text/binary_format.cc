#include "text/binary_format.h"

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "text/error.h"

namespace dragoman {
namespace {

static_assert(std::endian::native == std::endian::little, "files are mapped as little-endian");

constexpr std::uint64_t kAlignment = 64;

struct Header {
  char magic[8] = {'D', 'R', 'A', 'G', 'O', 'M', 'A', 'N'};
  char kind[8] = {};
  std::uint32_t version = 0;
  std::uint32_t sections = 0;
  std::uint64_t file_size = 0;
  std::uint64_t content_checksum = 0;
  std::uint64_t header_checksum = 0;
  std::uint64_t reserved[2] = {};
};
static_assert(sizeof(Header) == kAlignment);

std::uint64_t header_checksum(const Header& header) {
  return hash_bytes({reinterpret_cast<const char*>(&header), offsetof(Header, header_checksum)});
}

std::string kind_of(const Header& header) {
  return {header.kind, ::strnlen(header.kind, sizeof header.kind)};
}

}  // namespace

BinaryWriter::BinaryWriter(const std::string& path, std::string_view kind, std::uint32_t version,
                           std::uint32_t sections)
    : path_(path), kind_(kind), version_(version), announced_(sections) {
  if (kind.empty() || kind.size() > sizeof Header::kind) {
    throw std::logic_error("a file kind has 1 to 8 characters");
  }
  file_ = std::fopen(path.c_str(), "wb+e");
  if (file_ == nullptr) throw_io_error("cannot write " + path, errno);
  // Header and section table come last; their room is left as zeros.
  const std::vector<std::byte> room(sizeof(Header) + announced_ * sizeof(Extent));
  write(room);
}

BinaryWriter::~BinaryWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void BinaryWriter::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    throw_io_error("cannot write " + path_, errno);
  }
  position_ += bytes.size();
}

void BinaryWriter::pad_to_alignment() {
  static constexpr std::byte kZeros[kAlignment] = {};
  write({kZeros, (kAlignment - position_ % kAlignment) % kAlignment});
}

void BinaryWriter::begin_section() {
  if (extents_.size() == announced_) throw std::logic_error("more sections than announced");
  pad_to_alignment();
  extents_.push_back({position_, 0});
}

void BinaryWriter::append_bytes(std::span<const std::byte> bytes) {
  if (extents_.empty()) throw std::logic_error("append before begin_section");
  write(bytes);
  extents_.back().size += bytes.size();
}

void BinaryWriter::finish() {
  if (extents_.size() != announced_) throw std::logic_error("fewer sections than announced");
  Header header;
  std::copy(kind_.begin(), kind_.end(), header.kind);
  header.version = version_;
  header.sections = announced_;
  header.file_size = position_;

  const auto table = std::as_bytes(std::span<const Extent>(extents_));
  if (std::fseek(file_, sizeof(Header), SEEK_SET) != 0) {
    throw_io_error("cannot write " + path_, errno);
  }
  write(table);
  // The table's place in the checksum is before the sections, so the content is read back
  // rather than summed while written; it is still in the page cache.
  if (std::fflush(file_) != 0 || std::fseek(file_, sizeof(Header), SEEK_SET) != 0) {
    throw_io_error("cannot write " + path_, errno);
  }
  StreamChecksum checksum;
  std::vector<std::byte> buffer(1 << 20);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file_)) {
    checksum.add({buffer.data(), count});
  }
  header.content_checksum = checksum.value();
  header.header_checksum = header_checksum(header);
  if (std::ferror(file_) != 0 || std::fseek(file_, 0, SEEK_SET) != 0) {
    throw_io_error("cannot write " + path_, errno);
  }
  write(std::as_bytes(std::span<const Header, 1>(&header, 1)));
  std::FILE* closing = file_;
  file_ = nullptr;
  if (std::fclose(closing) != 0) throw_io_error("cannot write " + path_, errno);
}

BinaryFile::BinaryFile(const std::string& path, std::string_view kind, std::uint32_t version,
                       std::uint32_t sections, Verify verify)
    : file_(path) {
  const auto bytes = file_.bytes();
  Header header;
  const Header expected;
  if (bytes.size() < sizeof(Header)) {
    throw InputError(path + ": not a Dragoman file (only " + std::to_string(bytes.size()) +
                     " bytes)");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) {
    throw InputError(path + ": not a Dragoman file, or one whose writing was interrupted");
  }
  if (header.header_checksum != header_checksum(header)) {
    throw InputError(path + ": the header is damaged");
  }
  if (kind_of(header) != kind) {
    throw InputError(path + ": holds a " + kind_of(header) + ", not a " + std::string(kind));
  }
  if (header.version != version) {
    throw InputError(path + ": format version " + std::to_string(header.version) +
                     ", but this Dragoman reads version " + std::to_string(version) +
                     "; build the model again or use the Dragoman that made it");
  }
  if (header.file_size != bytes.size()) {
    throw InputError(path + ": " + std::to_string(bytes.size()) + " bytes instead of " +
                     std::to_string(header.file_size) + "; the file was cut or added to");
  }
  const auto content = bytes.subspan(sizeof(Header));
  if (header.sections != sections || content.size() / (2 * sizeof(std::uint64_t)) < sections) {
    throw InputError(path + ": the section table is damaged");
  }
  content_checksum_ = header.content_checksum;
  if (verify == Verify::kContent) check_content();
  for (std::uint32_t index = 0; index < sections; ++index) {
    std::uint64_t extent[2];
    std::memcpy(extent, content.data() + index * sizeof extent, sizeof extent);
    const auto [offset, size] = extent;
    if (offset % kAlignment != 0 || offset > bytes.size() || size > bytes.size() - offset) {
      throw InputError(path + ": the section table is damaged");
    }
    sections_.push_back(bytes.subspan(offset, size));
  }
}

void BinaryFile::check_content() const {
  StreamChecksum checksum;
  checksum.add(file_.bytes().subspan(sizeof(Header)));
  if (checksum.value() != content_checksum_) {
    throw InputError(path() + ": the content does not match its checksum; the file is damaged");
  }
}

// Compared as bits and without a branch, so that many are looked at together.
bool are_ordinary(std::span<const float> numbers) {
  constexpr auto kLargest = std::bit_cast<std::uint32_t>(1e30F);
  bool good = true;
  for (const float number : numbers) {
    good &= (std::bit_cast<std::uint32_t>(number) & 0x7fffffffu) <= kLargest;
  }
  return good;
}

std::span<const std::byte> BinaryFile::section_bytes(std::uint32_t index,
                                                     std::size_t item_size) const {
  const auto bytes = sections_.at(index);
  if (bytes.size() % item_size != 0) {
    throw InputError(path() + ": section " + std::to_string(index) + " has a size of " +
                     std::to_string(bytes.size()) + " bytes, no multiple of " +
                     std::to_string(item_size));
  }
  return bytes;
}

}  // namespace dragoman
