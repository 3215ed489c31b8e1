// The walk spends its time in a few dozen products and sums per step, so it is written with plain numbers,
// and corners stay where they are: parts of the simplex name them by slot.
#include "proximity/convex/gjk.hpp"

#include <algorithm>
#include <cmath>

#include "elementary/hull_index.hpp"
#include "proximity/convex/exact_nearest.hpp"
#include "proximity/convex/fine_nearest.hpp"
#include "proximity/convex/xyz.hpp"

namespace toccata::convex {
namespace {

constexpr int most_iterations = 128;

struct Corner {
  Xyz difference, of_a, of_b;
  std::int32_t vertex_a, vertex_b;
};

// A part of the simplex that carries a nearest point. Numbers are copied one by one, always three of them:
// what is copied by a call, or by the pair, waits until all of it has been stored.
struct Part {
  double squared;  // of the length of foot
  Xyz foot;        // the nearest point
  int count;
  int slot[3] = {0, 0, 0};
  double weight[3] = {0.0, 0.0, 0.0};
};

class Walk {
 public:
  Walk(const Difference& difference, const ConvexLimits& limits)
      : difference_(difference), a_(*difference.a), b_(*difference.b), limits_(limits) {
    for (int i = 0; i < 3; ++i) column_[i] = plain(difference.a_to_b.rotation.col(i));
    shift_ = plain(difference.a_to_b.translation);
    // What rounding leaves open anyway.
    floor_ = 2.0 * (difference.height_error + difference.point_error);
    is_climbed_ = is_climbed(a_) || is_climbed(b_);
    is_polytope_ = difference.is_polytope();
    if (!is_scanned(a_) || !is_scanned(b_)) return;
    scan_ = scan_two_corners();
    corners_a_ = a_.index->scanned_corners();
    corners_b_ = b_.index->scanned_corners();
  }

  void run(const ConvexMemory* memory, ConvexDistance& result, Simplex* nearest) {
    start(memory);
    if (!meets_) {
      while (iterations_ < most_iterations && step()) {
      }
    }
    // Exact arithmetic finishes for polytopes; curved cores are taken on from there, as far as it leads.
    for (int again = 0; again < 16 && !meets_ && !is_done() && look_across() && !is_polytope_; ++again) {
      while (iterations_ < most_iterations && step()) {
      }
    }
    write(result);
    if (!meets_ && !is_done()) {
      const Simplex last = is_polytope_ ? finish_exactly(result) : finish_finely(result);
      if (nearest != nullptr) *nearest = last;
    } else if (nearest != nullptr) {
      *nearest = simplex();
    }
  }

 private:
  static bool is_climbed(const ConvexSet& set) { return set.index != nullptr && !set.index->is_exact(); }

  static bool is_scanned(const ConvexSet& set) {
    return set.core == Core::Points && set.index != nullptr && set.index->is_scanned();
  }

  bool is_done() const {
    if (lower_ > limits_.enough || upper_ <= limits_.within) return true;
    const double gap = upper_ - lower_;
    // Below the floor only whether they meet is open, which `lower` > 0 answers.
    if (gap <= floor_ && lower_ > 0.0) return true;
    return gap <= std::max(limits_.absolute_error, limits_.relative_error * upper_);
  }

  // Support points, in plain arithmetic. Those of climbed hulls are hints until they are proven.
  static Xyz core_farthest(const ConvexSet& set, const Xyz& d, std::int32_t& vertex) {
    if (set.core == Core::Box) {
      vertex = (d.x < 0.0 ? 0 : 1) | (d.y < 0.0 ? 0 : 2) | (d.z < 0.0 ? 0 : 4);
      return {std::copysign(set.half.x(), d.x), std::copysign(set.half.y(), d.y),
              std::copysign(set.half.z(), d.z)};
    }
    if (set.core != Core::Points) {
      const Support s = core_support(set, vector(d));
      vertex = -1;
      return plain(s.point);
    }
    if (set.index != nullptr) {
      vertex = farthest_vertex(*set.index, vector(d), vertex);
      return plain(set.index->point(vertex));
    }
    double best = -std::numeric_limits<double>::infinity();
    vertex = 0;
    for (std::size_t i = 0; i < set.points.size(); ++i) {
      const double height = dot(d, plain(set.points[i]));
      if (!(height > best)) continue;
      best = height;
      vertex = static_cast<std::int32_t>(i);
    }
    return plain(set.points[static_cast<std::size_t>(vertex)]);
  }

