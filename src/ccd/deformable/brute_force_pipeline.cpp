// Every pair of features, without any culling: the reference for small meshes.
#include "ccd/deformable/narrow_phase.hpp"
#include "ccd/deformable/pipeline.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::deformable {
namespace {

class BruteForcePipeline final : public Pipeline {
 public:
  void reset(const Topology&, int) override {}
  double update(const Topology&, const Step&, int) override { return 0; }

  void find(const Topology& topology, const Step&, const PipelineQuery&, NarrowPhase& narrow) const override {
    const auto faces = static_cast<std::int32_t>(topology.faces.size());
    const auto edges = static_cast<std::int32_t>(topology.edges.size());
    const auto vertices = static_cast<std::size_t>(topology.vertex_count);
    parallel_blocks(vertices, 64, narrow.threads(), [&](std::size_t begin, std::size_t end) {
      CandidateSink& sink = narrow.sink();
      for (auto v = static_cast<std::int32_t>(begin); v < static_cast<std::int32_t>(end) && !narrow.done();
           ++v) {
        for (std::int32_t f = 0; f < faces; ++f) sink.vertex_face(v, f);
      }
    });
    parallel_blocks(topology.edges.size(), 64, narrow.threads(), [&](std::size_t begin, std::size_t end) {
      CandidateSink& sink = narrow.sink();
      for (auto a = static_cast<std::int32_t>(begin); a < static_cast<std::int32_t>(end) && !narrow.done();
           ++a) {
        for (std::int32_t b = a + 1; b < edges; ++b) sink.edge_edge(a, b);
      }
    });
    CandidateSink& sink = narrow.sink();
    for (std::size_t i = 0; i < topology.points.size(); ++i) {
      for (const std::int32_t wire : topology.wires) sink.vertex_edge(topology.points[i], wire);
      for (std::size_t j = i + 1; j < topology.points.size(); ++j) {
        sink.vertex_vertex(topology.points[i], topology.points[j]);
      }
    }
  }

  std::span<const std::string_view> stage_names() const override { return {}; }
  std::size_t memory_bytes() const override { return 0; }
};

}  // namespace

std::unique_ptr<Pipeline> make_brute_force_pipeline() {
  return std::make_unique<BruteForcePipeline>();
}

}  // namespace toccata::deformable
