// Elementary motions made of arbitrary bytes, answered by the library and judged by the exact oracle.
// The first bytes choose the kind of features, the options and how the rest is read: as doubles, as small
// integers, or as small integers off by a few units in the last place.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace {

using namespace toccata;
using namespace toccata::oracle;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  double raw_double() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return std::isfinite(x) ? x : 0.0;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

double coordinate(Bytes& bytes, int reading) {
  if (reading == 0) return bytes.raw_double();
  const std::uint8_t b = bytes.byte();
  const double whole = b % 16 - 8;
  if (reading == 1) return whole;
  const double quarter = whole / 4;
  const int steps = b / 16 - 8;  // mostly none
  return reading == 2 ? quarter + std::ldexp(std::abs(steps) < 6 ? 0 : steps, -52)
                      : std::ldexp(quarter, steps * 8);
}

void judge(const std::string& fault) {
  if (fault.empty()) return;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}

void judge_batch(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                 const Impact& impact) {
  // The query stands between copies of itself, so that it goes through whole vectors of lanes; distances,
  // which may take thousands of steps each, do not.
  constexpr std::size_t most = 80;
  const std::size_t copies = options.minimum_distance > 0 ? 1 : most;
  std::array<std::array<double, most>, 24> columns;
  LinearMotionBatch batch;
  batch.size = copies;
  for (std::size_t k = 0; k < 24; ++k) {
    columns[k].fill((k < 12 ? motion.t0 : motion.t1)[k % 12 / 3][static_cast<int>(k % 3)]);
    batch.coordinates[k] = columns[k].data();
  }
  const auto result = pair == FeaturePairKind::VertexFace ? vertex_face_impacts(batch, options, 1)
                                                          : edge_edge_impacts(batch, options, 1);
  const bool separated = impact.status == Status::Separated;
  bool same = result.impacts.size() == (separated ? 0 : copies);
  for (const Impact& other : result.impacts) same = same && is_identical(other, impact);
  for (ImpactStage stage : result.stages) same = same && stage == impact.stage;
  if (!same) judge("the batch differs from the single call\n" + to_text(pair, motion));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::uint8_t choice = bytes.byte(), limits = bytes.byte();
  const FeaturePairKind pair = all_pairs[choice % 4];
  LinearImpactOptions options;
  options.boolean_only = (choice & 64) != 0;
  if (limits < 64) options.t_max = limits / 64.0;
  if (limits >= 224) options.budget = limits - 223;
  if (limits >= 192 && limits < 224)
    options.minimum_distance = std::ldexp(1.0 + limits % 3, (limits - 218) / 2);
  LinearMotion4 motion;
  for_each_coordinate(motion, [&](double& x) { x = coordinate(bytes, choice / 4 % 4); });
  // A distance is judged by polynomials of degree six: keep its numbers short.
  if (options.minimum_distance > 0 && choice / 4 % 4 == 0) options.minimum_distance = 0;

  const Impact impact = library_answer(pair, motion, options);
  judge(fault_of(impact, pair, motion, options));
  if (!options.boolean_only) judge(place_fault_of(impact, pair, motion, options));
  if (point_count(pair) == 4) judge_batch(pair, motion, options, impact);
  return 0;
}
