#include "oracle/motions.hpp"

#include <cstdio>

namespace toccata::oracle {
namespace {

double nudged(Random& random, double x, int ulps) {
  const int steps = random.integer(-ulps, ulps);
  for (int i = 0; i < std::abs(steps); ++i) x = std::nextafter(x, steps > 0 ? 1e308 : -1e308);
  return x;
}

// Weights that favour the ends and the nearly-ends of [0, 1].
double weight(Random& random) {
  switch (random.integer(0, 7)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return 0.5;
    case 3:
      return std::ldexp(random.unit(), -random.integer(10, 60));
    case 4:
      return 1 - std::ldexp(random.unit(), -random.integer(10, 50));
    default:
      return random.unit();
  }
}

Vector3 mix(double s, const Vector3& a, const Vector3& b) {
  return (1 - s) * a + s * b;
}

// Moves one point so that the features meet at time t.
void make_meet(Random& random, FeaturePairKind pair, LinearMotion4& m, double t) {
  const auto at = [&](std::size_t i) { return mix(t, m.t0[i], m.t1[i]); };
  Vector3 target;  // for point 0
  if (pair == FeaturePairKind::VertexFace) {
    const double u = weight(random), w = weight(random) * (1 - u);
    target = (1 - u - w) * at(1) + u * at(2) + w * at(3);
  } else if (pair == FeaturePairKind::EdgeEdge) {
    // The point at s on edge a meets r on edge b; point 0 is moved by 1 / (1 - s) of what is missing.
    const double s = weight(random) * 0.75, r = weight(random);
    target = (mix(r, at(2), at(3)) - s * at(1)) / (1 - s);
  } else if (pair == FeaturePairKind::VertexEdge) {
    target = mix(weight(random), at(1), at(2));
  } else {
    target = at(1);
  }
  const Vector3 missing = target - at(0);
  if (random.integer(0, 1) == 0) {
    m.t0[0] += missing;
    m.t1[0] += missing;
  } else if (t > 0.5) {
    m.t1[0] += missing / t;
  } else {
    m.t0[0] += missing / (1 - t);
  }
}

void make_special(Random& random, LinearMotion4& m) {
  const auto point = [&] { return static_cast<std::size_t>(random.integer(0, 3)); };
  const std::size_t i = point(), j = point(), k = point();
  const int axis = random.integer(0, 2);
  switch (random.integer(0, 9)) {
    case 0:  // coincident points
      m.t0[i] = m.t0[j];
      if (random.integer(0, 1) == 0) m.t1[i] = m.t1[j];
      break;
    case 1:  // collinear points, throughout or at one end
      m.t0[i] = mix(random.uniform(-0.5, 1.5), m.t0[j], m.t0[k]);
      if (random.integer(0, 1) == 0) m.t1[i] = mix(random.uniform(-0.5, 1.5), m.t1[j], m.t1[k]);
      break;
    case 2:  // all in a coordinate plane that may move
      for (std::size_t p = 0; p < 4; ++p) m.t0[p][axis] = m.t0[0][axis], m.t1[p][axis] = m.t1[0][axis];
      break;
    case 3: {  // all in a tilted plane, throughout up to rounding
      const double a = random.uniform(-2, 2), b = random.uniform(-2, 2), c = random.uniform(-1, 1);
      for (auto* end : {&m.t0, &m.t1}) {
        for (Vector3& x : *end) x[axis] = a * x[(axis + 1) % 3] + b * x[(axis + 2) % 3] + c;
      }
      break;
    }
    case 4: {  // parallel edges up to rounding
      const double a = random.uniform(-2, 2);
      m.t0[1] = m.t0[0] + a * (m.t0[3] - m.t0[2]);
      if (random.integer(0, 1) == 0) m.t1[1] = m.t1[0] + a * (m.t1[3] - m.t1[2]);
      break;
    }
    case 5:  // nearly still
      for (std::size_t p = 0; p < 4; ++p) m.t1[p] = m.t0[p] + std::ldexp(1.0, -40) * random.in_box(1);
      break;
    case 6:  // all move as one
      for (std::size_t p = 1; p < 4; ++p) m.t1[p] = m.t0[p] + (m.t1[0] - m.t0[0]);
      break;
    case 7:  // still
      m.t1 = m.t0;
      break;
    case 8:  // through one point at one time
      m.t0[i] = 2 * m.t1[j] - m.t1[i];
      break;
    default:
      break;
  }
}

}  // namespace

std::string to_text(FeaturePairKind pair, const LinearMotion4& motion) {
  std::string text = std::string(to_string(pair)) + " {";
  char buffer[128];
  for (const auto* end : {&motion.t0, &motion.t1}) {
    text += "{";
    for (int i = 0; i < point_count(pair); ++i) {
      const Vector3& x = (*end)[static_cast<std::size_t>(i)];
      std::snprintf(buffer, sizeof buffer, "{%a, %a, %a}, ", x[0], x[1], x[2]);
      text += buffer;
    }
    text += "},\n  ";
  }
  return text + "}";
}

LinearMotion4 grid_motion(Random& random, int n) {
  LinearMotion4 motion;
  for_each_coordinate(motion, [&](double& x) { x = random.integer(-n, n); });
  return motion;
}

LinearMotion4 box_motion(Random& random) {
  LinearMotion4 motion;
  for_each_coordinate(motion, [&](double& x) { x = random.uniform(-1, 1); });
  return motion;
}

LinearMotion4 meeting_motion(Random& random, FeaturePairKind pair) {
  LinearMotion4 motion = box_motion(random);
  make_meet(random, pair, motion, weight(random));
  return motion;
}

LinearMotion4 near_degenerate_motion(Random& random, FeaturePairKind pair) {
  const bool grid = random.integer(0, 1) == 0;
  LinearMotion4 motion = grid ? grid_motion(random, random.integer(1, 4)) : box_motion(random);
  for (int i = random.integer(1, 2); i > 0; --i) make_special(random, motion);
  if (random.integer(0, 2) > 0) make_meet(random, pair, motion, weight(random));
  if (random.integer(0, 3) == 0) make_special(random, motion);
  if (random.integer(0, 3) == 0) {  // far from the origin: the differences lose bits
    const double far = std::ldexp(1.0, random.integer(4, 40));
    const Vector3 offset = random.in_box(far);
    for (auto* end : {&motion.t0, &motion.t1}) {
      for (Vector3& x : *end) x += offset;
    }
  }
  if (random.integer(0, 1) == 0) {
    const int rarity = random.integer(0, 10);
    for_each_coordinate(motion, [&](double& x) {
      if (random.integer(0, rarity) == 0) x = nudged(random, x, 2);
    });
  }
  return motion;
}

LinearMotion4 mixed_motion(Random& random, FeaturePairKind pair) {
  switch (random.integer(0, 3)) {
    case 0:
      return grid_motion(random, random.integer(1, 4));
    case 1:
      return box_motion(random);
    case 2:
      return meeting_motion(random, pair);
    default:
      return near_degenerate_motion(random, pair);
  }
}

LinearMotion4 scaled_motion(Random& random, FeaturePairKind pair) {
  LinearMotion4 motion =
      random.integer(0, 2) > 0 ? near_degenerate_motion(random, pair) : meeting_motion(random, pair);
  // Below 2^-1022 the products are denormal or zero; the largest coordinate of all stays finite.
  const auto power = [&] {
    switch (random.integer(0, 3)) {
      case 0:
        return random.integer(-1074, -960);
      case 1:
        return random.integer(900, 980);
      default:
        return random.integer(-1000, 980);
    }
  };
  const std::array powers = {power(), power(), power()};
  const int mode = random.integer(0, 3);
  for (auto* end : {&motion.t0, &motion.t1}) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const int p =
            mode == 0 ? powers[static_cast<std::size_t>(axis)] : powers[mode == 1 && i == 0 ? 1 : 0];
        (*end)[i][axis] = std::ldexp((*end)[i][axis], p);
      }
    }
  }
  return motion;
}

}  // namespace toccata::oracle
