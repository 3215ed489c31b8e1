#include "toccata/broad_phase/gl_image_space.hpp"

#include <limits>

#include "base/gl_context.hpp"
#include "base/stop_watch.hpp"
#include "broad_phase/image_space/view_grid.hpp"

namespace toccata {
namespace image_space {
namespace {

// Bodies are drawn at their least depths and asked about at their largest.
constexpr const char* depth_vertices = R"(#version 450 core
layout(location = 0) in vec4 place;
layout(location = 0) uniform int asks;
void main() { gl_Position = vec4(place.xy, asks == 1 ? place.w : place.z, 1.0); }
)";
constexpr const char* depth_pixels = R"(#version 450 core
void main() {}
)";

// Whole depths as floats that hold them: 24 bits, of which the scene takes 20, and the rest is room for what
// reaches out of it.
float depth_number(std::int64_t units) {
  constexpr std::int64_t room = 1 << 22, all = 1 << 24;
  return static_cast<float>(std::clamp<std::int64_t>(units + room, 0, all - 1)) * 0x1p-24F;
}

struct DepthVertex {
  float u, v, least, most;
};

// What leaves the set as one: a body, or a part of one.
struct Unit {
  std::int32_t body = 0;
  std::span<const std::int32_t> triangles = {};  // empty: all
  Aabb box = {};
  std::size_t first[views] = {}, count[views] = {};  // vertices
};

class QueryScene {
 public:
  QueryScene(gl::Context& context, std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options)
      : context_(context), bodies_(bodies), options_(options), watch_(options.stop) {}

  Expected<ImageSpaceResult> pairs();

 private:
  void prepare(std::vector<Unit>& units);
  // Units of `set` that both passes show before all of other bodies leave it, until none does.
  bool reduce(const std::vector<Unit>& units, std::vector<std::int32_t>& set,
              std::array<std::size_t, 3>& removed);
  void pass(const std::vector<Unit>& units, std::span<const std::int32_t> order, int axis,
            std::vector<std::uint8_t>& apart);
  std::vector<IndexPair> pairs_of_boxes(const std::vector<Unit>& units,
                                        std::span<const std::int32_t> set) const;

  gl::Context& context_;
  std::span<const ImageSpaceBody> bodies_;
  const ImageSpaceOptions& options_;
  StopWatch watch_;
  ViewGrid grid_;
  std::unique_ptr<gl::Picture> picture_;
  std::unique_ptr<gl::Drawing> drawing_;
  std::vector<DepthVertex> vertices_[views];
  std::vector<GLuint> queries_;
  std::size_t pixels_ = 0;
};

void QueryScene::prepare(std::vector<Unit>& units) {
  for (auto& list : vertices_) list.clear();
  const auto across = static_cast<float>(grid_.resolution + 1);
  for (Unit& unit : units) {
    const ImageSpaceBody& body = bodies_[static_cast<std::size_t>(unit.body)];
    unit.box = {Vector3::Constant(std::numeric_limits<double>::infinity()),
                Vector3::Constant(-std::numeric_limits<double>::infinity())};
    for (int axis = 0; axis < views; ++axis) unit.first[axis] = vertices_[axis].size();
    const std::size_t count = unit.triangles.empty() ? body.faces.size() : unit.triangles.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Face& face = body.faces[unit.triangles.empty() ? i : static_cast<std::size_t>(unit.triangles[i])];
      std::array<Vector3, 6> points;
      const std::size_t corners = corners_of(body, face, points);
      for (std::size_t k = 0; k < corners; ++k) {
        unit.box.lower = unit.box.lower.cwiseMin(points[k]);
        unit.box.upper = unit.box.upper.cwiseMax(points[k]);
      }
      for (int axis = 0; axis < views; ++axis) {
        ViewPoint seen[6];
        std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                     most = std::numeric_limits<std::int64_t>::min();
        for (std::size_t k = 0; k < corners; ++k) {
          seen[k] = grid_.seen(points[k], axis);
          least = std::min(least, seen[k].depth);
          most = std::max(most, seen[k].depth);
        }
        PixelRange range = pixels_of({seen, corners}, grid_.widening);
        range = {std::max(range.u0, 0), std::min(range.u1, grid_.resolution), std::max(range.v0, 0),
                 std::min(range.v1, grid_.resolution)};
        if (range.empty()) continue;
        pixels_ += range.size();
        const auto place = [&](std::int32_t pixel) {
          return 2.0F * static_cast<float>(pixel) / across - 1.0F;
        };
        const float u0 = place(range.u0), u1 = place(range.u1 + 1), v0 = place(range.v0),
                    v1 = place(range.v1 + 1);
        // One more unit than is needed, for drivers that round depths.
        const float near = depth_number(least - grid_.widening - 1),
                    far = depth_number(most + grid_.widening + 1);
        for (const auto& [u, v] : {std::pair(u0, v0), std::pair(u1, v0), std::pair(u1, v1), std::pair(u0, v0),
                                   std::pair(u1, v1), std::pair(u0, v1)})
          vertices_[axis].push_back({u, v, near, far});
      }
    }
    for (int axis = 0; axis < views; ++axis) unit.count[axis] = vertices_[axis].size() - unit.first[axis];
    if (unit.box.lower.x() <= unit.box.upper.x()) unit.box = grown(unit.box, 0.5 * options_.margin);
  }
}

