// Rigid balls of several sizes in a closed box: impulses at contact, with friction that makes them spin.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "scenes/cloth_particles.hpp"
#include "scenes/deforming_makers.hpp"
#include "toccata/base/random.hpp"

namespace toccata::scenes {
namespace {

struct Ball {
  double radius = 0.0;
  Vector3 centre = Vector3::Zero(), velocity = Vector3::Zero(), spin = Vector3::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  double mass() const { return radius * radius * radius; }
};

class Balls final : public DeformingScene {
 public:
  Balls(int triangles, std::uint64_t seed) : shape_(round_ball(1.0, 12, 8)) {
    Random random(seed);
    const int count = std::max(2, triangles / static_cast<int>(shape_.faces.size()));
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(count))));
    room_ = 0.5 * side;
    for (int i = 0; i < count; ++i) {
      Ball ball;
      ball.radius = random.uniform(0.25, 0.42);
      ball.centre = Vector3(i % side, i / side % side, i / (side * side)) + Vector3::Constant(0.5 - room_);
      ball.velocity = 6.0 * random.in_box(1.0);
      ball.spin = 3.0 * random.in_box(1.0);
      balls_.push_back(ball);
      objects_.push_back({static_cast<std::int32_t>(shape_.vertices.size()), shape_.faces, {}});
    }
    write();
    start_ = positions_;
  }

  bool advance() override {
    start_ = positions_;
    constexpr double dt = 1.0 / 60.0;
    for (Ball& ball : balls_) {
      ball.velocity[2] -= 9.81 * dt;
      ball.centre += dt * ball.velocity;
      const double angle = ball.spin.norm() * dt;
      if (angle > 1e-12) {
        ball.turn =
            (Eigen::Quaterniond(Eigen::AngleAxisd(angle, ball.spin.normalized())) * ball.turn).normalized();
      }
      for (int k = 0; k < 3; ++k) {
        const double limit = room_ - ball.radius;
        if (std::abs(ball.centre[k]) > limit) {
          ball.centre[k] = std::copysign(limit, ball.centre[k]);
          ball.velocity[k] *= -0.8;
        }
      }
    }
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      for (std::size_t j = i + 1; j < balls_.size(); ++j) collide(balls_[i], balls_[j]);
    }
    write();
    return false;
  }

 private:
  static void collide(Ball& a, Ball& b) {
    const Vector3 d = b.centre - a.centre;
    const double distance = d.norm(), reach = a.radius + b.radius;
    if (distance >= reach || distance < 1e-12) return;
    const Vector3 n = d / distance;
    const double inverse_a = 1.0 / a.mass(), inverse_b = 1.0 / b.mass();
    const Vector3 push = (0.5 * (reach - distance) / (inverse_a + inverse_b)) * n;
    a.centre -= inverse_a * push;
    b.centre += inverse_b * push;
    const Vector3 slip = b.velocity - a.velocity - (b.radius * b.spin + a.radius * a.spin).cross(n);
    const double approach = n.dot(b.velocity - a.velocity);
    if (approach >= 0.0) return;
    const Vector3 tangential = slip - n.dot(slip) * n;
    const Vector3 impulse = (-1.8 * approach * n - 0.2 * tangential) / (inverse_a + inverse_b);
    a.velocity -= inverse_a * impulse;
    b.velocity += inverse_b * impulse;
    a.spin += (2.5 * inverse_a / a.radius) * impulse.cross(n);
    b.spin += (2.5 * inverse_b / b.radius) * impulse.cross(n);
  }

  void write() {
    positions_.clear();
    for (const Ball& ball : balls_) {
      const Matrix3 r = ball.radius * ball.turn.toRotationMatrix();
      for (const Vector3& x : shape_.vertices) positions_.push_back(ball.centre + r * x);
    }
  }

  TriangleMesh shape_;
  std::vector<Ball> balls_;
  double room_ = 0.0;
};

}  // namespace

std::unique_ptr<DeformingScene> make_balls(int triangles, std::uint64_t seed) {
  return std::make_unique<Balls>(triangles, seed);
}

}  // namespace toccata::scenes
