// At the first contact of two triangles a corner of one lies on the other or two edges cross, and its
// equation vanishes. With a distance d in place of contact: the corner is within d of the other's plane, or
// the edges' lines within d of each other, so |f| <= d times the length of the equation's normal. A corner of
// b against a triangle of a is the corner on the reverse screw: S(s) x = q exactly when x = S(s)^-1 q.
#include "ccd/rigid/screw/screw_features.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "toccata/base/rounding.hpp"

namespace toccata::screw {

namespace {

constexpr double u = unit_roundoff;
// Roundings in the coefficients of the equations, of the lengths that enter.
constexpr double vertex_face_roundings = 64.0;
constexpr double edge_edge_roundings = 128.0;

}  // namespace

ScrewPlane screw_plane(const ScrewSegment& segment, const Triangle& t) {
  const Vector3 e1 = t[1] - t[0], e2 = t[2] - t[0];
  const Vector3 normal = e1.cross(e2);
  return {normal, normal.dot(t[0]), normal.norm() * (1.0 + 1e-9),
          vertex_face_roundings * u * e1.norm() * e2.norm() * segment.scale};
}

ScrewEquation vertex_face_equation(const ScrewSegment& s, double direction, const Vector3& q,
                                   const ScrewPlane& plane, double room) {
  const Vector3& n = plane.normal;
  ScrewEquation f;
  f.angle = direction * s.angle;
  f.k = {n.z() * q.z() - plane.offset, n.x() * q.x() + n.y() * q.y(), n.y() * q.x() - n.x() * q.y(), 0.0, 0.0,
         direction * n.z() * s.slide};
  f.band = plane.reach * room + plane.rounding;
  return f;
}

ScrewEquation edge_edge_equation(const ScrewSegment& s, const Vector3& a, const Vector3& la, const Vector3& b,
                                 const Vector3& lb, double room) {
  const Vector3 m = a.cross(la), w = lb.cross(b), g = {lb.y() * s.slide, -lb.x() * s.slide, 0.0};
  ScrewEquation f;
  f.angle = s.angle;
  f.k = {lb.z() * m.z() - w.z() * la.z(),
         lb.x() * m.x() + lb.y() * m.y() - w.x() * la.x() - w.y() * la.y(),
         lb.y() * m.x() - lb.x() * m.y() - w.y() * la.x() + w.x() * la.y(),
         g.x() * la.x() + g.y() * la.y(),
         g.y() * la.x() - g.x() * la.y(),
         0.0};
  f.band = la.norm() * lb.norm() * (room + edge_edge_roundings * u * s.scale) * (1.0 + 1e-9);
  return f;
}

namespace {

class Meeting {
 public:
  Meeting(const ScrewSegment& segment, double from, QueryStats& stats)
      : segment_(segment), from_(from), stats_(stats) {}

  // Asks the equation where the two features may meet before the root known so far.
  template <typename Equation>
  void look_at(const AxisBounds& a, const AxisBounds& b, Equation&& equation) {
    ++stats_.feature_pairs;
    const MeetingWindow window = meeting_window(segment_, a, b);
    const double begin = std::max(window.begin, from_), end = std::min(window.end, 1.0);
    if (begin > end) {
      ++stats_.rejected_feature_pairs;
      return;
    }
    if (begin >= root) return;
    root = std::min(root, first_root_lower(equation(), begin, std::min(end, root)));
  }

  double root = no_root;

 private:
  const ScrewSegment& segment_;
  double from_;
  QueryStats& stats_;
};

}  // namespace

double first_meeting(const ScrewSegment& segment, const TriangleBounds& a, const TriangleBounds& b,
                     double from, double distance, QueryStats& stats) {
  const MeetingWindow window = meeting_window(segment, a.all, b.all);
  if (std::max(window.begin, from) > std::min(window.end, 1.0)) {
    stats.feature_pairs += 15;
    stats.rejected_feature_pairs += 15;
    return no_root;
  }
  const double room = segment.error + distance;
  Meeting meeting(segment, from, stats);
  const ScrewPlane plane_a = screw_plane(segment, a.points), plane_b = screw_plane(segment, b.points);
  for (int k = 0; k < 3; ++k) {
    meeting.look_at(a.corner[k], b.all,
                    [&] { return vertex_face_equation(segment, 1.0, a.points[k], plane_b, room); });
    meeting.look_at(a.all, b.corner[k],
                    [&] { return vertex_face_equation(segment, -1.0, b.points[k], plane_a, room); });
  }
  for (int i = 0; i < 3; ++i) {
    const Vector3 edge_a = a.points[(i + 1) % 3] - a.points[i];
    for (int j = 0; j < 3; ++j) {
      meeting.look_at(a.edge[i], b.edge[j], [&] {
        return edge_edge_equation(segment, a.points[i], edge_a, b.points[j],
                                  b.points[(j + 1) % 3] - b.points[j], room);
      });
    }
  }
  return meeting.root;
}

}  // namespace toccata::screw
