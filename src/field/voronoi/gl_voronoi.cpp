// A distance mesh for each site and slice, drawn with a depth test that leaves the least: the number of the
// site stays in the picture.
#include "toccata/field/gl_voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/gl_context.hpp"
#include "base/stop_watch.hpp"
#include "field/voronoi/gl_distance_mesh.hpp"

namespace toccata {
namespace voronoi {
namespace {

constexpr const char* site_vertices = R"(#version 450 core
layout(location = 0) in vec4 place;
layout(location = 1) in int number;
flat out int site;
void main() { gl_Position = place; site = number; }
)";
constexpr const char* site_pixels = R"(#version 450 core
flat in int site;
layout(location = 0) out int number;
void main() { number = site; }
)";

struct DrawnVertex {
  float place[4];
  GLint site;
};

// A room of vertices; full ones are drawn.
constexpr std::size_t most_vertices = 3 * 200'000;

ConvexSite convex_site(const VoronoiSites& sites, const VoronoiSite& site, const VoronoiOptions& options,
                       std::size_t number) {
  ConvexSite convex;
  convex.corners = site.kind == FeatureKind::Vertex ? 1 : site.kind == FeatureKind::Edge ? 2 : 3;
  for (std::size_t i = 0; i < static_cast<std::size_t>(convex.corners); ++i)
    convex.corner[i] = sites.points[static_cast<std::size_t>(site.points[i])];
  if (options.weighting == VoronoiWeights::Additive) convex.shift = options.weights[number];
  if (options.weighting == VoronoiWeights::Multiplicative) convex.scale = 1.0 / options.weights[number];
  return convex;
}

class SiteDrawing {
 public:
  SiteDrawing(const VoronoiSites& sites, const VoronoiOptions& options, const GlVoronoiOptions& drawing)
      : sites_(sites), options_(options), drawing_(drawing), watch_(options.stop) {}

  Expected<GlVoronoi> draw(gl::Context& context);

 private:
  Expected<bool> prepare();
  PlaneBox reach_of(const ConvexSite& site, double z, bool& reached) const;
  void draw_slice(std::int32_t k, const gl::Drawing& program);
  void flush(const gl::Drawing& program);
  void take(std::int32_t k, const std::vector<GLint>& numbers);
  void recheck(const VoronoiGrid& certified);
  std::int32_t feature_of(const Vector3& point, std::int32_t whole, double distance) const;
  bool is_of_wholes() const {
    return options_.kind == VoronoiKind::Farthest || options_.weighting != VoronoiWeights::None;
  }

