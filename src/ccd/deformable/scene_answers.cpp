#include "ccd/deformable/scene_answers.hpp"

#include <algorithm>
#include <cmath>

#include "ccd/deformable/narrow_phase.hpp"

namespace toccata::deformable {
namespace {

// Beyond this the squares of distances overflow in the elementary tests, as those of coordinates do.
constexpr double largest_distance = 1e100;

bool is_between(double x, double lower, double upper) {
  return x >= lower && x <= upper;  // false for NaN
}

std::string must_be(const char* option, const std::string& what, double given) {
  return std::string(option) + " must be " + what + ", not " + std::to_string(given);
}

Feature feature(const Topology& topology, FeatureKind kind, std::int32_t id) {
  std::int32_t vertex = id;
  if (kind == FeatureKind::Edge) vertex = topology.edges[id][0];
  if (kind == FeatureKind::Face) vertex = topology.faces[id][0];
  return {kind, id, topology.vertex_object[vertex]};
}

FeatureKind first_kind(FeaturePairKind kind) {
  return kind == FeaturePairKind::EdgeEdge ? FeatureKind::Edge : FeatureKind::Vertex;
}

FeatureKind second_kind(FeaturePairKind kind) {
  switch (kind) {
    case FeaturePairKind::VertexFace:
      return FeatureKind::Face;
    case FeaturePairKind::EdgeEdge:
    case FeaturePairKind::VertexEdge:
      return FeatureKind::Edge;
    case FeaturePairKind::VertexVertex:
      break;
  }
  return FeatureKind::Vertex;
}

// The closest points of features that do not touch: the weights of each side sum to one.
void add_closest_points(const LinearMotion4& motion, FeaturePairKind kind, const Impact& impact,
                        Contact& contact) {
  const std::size_t first_count = kind == FeaturePairKind::EdgeEdge ? 2 : 1;
  contact.point_a = contact.point_b = Vector3::Zero();
  for (std::size_t p = 0; p < 4; ++p) {
    const Vector3 x = (1.0 - impact.time) * motion.t0[p] + impact.time * motion.t1[p];
    (p < first_count ? contact.point_a : contact.point_b) += impact.weights[p] * x;
  }
  contact.distance = (contact.point_b - contact.point_a).norm();
}

Contact contact_of(const Topology& topology, const Step& step, const DeformableContact& found, bool exact) {
  Contact contact;
  const FeaturePair& pair = found.pair;
  contact.feature_a = feature(topology, first_kind(pair.kind), pair.first);
  contact.feature_b = feature(topology, second_kind(pair.kind), pair.second);
  contact.point_a = contact.point_b = found.impact.point;
  contact.normal = found.impact.normal;
  if (!exact) add_closest_points(motion_of(topology, step, pair), pair.kind, found.impact, contact);
  return contact;
}

}  // namespace

std::string negative_threads(int threads) {
  return "threads must be 0 (all cores) or more, not " + std::to_string(threads);
}

std::string unusable_option(const DeformableOptions& options) {
  if (options.threads < 0) return negative_threads(options.threads);
  if (!is_between(options.minimum_distance, 0.0, largest_distance)) {
    return must_be("minimum_distance", "between 0 and 1e100", options.minimum_distance);
  }
  if (!is_between(options.relative_distance_tolerance, 0.0, largest_distance)) {
    return must_be("relative_distance_tolerance", "between 0 and 1e100", options.relative_distance_tolerance);
  }
  if (options.part.count < 1 || options.part.index < 0 || options.part.index >= options.part.count) {
    return "part must have a count of at least 1 and an index from 0 to count - 1, not index " +
           std::to_string(options.part.index) + " of " + std::to_string(options.part.count);
  }
  if (options.budget < 0) {
    return "budget must be 0 (the usual one) or more, not " + std::to_string(options.budget);
  }
  return failure_of(options.stop);
}

SafeStep failed_step(std::string failure) {
  SafeStep result;
  result.fraction = 0.0;
  result.first.status = Status::Failed;
  result.first.failure = std::move(failure);
  result.first.time = result.first.lower = 0.0;
  return result;
}

FirstContactResult undecided_step(double free_until) {
  FirstContactResult first;
  first.status = Status::OutOfBudget;
  first.time = first.lower = free_until;
  return first;
}

// Which pairs were kept depends on the order of the work, but every pair that touches within [0, U], U the
// smallest upper end of all brackets, is among them: the answer is taken from exactly those.
FirstContactResult first_among(const Topology& topology, const Step& step,
                               const std::vector<DeformableContact>& contacts, bool exact) {
  FirstContactResult result;
  if (contacts.empty()) return result;
  double upper = 1.0;
  for (const DeformableContact& c : contacts) upper = std::min(upper, c.impact.upper);
  const DeformableContact* first = nullptr;
  for (const DeformableContact& c : contacts) {
    if (c.impact.lower > upper) continue;
    if (exact && c.impact.upper > upper && !NarrowPhase::touches_before(topology, step, c.pair, upper)) {
      continue;
    }
    if (!first || c.impact.lower < first->impact.lower) first = &c;  // sorted: ties go to the smaller pair
  }
  const Impact& impact = first->impact;
  const DeformableContact found = to_contact(
      topology, step, {first->pair, impact.status, impact.stage, impact.lower, impact.upper}, true);
  result.status = found.impact.status;
  result.time = result.lower = found.impact.lower;
  result.upper = upper;
  if (found.impact.status == Status::OutOfBudget) return result;
  result.contact = contact_of(topology, step, found, exact);
  result.distance = result.contact.distance;
  result.contacts = {result.contact};
  result.weights = found.impact.weights;
  return result;
}

double free_fraction(const FirstContactResult& first) {
  if (first.status == Status::Separated) return 1.0;
  // Strictly before the first contact, since the features touch at the contact's own time.
  return first.time > 0 ? std::nextafter(first.time, 0.0) : 0.0;
}

}  // namespace toccata::deformable
