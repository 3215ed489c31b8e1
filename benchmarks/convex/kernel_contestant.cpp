// Toccata's kernels on convex sets, below the public questions, cold and with the memory of a pair: by GJK,
// and by walking over the features of hulls.
#include <algorithm>
#include <deque>

#include "contestant.hpp"
#include "elementary/hull_index.hpp"
#include "proximity/convex/convex_depth.hpp"
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/feature_walk.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/separation_columns.hpp"

namespace toccata::bench {
namespace {

// Sets of the shapes of a row, and what they point to.
class Sets {
 public:
  void assign(const std::vector<Geometry>& shapes) {
    sets_.clear(), points_.clear(), indices_.clear(), features_.clear();
    for (const Geometry& g : shapes) {
      sets_.push_back(set_of(g));
      features_.push_back(convex::hull_features_of(sets_.back()));
    }
  }
  const ConvexSet& operator[](std::size_t i) const { return sets_[i]; }
  const convex::HullFeatures& features(std::size_t i) const { return features_[i]; }

 private:
  ConvexSet set_of(const Geometry& geometry) {
    if (const auto* box = std::get_if<Box>(&geometry))
      return set_of_core(Core::Box, 0.5 * box->size, box->radius);
    if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
      const Vector3 end(0.0, 0.0, 0.5 * capsule->height);
      points_.push_back({end, -end});
      return set_of_points(points_.back(), capsule->radius);
    }
    const auto& hull = std::get<ConvexHull>(geometry);
    points_.push_back(hull.vertices);
    indices_.emplace_back(points_.back(), hull.neighbours, hull.first_neighbour);
    return set_of_points(points_.back(), hull.radius, &indices_.back());
  }

  std::vector<ConvexSet> sets_;
  std::deque<std::vector<Vector3>> points_;  // that stay where they are
  std::deque<HullIndex> indices_;
  std::vector<convex::HullFeatures> features_;
};

class Kernel final : public Contestant {
 public:
  Kernel(bool walks, bool remembers) : walks_(walks), remembers_(remembers) {}

  std::string name() const override {
    return std::string(walks_ ? "Toccata walk" : "Toccata kernel") + (remembers_ ? " warm" : "");
  }
  bool can_answer(const Row& row) const override {
    if (row.question == Question::Cast || row.question == Question::Apart || (remembers_ && row.frames == 1))
      return false;
    return !walks_ || (row.question == Question::Distance && is_hulls(row));
  }
  void prepare(const Row& row) override { sets_.assign(row.shapes); }

  void answer(const Row& row, std::vector<double>& answers) override {
    convex::ConvexMemory memory;
    for (std::size_t i = 0; i < row.cases.size(); ++i) {
      const PairCase& c = row.cases[i];
      if (i % row.frames == 0) memory = {};
      convex::ConvexMemory* const used = remembers_ ? &memory : nullptr;
      const Pose a_to_b = c.pose_b.inverse() * c.pose_a;
      if (row.question == Question::Depth) {
        const auto found = convex::convex_depth(sets_[c.a], a_to_b, sets_[c.b], used);
        answers[i] = found.meets ? -found.upper_depth : found.distance.upper;
      } else if (walks_) {
        answers[i] = convex::distance_by_walk(sets_[c.a], sets_.features(c.a), a_to_b, sets_[c.b],
                                              sets_.features(c.b), used)
                         .upper;
      } else {
        answers[i] = convex::convex_distance(sets_[c.a], a_to_b, sets_[c.b], used).upper;
      }
    }
  }

 private:
  static bool is_hulls(const Row& row) { return std::holds_alternative<ConvexHull>(row.shapes.front()); }

  bool walks_;
  bool remembers_;
  Sets sets_;
};

// Along remembered axes, in lanes. The axes are those of the questions themselves, found before the clock
// runs.
class Columns final : public Contestant {
 public:
  std::string name() const override { return "Toccata columns"; }
  bool can_answer(const Row& row) const override { return row.question == Question::Apart; }
  void prepare(const Row& row) override {
    columns_ = SeparationColumns(row.cases.size());
    apart_.resize(row.cases.size());
    std::vector<Shape> shapes;
    for (const Geometry& g : row.shapes) shapes.push_back(Shape::build(g).value());
    for (std::size_t i = 0; i < row.cases.size(); ++i) {
      const PairCase& c = row.cases[i];
      columns_.set_shapes(i, separation_box(shapes[c.a]), separation_box(shapes[c.b]));
      columns_.set_axis(i, distance({shapes[c.a], c.pose_a}, {shapes[c.b], c.pose_b}).contact.normal);
      columns_.set_poses(i, c.pose_a, c.pose_b);
    }
  }
  void answer(const Row&, std::vector<double>& answers) override {
    still_apart(columns_, apart_);
    std::copy(apart_.begin(), apart_.end(), answers.begin());
  }

 private:
  SeparationColumns columns_;
  std::vector<std::uint8_t> apart_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> kernel_contestants() {
  std::vector<std::unique_ptr<Contestant>> result;
  for (const bool walks : {false, true}) {
    for (const bool remembers : {false, true}) result.push_back(std::make_unique<Kernel>(walks, remembers));
  }
  result.push_back(std::make_unique<Columns>());
  return result;
}

}  // namespace toccata::bench
