# The slow, independent answers of tests/oracle, for whoever judges the library: tests, fuzzers, benchmarks.
if(NOT TARGET toccata_oracle)
  file(GLOB toccata_oracle_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/oracle/*.cpp)
  list(FILTER toccata_oracle_sources EXCLUDE REGEX "/test_")
  add_library(toccata_oracle STATIC ${toccata_oracle_sources})
  target_include_directories(toccata_oracle PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(toccata_oracle PUBLIC Toccata::toccata gmpxx gmp PRIVATE toccata_flags)
endif()
