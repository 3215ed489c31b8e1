#pragma once
// Scenes that deform from frame to frame, some of them breaking: in the spirit of the benchmarks of ICCD
// (Tang et al., VII.A). Dynamics are simple but real (position-based particles, rigid balls, shape matching);
// the same options give the same frames.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata::scenes {

struct DeformingSceneOptions {
  int triangles = 0;  // about this many; 0: the scene's usual size
  std::uint64_t seed = 1;
};

class DeformingScene {
 public:
  virtual ~DeformingScene() = default;

  // Connectivity of the current frame; positions of all vertices, objects one after the other.
  const std::vector<DeformableObject>& objects() const { return objects_; }
  const std::vector<Vector3>& positions() const { return positions_; }
  std::int64_t triangle_count() const;

  // Goes to the next frame. true: the connectivity changed first, at the positions of the last frame; those
  // are then start_positions(), else they are the last frame's positions().
  virtual bool advance() = 0;
  // Where the step to the current frame began, in the current connectivity.
  const std::vector<Vector3>& start_positions() const { return start_; }

 protected:
  std::vector<DeformableObject> objects_;
  std::vector<Vector3> positions_;
  std::vector<Vector3> start_;
};

// "cloth-ball" (92K triangles): a cloth falls on a ball that then turns, folds and layers; "skirt" (40K): a
// skirt swirls around a body and sinks to the ground; "balls" (34K): hundreds of rigid balls; "letters" (5K):
// soft letters fall into a bowl and break; "breaking" (250K): a bunny-like body falls on a dragon-like one,
// which breaks into many pieces; "ruffles" (49K): layers of ruffled skirts; "smooth-cloth" (92K): a waving
// cloth in small steps without contact. An unknown name gives none.
std::unique_ptr<DeformingScene> make_deforming_scene(std::string_view name,
                                                     const DeformingSceneOptions& options = {});
std::span<const std::string_view> deforming_scene_names();

// The current frame as one mesh.
TriangleMesh frame_mesh(const DeformingScene& scene);

}  // namespace toccata::scenes
