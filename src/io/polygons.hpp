#pragma once
// Polygons on their way to triangles. Readers add them corner by corner as fans, since a file may name
// corners before it gives their positions; `finish` then re-cuts the concave ones.
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::io {

class PolygonBuilder {
 public:
  explicit PolygonBuilder(std::vector<Face>& faces) : faces_(faces) {}

  void begin() { corners_ = 0; }
  void add(std::int32_t corner) {
    if (corners_ == 0) {
      face_[0] = corner;
    } else if (corners_ == 1) {
      face_[2] = corner;
    } else {
      face_[1] = face_[2];
      face_[2] = corner;
      faces_.push_back(face_);
    }
    ++corners_;
  }
  std::int64_t corners() const { return corners_; }
  void end() {
    if (corners_ > 3) fans_.push_back({faces_.size() - static_cast<std::size_t>(corners_ - 2), corners_});
  }

  // Cuts every concave polygon along its inner diagonals. Polygons of more than `ear_limit` corners stay
  // fans, since ear clipping is quadratic in the corners.
  void finish(const std::vector<Vector3>& vertices);

  static constexpr std::int64_t ear_limit = 256;

 private:
  struct Fan {
    std::size_t first_face;
    std::int64_t corners;
  };

  std::vector<Face>& faces_;
  std::vector<Fan> fans_;
  Face face_{};
  std::int64_t corners_ = 0;
};

}  // namespace toccata::io
