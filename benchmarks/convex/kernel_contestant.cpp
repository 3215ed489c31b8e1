// Toccata's kernels on convex sets, below the public questions, cold and with the memory of a pair.
#include <deque>

#include "contestant.hpp"
#include "elementary/hull_index.hpp"
#include "proximity/convex/convex_depth.hpp"
#include "proximity/convex/convex_distance.hpp"

namespace toccata::bench {
namespace {

// Sets of the shapes of a row, and what they point to.
class Sets {
 public:
  void assign(const std::vector<Geometry>& shapes) {
    sets_.clear(), points_.clear(), indices_.clear();
    for (const Geometry& g : shapes) sets_.push_back(set_of(g));
  }
  const ConvexSet& operator[](std::size_t i) const { return sets_[i]; }

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
};

class Kernel final : public Contestant {
 public:
  explicit Kernel(bool remembers) : remembers_(remembers) {}

  std::string name() const override { return remembers_ ? "Toccata kernel warm" : "Toccata kernel"; }
  bool can_answer(const Row& row) const override {
    return row.question != Question::Cast && (!remembers_ || row.frames > 1);
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
      } else {
        answers[i] = convex::convex_distance(sets_[c.a], a_to_b, sets_[c.b], used).upper;
      }
    }
  }

 private:
  bool remembers_;
  Sets sets_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> kernel_contestants() {
  std::vector<std::unique_ptr<Contestant>> result;
  result.push_back(std::make_unique<Kernel>(false));
  result.push_back(std::make_unique<Kernel>(true));
  return result;
}

}  // namespace toccata::bench
