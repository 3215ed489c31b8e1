#include "toccata/motion/joined_path.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace toccata {
namespace {

// Two way-points this close, as a share of the whole, are one: rounding of times.
constexpr double same_time = 1e-12;

bool has_floating_joint(const ArticulatedBody& body) {
  return std::any_of(body.joints.begin(), body.joints.end(),
                     [](const Joint& joint) { return joint.kind == JointKind::Floating; });
}

// c(from + width s) as a polynomial in s.
std::vector<double> part_of(std::span<const double> c, double from, double width) {
  std::vector<double> part(c.begin(), c.end());
  if (from == 0.0 && width == 1.0) return part;
  // Taylor's shift by Horner's rule, then the scale.
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (std::size_t k = part.size() - 1; k-- > i;) part[k] += from * part[k + 1];
  }
  double scale = 1.0;
  for (double& coefficient : part) {
    coefficient *= scale;
    scale *= width;
  }
  return part;
}

}  // namespace

Expected<JointPath> joined_path(std::span<const PlacedRobot> robots, std::span<const JointPath> paths) {
  if (robots.size() != paths.size())
    return Error{"there are " + std::to_string(robots.size()) + " robots and " +
                 std::to_string(paths.size()) + " paths"};
  double duration = 0.0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::size_t variables = variables_of(robots[i].body).size();
    if (static_cast<std::size_t>(paths[i].variable_count()) != variables)
      return Error{"the path of robot '" + robots[i].name + "' has " +
                   std::to_string(paths[i].variable_count()) + " values per way-point, but the robot has " +
                   std::to_string(variables) + " variables"};
    duration = std::max(duration, paths[i].duration());
  }
  if (paths.empty()) return Error{"there are no paths to join"};
  std::vector<double> times = {0.0, 1.0};
  for (const JointPath& path : paths) {
    for (const double t : path.times()) times.push_back(std::min(1.0, t * (path.duration() / duration)));
  }
  std::sort(times.begin(), times.end());
  JointPath joined;
  joined.duration_ = duration;
  joined.times_ = {0.0};
  for (const double t : times) {
    if (t - joined.times_.back() > same_time && 1.0 - t > same_time) joined.times_.push_back(t);
  }
  joined.times_.push_back(1.0);
  for (const JointPath& path : paths) {
    joined.variables_ += path.variable_count();
    joined.degree_ = std::max(joined.degree_, path.degree());
  }
  const auto stride = static_cast<std::size_t>(joined.degree_) + 1;
  for (std::size_t piece = 0; piece + 1 < joined.times_.size(); ++piece) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const JointPath& path = paths[i];
      const double share = duration / path.duration();
      const double begin = joined.times_[piece] * share, end = joined.times_[piece + 1] * share;
      const bool over = begin >= 1.0 - same_time * share;
      const int own = path.piece_at(std::min(1.0, 0.5 * (begin + end)));
      const double first = path.times()[static_cast<std::size_t>(own)];
      const double length = path.times()[static_cast<std::size_t>(own) + 1] - first;
      double from = (begin - first) / length, width = (end - begin) / length;
      const bool whole = std::abs(from) * length < same_time * share &&
                         std::abs(width - 1.0) * length < 2.0 * same_time * share;
      if (whole) {
        from = 0.0;
        width = 1.0;
      } else if (!over && has_floating_joint(robots[i].body)) {
        return Error{"robot '" + robots[i].name +
                     "' has a floating joint: give its path a way-point wherever another robot has one"};
      }
      for (int variable = 0; variable < path.variable_count(); ++variable) {
        std::vector<double> part;
        if (over) {
          part = {path.values(1.0)[static_cast<std::size_t>(variable)]};
        } else {
          part = part_of(path.coefficients(own, variable), from, width);
        }
        part.resize(stride, 0.0);
        joined.coefficients_.insert(joined.coefficients_.end(), part.begin(), part.end());
      }
    }
  }
  return joined;
}

}  // namespace toccata