  const VoronoiSites& sites_;
  const VoronoiOptions& options_;
  const GlVoronoiOptions& drawing_;
  StopWatch watch_;
  GlVoronoi result_;
  std::vector<VoronoiSite> wholes_;
  std::vector<ConvexSite> convex_;
  double least_ = 0.0, most_ = 1.0;  // of the values that are drawn
  double mesh_error_ = 0.0;
  std::vector<DrawnVertex> vertices_;
};

// A coarse grid tells how far anything that is nearest can be; and checks what is asked.
Expected<bool> SiteDrawing::prepare() {
  VoronoiOptions coarse = options_;
  for (std::int32_t& c : coarse.counts) c = c > 16 ? (c + 7) / 8 : c;
  coarse.refine = 0;
  coarse.with_neighbours = false;
  Expected<VoronoiGrid> rough = voronoi_grid(sites_, coarse);
  if (!rough) return rough.error();
  VoronoiGrid& grid = result_.grid;
  grid = std::move(*rough);
  double largest = 0.0;
  for (const double d : grid.distance) largest = std::max(largest, d);
  const double rough_reach = grid.reach;
  for (int i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(i);
    grid.cell_size[i] = grid.cell_size[i] * coarse.counts[a] / options_.counts[a];
  }
  grid.counts = options_.counts;
  const auto cells = static_cast<std::size_t>(options_.counts[0]) *
                     static_cast<std::size_t>(options_.counts[1]) *
                     static_cast<std::size_t>(options_.counts[2]);
  grid.site.assign(cells, -1);
  grid.distance.assign(cells, std::numeric_limits<double>::infinity());
  grid.certified.assign(cells, 0);

  wholes_ = voronoi_wholes(sites_);
  double steepest = 0.0;
  least_ = 0.0;
  for (std::size_t i = 0; i < wholes_.size(); ++i) {
    convex_.push_back(convex_site(sites_, wholes_[i], options_, i));
    steepest = std::max(steepest, convex_.back().scale);
    least_ = std::min(least_, -convex_.back().shift);
  }
  grid.reach = 0.5 * grid.cell_size.norm() * std::max(steepest, is_of_wholes() ? 0.0 : 1.0);
  const double pixel = std::min(grid.cell_size.x(), grid.cell_size.y());
  mesh_error_ = drawing_.mesh_error > 0.0 ? drawing_.mesh_error : pixel * std::max(steepest, 1e-300) / 16.0;
  most_ = std::isfinite(largest) ? largest + rough_reach + grid.error + 2.0 * mesh_error_ : 1.0;
  if (options_.kind == VoronoiKind::Farthest) most_ += 2.0 * mesh_error_;
  if (!(most_ > least_)) most_ = least_ + 1.0;
  // Corners are moved to 256ths of a pixel, heights are floats: each at most this, and two sites are
  // compared.
  const Vector2 size(grid.counts[0] * grid.cell_size.x(), grid.counts[1] * grid.cell_size.y());
  const double moved = steepest * (0x1p-8 * grid.cell_size.head<2>().norm() + 0x1p-21 * size.norm());
  result_.bound = mesh_error_ + 2.0 * (moved + 0x1p-20 * (most_ - least_));
  return true;
}

// Where the site can be nearest: no farther than anything is.
PlaneBox SiteDrawing::reach_of(const ConvexSite& site, double z, bool& reached) const {
  const VoronoiGrid& grid = result_.grid;
  PlaneBox box{grid.lower.head<2>(),
               {grid.lower.x() + grid.counts[0] * grid.cell_size.x(),
                grid.lower.y() + grid.counts[1] * grid.cell_size.y()}};
  reached = true;
  if (options_.kind == VoronoiKind::Farthest) return box;
  Vector3 low = site.corner[0], high = low;
  for (int i = 1; i < site.corners; ++i) {
    low = low.cwiseMin(site.corner[static_cast<std::size_t>(i)]);
    high = high.cwiseMax(site.corner[static_cast<std::size_t>(i)]);
  }
  const double radius = (most_ + site.shift) / site.scale * (1.0 + 1e-9);
  reached = radius >= 0.0 && low.z() - radius <= z && high.z() + radius >= z;
  box.lower = box.lower.cwiseMax((low.head<2>().array() - radius).matrix());
  box.upper = box.upper.cwiseMin((high.head<2>().array() + radius).matrix());
  reached = reached && (box.lower.array() < box.upper.array()).all();
  return box;
}

void SiteDrawing::flush(const gl::Drawing& program) {
  if (vertices_.empty()) return;
  program.upload(vertices_.data(), vertices_.size() * sizeof(DrawnVertex));
  program.draw(0, vertices_.size());
  result_.triangles += vertices_.size() / 3;
  vertices_.clear();
}

void SiteDrawing::draw_slice(std::int32_t k, const gl::Drawing& program) {
  const VoronoiGrid& grid = result_.grid;
  const double z = grid.center(0, 0, k).z();
  const Vector2 size(grid.counts[0] * grid.cell_size.x(), grid.counts[1] * grid.cell_size.y());
  DistanceMesh mesh(mesh_error_);
  for (std::size_t i = 0; i < convex_.size(); ++i) {
    bool reached = false;
    const PlaneBox box = reach_of(convex_[i], z, reached);
    if (!reached) continue;
    mesh.build(convex_[i], z, box);
    for (const MeshPoint& p : mesh.points()) {
      const Vector2 at = 2.0 * (p.place - grid.lower.head<2>()).cwiseQuotient(size) - Vector2::Ones();
      vertices_.push_back({{static_cast<float>(at.x()), static_cast<float>(at.y()),
                            static_cast<float>((p.value - least_) / (most_ - least_)), 1.0F},
                           static_cast<GLint>(i)});
    }
    if (vertices_.size() >= most_vertices) flush(program);
  }
  flush(program);
}

// The lowest feature of the whole that is as near as it.
std::int32_t SiteDrawing::feature_of(const Vector3& point, std::int32_t whole, double distance) const {
  const VoronoiSite& site = wholes_[static_cast<std::size_t>(whole)];
  const auto& features = result_.grid.sites;
  const auto corner = [&](std::size_t i) -> const Vector3& {
    return sites_.points[static_cast<std::size_t>(site.points[i])];
  };
  const std::size_t corners = site.kind == FeatureKind::Vertex ? 1 : site.kind == FeatureKind::Edge ? 2 : 3;
  const double enough = distance + result_.grid.error;
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < corners; ++i)
    if ((point - corner(i)).norm() <= enough) lowest = std::min(lowest, site.points[i]);
  if (lowest != std::numeric_limits<std::int32_t>::max() || corners == 1) return lowest;
  const auto first_edge = features.begin() + static_cast<std::ptrdiff_t>(sites_.points.size());
  const auto first_face = features.end() - static_cast<std::ptrdiff_t>(sites_.triangles.size());
  for (std::size_t i = 0; i < (corners == 3 ? corners : 1); ++i) {
    ConvexSite edge;
    edge.corners = 2;
    edge.corner = {corner(i), corner((i + 1) % corners), Vector3::Zero()};
    if (!(edge.value(point) <= enough)) continue;
    const std::int32_t p = site.points[i], q = site.points[(i + 1) % corners];
    const std::array<std::int32_t, 3> name = {std::min(p, q), std::max(p, q), -1};
    const auto found = std::lower_bound(first_edge, first_face, name,
                                        [](const VoronoiSite& s, const auto& n) { return s.points < n; });
    if (found != first_face && found->points == name)
      lowest = std::min(lowest, static_cast<std::int32_t>(found - features.begin()));
  }
  if (lowest != std::numeric_limits<std::int32_t>::max()) return lowest;
  if (corners == 3) return static_cast<std::int32_t>(first_face - features.begin()) + site.index;
  return site.points[0];  // a segment whose ends are one point
}

