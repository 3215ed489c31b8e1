#pragma once
// Every tolerance of the library, in one place: its unit, its value, and what breaks when it changes.
//
// None of them decides whether shapes touch: that is decided exactly or conservatively, with error bounds
// derived from the inputs. They only say how finely an answer is resolved. All are relative or in units of
// the motion's time, so that answers do not depend on the scale of the scene.

namespace toccata::tolerances {

// Unit: time, the motion being [0, 1]. Widest bracket [lower, upper] of a first contact of two features on
// straight trajectories. Smaller: more bisection steps per contact; below 2^-52 brackets cannot shrink
// further. Larger: reported times are earlier, and contact points farther from the true ones.
inline constexpr double impact_bracket = 1e-12;

// Unit: none, relative to the minimum distance asked for. A query "within d" may already answer yes at
// d * (1 + this). Smaller: more subdivision when shapes slide along at nearly the distance d. Larger: more
// early answers.
inline constexpr double relative_distance = 1e-6;

// Unit: none, relative to the size of the smaller body. How close counts as touching for rigid bodies, where
// no distance is given. Smaller: a few more steps per contact. Larger: reported times are earlier.
inline constexpr double relative_contact = 1e-6;

// Unit: time, the motion being [0, 1]. Gaps and contacts of rigid bodies shorter than this may be merged with
// their neighbours in contact_intervals.
inline constexpr double time_resolution = 1e-6;

// Unit: time, the motion being [0, 1]. How finely rigid bodies that touch at the start are seen to come apart
// (AtStart::Skip). Larger: a contact that follows within it may count as part of the first one.
inline constexpr double exit_resolution = 1e-6;

}  // namespace toccata::tolerances
