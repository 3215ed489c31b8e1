#pragma once
#include <cstddef>
#include <memory>

namespace toccata::broad_phase {

// Memory that is written before it is read: no need to clear it.
template <typename T>
class Buffer {
 public:
  T* sized(std::size_t count) {
    if (count > capacity_) {
      capacity_ = count + count / 4;
      data_ = std::make_unique_for_overwrite<T[]>(capacity_);
    }
    return data_.get();
  }
  T* data() const { return data_.get(); }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t capacity_ = 0;
};

}  // namespace toccata::broad_phase
