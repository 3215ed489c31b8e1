#pragma once
// SHA-256 (FIPS 180-4): the same 64 hexadecimal digits for the same content, and for nothing else that anyone
// knows. For naming content; numbers are taken by their bits, so that -0 is not 0.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace toccata {

class Sha256 {
 public:
  void add_bytes(std::span<const unsigned char> bytes);
  // With its length before it, so that "ab", "c" is not "a", "bc".
  void add(std::string_view text);
  void add(std::uint64_t number);  // eight bytes, lowest first
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  // Of all that was added; nothing may be added after it.
  std::string hex();

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> waiting_ = {};
  std::size_t waiting_count_ = 0;
  std::uint64_t length_ = 0;  // bytes
};

}  // namespace toccata
