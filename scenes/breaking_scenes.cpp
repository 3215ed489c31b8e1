// Soft letters that break in a bowl, and a bunny-like body that breaks a dragon-like one.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

#include "scenes/breakable_body.hpp"
#include "scenes/cloth_particles.hpp"
#include "scenes/deforming_makers.hpp"
#include "scenes/torus_knot.hpp"

namespace toccata::scenes {
namespace {

constexpr double frame_time = 1.0 / 60.0;

// 5 x 7 bitmaps of T, O, C, A; rows from the top.
constexpr std::array<std::string_view, 4> bitmaps = {
    "#####..#....#....#....#....#....#..", ".###.#...##...##...##...##...#.###.",
    ".###.#...##....#....#....#...#.###.", ".###.#...##...#######...##...##...#"};

// The surface of the set cells, `divisions` squares along a cell's side.
TriangleMesh letter_mesh(std::string_view bitmap, int divisions, double cell) {
  TriangleMesh mesh;
  std::map<std::array<int, 3>, std::int32_t> index;
  const auto filled = [&](int i, int j, int k) {
    return i >= 0 && i < 5 && j >= 0 && j < 7 && k == 0 &&
           bitmap[static_cast<std::size_t>(i + 5 * (6 - j))] == '#';
  };
  const auto vertex = [&](const std::array<int, 3>& p) {
    const auto [it, added] = index.try_emplace(p, static_cast<std::int32_t>(mesh.vertices.size()));
    if (added) mesh.vertices.push_back(cell / divisions * Vector3(p[0], p[2], p[1]));
    return it->second;
  };
  for (int n = 0; n < 35 * 6; ++n) {
    const int i = n / 6 % 5, j = n / 30, axis = n % 3, side = n % 6 / 3;
    const std::array<int, 3> at = {i, j, 0};
    std::array<int, 3> beside = at;
    beside[axis] += side ? 1 : -1;
    if (!filled(i, j, 0) || filled(beside[0], beside[1], beside[2])) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int a = 0; a < divisions; ++a) {
      for (int b = 0; b < divisions; ++b) {
        std::array<std::int32_t, 4> corner;
        for (int c = 0; c < 4; ++c) {
          std::array<int, 3> p;
          p[axis] = divisions * (at[axis] + side);
          p[u] = divisions * at[u] + a + (c == 1 || c == 2);
          p[v] = divisions * at[v] + b + (c >= 2);
          corner[c] = vertex(p);
        }
        if (side) std::swap(corner[1], corner[3]);
        mesh.faces.push_back({corner[0], corner[1], corner[2]});
        mesh.faces.push_back({corner[0], corner[2], corner[3]});
      }
    }
  }
  return mesh;
}

// What both scenes share: one rigid or moving companion first, the breakable bodies last.
class BreakingScene : public DeformingScene {
 public:
  bool advance() override {
    const bool broke = break_pieces();
    write(start_);
    constexpr int substeps = 3;
    for (int s = 0; s < substeps; ++s) {
      const double dt = frame_time / substeps;
      const std::vector<Vector3> before = bodies_.positions;
      bodies_.fall(dt, {0, 0, -9.81});
      move_companion(dt);
      bodies_.keep_apart(reach_);
      for (int sweep = 0; sweep < 2; ++sweep) {
        bodies_.match_shapes(0.5);
        for (Vector3& x : bodies_.positions) constrain(x);
      }
      bodies_.take_velocities(before, dt, 0.01);
    }
    ++frame_;
    objects_.back() = {static_cast<std::int32_t>(bodies_.positions.size()), bodies_.faces, {}};
    write(positions_);
    return broke;
  }

 protected:
  virtual bool break_pieces() = 0;
  virtual void move_companion(double dt) = 0;
  virtual void constrain(Vector3& x) const = 0;

  void finish() {
    objects_ = {{static_cast<std::int32_t>(companion_.vertices.size()), companion_.faces, {}},
                {static_cast<std::int32_t>(bodies_.positions.size()), bodies_.faces, {}}};
    write(positions_);
    start_ = positions_;
  }
  void write(std::vector<Vector3>& to) const {
    to = companion_.vertices;
    to.insert(to.end(), bodies_.positions.begin(), bodies_.positions.end());
  }

  TriangleMesh companion_;
  BreakableBody bodies_;
  double reach_ = 0.01;
  int frame_ = 0;
};

class Letters final : public BreakingScene {
 public:
  Letters(int triangles, std::uint64_t seed) : random_(seed) {
    const int divisions = std::max(1, static_cast<int>(std::lround(std::sqrt(triangles * 0.75 / 900.0))));
    const int around = std::max(12, static_cast<int>(std::sqrt(triangles * 0.25)));
    std::vector<Vector2> profile;
    for (int i = 1; i <= around / 2; ++i) {
      const double u = 0.5 * std::numbers::pi * i / (around / 2);
      profile.push_back({std::sin(u), -std::cos(u)});
    }
    companion_ = surface_of_revolution(profile, around);
    reach_ = 0.05 / divisions;
    int n = 0;
    for (const int letter : {0, 1, 2, 2, 3, 0, 3}) {  // T O C C A T A
      TriangleMesh mesh = letter_mesh(bitmaps[letter], divisions, 0.07);
      const double u = 2.0 * std::numbers::pi * n / 7;
      for (Vector3& x : mesh.vertices)
        x += Vector3(0.35 * std::cos(u) - 0.15, 0.35 * std::sin(u), 0.2 + 0.25 * n);
      bodies_.add(mesh, 5, Vector3(-0.3 * std::cos(u), -0.3 * std::sin(u), -1.0), random_);
      ++n;
    }
    finish();
  }