// Marks the units that are before all units of other bodies that come earlier in the order.
void QueryScene::pass(const std::vector<Unit>& units, std::span<const std::int32_t> order, int axis,
                      std::vector<std::uint8_t>& apart) {
  const gl::Functions& f = context_.functions();
  picture_->clear(1.0F);
  const auto unit = [&](std::size_t i) -> const Unit& { return units[static_cast<std::size_t>(order[i])]; };
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && unit(end).body == unit(begin).body) ++end;
    f.depth_mask(GL_FALSE);
    f.depth_func(GL_GEQUAL);
    f.uniform(0, 1);
    for (std::size_t i = begin; i < end; ++i) {
      f.begin_query(GL_ANY_SAMPLES_PASSED, queries_[i]);
      drawing_->draw(unit(i).first[axis], unit(i).count[axis]);
      f.end_query(GL_ANY_SAMPLES_PASSED);
    }
    f.depth_mask(GL_TRUE);
    f.depth_func(GL_LESS);
    f.uniform(0, 0);
    for (std::size_t i = begin; i < end; ++i) drawing_->draw(unit(i).first[axis], unit(i).count[axis]);
    begin = end;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    GLuint touched = 1;
    f.get_query(queries_[i], GL_QUERY_RESULT, &touched);
    if (touched == 0) apart[static_cast<std::size_t>(order[i])] = 1;
  }
}

bool QueryScene::reduce(const std::vector<Unit>& units, std::vector<std::int32_t>& set,
                        std::array<std::size_t, 3>& removed) {
  const gl::Functions& f = context_.functions();
  queries_.resize(set.size());
  if (!set.empty()) f.gen_queries(static_cast<GLsizei>(set.size()), queries_.data());
  bool done = true;
  for (bool changed = true; changed && !set.empty() && done;) {
    changed = false;
    for (int axis = 0; axis < views && done; ++axis) {
      done = !watch_.is_over();
      drawing_->upload(vertices_[axis].data(), vertices_[axis].size() * sizeof(DepthVertex));
      std::vector<std::uint8_t> before(units.size(), 0), after(units.size(), 0);
      const std::vector<std::int32_t> backward(set.rbegin(), set.rend());
      pass(units, set, axis, before);
      pass(units, backward, axis, after);
      const std::size_t gone = std::erase_if(set, [&](std::int32_t i) {
        return before[static_cast<std::size_t>(i)] != 0 && after[static_cast<std::size_t>(i)] != 0;
      });
      removed[static_cast<std::size_t>(axis)] += gone;
      changed = changed || gone > 0;
    }
  }
  if (!queries_.empty()) f.delete_queries(static_cast<GLsizei>(queries_.size()), queries_.data());
  return done;
}

