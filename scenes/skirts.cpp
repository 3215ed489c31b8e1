// Skirts around a turning body: one wide skirt that sinks to the ground, and layers of ruffles.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/cloth_particles.hpp"
#include "scenes/deforming_makers.hpp"
#include "toccata/base/random.hpp"

namespace toccata::scenes {
namespace {

constexpr double waist_radius = 0.15;
constexpr double body_radius = 0.13;
constexpr double frame_time = 1.0 / 60.0;

struct Layer {
  int vertices_around = 0;
  std::int32_t begin = 0, end = 0;  // its vertices; the first ring hangs on the body
};

// Cloth layers whose first rings turn with the body; the body is a ball on a stick.
class Skirts : public DeformingScene {
 public:
  bool advance() override {
    start_ = positions_;
    constexpr int substeps = 4;
    for (int s = 0; s < substeps; ++s) {
      const double dt = frame_time / substeps;
      time_ += dt;
      const double spin = 4.0 * std::sin(1.5 * time_);
      const double sink = sinks_ ? std::min(0.6, 0.15 * time_) : 0.0;
      const double c = std::cos(spin * dt), n = std::sin(spin * dt);
      for (const Layer& layer : layers_) {
        for (std::int32_t i = layer.begin; i < layer.begin + layer.vertices_around; ++i) {
          Vector3& x = cloth_.positions[i];
          x = Vector3(c * x[0] - n * x[1], n * x[0] + c * x[1], rest_height_[i] - sink);
        }
      }
      cloth_.step(dt, [&](Vector3& x, const Vector3& before) {
        const double radius = std::hypot(x[0], x[1]);
        if (radius < body_radius) {
          const double scale = body_radius / std::max(radius, 1e-9);
          x = Vector3(x[0] * scale, x[1] * scale, x[2]);
        }
        if (x[2] < 0.0) x = Vector3(0.5 * (x[0] + before[0]), 0.5 * (x[1] + before[1]), 0.0);
      });
      cloth_.keep_apart(0.6 * spacing_);
      body_height_ = 0.9 - sink;
    }
    write();
    return false;
  }

 protected:
  void add_layer(const std::vector<Vector2>& profile, int around, double ruffle, int waves, Random& random) {
    TriangleMesh layer = surface_of_revolution(profile, around);
    const double phase = random.uniform(0.0, 6.28);
    for (Vector3& x : layer.vertices) {
      const double r = std::hypot(x[0], x[1]), u = std::atan2(x[1], x[0]);
      const double out = std::max(0.0, r - waist_radius);
      const double bump = 1.0 + ruffle * std::min(1.0, 4.0 * out) * std::sin(waves * u + phase);
      x = Vector3(x[0] * bump, x[1] * bump, x[2] + 0.02 * out * random.unit());
    }
    const auto begin = static_cast<std::int32_t>(mesh_.vertices.size());
    layers_.push_back({around, begin, begin + static_cast<std::int32_t>(layer.vertices.size())});
    mesh_.vertices.insert(mesh_.vertices.end(), layer.vertices.begin(), layer.vertices.end());
    objects_.push_back(layer);
    for (const Face& f : layer.faces) mesh_.faces.push_back({f[0] + begin, f[1] + begin, f[2] + begin});
    spacing_ = (profile[1] - profile[0]).norm();
  }

  void finish(bool sinks) {
    sinks_ = sinks;
    cloth_ = ClothParticles(mesh_, {.bend_stiffness = 0.03, .damping = 0.02, .sweeps = 8});
    for (const Vector3& x : mesh_.vertices) rest_height_.push_back(x[2]);
    for (const Layer& layer : layers_) {
      for (std::int32_t i = layer.begin; i < layer.begin + layer.vertices_around; ++i)
        cloth_.inverse_mass[i] = 0.0;
    }
    const int body_around =
        std::clamp(static_cast<int>(std::sqrt(static_cast<double>(mesh_.faces.size()) / 50.0)), 6, 48);
    body_ = round_ball(0.9 * body_radius, body_around, body_around);
    objects_.push_back({static_cast<std::int32_t>(body_.vertices.size()), body_.faces, {}});
    write();
    start_ = positions_;
  }

 private:
  void write() {
    positions_ = cloth_.positions;
    for (const Vector3& x : body_.vertices) positions_.push_back(x + Vector3(0, 0, body_height_));
  }

  TriangleMesh mesh_, body_;
  std::vector<Layer> layers_;
  std::vector<double> rest_height_;
  ClothParticles cloth_;
  double spacing_ = 0.0, time_ = 0.0, body_height_ = 0.9;
  bool sinks_ = false;
};

class Skirt final : public Skirts {
 public:
  Skirt(int triangles, std::uint64_t seed) {
    Random random(seed);
    const int rows = std::max(4, static_cast<int>(std::sqrt(triangles / 6.0)));
    const int around = std::max(8, triangles / (2 * rows));
    std::vector<Vector2> profile;
    for (int i = 0; i <= rows; ++i) profile.push_back({waist_radius + 0.7 * i / rows, 0.8 - 0.35 * i / rows});
    add_layer(profile, around, 0.03, 9, random);
    finish(true);
  }
};

class Ruffles final : public Skirts {
 public:
  Ruffles(int triangles, std::uint64_t seed) {
    Random random(seed);
    constexpr int layer_count = 5;
    const int each = triangles / layer_count;
    const int rows = std::max(3, static_cast<int>(std::sqrt(each / 16.0)));
    const int around = std::max(16, each / (2 * rows));
    for (int k = 0; k < layer_count; ++k) {
      std::vector<Vector2> profile;
      for (int i = 0; i <= rows; ++i) {
        profile.push_back({waist_radius + 0.35 * i / rows, 0.85 - 0.05 * k - 0.15 * i / rows});
      }
      add_layer(profile, around, 0.12, 16 + 2 * k, random);
    }
    finish(false);
  }
};

}  // namespace

std::unique_ptr<DeformingScene> make_skirt(int triangles, std::uint64_t seed) {
  return std::make_unique<Skirt>(triangles, seed);
}

std::unique_ptr<DeformingScene> make_ruffles(int triangles, std::uint64_t seed) {
  return std::make_unique<Ruffles>(triangles, seed);
}

}  // namespace toccata::scenes
