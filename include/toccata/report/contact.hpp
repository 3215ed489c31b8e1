#pragma once
// Where two shapes meet or come closest: the one description of a contact, for every query.
#include "toccata/base/vector.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

struct Contact {
  Vector3 point_a = Vector3::Zero();  // world
  Vector3 point_b = Vector3::Zero();
  Vector3 normal = Vector3::Zero();  // unit, from a to b; zero only if the geometry leaves it undefined
  double distance = 0.0;             // |point_b - point_a|
  Feature feature_a;
  Feature feature_b;
};

}  // namespace toccata
