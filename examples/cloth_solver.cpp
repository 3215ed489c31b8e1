// A cloth falls onto a table and hangs over its edges. The solver knows nothing of contact; continuous
// collision detection stops every step where it would pass through something, and a response pushes what came
// too close apart.
#include <toccata/toccata.hpp>

#include <algorithm>
#include <cstdio>

#include "box.hpp"

using namespace toccata;

namespace {

constexpr int cells = 12;  // along each side of the cloth
constexpr double width = 2.0, dt = 1.0 / 100.0, thickness = 0.02;
using Positions = std::vector<Vector3>;

struct Spring {
  int a, b;
  double length;
};

TriangleMesh make_cloth(double height) {
  TriangleMesh cloth;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i)
      cloth.vertices.push_back({width * i / cells - 0.9, width * j / cells - 1.05, height});
  }
  const auto at = [](int i, int j) { return j * (cells + 1) + i; };
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      cloth.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      cloth.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return cloth;
}

class ClothSolver {
 public:
  ClothSolver(const TriangleMesh& cloth, const TriangleMesh& table)
      : scene_(DeformableScene::build({cloth, table}).value()),
        moving_(static_cast<std::int32_t>(cloth.vertices.size())),
        positions_(cloth.vertices),
        velocities_(cloth.vertices.size(), Vector3::Zero()) {
    positions_.insert(positions_.end(), table.vertices.begin(), table.vertices.end());
    for (const Edge& e : scene_.edges()) {
      if (e[1] < moving_) springs_.push_back({e[0], e[1], (positions_[e[0]] - positions_[e[1]]).norm()});
    }
  }

  void step(bool respond) {
    Positions next = predicted();
    contacts = passes = 0;
    while (respond && passes < 20 && pushed_apart(next)) ++passes;
    taken = shortened(next);
    for (std::int32_t i = 0; i < moving_; ++i) velocities_[i] = 0.97 * (next[i] - positions_[i]) / dt;
    positions_ = next;
  }

  double lowest() const {
    return std::min_element(positions_.begin(), positions_.begin() + moving_,
                            [](const auto& p, const auto& q) { return p.z() < q.z(); })
        ->z();
  }
  TriangleMesh mesh() const { return {positions_, {scene_.faces().begin(), scene_.faces().end()}}; }

  int contacts = 0, passes = 0;  // of the last step: answered, and in how many rounds
  double taken = 1.0;            // the share of it that was taken

 private:
  // Where the cloth would go without contact: gravity, then springs.
  Positions predicted() const {
    Positions next = positions_;
    for (std::int32_t i = 0; i < moving_; ++i) next[i] += dt * (velocities_[i] + dt * Vector3(0, 0, -9.81));
    for (int sweep = 0; sweep < 15; ++sweep) {
      for (const Spring& s : springs_) {
        const Vector3 along = next[s.b] - next[s.a];
        const Vector3 half = 0.5 * (1.0 - s.length / along.norm()) * along;
        next[s.a] += half;
        next[s.b] -= half;
      }
    }
    return next;
  }

  // Every pair of features that comes closer than the thickness ends that far apart, on the side where it
  // was.
  bool pushed_apart(Positions& next) {
    if (!scene_.update(positions_, next)) return false;
    DeformableOptions question;
    question.minimum_distance = thickness;
    bool moved = false;
    for (const DeformableContact& contact : scene_.all_contacts(question).contacts) {
      const auto [vertex, weight] = stencil_of(contact);
      const Vector3& normal = contact.impact.normal;  // from the first feature to the second
      Vector3 gap = Vector3::Zero(), slid = Vector3::Zero();
      double share = 0.0;
      for (int k = 0; k < 4; ++k) {
        gap += weight[k] * next[vertex[k]];
        slid += weight[k] * (next[vertex[k]] - positions_[vertex[k]]);
        if (vertex[k] < moving_) share += weight[k] * weight[k];
      }
      const double missing = 1.1 * thickness - gap.dot(normal);
      if (share == 0.0 || missing <= 0.0) continue;
      const Vector3 push = missing * normal - 0.3 * (slid - slid.dot(normal) * normal);  // and some friction
      for (int k = 0; k < 4; ++k) {
        if (vertex[k] < moving_) next[vertex[k]] += weight[k] / share * push;
      }
      ++contacts;
      moved = true;
    }
    return moved;
  }

  // The four vertices of a contact, and what to multiply them with to get from the first feature to the
  // second.
  std::pair<std::array<std::int32_t, 4>, std::array<double, 4>> stencil_of(const DeformableContact& c) const {
    const std::array<double, 4>& w = c.impact.weights;
    if (c.pair.kind == FeaturePairKind::VertexFace) {
      const Face& f = scene_.faces()[c.pair.second];
      return {{c.pair.first, f[0], f[1], f[2]}, {-w[0], w[1], w[2], w[3]}};
    }
    const Edge &a = scene_.edges()[c.pair.first], &b = scene_.edges()[c.pair.second];
    return {{a[0], a[1], b[0], b[1]}, {-w[0], -w[1], w[2], w[3]}};
  }

  // Takes only as much of the step as is proven free, until the very numbers that are taken are.
  double shortened(Positions& next) {
    double share = 1.0;
    for (int attempt = 0; attempt < 10; ++attempt) {
      if (!scene_.update(positions_, next)) break;
      const double free = scene_.safe_step().fraction;
      if (free == 1.0) return share;
      share *= 0.8 * free;
      for (std::size_t i = 0; i < next.size(); ++i)
        next[i] = positions_[i] + 0.8 * free * (next[i] - positions_[i]);
    }
    next = positions_;
    return 0.0;
  }

  DeformableScene scene_;
  std::int32_t moving_;
  Positions positions_;
  std::vector<Vector3> velocities_;
  std::vector<Spring> springs_;
};

void run(const char* name, bool respond) {
  std::printf("%s\n", name);
  ClothSolver solver(make_cloth(0.3), box(1.0, 1.0, 0.2));
  for (int frame = 1; frame <= 150; ++frame) {
    solver.step(respond);
    if (frame % 30 == 0) {
      std::printf(
          "  frame %3d: %3d contacts answered, %.2f of the step taken, lowest point %.2f, crosses itself: "
          "%s\n",
          frame, solver.contacts, solver.taken, solver.lowest(),
          self_intersects(solver.mesh()).intersects ? "yes" : "no");
    }
  }
}

}  // namespace

int main() {
  run("detection alone", false);
  run("with a response", true);
}
// Output:
// detection alone
//   frame  30:   0 contacts answered, 0.00 of the step taken, lowest point 0.10, crosses itself: no
//   frame  60:   0 contacts answered, 0.00 of the step taken, lowest point 0.10, crosses itself: no
//   frame  90:   0 contacts answered, 0.00 of the step taken, lowest point 0.10, crosses itself: no
//   frame 120:   0 contacts answered, 0.00 of the step taken, lowest point 0.10, crosses itself: no
//   frame 150:   0 contacts answered, 0.00 of the step taken, lowest point 0.10, crosses itself: no
// with a response
//   frame  30:  27 contacts answered, 1.00 of the step taken, lowest point -0.08, crosses itself: no
//   frame  60:  47 contacts answered, 1.00 of the step taken, lowest point -0.70, crosses itself: no
//   frame  90:  82 contacts answered, 1.00 of the step taken, lowest point -0.64, crosses itself: no
//   frame 120:  64 contacts answered, 1.00 of the step taken, lowest point -0.69, crosses itself: no
//   frame 150:  74 contacts answered, 1.00 of the step taken, lowest point -0.70, crosses itself: no
