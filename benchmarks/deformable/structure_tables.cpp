// Tables about the structures: orphan sets, and repairing after a change of the topology.
#include <algorithm>
#include <chrono>

#include "ccd/deformable/connectivity/orphan_set.hpp"
#include "deformable/csv.hpp"

namespace toccata::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Pairs of triangles that share a vertex.
std::int64_t adjacent_pairs(const deformable::connectivity::ElementMesh& mesh,
                            const deformable::Topology& topology) {
  std::int64_t pairs = 0;
  std::vector<std::int32_t> others;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(topology.faces.size()); ++t) {
    others.clear();
    for (const std::int32_t v : mesh.corners(t)) {
      for (const std::int32_t o : mesh.around_vertex(v)) {
        if (o > t && mesh.is_face(o)) others.push_back(o);
      }
    }
    std::sort(others.begin(), others.end());
    pairs += std::unique(others.begin(), others.end()) - others.begin();
  }
  return pairs;
}

// The scene with `count` faces torn off at one corner, spread over it, or cut in two along x if count < 0.
Step torn(const Step& step, std::int64_t count) {
  Step changed = step;
  DeformableObject& object = changed.objects.back();
  const std::size_t first = changed.t0.size() - static_cast<std::size_t>(object.vertex_count);
  const auto copy_vertex = [&](std::int32_t v) {
    changed.t0.push_back(Vector3(changed.t0[first + static_cast<std::size_t>(v)]));
    changed.t1.push_back(Vector3(changed.t1[first + static_cast<std::size_t>(v)]));
    return object.vertex_count++;
  };
  if (count >= 0) {
    for (std::int64_t i = 0; i < count; ++i) {
      Face& f = object.faces[static_cast<std::size_t>(i * 7919 + 13) % object.faces.size()];
      f[0] = copy_vertex(f[0]);
    }
    return changed;
  }
  double low = 1e300, high = -1e300;
  for (const Vector3& x : step.t0) {
    low = std::min(low, x[0]);
    high = std::max(high, x[0]);
  }
  const auto vertices = object.vertex_count;
  const auto beyond = [&](std::int32_t v) {
    return step.t0[first + static_cast<std::size_t>(v)][0] > 0.5 * (low + high);
  };
  std::vector<std::int32_t> copies(static_cast<std::size_t>(vertices), -1);
  for (Face& f : object.faces) {
    if (beyond(f[0]) && beyond(f[1]) && beyond(f[2])) continue;
    for (std::int32_t& v : f) {
      if (v >= vertices || !beyond(v)) continue;
      if (copies[v] < 0) copies[v] = copy_vertex(v);
      v = copies[v];
    }
  }
  return changed;
}

std::int64_t changed_faces(const Step& a, const Step& b) {
  const auto &x = a.objects.back().faces, &y = b.objects.back().faces;
  std::int64_t changed = 0;
  for (std::size_t f = 0; f < x.size(); ++f) changed += x[f] != y[f];
  return changed;
}

}  // namespace

void orphan_table(const std::vector<Step>& steps, const std::string& path) {
  Csv csv(path, "scene,triangles,adjacent_pairs,vertex_face,edge_edge,percent_of_adjacent_pairs,tested");
  for (const Step& step : steps) {
    const auto topology = deformable::make_topology(step.objects);
    const deformable::connectivity::ElementMesh mesh(*topology);
    const deformable::connectivity::OrphanSet orphans =
        deformable::connectivity::find_orphans(mesh, *topology, 0);
    const std::int64_t adjacent = adjacent_pairs(mesh, *topology);
    const DeformableStats stats = build(step, DeformableMethod::Connectivity, 0).all_contacts().stats;
    const auto tested = std::find_if(stats.stages.begin(), stats.stages.end(),
                                     [](const StageCount& s) { return s.name == "orphans_tested"; });
    const std::size_t all = orphans.vertex_face.size() + orphans.edge_edge.size();
    csv.row("{},{},{},{},{},{:.3f},{}", step.name, step.triangles(), adjacent, orphans.vertex_face.size(),
            orphans.edge_edge.size(), 100.0 * static_cast<double>(all) / static_cast<double>(adjacent),
            tested->count);
  }
}

void topology_table(const Step& step, const std::string& path) {
  Csv csv(path, "scene,method,change,changed_triangles,repair,rebuild,ratio");
  for (const auto& [name, method] : methods) {
    for (const int count : {1, 10, 100, 1000, 10000, -1}) {
      const Step after = torn(step, count);
      double repair = 1e300, rebuild = 1e300;
      for (int run = 0; run < 5; ++run) {
        DeformableScene scene = build(step, method, 1);
        const auto changed = scene.update_topology(after.objects);
        const auto updated = scene.update(after.t0, after.t1);
        if (!changed || !updated) std::exit(2);
        repair = std::min(repair, changed->milliseconds + updated->build_milliseconds);
        const auto start = Clock::now();
        auto fresh = DeformableScene::build(after.objects, {method, 1});
        const double built = since(start);
        const auto first = fresh->update(after.t0, after.t1);
        rebuild = std::min(rebuild, built + first->build_milliseconds);
        if (run == 0)
          check(pairs_of(scene.all_contacts()) == pairs_of(fresh->all_contacts()), step.name, name);
      }
      csv.row("{},{},{},{},{:.2f},{:.2f},{:.1f}", step.name, name, count < 0 ? "cut in two" : "torn corners",
              changed_faces(step, after), repair, rebuild, rebuild / repair);
    }
  }
}

}  // namespace toccata::bench
