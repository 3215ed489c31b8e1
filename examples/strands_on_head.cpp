// Hair on a head that turns: 10,000 strands of 20 points, a few steps, with contacts and normals. Strands
// that would run into the head are stopped at their first contact; how hair moves is not the point here.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "toccata/ccd/field/particle_contacts.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace {

using namespace toccata;

constexpr int strand_count = 10000;
constexpr int points_each = 20;
constexpr double hair = 0.002;  // the radius of a strand

// From just above the scalp outwards and down, spread evenly over the upper half of an egg.
PolylineSet grown() {
  std::vector<Vector3> points;
  for (int i = 0; i < strand_count; ++i) {
    const double height = 0.2 + 0.8 * (i + 0.5) / strand_count;
    const double angle = std::numbers::pi * (1.0 + std::sqrt(5.0)) * i,
                 flat = std::sqrt(1.0 - height * height);
    const Vector3 out(flat * std::cos(angle), flat * std::sin(angle), height);
    const Vector3 root = Vector3(0.8, 0.9, 1.1).cwiseProduct(1.01 * out);
    for (int k = 0; k < points_each; ++k) {
      const double length = 0.05 * k;
      points.push_back(root + length * (out + length * Vector3(0, 0, -0.6)));
    }
  }
  return PolylineSet::even(std::move(points), points_each);
}

}  // namespace

int main() {
  TriangleMesh egg = display_mesh(Ball{1.0});
  for (Vector3& v : egg.vertices) v = Vector3(0.8, 0.9, 1.1).cwiseProduct(v);
  const DistanceField field = build_distance_field(Shape(egg), {.error = 0.005, .margin = 0.6}).value();
  PolylineSet strands = grown();
  Pose pose;
  for (int step = 0; step < 3; ++step) {
    // The head nods; the hair falls, and does not know of the head.
    const RigidMotion nod = RigidMotion::with_velocity(pose, {0.0, 0.05, 0.0}, {0.25, 0.0, 0.1});
    std::vector<Vector3> next = strands.points;
    for (std::size_t i = 0; i < next.size(); ++i) {
      const double free = static_cast<double>(i % points_each) / points_each;  // the tip falls farthest
      next[i] = (1.0 - free) * nod.pose(1.0).apply(pose.inverse().apply(next[i])) +
                free * (next[i] - Vector3(0.0, 0.0, 0.25));
    }
    const ParticleContacts found =
        first_contacts(StrandPaths{strands, next}, FieldBody{field, nod}, {.minimum_distance = hair});
    int undecided = 0, outwards = 0;
    for (std::size_t s = 0; s < found.paths.size(); ++s) {
      const ParticleContact& c = found.paths[s];
      undecided += c.status == Status::OutOfBudget;
      const Vector3 middle = nod.pose(c.time).translation;
      const bool touches = c.status == Status::Contact || c.status == Status::OverlapAtStart;
      outwards += touches && c.normal.dot(c.point - middle) > 0.0;
      // As far as it is free.
      for (int k = 0; k < points_each; ++k) {
        const std::size_t i = s * points_each + static_cast<std::size_t>(k);
        strands.points[i] += 0.999 * c.time * (next[i] - strands.points[i]);
      }
    }
    std::printf("step %d: some strands touch: %s, all normals lead out: %s, undecided: %d\n", step + 1,
                found.contacts > 0 ? "yes" : "no", outwards == found.contacts ? "yes" : "no", undecided);
    pose = nod.pose(1.0);
  }
}
// Output:
// step 1: some strands touch: yes, all normals lead out: yes, undecided: 0
// step 2: some strands touch: yes, all normals lead out: yes, undecided: 0
// step 3: some strands touch: yes, all normals lead out: yes, undecided: 0
