// Two meshes where they stand: how far apart, do they meet, is one inside the other, what does a ray hit?
#include <toccata/proximity/containment.hpp>
#include <toccata/proximity/distance.hpp>
#include <toccata/proximity/intersects.hpp>
#include <toccata/proximity/ray_cast.hpp>

#include <cstdio>

#include "box.hpp"

int main() {
  using namespace toccata;
  const Shape crate(box(4, 4, 4));  // prepared once; or load_mesh("crate.stl").value()
  const Shape part(box(1, 1, 1));
  const Pose beside = {Matrix3::Identity(), {3, 3, 3}};

  const DistanceResult apart = distance({crate}, {part, beside});
  std::printf("distance %.3f, from the %s of one to the %s of the other\n", apart.distance,
              to_string(apart.contact.feature_a.kind).data(), to_string(apart.contact.feature_b.kind).data());
  std::printf("within 0.8: %s, within 0.9: %s\n", within({crate}, {part, beside}, 0.8).within ? "yes" : "no",
              within({crate}, {part, beside}, 0.9).within ? "yes" : "no");

  const Pose across = {Matrix3::Identity(), {2, 0, 0}};
  const IntersectsResult pairs = intersects({crate}, {part, across}, {.all_pairs = true});
  std::printf("pushed into the side: %zu pairs of triangles meet\n", pairs.pairs.size());

  // Surfaces only: a part in the middle of the crate is apart from it, and inside.
  std::printf("in the middle: distance %.3f, %s\n", distance({crate}, {part}).distance,
              to_string(containment({part}, {crate})).data());

  const RayCastResult hit = ray_cast({crate}, {{0.5, 0.25, 10}, {0, 0, -1}});
  std::printf("a ray from above hits z = %.1f\n", hit.point.z());
}
// Output:
// distance 0.866, from the vertex of one to the vertex of the other
// within 0.8: no, within 0.9: yes
// pushed into the side: 12 pairs of triangles meet
// in the middle: distance 1.500, inside
// a ray from above hits z = 2.0
