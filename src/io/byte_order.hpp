#pragma once
// Numbers in binary files, of either byte order, at any alignment.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace toccata::io {

template <typename Number>
Number swap_bytes(Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof number);
  for (std::size_t i = 0; i < sizeof number / 2; ++i) std::swap(bytes[i], bytes[sizeof number - 1 - i]);
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

template <typename Number>
Number read_number(const char* place, std::endian order = std::endian::little) {
  Number number;
  std::memcpy(&number, place, sizeof number);
  return order == std::endian::native ? number : swap_bytes(number);
}

template <typename Number>
void append_number(std::string& out, Number number, std::endian order = std::endian::little) {
  if (order != std::endian::native) number = swap_bytes(number);
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof bytes);
}

}  // namespace toccata::io
