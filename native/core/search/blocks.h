// A vector that grows without moving: while a large std::vector grows, it is in memory twice.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace dragoman {

// Of rows that are equally wide, or of single items.
template <class T>
class Blocks {
 public:
  explicit Blocks(std::size_t width = 1) : width_(width) {}

  std::size_t size() const { return size_; }
  T* row(std::size_t at) { return blocks_[at / kBlock].get() + at % kBlock * width_; }
  const T* row(std::size_t at) const { return blocks_[at / kBlock].get() + at % kBlock * width_; }
  T& operator[](std::size_t at) { return blocks_[at / kBlock][at % kBlock]; }
  const T& operator[](std::size_t at) const { return blocks_[at / kBlock][at % kBlock]; }

  // One more, to be filled in.
  T* add_row() {
    if (size_ == blocks_.size() * kBlock) {
      blocks_.push_back(std::make_unique<T[]>(kBlock * width_));
    }
    return row(size_++);
  }
  void push_back(const T& item) { *add_row() = item; }
  // Forgets what is behind the first `size`, and gives back what that has taken but for a few
  // blocks.
  void shrink(std::size_t size) {
    size_ = size;
    const std::size_t needed = (size + kBlock - 1) / kBlock;
    if (blocks_.size() > needed + kSpare) blocks_.resize(needed + kSpare);
  }

 private:
  static constexpr std::size_t kBlock = 4096;
  static constexpr std::size_t kSpare = 32;

  std::size_t width_;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace dragoman