  Xyz to_core_a(const Xyz& d) const { return {dot(column_[0], d), dot(column_[1], d), dot(column_[2], d)}; }
  // As Pose::apply rounds.
  Xyz from_core_a(const Xyz& p) const {
    return (p.x * column_[0] + p.y * column_[1] + p.z * column_[2]) + shift_;
  }

  void find_against(const Xyz& d, Corner& corner) {
    const Xyz e = to_core_a(d);
    if (scan_ != nullptr) {
      const double directions[6] = {-e.x, -e.y, -e.z, d.x, d.y, d.z};
      const VertexPair found = scan_(corners_a_, corners_b_, directions);
      corner.vertex_a = found.a;
      corner.vertex_b = found.b;
      corner.of_a = from_core_a(plain(corners_a_.point(found.a)));
      corner.of_b = plain(corners_b_.point(found.b));
      corner.difference = corner.of_a - corner.of_b;
      return;
    }
    corner.vertex_a = last_a_;
    corner.vertex_b = last_b_;
    corner.of_a = from_core_a(core_farthest(a_, -e, corner.vertex_a));
    corner.of_b = core_farthest(b_, d, corner.vertex_b);
    corner.difference = corner.of_a - corner.of_b;
    last_a_ = corner.vertex_a;
    last_b_ = corner.vertex_b;
  }

  void place_corners(std::int32_t vertex_a, std::int32_t vertex_b, Corner& corner) const {
    corner.vertex_a = vertex_a;
    corner.vertex_b = vertex_b;
    corner.of_a = from_core_a(plain(corner_of(a_, vertex_a)));
    corner.of_b = plain(corner_of(b_, vertex_b));
    corner.difference = corner.of_a - corner.of_b;
  }

  void start(const ConvexMemory* memory) {
    if (memory != nullptr && memory->features.count > 0 && is_polytope_) {
      for (int i = 0; i < memory->features.count; ++i)
        place_corners(memory->features.vertex_a[i], memory->features.vertex_b[i], pool_[i]);
      count_ = memory->features.count;
      last_a_ = memory->features.vertex_a[0];
      last_b_ = memory->features.vertex_b[0];
    } else {
      Xyz direction = shift_;
      if (memory != nullptr && memory->direction.squaredNorm() > 0.0) direction = -plain(memory->direction);
      if (!(dot(direction, direction) > 0.0)) direction = {1.0, 0.0, 0.0};
      find_against(direction, pool_[0]);
      count_ = 1;
    }
    for (int i = 0; i < count_; ++i) slot_[i] = i;
    reduce();
    note_nearest();
  }

  // The nearest point of the simplex gives the upper bound. False if the walk does not lead on.
  bool note_nearest() {
    if (count_ == 4) {
      meets_ = surely_contains_origin(simplex());
      if (meets_) {
        upper_ = 0.0;
        return false;
      }
    }
    // The weighted sum is a point of the difference; the foot of the normal is only as good as the weights.
    Xyz sum = weight_[0] * pool_[slot_[0]].difference;
    for (int i = 1; i < count_; ++i) sum = sum + weight_[i] * pool_[slot_[i]].difference;
    const double length = std::sqrt(dot(sum, sum));
    const double upper = length * (1.0 + 4.0 * unit_roundoff) + difference_.point_error;
    if (!(upper < upper_)) return false;
    upper_ = upper;
    return count_ < 4 && length > difference_.point_error;
  }

  double lower_along(const Xyz& direction, double length, const Corner& found) const {
    return dot(direction, found.difference) / length - difference_.height_error;
  }

  void note_hint(const Xyz& direction, double length) {
    if (iterations_++ == 0) note_direction(direction, length);
  }

  void note_direction(const Xyz& direction, double length) {
    direction_ = direction;
    direction_length_ = length;
  }

  Xyz unit_direction() const { return (1.0 / direction_length_) * direction_; }

  // Heights along a direction of the given length.
  void note_heights(const Xyz& direction, double length, const Corner& found) {
    const double lower = lower_along(direction, length, found);
    if (iterations_ == 0 || lower > lower_) {
      lower_ = lower;
      note_direction(direction, length);
    }
    ++iterations_;
  }

  // The corner in `spare`; true if it is in the simplex already.
  bool is_known(const Corner& found) const {
    for (int i = 0; i < count_; ++i) {
      const Corner& c = pool_[slot_[i]];
      if (c.difference.x == found.difference.x && c.difference.y == found.difference.y &&
          c.difference.z == found.difference.z)
        return true;
    }
    return false;
  }

