#include "toccata/base/sha256.hpp"

#include <gtest/gtest.h>

namespace toccata {
namespace {

std::string hash_of(const std::string& text, std::size_t at_once = 1000000) {
  Sha256 hash;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size(); i += at_once)
    hash.add_bytes({bytes + i, std::min(at_once, text.size() - i)});
  return hash.hex();
}

// The examples of FIPS 180-4 and its tests.
TEST(Sha256, known_answers) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  const std::string million(1000000, 'a');
  for (const std::size_t at_once : {1000000u, 63u, 64u, 1u})
    EXPECT_EQ(hash_of(million, at_once), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, texts_do_not_run_together) {
  Sha256 a, b;
  a.add("ab");
  a.add("c");
  b.add("a");
  b.add("bc");
  EXPECT_NE(a.hex(), b.hex());
  Sha256 zero, minus;
  zero.add(0.0);
  minus.add(-0.0);
  EXPECT_NE(zero.hex(), minus.hex());
}

}  // namespace
}  // namespace toccata
