// Notation as in RFC 1951: a code of n bits is read with its highest bit first, everything else with its
// lowest bit first. Codes of one length are consecutive numbers, in the order of their symbols.
#include "inflate.hpp"

#include <array>
#include <span>
#include <utility>

#include "command.hpp"

namespace toccata::app {
namespace {

constexpr int longest_code = 15;

[[noreturn]] void fail(const char* why) {
  throw UsageError(why);
}

class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  unsigned next() {
    if (at_ == bytes_.size()) fail("the compressed data is cut short");
    const unsigned bit = static_cast<std::uint8_t>(bytes_[at_]) >> used_ & 1U;
    if (++used_ == 8) skip_to_byte();
    return bit;
  }
  unsigned number(int bits) {
    unsigned value = 0;
    for (int i = 0; i < bits; ++i) value |= next() << i;
    return value;
  }
  void skip_to_byte() {
    if (used_ > 0) ++at_;
    used_ = 0;
  }
  std::string_view take(std::size_t count) {
    if (bytes_.size() - at_ < count) fail("the compressed data is cut short");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  int used_ = 0;  // bits of bytes_[at_]
};

// How many codes there are of each length, and their symbols, shortest first.
class Codes {
 public:
  explicit Codes(std::span<const std::uint8_t> lengths) : symbols_(lengths.size()) {
    for (const std::uint8_t length : lengths) ++count_[length];
    count_[0] = 0;
    std::array<std::size_t, longest_code + 2> first = {};
    int left = 1;  // codes that are not given away
    for (std::size_t n = 1; n <= longest_code; ++n) {
      left = 2 * left - static_cast<int>(count_[n]);
      if (left < 0) fail("a code of the compressed data stands for two things");
      first[n + 1] = first[n] + count_[n];
    }
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      if (lengths[s] > 0) symbols_[first[lengths[s]]++] = static_cast<std::uint16_t>(s);
    }
  }

  unsigned read(Bits& bits) const {
    std::size_t code = 0, first = 0, before = 0;
    for (std::size_t n = 1; n <= longest_code; ++n) {
      code = 2 * code + bits.next();
      first *= 2;
      if (code < first + count_[n]) return symbols_[before + (code - first)];
      first += count_[n];
      before += count_[n];
    }
    fail("a code of the compressed data stands for nothing");
  }

 private:
  std::array<std::size_t, longest_code + 1> count_ = {};
  std::vector<std::uint16_t> symbols_;
};

// Lengths and distances: their least values, and how many bits more.
constexpr std::array<std::uint16_t, 29> least_length = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                        15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                        67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> least_distance = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr unsigned end_of_block = 256;

class Inflater {
 public:
  Inflater(std::string_view stream, std::size_t size) : bits_(stream), size_(size) {}

  std::vector<std::uint8_t> run() {
    const unsigned header = bits_.number(8), flags = bits_.number(8);
    if (header % 16 != 8 || (256 * header + flags) % 31 != 0 || (flags & 32U) != 0)
      fail("the compressed data is no zlib stream");
    for (bool is_last = false; !is_last;) {
      is_last = bits_.next() == 1;
      switch (bits_.number(2)) {
        case 0:
          copy_stored();
          break;
        case 1:
          read_fixed();
          break;
        case 2:
          read_dynamic();
          break;
        default:
          fail("a block of the compressed data is of no known kind");
      }
    }
    if (out_.size() != size_) fail("the compressed data is shorter than the image");
    check_sum();
    return std::move(out_);
  }

 private:
  void put(std::uint8_t byte) {
    if (out_.size() == size_) fail("the compressed data is longer than the image");
    out_.push_back(byte);
  }

  void copy_stored() {
    bits_.skip_to_byte();
    const unsigned count = bits_.number(16), complement = bits_.number(16);
    if (count + complement != 0xffff) fail("a block of the compressed data is damaged");
    for (const char c : bits_.take(count)) put(static_cast<std::uint8_t>(c));
  }

  void read_fixed() {
    std::array<std::uint8_t, 288> lengths;
    for (std::size_t i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::array<std::uint8_t, 30> distances;
    distances.fill(5);
    read_block(Codes(lengths), Codes(distances));
  }

  void read_dynamic() {
    const std::size_t symbols = bits_.number(5) + 257, distances = bits_.number(5) + 1;
    const std::size_t given = bits_.number(4) + 4;
    constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> code_lengths = {};
    for (std::size_t i = 0; i < given; ++i)
      code_lengths[order[i]] = static_cast<std::uint8_t>(bits_.number(3));
    const Codes codes(code_lengths);
    std::vector<std::uint8_t> lengths;
    while (lengths.size() < symbols + distances) {
      const unsigned symbol = codes.read(bits_);
      if (symbol < 16) {
        lengths.push_back(static_cast<std::uint8_t>(symbol));
        continue;
      }
      if (symbol == 16 && lengths.empty()) fail("a code of the compressed data repeats nothing");
      const std::uint8_t again = symbol == 16 ? lengths.back() : std::uint8_t{0};
      const unsigned count = symbol == 16   ? 3 + bits_.number(2)
                             : symbol == 17 ? 3 + bits_.number(3)
                                            : 11 + bits_.number(7);
      lengths.insert(lengths.end(), count, again);
    }
    if (lengths.size() != symbols + distances) fail("the codes of the compressed data are too many");
    const std::span<const std::uint8_t> all(lengths);
    read_block(Codes(all.first(symbols)), Codes(all.subspan(symbols)));
  }

  void read_block(const Codes& codes, const Codes& distances) {
    for (unsigned symbol = codes.read(bits_); symbol != end_of_block; symbol = codes.read(bits_)) {
      if (symbol < end_of_block) {
        put(static_cast<std::uint8_t>(symbol));
        continue;
      }
      const std::size_t kind = symbol - end_of_block - 1;
      if (kind >= least_length.size()) fail("a code of the compressed data stands for nothing");
      const std::size_t length = least_length[kind] + bits_.number(length_bits[kind]);
      const std::size_t far = distances.read(bits_);
      if (far >= least_distance.size()) fail("a code of the compressed data stands for nothing");
      const std::size_t distance =
          least_distance[far] + bits_.number(far < 2 ? 0 : static_cast<int>(far) / 2 - 1);
      if (distance > out_.size()) fail("the compressed data repeats what was not there");
      for (std::size_t i = 0; i < length; ++i) put(out_[out_.size() - distance]);
    }
  }

  // Adler-32, highest byte first.
  void check_sum() {
    std::uint32_t low = 1, high = 0;
    for (const std::uint8_t byte : out_) {
      low = (low + byte) % 65521;
      high = (high + low) % 65521;
    }
    bits_.skip_to_byte();
    std::uint32_t said = 0;
    for (int i = 0; i < 4; ++i) said = said << 8 | bits_.number(8);
    if (said != (high << 16 | low)) fail("the compressed data is damaged: its checksum differs");
  }

  Bits bits_;
  std::size_t size_;
  std::vector<std::uint8_t> out_;
};

}  // namespace

std::vector<std::uint8_t> inflated(std::string_view zlib_stream, std::size_t size) {
  return Inflater(zlib_stream, size).run();
}

}  // namespace toccata::app
