#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include "peers.hpp"

namespace toccata::bench {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

class Cgal final : public DistancePeer {
 public:
  explicit Cgal(const TriangleMesh& mesh) {
    const auto point = [&](std::int32_t i) {
      const Vector3& v = mesh.vertices[static_cast<std::size_t>(i)];
      return Kernel::Point_3(v.x(), v.y(), v.z());
    };
    for (const Face& f : mesh.faces) triangles_.emplace_back(point(f[0]), point(f[1]), point(f[2]));
    tree_ = std::make_unique<Tree>(triangles_.cbegin(), triangles_.cend());
    tree_->build();
    tree_->accelerate_distance_queries();
  }
  void distances(std::span<const Vector3> points, std::span<double> found) const override {
    for (std::size_t i = 0; i < points.size(); ++i)
      found[i] =
          std::sqrt(tree_->squared_distance(Kernel::Point_3(points[i].x(), points[i].y(), points[i].z())));
  }

 private:
  Triangles triangles_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace

std::unique_ptr<DistancePeer> cgal_peer(const TriangleMesh& mesh) {
  return std::make_unique<Cgal>(mesh);
}

}  // namespace toccata::bench
