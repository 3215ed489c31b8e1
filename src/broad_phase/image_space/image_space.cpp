#include "toccata/broad_phase/image_space.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "base/stop_watch.hpp"
#include "broad_phase/image_space/view_grid.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/bound/aabb.hpp"

namespace toccata {
namespace image_space {
namespace {

// What is drawn as one: all or some triangles of a body.
struct Drawn {
  std::int32_t body = 0;
  std::span<const std::int32_t> triangles = {};  // empty: all
  Aabb box;
  std::array<DepthImage, views> image = {};
};

class Scene {
 public:
  Scene(std::span<const ImageSpaceBody> bodies, const ImageSpaceOptions& options)
      : bodies_(bodies), options_(options), watch_(options.stop) {}

  Expected<ImageSpaceResult> pairs();

 private:
  template <typename Visit>
  void for_each_face(const Drawn& drawn, const Visit& visit) const;
  void draw(Drawn& drawn) const;
  bool draw_all(std::vector<Drawn>& all) const;
  void reduce(const std::vector<Drawn>& all, ImageSpaceResult& result) const;
  void pass(const std::vector<Drawn>& all, const std::vector<std::int32_t>& order, int axis,
            DepthImage& buffer, std::vector<std::uint8_t>& apart) const;
  std::vector<IndexPair> overlapping(const std::vector<Drawn>& all, std::span<const IndexPair> pairs) const;
  bool share_a_vertex(const ImageSpacePart& a, const ImageSpacePart& b) const;
  void find_part_pairs(ImageSpaceResult& result) const;

  std::span<const ImageSpaceBody> bodies_;
  const ImageSpaceOptions& options_;
  StopWatch watch_;
  ViewGrid grid_;
};

template <typename Visit>
void Scene::for_each_face(const Drawn& drawn, const Visit& visit) const {
  const ImageSpaceBody& body = bodies_[static_cast<std::size_t>(drawn.body)];
  std::array<Vector3, 6> points;
  if (drawn.triangles.empty()) {
    for (const Face& face : body.faces)
      visit(std::span<const Vector3>(points.data(), corners_of(body, face, points)));
  } else {
    for (const std::int32_t t : drawn.triangles)
      visit(std::span<const Vector3>(points.data(),
                                     corners_of(body, body.faces[static_cast<std::size_t>(t)], points)));
  }
}

void Scene::draw(Drawn& drawn) const {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for_each_face(drawn, [&](std::span<const Vector3> points) {
    for (const Vector3& p : points) {
      lower = lower.cwiseMin(p);
      upper = upper.cwiseMax(p);
    }
  });
  drawn.box = {lower, upper};
  if (!(lower.x() <= upper.x())) return;  // nothing to draw: the box is empty, too
  drawn.box = grown(drawn.box, 0.5 * options_.margin);
  for (int axis = 0; axis < views; ++axis) {
    const ViewPoint ends[2] = {grid_.seen(lower, axis), grid_.seen(upper, axis)};
    PixelRange range = pixels_of(ends, grid_.widening);
    // Where bodies meet is between them: in the picture.
    range = {std::max(range.u0, 0), std::min(range.u1, grid_.resolution), std::max(range.v0, 0),
             std::min(range.v1, grid_.resolution)};
    DepthImage image(range);
    for_each_face(drawn, [&](std::span<const Vector3> points) {
      ViewPoint seen[6];
      for (std::size_t i = 0; i < points.size(); ++i) seen[i] = grid_.seen(points[i], axis);
      draw_hull({seen, points.size()}, grid_.widening, image);
    });
    drawn.image[static_cast<std::size_t>(axis)] = std::move(image);
  }
}

bool Scene::draw_all(std::vector<Drawn>& all) const {
  std::atomic<bool> stopped = false;
  parallel_blocks(all.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (stopped || watch_.is_over()) {
        stopped = true;
        return;
      }
      draw(all[i]);
    }
  });
  return !stopped;
}

// Marks those that are apart from all before them in the order: in each of their pixels before or behind all
// that is drawn there.
// The buffer is empty before and after.
void Scene::pass(const std::vector<Drawn>& all, const std::vector<std::int32_t>& order, int axis,
                 DepthImage& buffer, std::vector<std::uint8_t>& apart) const {
  for (const std::int32_t i : order) {
    const DepthImage& image = all[static_cast<std::size_t>(i)].image[static_cast<std::size_t>(axis)];
    const PixelRange& range = image.range();
    bool visible = true;
    for (std::int32_t v = range.v0; v <= range.v1; ++v) {
      for (std::int32_t u = range.u0; u <= range.u1; ++u) {
        const DepthInterval& mine = image.at(u, v);
        if (mine.empty()) continue;
        DepthInterval& drawn = buffer.at(u, v);
        visible = visible && (drawn.empty() || !overlap(mine, drawn));
        drawn.include(mine.least, mine.most);
      }
    }
    if (visible) apart[static_cast<std::size_t>(i)] = 1;
  }
  for (const std::int32_t i : order) {
    const PixelRange& range = all[static_cast<std::size_t>(i)].image[static_cast<std::size_t>(axis)].range();
    for (std::int32_t v = range.v0; v <= range.v1; ++v)
      for (std::int32_t u = range.u0; u <= range.u1; ++u) buffer.at(u, v) = {};
  }
}

// The potentially colliding set: bodies leave it until no pass shows another one apart from the rest.
void Scene::reduce(const std::vector<Drawn>& all, ImageSpaceResult& result) const {
  std::vector<std::int32_t>& set = result.potentially_colliding;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].box.lower.x() <= all[i].box.upper.x()) set.push_back(static_cast<std::int32_t>(i));
  DepthImage buffer({0, grid_.resolution, 0, grid_.resolution});
  for (bool changed = true; changed && !set.empty();) {
    changed = false;
    std::vector<std::uint8_t> before(all.size(), 0), after(all.size(), 0);
    for (int axis = 0; axis < views; ++axis) {
      std::vector<std::int32_t> backward(set.rbegin(), set.rend());
      pass(all, set, axis, buffer, before);
      pass(all, backward, axis, buffer, after);
      const auto gone = [&](std::int32_t i) {
        return before[static_cast<std::size_t>(i)] != 0 && after[static_cast<std::size_t>(i)] != 0;
      };
      const std::size_t removed = std::erase_if(set, gone);
      result.removed_by_view[static_cast<std::size_t>(axis)] += removed;
      changed = changed || removed > 0;
    }
  }
}