  int spare_slot() const {
    int used = 0;
    for (int i = 0; i < count_; ++i) used |= 1 << slot_[i];
    return (used & 1) == 0 ? 0 : (used & 2) == 0 ? 1 : (used & 4) == 0 ? 2 : 3;
  }

  bool step() {
    if (count_ == 4) return false;
    const double length = std::sqrt(dot(foot_, foot_));
    if (!(length > 0.0)) return false;
    const Xyz direction = foot_;
    const int spare = spare_slot();
    Corner& found = pool_[spare];
    find_against(direction, found);
    if (is_climbed_) {
      // Heights of a climb are a hint, and count only once they are proven: where they end the walk.
      const double kept = lower_;
      lower_ = std::max(lower_, lower_along(direction, length, found));
      const bool ends = is_done() || is_known(found);
      lower_ = kept;
      if (ends) improve_exactly(direction, found);
      ends ? note_heights(direction, length, found) : note_hint(direction, length);
    } else {
      note_heights(direction, length, found);
    }
    if (is_done() || is_known(found)) return false;
    return take(spare);
  }

  // Adds the corner of a spare slot. True if the walk leads on from there; the nearest simplex so far stays
  // where rounding has the last word.
  bool take(int spare) {
    const int kept_count = count_;
    const Xyz kept_foot = foot_;
    const double kept_upper = upper_;
    int kept_slot[3];
    double kept_weight[3];
    for (int i = 0; i < 3; ++i) {
      kept_slot[i] = slot_[i];
      kept_weight[i] = weight_[i];
    }
    slot_[count_++] = spare;
    reduce();
    if (note_nearest()) return true;
    if (meets_ || upper_ < kept_upper) return false;
    count_ = kept_count;
    foot_ = kept_foot;
    for (int i = 0; i < 3; ++i) {
      slot_[i] = kept_slot[i];
      weight_[i] = kept_weight[i];
    }
    return false;
  }

  // Replaces the vertices by the farthest ones, decided without rounding. True if that changed any.
  bool improve_exactly(const Xyz& d, Corner& corner) {
    std::int32_t vertex_a = corner.vertex_a, vertex_b = corner.vertex_b;
    if (is_climbed(a_)) vertex_a = proven_farthest(*a_.index, vector(-to_core_a(d)), vertex_a);
    if (is_climbed(b_)) vertex_b = proven_farthest(*b_.index, vector(d), vertex_b);
    if (vertex_a == corner.vertex_a && vertex_b == corner.vertex_b) return false;
    if (vertex_a != corner.vertex_a) {
      corner.vertex_a = last_a_ = vertex_a;
      corner.of_a = from_core_a(plain(a_.points[static_cast<std::size_t>(vertex_a)]));
    }
    if (vertex_b != corner.vertex_b) {
      corner.vertex_b = last_b_ = vertex_b;
      corner.of_b = plain(b_.points[static_cast<std::size_t>(vertex_b)]);
    }
    corner.difference = corner.of_a - corner.of_b;
    return true;
  }

  // Close to the origin the nearest point is too rough a direction. True if the bracket got narrower.
  bool look_across() {
    if (count_ == 4) return false;
    const Vector3 across = direction_across(simplex(), vector(foot_));
    if (!(across.squaredNorm() > 0.0)) return false;
    const double before = upper_ - lower_;
    const int spare = spare_slot();
    Corner& found = pool_[spare];
    find_against(plain(across), found);
    if (is_climbed_) improve_exactly(plain(across), found);
    note_heights(plain(across), 1.0, found);
    if (is_polytope_ || is_done() || is_known(found)) return upper_ - lower_ < before;
    take(spare);
    return upper_ - lower_ < 0.9 * before;
  }

  Simplex simplex() const {
    Simplex s;
    for (int i = 0; i < count_; ++i) {
      const Corner& c = pool_[slot_[i]];
      s.add({vector(c.difference), vector(c.of_a), vector(c.of_b), c.vertex_a, c.vertex_b});
      s.weight[i] = weight_[i];
    }
    return s;
  }

