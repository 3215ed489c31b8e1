// Toccata as its users ask it: distance, penetration and first_contact of shapes.
#include "contestant.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/pair_memory.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata::bench {
namespace {

// The triangles of a height field, and nothing below them.
TriangleMesh surface_of(const HeightField& field) {
  TriangleMesh mesh;
  for (std::int32_t row = 0; row < field.rows; ++row) {
    for (std::int32_t column = 0; column < field.columns; ++column) {
      mesh.vertices.emplace_back(column * field.spacing.x(), row * field.spacing.y(),
                                 field.heights[mesh.vertices.size()]);
      if (row + 1 == field.rows || column + 1 == field.columns) continue;
      const std::int32_t at = row * field.columns + column, above = at + field.columns;
      mesh.faces.push_back({at, at + 1, above + 1});
      mesh.faces.push_back({at, above + 1, above});
    }
  }
  return mesh;
}

class Questions final : public Contestant {
 public:
  explicit Questions(bool as_mesh) : as_mesh_(as_mesh) {}

  std::string name() const override { return as_mesh_ ? "Toccata mesh of it" : "Toccata"; }
  bool can_answer(const Row& row) const override { return !as_mesh_ || row.is_field(); }
  std::size_t bytes() const override { return bytes_; }

  void prepare(const Row& row) override {
    shapes_.clear(), bodies_.clear();
    for (const Geometry& g : row.shapes) {
      const auto* field = std::get_if<HeightField>(&g);
      shapes_.push_back(as_mesh_ && field != nullptr ? Shape(surface_of(*field)) : Shape::build(g).value());
    }
    bytes_ = row.is_field() ? shapes_.back().memory_bytes() : 0;
    pairs_.clear();
    for (const PairCase& c : row.cases) {
      if (row.question != Question::Cast)
        pairs_.push_back({{shapes_[c.a], c.pose_a}, {shapes_[c.b], c.pose_b}});
    }
    if (row.question != Question::Cast) return;
    for (const PairCase& c : row.cases) {
      bodies_.push_back({{shapes_[c.a], RigidMotion::with_velocity(c.pose_a, c.velocity, c.spin)},
                         {shapes_[c.b], c.pose_b}});
    }
  }

  void answer(const Row& row, std::vector<double>& answers) override {
    for (std::size_t i = 0; i < row.cases.size(); ++i) {
      if (row.question == Question::Cast) {
        const FirstContactResult found = first_contact(bodies_[i].a, bodies_[i].b);
        const bool hit = found.status == Status::Contact || found.status == Status::OverlapAtStart;
        answers[i] = hit ? found.time : found.status == Status::Separated ? 2.0 : 1e30;
        continue;
      }
      const auto& [a, b] = pairs_[i];
      if (row.question == Question::Depth) {
        const PenetrationResult found = penetration(a, b);
        answers[i] = found.status == Status::OverlapAtStart ? -found.upper_depth : distance(a, b).distance;
      } else {
        answers[i] = distance(a, b).distance;
      }
    }
  }

 private:
  bool as_mesh_;
  std::size_t bytes_ = 0;
  std::vector<Shape> shapes_;
  std::vector<PlacedPair> pairs_;
  std::vector<BodyPair> bodies_;
};

// What a user may ask for beyond the defaults: walks over features, and the memory of a pair.
class Chosen final : public Contestant {
 public:
  Chosen(ConvexMethod method, bool remembers) : method_(method), remembers_(remembers) {}

  std::string name() const override {
    return std::string("Toccata asked") + (method_ == ConvexMethod::FeatureWalk ? " to walk" : "") +
           (remembers_ ? " warm" : "");
  }
  bool can_answer(const Row& row) const override {
    if (row.question != Question::Distance || (remembers_ && row.frames == 1)) return false;
    return method_ == ConvexMethod::Gjk || std::holds_alternative<ConvexHull>(row.shapes.front());
  }

  void prepare(const Row& row) override {
    std::vector<Shape> shapes;
    for (const Geometry& g : row.shapes) {
      shapes.push_back(Shape::build(g).value());
      toccata::prepare(shapes.back(), method_);
    }
    pairs_.clear();
    for (const PairCase& c : row.cases) pairs_.push_back({{shapes[c.a], c.pose_a}, {shapes[c.b], c.pose_b}});
  }

  void answer(const Row& row, std::vector<double>& answers) override {
    DistanceOptions options;
    options.method = method_;
    PairMemory memory;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i % row.frames == 0) memory = {};
      answers[i] = (remembers_ ? distance(pairs_[i].a, pairs_[i].b, memory, options)
                               : distance(pairs_[i].a, pairs_[i].b, options))
                       .distance;
    }
  }

 private:
  ConvexMethod method_;
  bool remembers_;
  std::vector<PlacedPair> pairs_;
};

// All pairs of a row in one call, in one thread.
class Batches final : public Contestant {
 public:
  std::string name() const override { return "Toccata batch"; }
  bool can_answer(const Row& row) const override {
    return row.question == Question::Distance || row.question == Question::Depth;
  }

  void prepare(const Row& row) override {
    std::vector<Shape> shapes;
    for (const Geometry& g : row.shapes) shapes.push_back(Shape::build(g).value());
    pairs_.clear();
    for (const PairCase& c : row.cases) pairs_.push_back({{shapes[c.a], c.pose_a}, {shapes[c.b], c.pose_b}});
  }

  void answer(const Row& row, std::vector<double>& answers) override {
    if (row.question == Question::Depth) {
      const std::vector<PenetrationResult> found = penetrations(pairs_, {.threads = 1});
      for (std::size_t i = 0; i < found.size(); ++i) {
        const bool meet = found[i].status == Status::OverlapAtStart;
        answers[i] = meet ? -found[i].upper_depth : distance(pairs_[i].a, pairs_[i].b).distance;
      }
      return;
    }
    const std::vector<DistanceResult> found = distances(pairs_, {.threads = 1});
    for (std::size_t i = 0; i < found.size(); ++i) answers[i] = found[i].distance;
  }

 private:
  std::vector<PlacedPair> pairs_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> question_contestants() {
  std::vector<std::unique_ptr<Contestant>> result;
  result.push_back(std::make_unique<Questions>(false));
  result.push_back(std::make_unique<Questions>(true));
  result.push_back(std::make_unique<Batches>());
  result.push_back(std::make_unique<Chosen>(ConvexMethod::Gjk, true));
  result.push_back(std::make_unique<Chosen>(ConvexMethod::FeatureWalk, false));
  result.push_back(std::make_unique<Chosen>(ConvexMethod::FeatureWalk, true));
  return result;
}

}  // namespace toccata::bench
