// A growing array that lives either in memory or in an unnamed file, for tables that may be
// larger than memory; reading and writing look the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "text/mapped_pages.h"

namespace dragoman {

// Where columns put their items: in memory when `directory` is empty.
struct Storage {
  std::string directory;
};

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  explicit Column(const Storage& storage) {
    if (!storage.directory.empty()) pages_ = MappedPages(storage.directory);
  }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t size() const { return size_; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  operator std::span<const T>() const { return {items_, size_}; }

  void push_back(const T& item) {
    if (size_ == capacity_) reserve(std::max<std::size_t>(1024, 2 * capacity_));
    items_[size_++] = item;
  }
  void resize(std::size_t size, const T& item) {
    if (size > capacity_) reserve(size);
    if (size > size_) std::fill(items_ + size_, items_ + size, item);
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    pages_.grow(capacity * sizeof(T), size_ * sizeof(T));
    items_ = reinterpret_cast<T*>(pages_.data());
    capacity_ = capacity;
  }
  // Gives memory and file back.
  void clear() { *this = Column(); }

 private:
  void swap(Column& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(pages_, other.pages_);
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  MappedPages pages_;
};

}  // namespace dragoman
