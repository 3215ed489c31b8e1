#pragma once
// A value, or the reason why there is none. Used where data comes from outside (files, user input);
// kernels use Status instead and never fail.
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace toccata {

struct Error {
  std::string message;  // what was wrong, where, and what was expected: one line for a person
};

template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // precondition: has_value()
  T& value() & {
    assert(has_value());
    return *std::get_if<0>(&content_);
  }
  const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&content_);
  }
  T&& value() && {
    assert(has_value());
    return std::move(*std::get_if<0>(&content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // precondition: !has_value()
  const Error& error() const {
    assert(!has_value());
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

}  // namespace toccata
