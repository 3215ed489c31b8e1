#pragma once
// One contact of a deforming scene: two features and the exact answer of their elementary query.
#include "toccata/report/contact.hpp"
#include "toccata/report/feature_pair.hpp"
#include "toccata/report/impact.hpp"

namespace toccata {

// impact.status is Contact, or OverlapAtStart when the features already touch at t = 0. Only where rounding
// hides a minimum distance that is tiny against the coordinates is it OutOfBudget: apart until impact.lower,
// undecided from then on.
struct DeformableContact {
  FeaturePair pair;
  Impact impact;
};

// The pair of features that a contact of a deforming scene is between.
constexpr FeaturePair feature_pair_of(const Feature& a, const Feature& b) {
  FeaturePairKind kind = FeaturePairKind::VertexFace;
  if (a.kind == FeatureKind::Edge) kind = FeaturePairKind::EdgeEdge;
  if (a.kind == FeatureKind::Vertex && b.kind == FeatureKind::Edge) kind = FeaturePairKind::VertexEdge;
  if (a.kind == FeatureKind::Vertex && b.kind == FeatureKind::Vertex) kind = FeaturePairKind::VertexVertex;
  return {kind, a.index, b.index};
}

}  // namespace toccata
