// Culling in image space beside sweep and prune and the cluster tree: pairs of bodies left, and time, in
// steps of scenes that deform and break. The cluster tree's answer is exact; none of its pairs may be missing
// from the others. One thread, process CPU time (OpenGL draws on all cores), mean over the steps. Prints CSV.
// usage: bench_image_space [STEPS]
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "scenes/deforming_scene.hpp"
#include "toccata/broad_phase/image_space.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"
#ifdef TOCCATA_WITH_GL
#include "toccata/broad_phase/gl_image_space.hpp"
#endif

namespace toccata::bench {
namespace {

double cpu_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

using Pairs = std::vector<IndexPair>;

struct Culling {
  std::string name;
  std::function<Pairs(std::span<const ImageSpaceBody>)> pairs;
  double spent = 0.0, left = 0.0;
  int lost = 0;
};

Pairs pairs_of_swept_boxes(std::span<const ImageSpaceBody> bodies) {
  std::vector<Aabb> boxes;
  for (const ImageSpaceBody& body : bodies) {
    Aabb box{Vector3::Constant(1e300), Vector3::Constant(-1e300)};
    for (const auto& list : {body.vertices, body.vertices_end}) {
      for (const Vector3& p : list) {
        box.lower = box.lower.cwiseMin(p);
        box.upper = box.upper.cwiseMax(p);
      }
    }
    boxes.push_back(box);
  }
  return overlapping_pairs(boxes, {.method = PairMethod::Sweep});
}

// Exact: bodies of which something touches during the step.
std::set<IndexPair> touching_pairs(const DeformableScene& tree) {
  std::set<IndexPair> pairs;
  DeformableOptions options;
  options.scope = PairScope::BetweenObjects;
  options.threads = 1;
  for (const DeformableContact& c : tree.all_contacts(options).contacts) {
    const bool edges = c.pair.kind == FeaturePairKind::EdgeEdge;
    const std::int32_t a = edges ? tree.object_of_edge(c.pair.first) : tree.object_of_vertex(c.pair.first);
    std::int32_t b = tree.object_of_vertex(c.pair.kind == FeaturePairKind::VertexVertex ? c.pair.second : 0);
    if (edges || c.pair.kind == FeaturePairKind::VertexEdge) b = tree.object_of_edge(c.pair.second);
    if (c.pair.kind == FeaturePairKind::VertexFace) b = tree.object_of_face(c.pair.second);
    if (a != b) pairs.insert({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

void measure(const std::string& name, int triangles, int steps, int warm_up) {
  const std::unique_ptr<scenes::DeformingScene> scene = scenes::make_deforming_scene(name, {triangles, 1});
  std::vector<Culling> cullings;
  cullings.push_back({"sweep and prune", pairs_of_swept_boxes});
  for (const int resolution : {16, 64, 256, 1024}) {
    cullings.push_back(
        {"image space " + std::to_string(resolution), [=](std::span<const ImageSpaceBody> bodies) {
           return image_space_pairs(bodies, {.resolution = resolution, .threads = 1}).value().pairs;
         }});
  }
#ifdef TOCCATA_WITH_GL
  static const Expected<GlDevice> device = GlDevice::create();
  if (device) {
    for (const int resolution : {64, 256}) {
      cullings.push_back(
          {"OpenGL " + std::to_string(resolution), [=](std::span<const ImageSpaceBody> bodies) {
             return gl_image_space_pairs(*device, bodies, {.resolution = resolution}).value().pairs;
           }});
    }
  }
#endif
  for (int i = 0; i < warm_up; ++i) scene->advance();
  double tree_spent = 0.0, touching = 0.0, bodies_seen = 0.0;
  std::optional<DeformableScene> tree;
  for (int step = 0; step < steps; ++step) {
    const std::vector<Vector3> before = scene->positions();
    const bool changed = scene->advance();
    const std::vector<Vector3>& start = changed ? scene->start_positions() : before;
    std::vector<ImageSpaceBody> bodies;
    std::size_t first = 0;
    for (const DeformableObject& object : scene->objects()) {
      const auto count = static_cast<std::size_t>(object.vertex_count);
      bodies.push_back({std::span(start).subspan(first, count),
                        std::span(scene->positions()).subspan(first, count), object.faces});
      first += count;
    }
    if (!tree) {
      tree.emplace(DeformableScene::build(scene->objects()).value());
    } else if (changed && !tree->update_topology(scene->objects())) {
      std::abort();
    }
    const double begin = cpu_milliseconds();
    if (!tree->update(start, scene->positions())) std::abort();
    const std::set<IndexPair> touch = touching_pairs(*tree);
    tree_spent += cpu_milliseconds() - begin;
    touching += static_cast<double>(touch.size());
    bodies_seen += static_cast<double>(bodies.size());
    for (Culling& c : cullings) {
      const double started = cpu_milliseconds();
      const Pairs left = c.pairs(bodies);
      c.spent += cpu_milliseconds() - started;
      c.left += static_cast<double>(left.size());
      for (const IndexPair& p : touch) c.lost += !std::binary_search(left.begin(), left.end(), p);
    }
  }
  const auto row = [&](const std::string& method, double left, double spent, int lost) {
    std::printf("%s,%lld,%.0f,%s,%.1f,%.3f,%d\n", name.c_str(),
                static_cast<long long>(scene->triangle_count()), bodies_seen / steps, method.c_str(),
                left / steps, spent / steps, lost);
    std::fflush(stdout);
  };
  row("cluster tree: exact contacts", touching, tree_spent, 0);
  for (const Culling& c : cullings) row(c.name, c.left, c.spent, c.lost);
}

}  // namespace
}  // namespace toccata::bench

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  std::printf("scene,triangles,bodies,method,pairs_left,cpu_ms,lost\n");
  toccata::bench::measure("balls", 12000, steps, 40);
  toccata::bench::measure("letters", 5000, steps, 40);
  toccata::bench::measure("breaking", 20000, steps, 20);
}
