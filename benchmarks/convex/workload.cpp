#include "workload.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/solid_oracle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"

namespace toccata::bench {
namespace {

using oracle::LongSolid;

constexpr double degree = std::numbers::pi / 180.0;

Random random_for(const std::string& text) {
  std::uint64_t seed = 1234567;
  for (const char c : text) seed = seed * 131 + static_cast<std::uint64_t>(c);
  return Random(seed);
}

Matrix3 any_rotation(Random& random) {
  for (;;) {
    const Eigen::Quaterniond q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                               random.uniform(-1, 1));
    if (q.squaredNorm() > 0.01 && q.squaredNorm() <= 1.0) return q.normalized().toRotationMatrix();
  }
}

ConvexHull hull_of(std::size_t count, Random& random, const Vector3& scale = Vector3::Ones()) {
  std::vector<Vector3> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(scale.cwiseProduct(random.on_sphere()));
  return std::move(convex_hull_of(points)).value();
}

std::vector<Geometry> shapes_of(const std::string& kind, Random& random) {
  std::vector<Geometry> shapes;
  if (kind == "box") {
    for (int i = 0; i < 256; ++i) {
      const double x = random.uniform(0.2, 1), y = random.uniform(0.2, 1), z = random.uniform(0.2, 1);
      shapes.push_back(Box{2.0 * Vector3(x, y, z)});
    }
  } else if (kind == "capsule") {
    for (int i = 0; i < 256; ++i) {
      const double half_height = random.uniform(0.2, 1), radius = random.uniform(0.1, 0.5);
      shapes.push_back(Capsule{radius, 2.0 * half_height});
    }
  } else {
    const std::size_t points = std::stoul(kind.substr(4));
    for (int i = 0; i < (points >= 5000 ? 8 : 32); ++i) shapes.push_back(hull_of(points, random));
  }
  return shapes;
}

double wanted_gap(const std::string& name, Random& random) {
  if (name == "apart") return random.uniform(0.5, 2.0);
  if (name == "near") return 1e-3;
  if (name == "micro") return 1e-6;
  if (name == "touch") return random.uniform(-1e-12, 1e-12);
  if (name == "log") return std::pow(10.0, random.uniform(-9.0, 0.0));
  if (name == "pen3") return -1e-3;
  if (name == "pen1") return -0.1;
  if (name == "penlog") return -std::pow(10.0, random.uniform(-9.0, -1.0));
  return random.uniform(0.05, 0.5);  // warm
}

PairCase pair_at_gap(const Row& row, const std::string& name, Random& random) {
  PairCase pair;
  const int last = static_cast<int>(row.shapes.size()) - 1;
  pair.a = static_cast<std::size_t>(random.integer(0, last));
  pair.b = static_cast<std::size_t>(random.integer(0, last));
  pair.pose_a.rotation = any_rotation(random);
  pair.pose_b.rotation = any_rotation(random);
  pair.pose_a.translation = random.in_box(1.0);
  pair.pose_b.translation = pair.pose_a.translation + 6.0 * random.on_sphere();
  const auto reference = oracle::solid_gap(LongSolid(row.shapes[pair.a], pair.pose_a),
                                           LongSolid(row.shapes[pair.b], pair.pose_b));
  const long double way = reference.lower - wanted_gap(name, random);
  pair.pose_b.translation -= (way * reference.normal).cast<double>();
  return pair;
}

double true_answer(const Row& row, const PairCase& c) {
  const LongSolid a(row.shapes[c.a], c.pose_a), b(row.shapes[c.b], c.pose_b);
  const auto gap = oracle::solid_gap(a, b);
  if (gap.lower > 0.0L || !gap.cores_meet) return static_cast<double>(gap.upper);  // of capsules both signs
  if (row.question == Question::Distance) return 0.0;
  return -static_cast<double>(
      oracle::solid_depth(a, b).value_or(std::numeric_limits<long double>::quiet_NaN()));
}

void add_truth(Row& row) {
  for (const PairCase& c : row.cases) {
    double truth = true_answer(row, c);
    if (row.question == Question::Distance && truth < 0.0) truth = 0.0;
    row.truth.push_back(truth);
  }
}

// 64 frames of one degree and a hundredth of a unit, never into each other for long: the drift turns back.
void add_frames(Row& row, const PairCase& start, Random& random) {
  const Vector3 axis = random.on_sphere(), way = 0.01 * random.on_sphere();
  PairCase frame = start;
  const Matrix3 turn = Eigen::AngleAxisd(degree, axis).toRotationMatrix();
  for (std::size_t i = 0; i < row.frames; ++i) {
    row.cases.push_back(frame);
    frame.pose_b.rotation = turn * frame.pose_b.rotation;
    frame.pose_b.translation += way;
  }
}

std::size_t usual_count(const std::string& kind, const std::string& name) {
  if (kind == "hull5000") return 256;
  if (kind == "hull500") return 512;
  if (kind == "hull50" && name.substr(0, 3) == "pen") return 256;  // the truth looks along 20,000 axes each
  return 2048;
}

double angle_of(const std::string& name, Random& random) {
  if (name == "translate") return 0.0;
  if (name == "full") return 360.0 * degree;
  return name == "turn40" || name == "rod40" ? random.uniform(10, 40) * degree
                                             : random.uniform(30, 170) * degree;
}

// Bodies four units apart, more than the sum of their reach; a rod two units from the middle of a plate, if
// it is apart.
PairCase cast_case(const Row& row, const std::string& name, bool is_rod, Random& random) {
  for (;;) {
    PairCase c;
    const int last = static_cast<int>(row.shapes.size()) - 1;
    c.a = is_rod ? 0 : static_cast<std::size_t>(random.integer(0, last));
    c.b = is_rod ? 1 : static_cast<std::size_t>(random.integer(0, last));
    c.pose_a.rotation = any_rotation(random);
    c.pose_b.rotation = any_rotation(random);
    c.pose_a.translation = random.in_box(1.0);
    const Vector3 towards = random.on_sphere();
    c.pose_b.translation = c.pose_a.translation + (is_rod ? 2.0 : 4.0) * towards;
    c.spin = angle_of(name, random) * random.on_sphere();
    c.velocity = (is_rod ? 0.0 : 4.0) * towards + 0.8 * random.on_sphere();
    const auto gap =
        oracle::solid_gap(LongSolid(row.shapes[c.a], c.pose_a), LongSolid(row.shapes[c.b], c.pose_b));
    if (gap.lower > 1e-3L) return c;
  }
}

}  // namespace