 private:
  bool break_pieces() override {
    if (frame_ < 10 || frame_ % 3 != 0) return false;
    // A piece near the bowl's wall comes off.
    for (int tries = 0; tries < 8; ++tries) {
      const int piece = random_.integer(0, bodies_.piece_count() - 1);
      if (bodies_.is_loose(piece) || bodies_.piece_centre(piece).norm() < 0.75) continue;
      bodies_.break_off(piece);
      return true;
    }
    return false;
  }
  void move_companion(double) override {}
  void constrain(Vector3& x) const override {
    constexpr double inside = 0.97;
    if (x[2] < 0.0 && x.norm() > inside) x *= inside / x.norm();
    if (x[2] >= 0.0 && std::hypot(x[0], x[1]) > inside) {
      const double scale = inside / std::hypot(x[0], x[1]);
      x = Vector3(x[0] * scale, x[1] * scale, x[2]);
    }
  }

  Random random_;
};

class Breaking final : public BreakingScene {
 public:
  Breaking(int triangles, std::uint64_t seed) : random_(seed) {
    // The falling body: a ball with two ears and some dents.
    const int ring = std::max(8, static_cast<int>(std::sqrt(triangles * 0.1)));
    companion_ = round_ball(0.5, ring, ring);
    for (Vector3& x : companion_.vertices) {
      const Vector3 d = x.normalized();
      double out = 1.0 + 0.05 * std::sin(7.0 * d[0]) * std::sin(5.0 * d[1] + 1.0);
      for (const double side : {-1.0, 1.0}) {
        const double ear = d.dot(Vector3(0.35 * side, 0.0, 0.93));
        out += 0.9 * std::exp(-60.0 * (1.0 - ear));
      }
      x = out * x + Vector3(0, 0, 1.9);
    }
    // The breaking body: a long coiled tube with a jagged back.
    const int around = std::max(8, static_cast<int>(std::sqrt(triangles * 0.8 / 2.0 / 12.0)));
    TriangleMesh dragon = torus_knot({.along = 12 * around,
                                      .around = around,
                                      .core_radius = 1.0,
                                      .winding_radius = 0.45,
                                      .tube_radius = 0.2});
    for (Vector3& x : dragon.vertices) {
      x *= 1.0 + 0.03 * std::sin(40.0 * x[0]) * std::sin(37.0 * x[1]) * std::sin(43.0 * x[2]);
    }
    bodies_.add(dragon, std::clamp(triangles / 1000, 12, 250), Vector3::Zero(), random_);
    reach_ = 0.5 * 2.0 * std::numbers::pi * 0.2 / around;
    finish();
  }

 private:
  bool break_pieces() override {
    if (frame_ < 5) return false;
    // The crack spreads from where the body struck.
    const double front = 0.6 + 0.06 * (frame_ - 5);
    bool broke = false;
    for (int piece = 0; piece < bodies_.piece_count(); ++piece) {
      if (bodies_.is_loose(piece)) continue;
      if ((bodies_.piece_centre(piece) - Vector3(0, 0, 0.3)).norm() > front) continue;
      bodies_.break_off(piece);
      broke = true;
    }
    return broke;
  }
  void move_companion(double dt) override {
    const double floor = -0.2;
    double lowest = 1e9;
    for (const Vector3& x : companion_.vertices) lowest = std::min(lowest, x[2]);
    speed_ = lowest > floor ? speed_ - 9.81 * dt : 0.0;
    Vector3 centre = Vector3::Zero();
    for (Vector3& x : companion_.vertices) {
      x[2] += dt * speed_;
      centre += x / static_cast<double>(companion_.vertices.size());
    }
    for (Vector3& x : bodies_.positions) {
      const Vector3 d = x - centre;
      const double distance = d.norm();
      if (distance < 0.56 && distance > 1e-9) x = centre + 0.56 / distance * d;
    }
  }
  void constrain(Vector3& x) const override { x[2] = std::max(x[2], -0.7); }

  Random random_;
  double speed_ = -2.0;
};

}  // namespace

std::unique_ptr<DeformingScene> make_letters(int triangles, std::uint64_t seed) {
  return std::make_unique<Letters>(triangles, seed);
}

std::unique_ptr<DeformingScene> make_breaking(int triangles, std::uint64_t seed) {
  return std::make_unique<Breaking>(triangles, seed);
}

}  // namespace toccata::scenes
