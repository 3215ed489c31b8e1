#pragma once
// Two boxes that move at constant velocities, at eight moments at once: how far they are apart along each of
// their fifteen axes, which turn with them, and between which moments they stay apart along one. Between two
// moments the gap along an axis lies above its chord by all but K/2 (s - s0)(s1 - s), K being the largest
// second derivative of the way of any two points along it: docs/notes/convex_motion_bounds.md.
#include <cstddef>
#include <cstdint>

namespace toccata::search {

// Three faces of b, three of a, and the products of edge i of a and edge j of b: number 6 + 3 i + j.
constexpr std::size_t box_axis_count = 15;

// In the frame of b at the start, as SteadyPair has it.
struct BoxMotion {
  double half_a[3], half_b[3];
  double rotation[3][3];       // the edges of a at the start: [edge][coordinate]
  double axis[2][3], spin[2];  // of a, of b; the spin is zero where the body does not turn
  double lever[2][3];          // from the point that moves straight to the middle of the box, at the start
  double between[3], velocity[3];  // from a's such point to b's
  double error;                    // comes off every gap
  double bend[box_axis_count];     // half of K
};

// Slots 8 to 15 are the moments of one look, slot 7 is one that was known before.
struct BoxMoments {
  static constexpr std::size_t first = 7, last = 15, slots = 16;
  alignas(64) double time[slots];
  alignas(64) double gap[box_axis_count][slots];     // along the axis in its own length, errors taken off
  alignas(64) double middle[box_axis_count][slots];  // of a, seen from b's
  alignas(64) double widest[slots];                  // of the gaps
  alignas(64) double cosine[9][slots];               // between edge i of a and edge j of b: number 3 i + j
};

// Fills slots 8 to 15 from their times, which do not decrease from slot 7 on. Bit i of the answer: the boxes
// are proven apart from slot 7 + i to the next. The same bits on every instruction set.
std::uint32_t look_at_moments(const BoxMotion& motion, BoxMoments& moments);

}  // namespace toccata::search