Row pair_row(const std::string& kind, const std::string& name, std::size_t count) {
  Random random = random_for(kind + name);
  Row row;
  row.kind = kind;
  row.name = name;
  row.question = name.substr(0, 3) == "pen" ? Question::Depth : Question::Distance;
  row.shapes = shapes_of(kind, random);
  row.frames = name == "warm" ? 64 : 1;
  if (count == 0) count = usual_count(kind, name);
  while (row.cases.size() < count) {
    const PairCase pair = pair_at_gap(row, name, random);
    row.frames == 1 ? row.cases.push_back(pair) : add_frames(row, pair, random);
  }
  add_truth(row);
  return row;
}

Row apart_row() {
  Row row = pair_row("box", "near", 4096);
  row.question = Question::Apart;
  row.name = "still apart";
  return row;
}

Row cast_row(const std::string& kind, const std::string& name) {
  const bool is_rod = kind == "rod";
  Random random = random_for(kind + name);
  Row row;
  row.question = Question::Cast;
  row.kind = kind;
  row.name = name;
  row.tolerance = 1e-3;
  row.shapes =
      is_rod ? std::vector<Geometry>{Box{{4, 0.04, 0.04}}, Box{{2, 2, 0.02}}} : shapes_of(kind, random);
  for (int i = 0; i < 600; ++i) {
    const PairCase c = cast_case(row, name, is_rod, random);
    const oracle::LongMotion moving{row.shapes[c.a], c.pose_a, c.spin, c.velocity};
    const auto truth = oracle::first_contact_truth(moving, LongSolid(row.shapes[c.b], c.pose_b));
    row.cases.push_back(c);
    row.truth.push_back(truth.hit ? static_cast<double>(truth.time) : 2.0);
  }
  return row;
}

Row orbit_row(const std::string& body, double radius, double step) {
  Random random = random_for("orbit" + body);
  const Vector3 scale = body == "fat"     ? Vector3(1, 1, 1)
                        : body == "plate" ? Vector3(1, 1, 0.1)
                                          : Vector3(1, 0.1, 0.1);
  Row row;
  row.kind = "orbit " + body;
  row.name = (radius < 2.5 ? "r 2.02, " : "r 3, ") + std::to_string(static_cast<int>(step)) + " deg";
  row.shapes = {hull_of(1002, random, scale), hull_of(1002, random, scale)};
  row.frames = 720;
  const Matrix3 turn = Eigen::AngleAxisd(step * degree, random.on_sphere()).toRotationMatrix();
  PairCase c;
  c.a = 0;
  c.b = 1;
  for (std::size_t i = 0; i < row.frames; ++i) {
    const double angle = step * degree * static_cast<double>(i);
    c.pose_b.translation = {1.5 * radius * std::cos(angle), radius * std::sin(angle),
                            0.1 * std::sin(3.0 * angle)};
    row.cases.push_back(c);
    c.pose_b.rotation = turn * c.pose_b.rotation;
  }
  add_truth(row);
  return row;
}

}  // namespace toccata::bench