  void write(ConvexDistance& result) const {
    result.lower_core = lower_;
    result.upper_core = upper_;
    result.meets = meets_;
    result.direction = vector(-unit_direction());
    result.iterations = iterations_;
    Xyz of_a = {0.0, 0.0, 0.0}, of_b = {0.0, 0.0, 0.0};
    result.features.count = count_;
    for (int i = 0; i < count_; ++i) {
      const Corner& c = pool_[slot_[i]];
      of_a = of_a + weight_[i] * c.of_a;
      of_b = of_b + weight_[i] * c.of_b;
      result.features.vertex_a[i] = c.vertex_a;
      result.features.vertex_b[i] = c.vertex_b;
    }
    result.point_a = vector(of_a);
    result.point_b = vector(of_b);
  }

  static void write_simplex(const Simplex& simplex, ConvexDistance& result) {
    result.features.count = simplex.count;
    result.point_a.setZero();
    result.point_b.setZero();
    for (int i = 0; i < simplex.count; ++i) {
      const DifferencePoint& c = simplex.corner[i];
      result.features.vertex_a[i] = c.vertex_a;
      result.features.vertex_b[i] = c.vertex_b;
      result.point_a += simplex.weight[i] * c.of_a;
      result.point_b += simplex.weight[i] * c.of_b;
    }
  }

  // In pairs of doubles. Both brackets hold, so that the better ends are kept.
  Simplex finish_finely(ConvexDistance& result) const {
    const bool has_direction = dot(direction_, direction_) > 0.0;
    const FineNearest fine = fine_nearest(
        difference_, has_direction ? vector(unit_direction()) : Vector3(Vector3::UnitX()), floor_, limits_);
    result.iterations += fine.iterations;
    if (fine.meets || fine.upper <= upper_) {
      result.meets = fine.meets;
      result.upper_core = fine.upper;
      write_simplex(fine.simplex, result);
    }
    if (!fine.meets && fine.lower > lower_) {
      result.lower_core = fine.lower;
      result.direction = -fine.direction;
    }
    return fine.simplex;
  }

  Simplex finish_exactly(ConvexDistance& result) const {
    const ExactNearest exact = exact_nearest(difference_, simplex());
    result.meets = exact.meets;
    result.upper_core = exact.upper;
    write_simplex(exact.simplex, result);
    if (!exact.meets) {
      result.lower_core = exact.lower;
      result.direction = -exact.direction;
    }
    return exact.simplex;
  }

  // The nearest points of parts of the simplex, by slots.
  [[gnu::always_inline]] void of_point(int i, Part& part) const {
    part.foot = pool_[i].difference;
    part.squared = dot(part.foot, part.foot);
    part.count = 1;
    part.slot[0] = i;
    part.weight[0] = 1.0;
  }

  [[gnu::always_inline]] void of_segment(int i, int j, Part& part) const {
    const Xyz p = pool_[i].difference, q = pool_[j].difference, edge = q - p;
    const double along_p = -dot(p, edge), along_q = dot(q, edge);
    if (!(along_p > 0.0)) return of_point(i, part);
    if (!(along_q > 0.0)) return of_point(j, part);
    // From the nearer end, whose share is the better known one.
    const double share = std::min(along_p, along_q) / dot(edge, edge);
    const bool is_near_p = along_p < along_q;
    part.foot = is_near_p ? p + share * edge : q - share * edge;
    part.weight[0] = is_near_p ? 1.0 - share : share;
    part.weight[1] = is_near_p ? share : 1.0 - share;
    part.squared = dot(part.foot, part.foot);
    part.count = 2;
    part.slot[0] = i;
    part.slot[1] = j;
  }

  void keep_nearer_segment(int i, int j, Part& best) const {
    Part part;
    of_segment(i, j, part);
    if (!(part.squared < best.squared)) return;
    best.squared = part.squared;
    best.foot = part.foot;
    best.count = part.count;
    for (int k = 0; k < 3; ++k) {
      best.slot[k] = part.slot[k];
      best.weight[k] = part.weight[k];
    }
  }

