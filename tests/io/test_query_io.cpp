#include "oracle/test_data.hpp"
#include "toccata/io/query_io.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "io/exact_fraction.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

TEST(ExactFraction, every_double_is_read_back) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double mantissa = random.uniform(-1, 1);
    const double value = std::ldexp(mantissa, random.integer(-1073, 1024));
    const mpq_class q(value);
    const mpz_class factor(random.integer(1, 1000));
    EXPECT_EQ(io::exact_fraction(q.get_num().get_str(), q.get_den().get_str()), value);
    const mpz_class n(q.get_num() * factor), d(q.get_den() * factor);
    EXPECT_EQ(io::exact_fraction(n.get_str(), d.get_str()), value);
    // One more or less in the numerator of a large fraction is no double any more.
    const mpz_class wide = n << 60, wide_d = d << 60;
    const mpz_class odd(wide + 1);
    if (value != 0 && std::abs(value) > 1e-290) {
      EXPECT_EQ(io::exact_fraction(odd.get_str(), wide_d.get_str()), std::nullopt);
    }
  }
}

TEST(ExactFraction, what_is_not_a_double) {
  EXPECT_EQ(io::exact_fraction("1", "3"), std::nullopt);
  EXPECT_EQ(io::exact_fraction("6", "3"), 2.0);
  EXPECT_EQ(io::exact_fraction("-6", "-3"), 2.0);
  EXPECT_EQ(io::exact_fraction("0", "7"), 0.0);
  EXPECT_EQ(io::exact_fraction("9007199254740993", "1"), std::nullopt);  // 2^53 + 1
  EXPECT_EQ(io::exact_fraction("9007199254740994", "1"), 9007199254740994.0);
  for (const char* bad : {"", "-", "1.5", "1e3", "nan", "x", "1 2", "0x10"}) {
    EXPECT_EQ(io::exact_fraction(bad, "1"), std::nullopt) << bad;
    EXPECT_EQ(io::exact_fraction("1", bad), std::nullopt) << bad;
  }
  EXPECT_EQ(io::exact_fraction("1", "0"), std::nullopt);
  EXPECT_EQ(io::exact_fraction("1" + std::string(309, '0'), "1"), std::nullopt);  // beyond the largest
  EXPECT_EQ(io::exact_fraction(std::string(1000000, '1'), "1"), std::nullopt);
}

std::string rows(int count, const std::string& row) {
  std::string text;
  for (int i = 0; i < count; ++i) text += row + "\n";
  return text;
}

std::string error_of(const std::string& content) {
  const Expected<LinearQueries> queries = parse_linear_queries(content, "file");
  EXPECT_FALSE(queries);
  return queries ? "" : queries.error().message;
}

TEST(QueryText, coordinates_and_truth) {
  const std::string text = rows(7, "1,2,-3,4,5,1,1") + " 7,2 , -3,4,5,1,1\r\n\n";
  const Expected<LinearQueries> queries = parse_linear_queries(text);
  ASSERT_TRUE(queries) << queries.error().message;
  EXPECT_EQ(queries->size(), 1u);
  EXPECT_EQ(queries->truth, (std::vector<std::uint8_t>{1}));
  EXPECT_EQ(queries->coordinates[0][0], 0.5);
  EXPECT_EQ(queries->coordinates[1][0], -0.75);
  EXPECT_EQ(queries->coordinates[2][0], 5.0);
  EXPECT_EQ(queries->coordinates[21][0], 3.5);
  EXPECT_EQ(queries->batch().coordinates[21][0], 3.5);
  EXPECT_TRUE(parse_linear_queries(rows(16, "1,2,-3,4,5,1"))->truth.empty());
}

TEST(QueryText, errors_name_the_line) {
  EXPECT_EQ(error_of(rows(8, "1,2,3,4,5,1") + rows(3, "1,2,3,4,5,1")),
            "file:12: expected 8 rows a query, found 3 in the last");
  EXPECT_EQ(error_of("1,2,3\n"), "file:1: expected 6 or 7 numbers separated by commas, found 3");
  EXPECT_EQ(error_of("1,1,1,1,1,1\n1,1,1,1,1,1,0\n"),
            "file:2: expected 6 numbers separated by commas, found 7");
  EXPECT_EQ(error_of("1,1,1,1,1,1,0\n1,1,1,1,1,1,1\n"),
            "file:2: expected the same truth on the 8 rows of a query, found both");
  EXPECT_EQ(error_of("1,1,1,1,1,1,2\n"), "file:1: expected the truth 0 or 1, found '2'");
  EXPECT_EQ(error_of("1,1,1,3,1,1\n"),
            "file:1: expected a numerator and a denominator whose quotient is exactly a double for y, found "
            "'1' and "
            "'3'");
  EXPECT_EQ(error_of("x,y,z\n"), "file:1: expected 6 or 7 numbers separated by commas, found 3");
}

TEST(QueryData, public_sets) {
  const std::string folder = test_data("queries/nyu");
  std::size_t total = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const Expected<LinearQueries> queries = load_linear_queries(entry.path().string());
    ASSERT_TRUE(queries) << queries.error().message;
    EXPECT_EQ(queries->truth.size(), queries->size());
    total += queries->size();
  }
  EXPECT_EQ(total, folder.starts_with(TOCCATA_SHARED_DATA) ? 4779u : 708u);
}

}  // namespace
}  // namespace toccata
