#pragma once
// Where the values of a PLY file come from: text, or bytes of either order. Both give every value as a
// double, which holds each of PLY's types exactly, and throw ReadFailure.
#include <string>
#include <string_view>

#include "io/byte_order.hpp"
#include "io/ply_header.hpp"
#include "io/read_failure.hpp"
#include "io/text_cursor.hpp"

namespace toccata::io {

class PlyTextSource {
 public:
  PlyTextSource(std::string_view content, std::string_view name, const PlyHeader& header)
      : cursor_(content, name) {
    while (static_cast<std::size_t>(cursor_.place() - content.data()) < header.bytes) cursor_.next_line();
  }

  // False if the rest of the file is too short for the promised elements.
  bool holds(const PlyElement& element) const {
    // Every value takes two characters: a digit, and a blank or a line end that the last may lack.
    return static_cast<std::uint64_t>(element.count) <=
           (cursor_.remaining() + 1) / (2 * element.properties.size());
  }
  void begin_element() {
    cursor_.skip_empty_lines();
    cursor_.peek();
    place_ = cursor_.place();
  }
  void end_element() { cursor_.expect_line_end("the end of the line"); }
  double value(PlyType, const char* what) {
    cursor_.peek();
    place_ = cursor_.place();
    return cursor_.number(what);
  }
  void skip(PlyType, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (cursor_.token().empty()) cursor_.fail_expected("a number");
    }
  }
  std::size_t remaining() const { return cursor_.remaining(); }
  [[noreturn]] void fail(const std::string& message) const { cursor_.fail(message, place_); }

 private:
  TextCursor cursor_;
  const char* place_ = nullptr;  // of the last value
};

class PlyByteSource {
 public:
  PlyByteSource(std::string_view content, std::string_view name, const PlyHeader& header)
      : content_(content), name_(name), order_(header.order), next_(header.bytes) {}

  bool holds(const PlyElement& element) const {
    return static_cast<std::uint64_t>(element.count) <= remaining() / element.least_bytes();
  }
  void begin_element() { place_ = next_; }
  void end_element() {}
  double value(PlyType type, const char* what) {
    const char* data = take(ply_size(type), what);
    switch (type) {
      case PlyType::Int8:
        return read_number<std::int8_t>(data);
      case PlyType::Uint8:
        return read_number<std::uint8_t>(data);
      case PlyType::Int16:
        return read_number<std::int16_t>(data, order_);
      case PlyType::Uint16:
        return read_number<std::uint16_t>(data, order_);
      case PlyType::Int32:
        return read_number<std::int32_t>(data, order_);
      case PlyType::Uint32:
        return read_number<std::uint32_t>(data, order_);
      case PlyType::Float32:
        return static_cast<double>(read_number<float>(data, order_));
      case PlyType::Float64:
        return read_number<double>(data, order_);
    }
    return 0;
  }
  void skip(PlyType type, std::int64_t count) {
    place_ = next_;
    const std::size_t size = ply_size(type);
    if (static_cast<std::uint64_t>(count) > remaining() / size) fail_short("a list");
    next_ += static_cast<std::size_t>(count) * size;
  }
  std::size_t remaining() const { return content_.size() - next_; }
  [[noreturn]] void fail(const std::string& message) const {
    throw ReadFailure{std::string(name_) + ": byte " + std::to_string(place_) + ": " + message};
  }

 private:
  const char* take(std::size_t bytes, const char* what) {
    place_ = next_;
    if (remaining() < bytes) fail_short(what);
    next_ += bytes;
    return content_.data() + place_;
  }
  [[noreturn]] void fail_short(const char* what) const {
    fail(std::string("expected ") + what + ", found the end of the file");
  }

  std::string_view content_;
  std::string_view name_;
  std::endian order_;
  std::size_t next_;
  std::size_t place_ = 0;  // of the last value
};

}  // namespace toccata::io
