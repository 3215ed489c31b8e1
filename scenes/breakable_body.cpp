#include "scenes/breakable_body.hpp"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <cmath>
#include <unordered_map>

namespace toccata::scenes {
namespace {

Matrix3 nearest_rotation(const Matrix3& m) {
  const Eigen::JacobiSVD<Matrix3> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 sign = Matrix3::Identity();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0) sign(2, 2) = -1.0;
  return svd.matrixU() * sign * svd.matrixV().transpose();
}

}  // namespace

void BreakableBody::add(const TriangleMesh& mesh, int pieces, const Vector3& velocity, Random& random) {
  const auto vertex_offset = static_cast<std::int32_t>(positions.size());
  const auto piece_offset = static_cast<std::int32_t>(piece_body_.size());
  for (const Vector3& x : mesh.vertices) {
    positions.push_back(x);
    velocities.push_back(velocity);
    rest_.push_back(x);
    vertex_body_.push_back(body_count_);
  }
  const auto centre = [&](const Face& f) {
    return Vector3((mesh.vertices[f[0]] + mesh.vertices[f[1]] + mesh.vertices[f[2]]) / 3.0);
  };
  std::vector<Vector3> seeds;
  for (int i = 0; i < pieces; ++i) {
    seeds.push_back(centre(mesh.faces[random.integer(0, static_cast<int>(mesh.faces.size()) - 1)]));
    piece_body_.push_back(body_count_);
    loose_.push_back(false);
  }
  for (const Face& f : mesh.faces) {
    faces.push_back({f[0] + vertex_offset, f[1] + vertex_offset, f[2] + vertex_offset});
    std::int32_t nearest = 0;
    const Vector3 c = centre(f);
    for (int i = 1; i < pieces; ++i) {
      if ((seeds[i] - c).squaredNorm() < (seeds[nearest] - c).squaredNorm()) nearest = i;
    }
    face_piece.push_back(piece_offset + nearest);
  }
  ++body_count_;
}

Vector3 BreakableBody::piece_centre(int piece) const {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (face_piece[i] != piece) continue;
    for (const std::int32_t v : faces[i]) sum += positions[v];
    count += 3;
  }
  return count ? Vector3(sum / count) : sum;
}

void BreakableBody::break_off(int piece) {
  if (loose_[piece]) return;
  loose_[piece] = true;
  std::vector<std::uint8_t> outside(positions.size(), 0);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (face_piece[i] == piece) continue;
    for (const std::int32_t v : faces[i]) outside[v] = 1;
  }
  const Vector3 centre = piece_centre(piece);
  const std::int32_t body = body_count_++;
  piece_body_[piece] = body;
  std::vector<std::int32_t> copy(positions.size(), -1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (face_piece[i] != piece) continue;
    for (std::int32_t& v : faces[i]) {
      if (!outside[v]) {
        vertex_body_[v] = body;
        continue;
      }
      if (copy[v] < 0) {
        copy[v] = static_cast<std::int32_t>(positions.size());
        positions.push_back(positions[v] + 0.02 * (centre - positions[v]));
        velocities.push_back(velocities[v]);
        rest_.push_back(rest_[v]);
        vertex_body_.push_back(body);
      }
      v = copy[v];
    }
  }
}

void BreakableBody::fall(double dt, const Vector3& gravity) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    velocities[i] += dt * gravity;
    positions[i] += dt * velocities[i];
  }
}

void BreakableBody::match_shapes(double stiffness) {
  std::vector<Vector3> centre(body_count_, Vector3::Zero()), rest_centre = centre;
  std::vector<double> count(body_count_, 0.0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    centre[vertex_body_[i]] += positions[i];
    rest_centre[vertex_body_[i]] += rest_[i];
    count[vertex_body_[i]] += 1.0;
  }
  for (std::int32_t b = 0; b < body_count_; ++b) {
    if (count[b] == 0.0) continue;
    centre[b] /= count[b];
    rest_centre[b] /= count[b];
  }
  std::vector<Matrix3> turn(body_count_, Matrix3::Zero());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int32_t b = vertex_body_[i];
    turn[b] += (positions[i] - centre[b]) * (rest_[i] - rest_centre[b]).transpose();
  }
  for (std::int32_t b = 0; b < body_count_; ++b) {
    if (count[b] > 0.0) turn[b] = nearest_rotation(turn[b]);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int32_t b = vertex_body_[i];
    positions[i] += stiffness * (centre[b] + turn[b] * (rest_[i] - rest_centre[b]) - positions[i]);
  }
}

void BreakableBody::keep_apart(double radius) {
  const auto cell = [&](double x) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(x / radius))) & 0x1fffff;
  };
  const auto key = [](std::uint64_t i, std::uint64_t j, std::uint64_t k) { return i | j << 21 | k << 42; };
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells;
  cells.reserve(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3& x = positions[i];
    cells[key(cell(x[0]), cell(x[1]), cell(x[2]))].push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vector3 x = positions[i];
    for (int n = 0; n < 27; ++n) {
      const auto it = cells.find(key(cell(x[0] + (n % 3 - 1) * radius), cell(x[1] + (n / 3 % 3 - 1) * radius),
                                     cell(x[2] + (n / 9 - 1) * radius)));
      if (it == cells.end()) continue;
      for (const std::int32_t j : it->second) {
        if (static_cast<std::size_t>(j) <= i || vertex_body_[j] == vertex_body_[i]) continue;
        const Vector3 d = positions[j] - positions[i];
        const double distance = d.norm();
        if (distance >= radius || distance < 1e-12) continue;
        const Vector3 push = (0.25 * (radius - distance) / distance) * d;
        positions[i] -= push;
        positions[j] += push;
      }
    }
  }
}

void BreakableBody::take_velocities(const std::vector<Vector3>& before, double dt, double damping) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    velocities[i] = (1.0 - damping) / dt * (positions[i] - before[i]);
}

}  // namespace toccata::scenes
