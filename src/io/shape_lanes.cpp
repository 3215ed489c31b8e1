#include "io/shape_lanes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "io/shape_lanes.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::io::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Adding one to the exponent carries into the sign bit exactly where it is that of infinity and NaN.
constexpr std::uint32_t exponent_bits = 0x7f800000U, carry_bit = 0x00800000U, sign_bit = 0x80000000U;
constexpr std::size_t floats_in_lanes = offsetof(BoxNode, child) / sizeof(float);

#if HWY_TARGET == HWY_SCALAR

void sum_some(std::uint64_t* lanes, const char* from, std::size_t groups) {
  constexpr std::size_t some = 8;  // as many as stay in registers
  for (std::size_t first = 0; first < sum_lanes; first += some) {
    std::uint64_t lane[some];
    std::copy_n(lanes + first, some, lane);
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t i = 0; i < some; ++i) {
        std::uint64_t word;
        std::memcpy(&word, from + group * sum_group + 8 * (first + i), 8);
        lane[i] = std::rotl((lane[i] ^ word) * sum_factor, 32);
      }
    }
    std::copy_n(lane, some, lanes + first);
  }
}

std::uint32_t carries_of(std::span<const BoxNode> nodes) {
  std::uint32_t any = 0;
  for (const BoxNode& node : nodes) {
    std::uint32_t words[floats_in_lanes];
    std::memcpy(words, &node, sizeof words);
    for (const std::uint32_t word : words) any |= (word & exponent_bits) + carry_bit;
  }
  return any;
}

#else

using Words = hn::CappedTag<std::uint64_t, 8>;
using Halves = hn::Repartition<std::uint32_t, Words>;
using Word = hn::Vec<Words>;

// rotate(x * factor, 32): products of halves, which all instruction sets have.
HWY_INLINE Word stirred(Word x, hn::Vec<Halves> factor) {
  const Words words;
  const Halves halves;
  const Word low = hn::MulEven(hn::BitCast(halves, x), factor);
  const Word high = hn::MulEven(hn::BitCast(halves, hn::ShiftRight<32>(x)), factor);
  const Word product = hn::Add(low, hn::ShiftLeft<32>(high));
  return hn::BitCast(words, hn::Shuffle2301(hn::BitCast(halves, product)));
}

void sum_some(std::uint64_t* lanes, const char* from, std::size_t groups) {
  const Words words;
  const hn::Repartition<std::uint8_t, Words> bytes;
  const std::size_t width = hn::Lanes(words);
  const auto factor = hn::Set(Halves(), sum_factor);
  for (std::size_t first = 0; first < sum_lanes; first += 4 * width) {  // four at a time: none waits
    std::uint64_t* const lane = lanes + first;
    Word a = hn::LoadU(words, lane), b = hn::LoadU(words, lane + width);
    Word c = hn::LoadU(words, lane + 2 * width), d = hn::LoadU(words, lane + 3 * width);
    const auto* at = reinterpret_cast<const std::uint8_t*>(from) + 8 * first;
    for (std::size_t group = 0; group < groups; ++group, at += sum_group) {
      a = stirred(hn::Xor(a, hn::BitCast(words, hn::LoadU(bytes, at))), factor);
      b = stirred(hn::Xor(b, hn::BitCast(words, hn::LoadU(bytes, at + 8 * width))), factor);
      c = stirred(hn::Xor(c, hn::BitCast(words, hn::LoadU(bytes, at + 16 * width))), factor);
      d = stirred(hn::Xor(d, hn::BitCast(words, hn::LoadU(bytes, at + 24 * width))), factor);
    }
    hn::StoreU(a, words, lane);
    hn::StoreU(b, words, lane + width);
    hn::StoreU(c, words, lane + 2 * width);
    hn::StoreU(d, words, lane + 3 * width);
  }
}

std::uint32_t carries_of(std::span<const BoxNode> nodes) {
  const hn::CappedTag<float, 8> floats;
  const hn::RebindToUnsigned<decltype(floats)> words;
  const auto exponent = hn::Set(words, exponent_bits), carry = hn::Set(words, carry_bit);
  auto any = hn::Zero(words);
  for (const BoxNode& node : nodes) {
    for (std::size_t i = 0; i < floats_in_lanes; i += hn::Lanes(floats)) {
      const auto word = hn::BitCast(words, hn::LoadU(floats, &node.center[0][0] + i));
      any = hn::Or(any, hn::Add(hn::And(word, exponent), carry));
    }
  }
  HWY_ALIGN std::uint32_t each[8] = {};
  hn::Store(any, words, each);
  std::uint32_t all = 0;
  for (const std::uint32_t word : each) all |= word;
  return all;
}

#endif

}  // namespace

void sum_in_lanes(std::uint64_t* lanes, const char* from, std::size_t groups) {
  // Narrow registers pass over the bytes several times: in pieces that stay in the first cache.
  constexpr std::size_t most = 64;
  for (std::size_t at = 0; at < groups; at += most)
    sum_some(lanes, from + at * sum_group, std::min(most, groups - at));
}

bool finite_in_lanes(std::span<const BoxNode> nodes) {
  std::uint32_t carries = carries_of(nodes);
  for (const BoxNode& node : nodes) {
    for (const float x : {node.origin[0], node.origin[1], node.origin[2], node.reach})
      carries |= (std::bit_cast<std::uint32_t>(x) & exponent_bits) + carry_bit;
  }
  return (carries & sign_bit) == 0;
}

}  // namespace toccata::io::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::io {

HWY_EXPORT(sum_in_lanes);
HWY_EXPORT(finite_in_lanes);

void add_to_sum(std::uint64_t* lanes, const char* from, std::size_t groups) {
  HWY_DYNAMIC_DISPATCH(sum_in_lanes)(lanes, from, groups);
}

bool are_finite(std::span<const BoxNode> nodes) {
  return HWY_DYNAMIC_DISPATCH(finite_in_lanes)(nodes);
}

}  // namespace toccata::io
#endif