void SiteDrawing::take(std::int32_t k, const std::vector<GLint>& numbers) {
  VoronoiGrid& grid = result_.grid;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t cell = static_cast<std::size_t>(k) * numbers.size() + i;
    const auto whole = numbers[i];
    if (whole < 0 || static_cast<std::size_t>(whole) >= convex_.size()) {
      ++result_.not_drawn;
      continue;
    }
    const Vector3 center = grid.center(cell);
    grid.distance[cell] = convex_[static_cast<std::size_t>(whole)].value(center);
    grid.site[cell] = is_of_wholes() ? whole : feature_of(center, whole, grid.distance[cell]);
  }
}

void SiteDrawing::recheck(const VoronoiGrid& certified) {
  for (std::size_t cell = 0; cell < certified.site.size(); ++cell) {
    if (result_.grid.site[cell] < 0) {
      result_.wrong += certified.site[cell] >= 0;
      continue;
    }
    double excess = result_.grid.distance[cell] - certified.distance[cell];
    if (options_.kind == VoronoiKind::Farthest) excess = -excess;
    result_.worst = std::max(result_.worst, excess);
    result_.wrong += excess > 2.0 * certified.error;
    result_.beyond_bound += excess > result_.bound + 2.0 * certified.error;
  }
}

Expected<GlVoronoi> SiteDrawing::draw(gl::Context& context) {
  if (!(drawing_.mesh_error >= 0.0) || !std::isfinite(drawing_.mesh_error))
    return Error{"the mesh error must be at least 0"};
  if (const Expected<bool> good = prepare(); !good) return good.error();
  const auto& counts = result_.grid.counts;
  const Expected<std::unique_ptr<gl::Picture>> picture =
      gl::Picture::create(context, counts[0], counts[1], true);
  if (!picture) return picture.error();
  const Expected<std::unique_ptr<gl::Drawing>> program =
      gl::Drawing::create(context, site_vertices, site_pixels, true);
  if (!program) return program.error();
  const bool farthest = options_.kind == VoronoiKind::Farthest;
  context.functions().depth_func(farthest ? GL_GREATER : GL_LESS);
  std::vector<GLint> numbers(static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]));
  for (std::int32_t k = 0; k < counts[2]; ++k) {
    if (watch_.is_over()) return Error{"stopped before the Voronoi grid was drawn"};
    (*picture)->clear(farthest ? 0.0F : 1.0F);
    draw_slice(k, **program);
    (*picture)->read(numbers.data());
    take(k, numbers);
  }
  if (context.functions().get_error() != GL_NO_ERROR) return Error{"OpenGL could not draw the distances"};
  if (drawing_.recheck) {
    VoronoiOptions rest = options_;
    rest.stop = watch_.rest();
    Expected<VoronoiGrid> certified = voronoi_grid(sites_, rest);
    if (!certified) return certified.error();
    recheck(*certified);
    result_.grid = std::move(*certified);
  }
  return std::move(result_);
}

}  // namespace
}  // namespace voronoi

Expected<GlVoronoi> gl_voronoi_grid(const GlDevice& device, const VoronoiSites& sites,
                                    const VoronoiOptions& options, const GlVoronoiOptions& drawing) {
  if (!sites.polygons.empty()) return Error{"filled polygons are not drawn: ask voronoi_grid"};
  return voronoi::SiteDrawing(sites, options, drawing).draw(device.context());
}

}  // namespace toccata
