#pragma once
// Exact integers of any size for exact last stages. Values of up to 640 bits, which is
// every value of an ordinary query, live inside the object: no allocation.
//
// Only what the stage needs: ring operations, shifts, signs, and conversion to double. A general library
// (GMP) costs one allocation per number and several times the arithmetic at these sizes; the tests compare
// with it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace toccata::elementary {

class Integer {
 public:
  using Limb = std::uint64_t;

  Integer() = default;
  Integer(std::int64_t value) {  // NOLINT: arithmetic with plain numbers should read as such
    if (value == 0) return;
    negative_ = value < 0;
    local_[0] = negative_ ? ~static_cast<Limb>(value) + 1 : static_cast<Limb>(value);
    size_ = 1;
  }
  Integer(const Integer& other) { assign(other); }
  Integer(Integer&& other) noexcept { take(other); }
  Integer& operator=(const Integer& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Integer() = default;

  int sign() const { return size_ == 0 ? 0 : (negative_ ? -1 : 1); }
  bool is_zero() const { return size_ == 0; }
  std::int64_t bit_length() const;  // of the magnitude; 0 for zero

  // mantissa * 2^exponent with 0.5 <= |mantissa| < 1, relative error at most 2^-52; zero gives {0, 0}.
  struct Scaled {
    double mantissa;
    std::int64_t exponent;
  };
  Scaled to_scaled() const;

  Integer operator-() const& {
    Integer r(*this);
    r.negative_ = !r.negative_;
    return r;
  }
  Integer operator-() && {
    negative_ = !negative_;
    return std::move(*this);
  }
  friend Integer operator+(const Integer& a, const Integer& b) { return add(a, b, b.negative_); }
  friend Integer operator-(const Integer& a, const Integer& b) { return add(a, b, !b.negative_); }
  friend Integer operator*(const Integer& a, const Integer& b);
  Integer& operator+=(const Integer& b) { return *this = *this + b; }
  Integer& operator-=(const Integer& b) { return *this = *this - b; }
  friend Integer operator<<(const Integer& a, std::int64_t bits);

  // -1, 0, 1 as a <=> b
  friend int compare(const Integer& a, const Integer& b) { return (a - b).sign(); }

  std::size_t limb_count() const { return size_; }
  Limb limb(std::size_t i) const { return data()[i]; }

 private:
  static constexpr std::uint32_t inline_limbs = 10;

  static Integer add(const Integer& a, const Integer& b, bool b_negative);

  const Limb* data() const { return heap_ ? heap_.get() : local_; }
  Limb* data() { return heap_ ? heap_.get() : local_; }
  // Room for `limbs` limbs; the content is lost.
  Limb* prepare(std::size_t limbs) {
    if (limbs > inline_limbs) heap_.reset(new Limb[limbs]);
    return data();
  }
  void trim(std::size_t size) {
    const Limb* d = data();
    while (size > 0 && d[size - 1] == 0) --size;
    size_ = static_cast<std::uint32_t>(size);
    if (size_ == 0) negative_ = false;
  }
  void assign(const Integer& other) {
    if (other.size_ <= inline_limbs) {
      heap_.reset();
    } else {
      heap_.reset(new Limb[other.size_]);
    }
    std::memcpy(data(), other.data(), other.size_ * sizeof(Limb));
    size_ = other.size_;
    negative_ = other.negative_;
  }
  void take(Integer& other) noexcept {
    size_ = other.size_;
    negative_ = other.negative_;
    heap_ = std::move(other.heap_);
    if (!heap_) std::memcpy(local_, other.local_, size_ * sizeof(Limb));
    other.size_ = 0;
    other.negative_ = false;
  }

  std::uint32_t size_ = 0;
  bool negative_ = false;
  std::unique_ptr<Limb[]> heap_;
  Limb local_[inline_limbs];
};

}  // namespace toccata::elementary