std::vector<IndexPair> QueryScene::pairs_of_boxes(const std::vector<Unit>& units,
                                                  std::span<const std::int32_t> set) const {
  std::vector<Aabb> boxes;
  for (const std::int32_t i : set) boxes.push_back(units[static_cast<std::size_t>(i)].box);
  std::vector<IndexPair> pairs = overlapping_pairs(boxes, {.threads = options_.threads});
  for (IndexPair& p : pairs)
    p = {set[static_cast<std::size_t>(p.first)], set[static_cast<std::size_t>(p.second)]};
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Expected<ImageSpaceResult> QueryScene::pairs() {
  if (const Expected<bool> good = check_scene(bodies_, options_); !good) return good.error();
  if (options_.with_self) return Error{"parts of one body are told apart without OpenGL: image_space_pairs"};
  grid_ = view_grid(bodies_, options_);
  const std::int32_t across = grid_.resolution + 1;
  Expected<std::unique_ptr<gl::Picture>> picture = gl::Picture::create(context_, across, across, false);
  if (!picture) return picture.error();
  picture_ = std::move(*picture);
  Expected<std::unique_ptr<gl::Drawing>> drawing =
      gl::Drawing::create(context_, depth_vertices, depth_pixels, false);
  if (!drawing) return drawing.error();
  drawing_ = std::move(*drawing);

  const Error stopped{"stopped before the pairs were found"};
  ImageSpaceResult result;
  std::vector<Unit> units;
  for (std::size_t b = 0; b < bodies_.size(); ++b) units.push_back({.body = static_cast<std::int32_t>(b)});
  prepare(units);
  std::vector<std::int32_t>& set = result.potentially_colliding;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].box.lower.x() <= units[i].box.upper.x()) set.push_back(static_cast<std::int32_t>(i));
  result.box_pairs = pairs_of_boxes(units, set).size();
  if (!reduce(units, set, result.removed_by_view)) return stopped;
  result.pairs = pairs_of_boxes(units, set);
  result.set_pairs = result.pairs.size();

  if (options_.part_size > 0) {
    std::vector<std::int32_t> chosen;
    for (const IndexPair& p : result.pairs) chosen.insert(chosen.end(), {p.first, p.second});
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    result.parts = parts_of(bodies_, chosen, grid_, options_.part_size);
    std::vector<Unit> parts;
    for (const ImageSpacePart& part : result.parts)
      parts.push_back({.body = part.body, .triangles = part.triangles});
    prepare(parts);
    std::vector<std::int32_t> left;
    for (std::size_t i = 0; i < parts.size(); ++i) left.push_back(static_cast<std::int32_t>(i));
    std::array<std::size_t, 3> removed = {0, 0, 0};
    if (!reduce(parts, left, removed)) return stopped;
    for (const IndexPair& p : pairs_of_boxes(parts, left)) {
      const std::int32_t a = parts[static_cast<std::size_t>(p.first)].body,
                         b = parts[static_cast<std::size_t>(p.second)].body;
      if (a != b && std::binary_search(result.pairs.begin(), result.pairs.end(),
                                       IndexPair{std::min(a, b), std::max(a, b)}))
        result.part_pairs.push_back({p.first, p.second});
    }
  }
  result.pixels = pixels_;
  if (context_.functions().get_error() != GL_NO_ERROR) return Error{"OpenGL could not draw the bodies"};
  return result;
}

}  // namespace
}  // namespace image_space

Expected<ImageSpaceResult> gl_image_space_pairs(const GlDevice& device,
                                                std::span<const ImageSpaceBody> bodies,
                                                const ImageSpaceOptions& options) {
  return image_space::QueryScene(device.context(), bodies, options).pairs();
}

}  // namespace toccata
