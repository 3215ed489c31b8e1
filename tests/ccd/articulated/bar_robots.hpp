#pragma once
// What tests of paths share: a robot of two bars, straight paths, random edges, a sheet of many triangles.
#include <cmath>
#include <string>
#include <vector>

#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata::bars {

inline Joint joint(const std::string& name, JointKind kind, const std::string& parent,
                   const std::string& child, const Vector3& place, const Vector3& axis) {
  Joint result;
  result.name = name;
  result.kind = kind;
  result.parent = parent;
  result.child = child;
  result.origin.translation = place;
  result.axis = axis;
  result.limits = JointLimits{-7.0, 7.0};
  return result;
}

// Two bars of length 1 in the plane, one after the other, each turning about z at its end.
inline ArticulatedBody two_bars() {
  ArticulatedBody body;
  const Pose middle(Matrix3::Identity(), Vector3(0.5, 0, 0));
  body.links = {{"base", {}},
                {"upper", {{Box{Vector3(1, 0.1, 0.1)}, middle}}},
                {"lower", {{Box{Vector3(1, 0.1, 0.1)}, middle}}}};
  body.joints = {joint("shoulder", JointKind::Revolute, "base", "upper", Vector3::Zero(), Vector3::UnitZ()),
                 joint("elbow", JointKind::Revolute, "upper", "lower", Vector3(1, 0, 0), Vector3::UnitZ())};
  return body;
}

inline JointPath line(const std::vector<double>& from, const std::vector<double>& to) {
  return JointPath::straight(std::vector<std::vector<double>>{from, to}).value();
}

// z = 0.05 sin(x) sin(y) about, of two triangles a cell: sheets close to each other have many boxes that
// overlap and triangles that do not.
inline TriangleMesh wavy_sheet(int cells) {
  TriangleMesh mesh;
  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k <= cells; ++k) {
      const double x = 8.0 * i / cells, y = 8.0 * k / cells;
      mesh.vertices.emplace_back(0.1 * x, 0.1 * y, 0.05 * std::sin(3.0 * x) * std::sin(3.0 * y));
    }
  }
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      const int a = i * (cells + 1) + k, b = a + cells + 1;
      mesh.faces.push_back({a, b, b + 1});
      mesh.faces.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

inline std::vector<double> random_values(const Kinematics& kinematics, Random& random) {
  std::vector<double> values;
  for (const JointVariable& variable : kinematics.variables()) {
    const JointLimits limits = variable.limits.value_or(JointLimits{-3.0, 3.0});
    values.push_back(random.uniform(limits.lower, limits.upper));
  }
  return values;
}

inline JointEdge random_edge(const Kinematics& kinematics, Random& random, double reach) {
  JointEdge edge{random_values(kinematics, random), {}};
  for (std::size_t i = 0; i < edge.start.size(); ++i) {
    const double step =
        kinematics.variables()[i].limits && kinematics.variables()[i].limits->upper < 1.0 ? 0.1 : 1.0;
    edge.end.push_back(edge.start[i] + step * reach * random.uniform(-1, 1));
  }
  return edge;
}

}  // namespace toccata::bars
