#include "broad_phase/spread.hpp"

namespace toccata::broad_phase {

namespace {
constexpr std::size_t usual_samples = 256;
}

Spread spread_of(std::span<const Aabb> boxes, std::span<const std::int32_t> ids) {
  const std::size_t stride = 1 + ids.size() / usual_samples;
  Vector3 sum = Vector3::Zero(), squares = Vector3::Zero(), sizes = Vector3::Zero();
  double count = 0.0;
  const auto within = [](const Vector3& x) { return Vector3(x.cwiseMax(-1e30).cwiseMin(1e30)); };
  const Aabb& first = boxes[static_cast<std::size_t>(ids[0])];
  const Vector3 origin =
      0.5 * (within(first.lower) + within(first.upper));  // sums would cancel far from zero
  for (std::size_t i = 0; i < ids.size(); i += stride) {
    const Aabb& box = boxes[static_cast<std::size_t>(ids[i])];
    const Vector3 lower = within(box.lower), upper = within(box.upper);
    const Vector3 place = 0.5 * (lower + upper) - origin;
    sum += place;
    squares += place.cwiseAbs2();
    // The mean of roots squared is less moved by a few giants than the mean.
    sizes += (upper - lower).cwiseSqrt();
    count += 1.0;
  }
  Spread spread;
  const Vector3 mean = sum / count;
  spread.middle = origin + mean;
  spread.size = (sizes / count).cwiseAbs2();
  const Vector3 variance = (squares / count - mean.cwiseAbs2()).cwiseMax(0.0);
  spread.width = (12.0 * variance).cwiseSqrt() + spread.size;  // that of a uniform distribution
  return spread;
}

}  // namespace toccata::broad_phase
