#include "broad_phase/image_space/depth_image.hpp"

#include <algorithm>
#include <array>

namespace toccata::image_space {
namespace {

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {  // b > 0
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}
std::int64_t nearest_quotient(std::int64_t a, std::int64_t b) {
  return floor_quotient(2 * a + b, 2 * b);
}

std::int32_t pixel_of(std::int64_t unit) {
  return static_cast<std::int32_t>(floor_quotient(unit, units_per_pixel));
}

// A point of the slice of a hull by a row of pixels.
struct SlicePoint {
  std::int64_t u = 0;
  std::int64_t depth = 0;
};

// Up to 6 points and 2 for each of 15 pairs.
struct Slice {
  std::array<SlicePoint, 36> points;
  std::size_t count = 0;

  void add(std::int64_t u, std::int64_t depth) { points[count++] = {u, depth}; }
};

// The hull between v = low and v = high, as points whose hull it is, rounded to the nearest units: corners of
// a slice lie on segments between two points.
Slice slice_of(std::span<const ViewPoint> points, std::int64_t low, std::int64_t high) {
  Slice slice;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ViewPoint& p = points[i];
    if (p.v >= low && p.v <= high) slice.add(p.u, p.depth);
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const ViewPoint& q = points[j];
      const ViewPoint &a = p.v < q.v ? p : q, &b = p.v < q.v ? q : p;
      for (const std::int64_t cut : {low, high}) {
        if (!(a.v < cut && cut < b.v)) continue;
        const std::int64_t part = cut - a.v, whole = b.v - a.v;
        slice.add(a.u + nearest_quotient((b.u - a.u) * part, whole),
                  a.depth + nearest_quotient((b.depth - a.depth) * part, whole));
      }
    }
  }
  return slice;
}

// The lower or upper side of the hull of a slice, from left to right. side: +1 lower, -1 upper.
std::size_t chain_of(const Slice& sorted, int side, std::array<SlicePoint, 36>& chain) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sorted.count; ++i) {
    const SlicePoint& p = sorted.points[i];
    while (count > 0) {
      if (chain[count - 1].u == p.u) {
        // Of points above each other only the outermost matters.
        if (side * (p.depth - chain[count - 1].depth) >= 0) break;
        --count;
        continue;
      }
      if (count < 2) break;
      const SlicePoint &a = chain[count - 2], &b = chain[count - 1];
      if (side * ((b.u - a.u) * (p.depth - a.depth) - (b.depth - a.depth) * (p.u - a.u)) > 0) break;
      --count;
    }
    if (count > 0 && chain[count - 1].u == p.u) continue;
    chain[count++] = p;
  }
  return count;
}

// The least (side +1) or most (side -1) depth of a chain for u from low to high, rounded outwards. The chain
// must reach into it.
std::int64_t extreme_depth(const std::array<SlicePoint, 36>& chain, std::size_t count, int side,
                           std::int64_t low, std::int64_t high) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < count; ++i)
    if (chain[i].u >= low && chain[i].u <= high) best = std::min(best, side * chain[i].depth);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const SlicePoint &a = chain[i], &b = chain[i + 1];
    for (const std::int64_t cut : {low, high}) {
      if (!(a.u < cut && cut < b.u)) continue;
      best = std::min(best,
                      side * a.depth + floor_quotient(side * (b.depth - a.depth) * (cut - a.u), b.u - a.u));
    }
  }
  return side * best;
}

void draw_row(std::span<const ViewPoint> points, std::int64_t widening, std::int32_t row, DepthImage& image) {
  Slice slice = slice_of(points, row * units_per_pixel - widening, (row + 1) * units_per_pixel + widening);
  if (slice.count == 0) return;
  std::sort(
      slice.points.begin(), slice.points.begin() + static_cast<std::ptrdiff_t>(slice.count),
      [](const SlicePoint& a, const SlicePoint& b) { return a.u != b.u ? a.u < b.u : a.depth < b.depth; });
  std::array<SlicePoint, 36> lower, upper;
  const std::size_t lowers = chain_of(slice, 1, lower), uppers = chain_of(slice, -1, upper);
  // One more unit: the corners of the slice were rounded.
  const std::int64_t wide = widening + 1;
  const PixelRange& range = image.range();
  const std::int32_t first = std::max(range.u0, pixel_of(slice.points[0].u - wide));
  const std::int32_t last = std::min(range.u1, pixel_of(slice.points[slice.count - 1].u + wide));
  for (std::int32_t u = first; u <= last; ++u) {
    // What is left of the first point or right of the last one is within `wide` of it.
    const std::int64_t low = std::min(u * units_per_pixel - wide, slice.points[slice.count - 1].u);
    const std::int64_t high = std::max((u + 1) * units_per_pixel + wide, slice.points[0].u);
    image.at(u, row).include(static_cast<std::int32_t>(extreme_depth(lower, lowers, 1, low, high) - wide),
                             static_cast<std::int32_t>(extreme_depth(upper, uppers, -1, low, high) + wide));
  }
}

}  // namespace

PixelRange pixels_of(std::span<const ViewPoint> points, std::int64_t widening) {
  std::int64_t u0 = points[0].u, u1 = u0, v0 = points[0].v, v1 = v0;
  for (const ViewPoint& p : points) {
    u0 = std::min(u0, p.u);
    u1 = std::max(u1, p.u);
    v0 = std::min(v0, p.v);
    v1 = std::max(v1, p.v);
  }
  return {pixel_of(u0 - widening), pixel_of(u1 + widening), pixel_of(v0 - widening), pixel_of(v1 + widening)};
}

void draw_hull(std::span<const ViewPoint> points, std::int64_t widening, DepthImage& image) {
  PixelRange range = pixels_of(points, widening);
  const PixelRange& whole = image.range();
  range = {std::max(range.u0, whole.u0), std::min(range.u1, whole.u1), std::max(range.v0, whole.v0),
           std::min(range.v1, whole.v1)};
  if (range.empty()) return;
  // Within two pixels there is nothing to gain from the shape.
  if (range.u1 - range.u0 <= 1 && range.v1 - range.v0 <= 1) {
    std::int64_t least = points[0].depth, most = least;
    for (const ViewPoint& p : points) {
      least = std::min(least, p.depth);
      most = std::max(most, p.depth);
    }
    for (std::int32_t v = range.v0; v <= range.v1; ++v)
      for (std::int32_t u = range.u0; u <= range.u1; ++u)
        image.at(u, v).include(static_cast<std::int32_t>(least - widening),
                               static_cast<std::int32_t>(most + widening));
    return;
  }
  for (std::int32_t v = range.v0; v <= range.v1; ++v) draw_row(points, widening, v, image);
}

bool images_overlap(const DepthImage& a, const DepthImage& b) {
  const PixelRange &p = a.range(), &q = b.range();
  const std::int32_t u0 = std::max(p.u0, q.u0), u1 = std::min(p.u1, q.u1);
  for (std::int32_t v = std::max(p.v0, q.v0); v <= std::min(p.v1, q.v1); ++v) {
    for (std::int32_t u = u0; u <= u1; ++u) {
      const DepthInterval &s = a.at(u, v), &t = b.at(u, v);
      if (!s.empty() && !t.empty() && overlap(s, t)) return true;
    }
  }
  return false;
}

}  // namespace toccata::image_space