  // The weights of the corners are those of the areas opposite, seen along the normal. Areas are taken with
  // edges, not with corners, so that a small triangle far from the origin loses no digits.
  void of_triangle(int i, int j, int k, Part& part) const {
    const Xyz p = pool_[i].difference, q = pool_[j].difference, r = pool_[k].difference;
    const Xyz pq = q - p, pr = r - p, qr = r - q;
    const Xyz normal = cross(pq, pr);
    const double wp = dot(normal, cross(q, qr)), wq = dot(normal, cross(pr, p)),
                 wr = dot(normal, cross(p, pq));
    if (wp > 0.0 && wq > 0.0 && wr > 0.0) {
      const double share = 1.0 / (wp + wq + wr);
      part.count = 3;
      part.slot[0] = i;
      part.slot[1] = j;
      part.slot[2] = k;
      part.weight[0] = wp * share;
      part.weight[1] = wq * share;
      part.weight[2] = wr * share;
      const double height = dot(normal, p) / dot(normal, normal);
      part.foot = height * normal;
      part.squared = dot(part.foot, part.foot);
      return;
    }
    // The nearest point is on an edge beyond which the origin lies.
    part.squared = std::numeric_limits<double>::infinity();
    if (!(wp > 0.0)) keep_nearer_segment(j, k, part);
    if (!(wq > 0.0)) keep_nearer_segment(i, k, part);
    if (!(wr > 0.0)) keep_nearer_segment(i, j, part);
  }

  // None: the origin is inside, as far as plain arithmetic sees. Otherwise the best is in one half of `room`.
  // Faces beyond which it may lie are those
  // whose part of the volume about the origin has another sign than the whole, or none to rely on.
  const Part* of_tetrahedron(Part* room) {
    const Xyz p = pool_[slot_[0]].difference, q = pool_[slot_[1]].difference, r = pool_[slot_[2]].difference,
              t = pool_[slot_[3]].difference;
    const Xyz pq = cross(p, q), rt = cross(r, t);
    const double volume[4] = {dot(q, rt), -dot(p, rt), dot(pq, t), -dot(pq, r)};
    const double whole = dot(cross(q - p, r - p), t - p);
    const double largest = std::max({dot(p, p), dot(q, q), dot(r, r), dot(t, t)});
    const double noise = 8.0 * unit_roundoff * largest * std::sqrt(largest);
    const double sign = whole < 0.0 ? -1.0 : 1.0;
    const Part* best = nullptr;
    Part* next = room;
    const int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    for (int f = 0; f < 4; ++f) {
      if (sign * volume[f] > noise) continue;
      of_triangle(slot_[faces[f][0]], slot_[faces[f][1]], slot_[faces[f][2]], *next);
      if (best != nullptr && !(next->squared < best->squared)) continue;
      best = next;
      next = next == room ? room + 1 : room;
    }
    if (best != nullptr) return best;
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      weight_[i] = sign * volume[i];
      sum += weight_[i];
    }
    for (int i = 0; i < 4; ++i) weight_[i] /= sum;
    foot_ = {0.0, 0.0, 0.0};
    return nullptr;
  }

  void reduce() {
    Part room[2];
    const Part* best = room;
    switch (count_) {
      case 1:
        of_point(slot_[0], room[0]);
        break;
      case 2:
        of_segment(slot_[0], slot_[1], room[0]);
        break;
      case 3:
        of_triangle(slot_[0], slot_[1], slot_[2], room[0]);
        break;
      default:
        best = of_tetrahedron(room);
        if (best == nullptr) return;
    }
    foot_ = best->foot;
    count_ = best->count;
    for (int i = 0; i < 3; ++i) {
      slot_[i] = best->slot[i];
      weight_[i] = best->weight[i];
    }
  }

  const Difference& difference_;
  const ConvexSet& a_;
  const ConvexSet& b_;
  const ConvexLimits& limits_;
  Xyz column_[3], shift_;
  double floor_;
  bool is_climbed_, is_polytope_;
  Corner pool_[4];
  int slot_[4] = {0, 0, 0, 0};
  double weight_[4] = {0.0, 0.0, 0.0, 0.0};
  int count_ = 0;
  int iterations_ = 0;
  std::int32_t last_a_ = -1, last_b_ = -1;
  bool meets_ = false;
  double lower_ = -std::numeric_limits<double>::infinity();
  double upper_ = std::numeric_limits<double>::infinity();
  Xyz foot_ = {0.0, 0.0, 0.0};
  Xyz direction_ = {0.0, 0.0, 0.0};  // along which `lower_` was found, and its length
  double direction_length_ = 1.0;
  // Of two scanned hulls; null otherwise.
  ScanTwo* scan_ = nullptr;
  ScannedCorners corners_a_ = {}, corners_b_ = {};
};

}  // namespace

void gjk_distance(const Difference& difference, const ConvexMemory* memory, const ConvexLimits& limits,
                  ConvexDistance& core, Simplex* simplex) {
  Walk(difference, limits).run(memory, core, simplex);
}

}  // namespace toccata::convex
