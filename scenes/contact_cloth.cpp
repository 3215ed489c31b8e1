#include "scenes/contact_cloth.hpp"

#include <cmath>

namespace toccata::scenes {
namespace {

constexpr double cloth_width = 2.0;
constexpr double ball_radius = 0.45;
constexpr double time_step = 1.0 / 120.0;

DeformableScene build_scene(const TriangleMesh& cloth, const TriangleMesh& ball,
                            const ContactClothOptions& options) {
  auto scene = DeformableScene::build({cloth, ball}, {.method = options.method, .threads = options.threads});
  return std::move(*scene);  // the meshes are our own: their indices are in range
}

// The vertices of a contact and the weights of its point on either side, negative on the first.
struct ContactStencil {
  std::array<std::int32_t, 4> vertex;
  std::array<double, 4> weight;
};

ContactStencil stencil_of(const DeformableScene& scene, const DeformableContact& contact) {
  const std::array<double, 4>& w = contact.impact.weights;
  if (contact.pair.kind == FeaturePairKind::VertexFace) {
    const Face& f = scene.faces()[contact.pair.second];
    return {{contact.pair.first, f[0], f[1], f[2]}, {-1.0, w[1], w[2], w[3]}};
  }
  const Edge &a = scene.edges()[contact.pair.first], &b = scene.edges()[contact.pair.second];
  return {{a[0], a[1], b[0], b[1]}, {-w[0], -w[1], w[2], w[3]}};
}

}  // namespace

ContactCloth::ContactCloth(const ContactClothOptions& options)
    : options_(options),
      ball_(round_ball(ball_radius, 18, 12)),
      scene_(build_scene(cloth_grid(options.cells, options.cells, cloth_width), ball_, options)) {
  TriangleMesh cloth = cloth_grid(options.cells, options.cells, cloth_width);
  const double edge = cloth_width / options.cells;
  thickness_ = options.thickness * edge;
  for (Vector3& x : cloth.vertices)
    x[2] = ball_radius + 2.0 * thickness_ + 0.02 * std::sin(5.0 * x[0] + 3.0 * x[1]);
  cloth_ = ClothParticles(cloth, {.bend_stiffness = 0.1, .damping = 0.02, .sweeps = 6});
  cloth_vertices_ = static_cast<std::int32_t>(cloth.vertices.size());
  positions_ = cloth.vertices;
  positions_.insert(positions_.end(), ball_.vertices.begin(), ball_.vertices.end());
  faces_ = {scene_.faces().begin(), scene_.faces().end()};
}

ContactClothFrame ContactCloth::advance() {
  ContactClothFrame frame;
  std::vector<Vector3> next = cloth_.predict(time_step, nullptr);
  const double angle = angle_ + options_.spin * time_step;
  const double c = std::cos(angle), s = std::sin(angle);
  for (const Vector3& x : ball_.vertices) next.push_back({c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]});
  while (frame.passes < options_.passes && respond(next, frame)) ++frame.passes;
  frame.fraction = take_safely(next);
  if (frame.fraction == 1.0) angle_ = angle;
  positions_ = next;
  next.resize(static_cast<std::size_t>(cloth_vertices_));
  cloth_.accept(next, time_step);
  return frame;
}

// Moves the ends of the step so that every pair of features that comes too close ends a thickness apart, on
// the side where it was, and loses part of its sliding. false: nothing came too close.
bool ContactCloth::respond(std::vector<Vector3>& next, ContactClothFrame& frame) {
  if (!scene_.update(positions_, next)) return false;
  DeformableOptions question;
  question.minimum_distance = thickness_;
  question.threads = options_.threads;
  const DeformableContacts found = scene_.all_contacts(question);
  bool moved = false;
  for (const DeformableContact& contact : found.contacts) {
    const ContactStencil stencil = stencil_of(scene_, contact);
    const Vector3& n = contact.impact.normal;
    Vector3 gap = Vector3::Zero(), start_gap = Vector3::Zero();
    double weight = 0.0;
    for (int k = 0; k < 4; ++k) {
      gap += stencil.weight[k] * next[stencil.vertex[k]];
      start_gap += stencil.weight[k] * positions_[stencil.vertex[k]];
      weight += mobility(stencil.vertex[k]) * stencil.weight[k] * stencil.weight[k];
    }
    const double missing = 1.05 * thickness_ - gap.dot(n);
    if (weight == 0.0 || missing <= 0.0 || n.isZero()) continue;
    const Vector3 sliding = (gap - start_gap) - (gap - start_gap).dot(n) * n;
    const Vector3 correction = (missing * n - 0.2 * sliding) / weight;
    for (int k = 0; k < 4; ++k) {
      next[stencil.vertex[k]] += mobility(stencil.vertex[k]) * stencil.weight[k] * correction;
    }
    ++frame.contacts;
    moved = true;
  }
  return moved;
}

// Shortens the step until the very doubles that are taken are proven free; answers the share that was kept.
double ContactCloth::take_safely(std::vector<Vector3>& next) {
  DeformableOptions question;
  question.threads = options_.threads;
  double kept = 1.0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    if (!scene_.update(positions_, next)) break;
    const double fraction = scene_.safe_step(question).fraction;
    if (fraction == 1.0) return kept;
    const double share = 0.8 * fraction;
    kept *= share;
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = positions_[i] + share * (next[i] - positions_[i]);
  }
  next = positions_;
  return 0.0;
}

}  // namespace toccata::scenes
