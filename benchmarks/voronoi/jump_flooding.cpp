#include "jump_flooding.hpp"

#include <algorithm>

namespace toccata::bench {

std::vector<std::int32_t> jump_flooding(const std::vector<Vector3>& points, int side) {
  struct Place {
    float x, y;
  };
  std::vector<Place> places;  // in pixels
  const auto wide = static_cast<float>(side);
  for (const Vector3& p : points)
    places.push_back({static_cast<float>(p.x()) * wide - 0.5F, static_cast<float>(p.y()) * wide - 0.5F});
  const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::vector<std::int32_t> now(pixels, -1), next(pixels, -1);
  for (std::size_t s = 0; s < points.size(); ++s) {
    const int x = std::clamp(static_cast<int>(points[s].x() * side), 0, side - 1);
    const int y = std::clamp(static_cast<int>(points[s].y() * side), 0, side - 1);
    now[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)] =
        static_cast<std::int32_t>(s);
  }
  for (int step = side / 2; step >= 1; step /= 2) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        std::int32_t best = -1;
        float least = 1e30F;
        for (int j = y - step; j <= y + step; j += step) {
          if (j < 0 || j >= side) continue;
          for (int i = x - step; i <= x + step; i += step) {
            if (i < 0 || i >= side) continue;
            const std::int32_t s = now[static_cast<std::size_t>(j) * static_cast<std::size_t>(side) +
                                       static_cast<std::size_t>(i)];
            if (s < 0 || s == best) continue;
            const float dx = places[static_cast<std::size_t>(s)].x - static_cast<float>(x),
                        dy = places[static_cast<std::size_t>(s)].y - static_cast<float>(y);
            const float squared = dx * dx + dy * dy;
            if (squared < least) {
              least = squared;
              best = s;
            }
          }
        }
        next[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)] =
            best;
      }
    }
    now.swap(next);
  }
  return now;
}

}  // namespace toccata::bench
