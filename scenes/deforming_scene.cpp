#include "scenes/deforming_scene.hpp"

#include <array>

#include "scenes/deforming_makers.hpp"

namespace toccata::scenes {
namespace {

constexpr std::array<std::string_view, 7> names = {"cloth-ball", "skirt",   "balls",       "letters",
                                                   "breaking",   "ruffles", "smooth-cloth"};

}  // namespace

std::int64_t DeformingScene::triangle_count() const {
  std::int64_t count = 0;
  for (const DeformableObject& object : objects_) count += static_cast<std::int64_t>(object.faces.size());
  return count;
}

std::span<const std::string_view> deforming_scene_names() {
  return names;
}

std::unique_ptr<DeformingScene> make_deforming_scene(std::string_view name,
                                                     const DeformingSceneOptions& options) {
  const auto size = [&](int usual) { return options.triangles > 0 ? options.triangles : usual; };
  if (name == "cloth-ball") return make_cloth_on_ball(size(92000), options.seed);
  if (name == "skirt") return make_skirt(size(40000), options.seed);
  if (name == "balls") return make_balls(size(34000), options.seed);
  if (name == "letters") return make_letters(size(5000), options.seed);
  if (name == "breaking") return make_breaking(size(250000), options.seed);
  if (name == "ruffles") return make_ruffles(size(49000), options.seed);
  if (name == "smooth-cloth") return make_smooth_cloth(size(92000), options.seed);
  return nullptr;
}

TriangleMesh frame_mesh(const DeformingScene& scene) {
  TriangleMesh mesh;
  mesh.vertices = scene.positions();
  std::int32_t offset = 0;
  for (const DeformableObject& object : scene.objects()) {
    for (const Face& f : object.faces) mesh.faces.push_back({f[0] + offset, f[1] + offset, f[2] + offset});
    offset += object.vertex_count;
  }
  return mesh;
}

}  // namespace toccata::scenes
