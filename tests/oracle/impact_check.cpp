#include "oracle/impact_check.hpp"

#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "oracle/feature_distance.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

constexpr double bracket_width = 1e-12;

double largest_coordinate(FeaturePairKind pair, const LinearMotion4& motion) {
  double scale = 0;
  for (int i = 0; i < point_count(pair); ++i) {
    scale = std::max(scale, motion.t0[static_cast<std::size_t>(i)].cwiseAbs().maxCoeff());
    scale = std::max(scale, motion.t1[static_cast<std::size_t>(i)].cwiseAbs().maxCoeff());
  }
  return scale;
}

// The motion times a power of two that brings the largest coordinate near one, so that the plausibility
// checks in floating point neither overflow nor underflow.
LinearMotion4 normalised(FeaturePairKind pair, const LinearMotion4& motion, int& exponent) {
  std::frexp(largest_coordinate(pair, motion), &exponent);
  LinearMotion4 result = motion;
  for_each_coordinate(
      result, [&](double& x) { x = std::ldexp(std::ldexp(x, -exponent / 2), exponent / 2 - exponent); });
  return result;
}

struct Sides {
  Vector3 a = Vector3::Zero(), b = Vector3::Zero();
};

Sides sides_of(FeaturePairKind pair, const Points4& x, const std::array<double, 4>& w) {
  if (pair == FeaturePairKind::EdgeEdge) return {w[0] * x[0] + w[1] * x[1], w[2] * x[2] + w[3] * x[3]};
  Sides sides{w[0] * x[0], w[1] * x[1]};
  if (point_count(pair) > 2) sides.b += w[2] * x[2];
  if (point_count(pair) > 3) sides.b += w[3] * x[3];
  return sides;
}

std::string weight_fault(FeaturePairKind pair, const std::array<double, 4>& w) {
  for (double x : w) {
    if (!(x >= 0 && x <= 1)) return "a weight outside [0, 1]";
  }
  const bool edges = pair == FeaturePairKind::EdgeEdge;
  const double first = edges ? w[0] + w[1] : w[0];
  const double second = edges ? w[2] + w[3] : w[1] + w[2] + w[3];
  if (!(std::abs(first - 1) <= 1e-15 && std::abs(second - 1) <= 1e-15))
    return "weights that do not sum to one";
  if (point_count(pair) < 4 && w[3] != 0) return "weight of an unused point";
  if (point_count(pair) < 3 && w[2] != 0) return "weight of an unused point";
  return {};
}

// The directions the normal has to be perpendicular to, when they span a plane well.
bool plane_of(FeaturePairKind pair, const Points4& x, Vector3& u, Vector3& w) {
  if (point_count(pair) < 4) return false;
  u = pair == FeaturePairKind::VertexFace ? x[2] - x[1] : x[1] - x[0];
  w = pair == FeaturePairKind::VertexFace ? x[3] - x[1] : x[3] - x[2];
  return u.norm() > 1e-3 && w.norm() > 1e-3 && u.cross(w).norm() > 1e-3 * u.norm() * w.norm();
}

bool is_inside(FeaturePairKind pair, const std::array<double, 4>& w) {
  const double margin = 1e-3;
  for (int i = pair == FeaturePairKind::VertexFace ? 1 : 0; i < 4; ++i) {
    if (w[static_cast<std::size_t>(i)] < margin) return false;
  }
  return true;
}

std::string normal_fault(const Impact& impact, FeaturePairKind pair, const LinearMotion4& unit_motion,
                         bool within_distance) {
  const double length = impact.normal.norm();
  if (length == 0) {
    if (within_distance) return {};  // the direction between closest points, which may coincide
    Vector3 u, w;
    const bool defined = plane_of(pair, positions_at(unit_motion, impact.time), u, w);
    return defined ? "no normal although the features span a plane" : "";
  }
  if (!(std::abs(length - 1) <= 1e-9)) return "a normal that is no unit vector";
  Vector3 u, w;
  if (!plane_of(pair, positions_at(unit_motion, impact.time), u, w)) return {};
  if (!is_inside(pair, impact.weights)) return {};
  if (std::abs(impact.normal.dot(u)) > 1e-9 * u.norm() || std::abs(impact.normal.dot(w)) > 1e-9 * w.norm()) {
    return "a normal that is not perpendicular to the features";
  }
  if (impact.status != Status::Contact) return {};
  // Before the first contact the second feature is ahead of the first along the normal.
  const double before = std::max(0.0, impact.time - 1e-6);
  const Sides then = sides_of(pair, positions_at(unit_motion, before), impact.weights);
  const double ahead = impact.normal.dot(then.b - then.a);
  return ahead < -1e-10 ? "a normal that points from the second feature to the first" : "";
}

