#include <algorithm>

#include "toccata/proximity/medial_proxy.hpp"

namespace toccata {
namespace {

constexpr double coarser = 1.25;

// What falls from level to level.
std::size_t number_of(const MedialProxy& proxy, bool spheres_only) {
  return spheres_only ? proxy.outer.centers.size() : proxy.errors.size();
}

}  // namespace

const MedialProxy* MedialLevels::within(double error) const {
  const MedialProxy* found = nullptr;
  for (const MedialProxy& level : levels) {
    if (level.error <= error) found = &level;
  }
  return found;
}

const MedialProxy* MedialLevels::with_balls(std::int32_t most) const {
  const auto found = std::find_if(levels.begin(), levels.end(), [&](const MedialProxy& level) {
    return level.outer.centers.size() <= static_cast<std::size_t>(std::max(most, 0));
  });
  return found == levels.end() ? nullptr : &*found;
}

const MedialProxy* MedialLevels::with_primitives(std::int32_t most) const {
  const auto found = std::find_if(levels.begin(), levels.end(), [&](const MedialProxy& level) {
    return level.errors.size() <= static_cast<std::size_t>(std::max(most, 0));
  });
  return found == levels.end() ? nullptr : &*found;
}

// Errors beyond the mesh's size need one ball: there are no more than 42 of them (1.25^42 > 1e4, and errors
// below 1e-4 of the size are refused).
Expected<MedialLevels> medial_levels(const Shape& mesh, const MedialProxyOptions& options) {
  if (!options.error || options.balls || options.primitives)
    return Error{"levels start at an error: give it, and neither balls nor primitives"};
  MedialLevels result;
  for (MedialProxyOptions level = options;; *level.error *= coarser) {
    Expected<MedialProxy> proxy = medial_proxy(mesh, level);
    if (!proxy) return proxy.error();
    const std::size_t number = number_of(*proxy, options.spheres_only);
    // A level with more that is no closer is of no use.
    const auto is_fewer = [&] { return number < number_of(result.levels.back(), options.spheres_only); };
    while (!result.levels.empty() && is_fewer() && proxy->error <= result.levels.back().error)
      result.levels.pop_back();
    if (result.levels.empty() || is_fewer()) result.levels.push_back(std::move(*proxy));
    if (number == 1 || *level.error > 2.0 * mesh.size()) return result;
  }
}

}  // namespace toccata
