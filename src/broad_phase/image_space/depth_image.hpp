#pragma once
// What a view sees of a body: for each pixel an interval of depths, all in whole numbers.
//
// Lengths are whole units, 256 to the pixel. A vertex is rounded to the nearest unit, and is then off by less
// than one; every hull is therefore drawn wider by `widening` >= 1 units to all sides.
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace toccata::image_space {

inline constexpr std::int64_t units_per_pixel = 256;

// A vertex in the view: across, up, and away.
struct ViewPoint {
  std::int64_t u = 0;
  std::int64_t v = 0;
  std::int64_t depth = 0;
};

struct PixelRange {
  std::int32_t u0 = 0, u1 = -1;  // both ends included
  std::int32_t v0 = 0, v1 = -1;

  bool empty() const { return u1 < u0 || v1 < v0; }
  std::size_t width() const { return static_cast<std::size_t>(u1 - u0 + 1); }
  std::size_t size() const { return empty() ? 0 : width() * static_cast<std::size_t>(v1 - v0 + 1); }
};

struct DepthInterval {
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::int32_t most = std::numeric_limits<std::int32_t>::min();

  bool empty() const { return least > most; }
  void include(std::int32_t low, std::int32_t high) {
    least = low < least ? low : least;
    most = high > most ? high : most;
  }
};

inline bool overlap(const DepthInterval& a, const DepthInterval& b) {
  return a.least <= b.most && b.least <= a.most;
}

class DepthImage {
 public:
  DepthImage() = default;
  explicit DepthImage(const PixelRange& range) : range_(range), pixels_(range.size()) {}

  const PixelRange& range() const { return range_; }
  DepthInterval& at(std::int32_t u, std::int32_t v) {
    return pixels_[static_cast<std::size_t>(v - range_.v0) * range_.width() +
                   static_cast<std::size_t>(u - range_.u0)];
  }
  const DepthInterval& at(std::int32_t u, std::int32_t v) const {
    return const_cast<DepthImage*>(this)->at(u, v);
  }

 private:
  PixelRange range_;
  std::vector<DepthInterval> pixels_;
};

// Adds the hull of 1 to 6 points: every pixel that a point of it, moved by up to `widening` units along each
// axis, falls into gets an interval that holds its depth. Pixels outside of the image are left out.
void draw_hull(std::span<const ViewPoint> points, std::int64_t widening, DepthImage& image);

// The pixels that draw_hull may touch.
PixelRange pixels_of(std::span<const ViewPoint> points, std::int64_t widening);

// Do the two have intervals with a common depth in some pixel?
bool images_overlap(const DepthImage& a, const DepthImage& b);

}  // namespace toccata::image_space
