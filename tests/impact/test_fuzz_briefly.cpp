// The fuzz target on seeded random bytes, by any compiler: it aborts with the query when an answer is wrong.
#include <gtest/gtest.h>

#include <vector>

#include "effort.hpp"
#include "fuzz/fuzz_impact.cpp"

namespace {

TEST(FuzzBriefly, impact) {
  toccata::Random random(71);
  std::vector<std::uint8_t> bytes;
  for (int i = toccata::with_effort(20000); i > 0; --i) {
    bytes.resize(static_cast<std::size_t>(random.integer(2, 100)));
    const int kind = random.integer(0, 2);  // any bytes, few different ones, mostly equal ones
    for (std::uint8_t& b : bytes) {
      const auto any = static_cast<std::uint8_t>(random.integer(0, 255));
      b = kind == 0 ? any : kind == 1 ? any % 4 : random.integer(0, 5) == 0 ? any : 0;
    }
    bytes[0] = static_cast<std::uint8_t>(random.integer(0, 255));
    bytes[1] = static_cast<std::uint8_t>(random.integer(0, 255));
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
}

}  // namespace