std::string place_fault(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                        const LinearImpactOptions& options) {
  if (std::string fault = weight_fault(pair, impact.weights); !fault.empty()) return fault;
  if (!impact.point.allFinite() || !impact.normal.allFinite()) return "a point or normal that is not finite";
  int exponent = 0;
  const LinearMotion4 unit_motion = normalised(pair, motion, exponent);
  const Sides sides = sides_of(pair, positions_at(unit_motion, impact.time), impact.weights);
  const auto in_unit = [&](double x) {
    return std::ldexp(std::ldexp(x, -exponent / 2), exponent / 2 - exponent);
  };
  const Vector3 point(in_unit(impact.point[0]), in_unit(impact.point[1]), in_unit(impact.point[2]));
  // A few of the smallest denormals are rounding too, and not always small beside the features.
  const double slack = 1e-9 + in_unit(16 * std::numeric_limits<double>::denorm_min());
  const double reach = in_unit(options.minimum_distance) * (1 + options.relative_distance_tolerance) + slack;
  if ((sides.a - sides.b).norm() > reach) return "weights whose points do not meet";
  if ((point - sides.a).norm() > reach) return "a point that is not where the weights say";
  return normal_fault(impact, pair, unit_motion, options.minimum_distance > 0);
}

std::string time_fault(const Impact& impact, const LinearImpactOptions& options) {
  if (impact.time != impact.lower) return "time is not lower";
  if (!(impact.lower >= 0 && impact.lower <= impact.upper && impact.upper <= options.t_max)) {
    return "a bracket outside [0, t_max]";
  }
  if (impact.upper - impact.lower > bracket_width) return "a bracket wider than 1e-12";
  if (impact.status == Status::OverlapAtStart && impact.upper != 0)
    return "an overlap at the start later than 0";
  return {};
}

// Contact proper: exact in the Boolean, and the bracket encloses the first time.
std::string exact_fault(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                        const LinearImpactOptions& options) {
  const FirstTime first = first_contact(pair, motion, options.t_max);
  if (impact.status == Status::OutOfBudget) {
    if (!(impact.time == impact.lower && impact.lower >= 0 && impact.lower <= options.t_max))
      return "a bad free time";
    return first.exists() && first.compare(impact.lower) < 0 ? "not free before lower" : "";
  }
  if (impact.status == Status::Separated) return first.exists() ? "a MISS: there is contact" : "";
  if (!first.exists()) return "a false contact";
  const bool at_start = first.compare(0.0) == 0;
  if (impact.status == Status::OverlapAtStart && !at_start) return "no overlap at the start";
  if (impact.status == Status::Contact && at_start) return "contact at the start reported as later contact";
  if (options.boolean_only) return {};
  if (std::string fault = time_fault(impact, options); !fault.empty()) return fault;
  if (first.compare(impact.lower) < 0) return "LATE: contact before lower";
  return first.compare(impact.upper) > 0 ? "contact after upper" : "";
}

// 2^-48 of the largest difference of two coordinates of one axis.
mpq_class distance_floor(FeaturePairKind pair, const LinearMotion4& motion) {
  mpq_class largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double least = motion.t0[0][axis], most = least;
    for (int i = 0; i < point_count(pair); ++i) {
      for (const auto* end : {&motion.t0, &motion.t1}) {
        least = std::min(least, (*end)[static_cast<std::size_t>(i)][axis]);
        most = std::max(most, (*end)[static_cast<std::size_t>(i)][axis]);
      }
    }
    largest = std::max(largest, mpq_class(mpq_class(most) - mpq_class(least)));
  }
  return largest * mpq_class(std::ldexp(1.0, -48));
}