// Those of the pairs that overlap in all views.
std::vector<IndexPair> Scene::overlapping(const std::vector<Drawn>& all,
                                          std::span<const IndexPair> pairs) const {
  std::vector<std::uint8_t> keep(pairs.size(), 0);
  parallel_blocks(pairs.size(), 64, options_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Drawn &a = all[static_cast<std::size_t>(pairs[i].first)],
                  &b = all[static_cast<std::size_t>(pairs[i].second)];
      bool meet = true;
      for (std::size_t axis = 0; axis < views && meet; ++axis)
        meet = images_overlap(a.image[axis], b.image[axis]);
      keep[i] = meet ? 1 : 0;
    }
  });
  std::vector<IndexPair> left;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (keep[i] != 0) left.push_back(pairs[i]);
  return left;
}

bool Scene::share_a_vertex(const ImageSpacePart& a, const ImageSpacePart& b) const {
  const std::span<const Face> faces = bodies_[static_cast<std::size_t>(a.body)].faces;
  std::vector<std::int32_t> mine;
  for (const std::int32_t t : a.triangles)
    for (const std::int32_t v : faces[static_cast<std::size_t>(t)]) mine.push_back(v);
  std::sort(mine.begin(), mine.end());
  for (const std::int32_t t : b.triangles)
    for (const std::int32_t v : faces[static_cast<std::size_t>(t)])
      if (std::binary_search(mine.begin(), mine.end(), v)) return true;
  return false;
}

void Scene::find_part_pairs(ImageSpaceResult& result) const {
  std::vector<Drawn> all;
  for (const ImageSpacePart& part : result.parts) all.push_back({part.body, part.triangles, {}, {}});
  if (!draw_all(all)) return;
  std::vector<Aabb> boxes;
  for (const Drawn& d : all) boxes.push_back(d.box);
  std::vector<IndexPair> pairs = overlapping_pairs(boxes, {.threads = options_.threads});
  std::erase_if(pairs, [&](const IndexPair& p) {
    const ImageSpacePart &a = result.parts[static_cast<std::size_t>(p.first)],
                         &b = result.parts[static_cast<std::size_t>(p.second)];
    if (a.body == b.body) return !options_.with_self || share_a_vertex(a, b);
    const IndexPair bodies{std::min(a.body, b.body), std::max(a.body, b.body)};
    return !std::binary_search(result.pairs.begin(), result.pairs.end(), bodies);
  });
  for (const IndexPair& p : overlapping(all, pairs)) result.part_pairs.push_back({p.first, p.second});
}

Expected<ImageSpaceResult> Scene::pairs() {
  if (const Expected<bool> good = check_scene(bodies_, options_); !good) return good.error();
  const Error stopped{"stopped before the pairs were found"};
  grid_ = view_grid(bodies_, options_);
  std::vector<Drawn> all;
  for (std::size_t b = 0; b < bodies_.size(); ++b) all.push_back({static_cast<std::int32_t>(b), {}, {}, {}});
  if (!draw_all(all)) return stopped;
  ImageSpaceResult result;
  std::vector<Aabb> boxes;
  for (const Drawn& d : all) {
    boxes.push_back(d.box);
    for (const DepthImage& image : d.image) result.pixels += image.range().size();
  }
  std::vector<IndexPair> pairs = overlapping_pairs(boxes, {.threads = options_.threads});
  result.box_pairs = pairs.size();
  reduce(all, result);
  std::erase_if(pairs, [&](const IndexPair& p) {
    const auto& set = result.potentially_colliding;
    return !std::binary_search(set.begin(), set.end(), p.first) ||
           !std::binary_search(set.begin(), set.end(), p.second);
  });
  result.set_pairs = pairs.size();
  result.pairs = overlapping(all, pairs);
  if (options_.part_size > 0) {
    std::vector<std::int32_t> chosen;
    if (options_.with_self) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) chosen.push_back(static_cast<std::int32_t>(b));
    } else {
      for (const IndexPair& p : result.pairs) chosen.insert(chosen.end(), {p.first, p.second});
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
    result.parts = parts_of(bodies_, chosen, grid_, options_.part_size);
    find_part_pairs(result);
  }
  if (watch_.is_over()) return stopped;
  return result;
}

}  // namespace
}  // namespace image_space

Expected<ImageSpaceResult> image_space_pairs(std::span<const ImageSpaceBody> bodies,
                                             const ImageSpaceOptions& options) {
  return image_space::Scene(bodies, options).pairs();
}

}  // namespace toccata
