// The tests of a folder are one program. `--of NAME` runs those of the source test_NAME.cpp alone.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

// A gtest filter that names every test of the source, ':' between them.
std::string tests_of(std::string_view source) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      if (!std::string_view(test.file()).ends_with(source)) continue;
      filter.append(filter.empty() ? "" : ":").append(suite.name()).append(".").append(test.name());
    }
  }
  return filter;
}

}  // namespace

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  if (count == 1) return RUN_ALL_TESTS();
  if (count != 3 || std::string_view(words[1]) != "--of") {
    std::fprintf(stderr, "usage: %s [--of NAME] [--gtest_...]\n", words[0]);
    return 2;
  }
  const std::string filter = tests_of("/test_" + std::string(words[2]) + ".cpp");
  if (filter.empty()) {
    std::fprintf(stderr, "%s: no tests in test_%s.cpp\n", words[0], words[2]);
    return 2;
  }
  GTEST_FLAG_SET(filter, filter);
  return RUN_ALL_TESTS();
}