// The rounding of closest points may keep a distance from being decided without a budget.
bool may_run_out(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options) {
  if (options.budget > 0) return true;
  const mpq_class margin =
      mpq_class(options.minimum_distance) * mpq_class(options.relative_distance_tolerance);
  return options.minimum_distance > 0 && margin < distance_floor(pair, motion);
}

// Within a distance: conservative, and within the stated tolerance.
std::string distance_fault(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                           const LinearImpactOptions& options) {
  const FirstTime first = first_within(pair, motion, mpq_class(options.minimum_distance), options.t_max);
  if (impact.status == Status::Separated) return first.exists() ? "a MISS: the distance is reached" : "";
  if (!options.boolean_only && first.exists() && first.compare(impact.lower) < 0) {
    return "LATE: the distance is reached before lower";
  }
  if (impact.status == Status::OutOfBudget) return {};
  const mpq_class reach =
      mpq_class(options.minimum_distance) * (1 + mpq_class(options.relative_distance_tolerance)) +
      distance_floor(pair, motion);
  const FirstTime near = first_within(pair, motion, reach, options.t_max);
  if (!near.exists()) return "a false contact: never within the distance and its tolerance";
  if (options.boolean_only) return {};
  if (std::string fault = time_fault(impact, options); !fault.empty()) return fault;
  return near.compare(impact.upper) > 0 ? "not yet within the distance and its tolerance at upper" : "";
}

std::string describe(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                     const LinearImpactOptions& options) {
  char text[400];
  std::snprintf(text, sizeof text,
                "\n  answer: %s by stage %s, [%a, %a], weights %.17g %.17g %.17g %.17g, normal %g %g %g\n"
                "  options: boolean_only %d, t_max %a, minimum_distance %a, budget %lld\n  ",
                std::string(to_string(impact.status)).c_str(), std::string(to_string(impact.stage)).c_str(),
                impact.lower, impact.upper, impact.weights[0], impact.weights[1], impact.weights[2],
                impact.weights[3], impact.normal[0], impact.normal[1], impact.normal[2], options.boolean_only,
                options.t_max, options.minimum_distance, static_cast<long long>(options.budget));
  return text + to_text(pair, motion);
}

}  // namespace

Impact library_answer(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options) {
  switch (pair) {
    case FeaturePairKind::VertexFace:
      return vertex_face_impact(motion, options);
    case FeaturePairKind::EdgeEdge:
      return edge_edge_impact(motion, options);
    case FeaturePairKind::VertexEdge:
      return vertex_edge_impact(motion, options);
    case FeaturePairKind::VertexVertex:
      return vertex_vertex_impact(motion, options);
  }
  return {};
}

std::string fault_of(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                     const LinearImpactOptions& options) {
  std::string fault;
  if (impact.status == Status::OutOfBudget && !may_run_out(pair, motion, options)) {
    fault = "out of budget without one";
  } else if (options.minimum_distance > 0) {
    fault = distance_fault(impact, pair, motion, options);
  } else {
    fault = exact_fault(impact, pair, motion, options);
  }
  return fault.empty() ? fault : fault + describe(impact, pair, motion, options);
}

std::string place_fault_of(const Impact& impact, FeaturePairKind pair, const LinearMotion4& motion,
                           const LinearImpactOptions& options) {
  if (impact.status == Status::Separated || impact.status == Status::OutOfBudget) return {};
  const std::string fault = place_fault(impact, pair, motion, options);
  return fault.empty() ? fault : fault + describe(impact, pair, motion, options);
}

std::string fault_of_library(FeaturePairKind pair, const LinearMotion4& motion,
                             const LinearImpactOptions& options) {
  return fault_of(library_answer(pair, motion, options), pair, motion, options);
}

bool is_identical(const Impact& a, const Impact& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  bool equal = a.status == b.status && a.stage == b.stage && same(a.time, b.time) && same(a.lower, b.lower) &&
               same(a.upper, b.upper);
  for (std::size_t i = 0; i < 4; ++i) equal = equal && same(a.weights[i], b.weights[i]);
  for (int i = 0; i < 3; ++i) equal = equal && same(a.point[i], b.point[i]) && same(a.normal[i], b.normal[i]);
  return equal;
}

}  // namespace toccata::oracle
