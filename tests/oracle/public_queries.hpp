#pragma once
// The public query sets with exact truth (TOCCATA_SHARED_DATA): the degenerate benchmark in CSV, and the
// candidate pairs of two consecutive frames of deforming scenes.
#include <string>
#include <vector>

#include "oracle/impact_oracle.hpp"

namespace toccata::oracle {

struct QuerySet {
  std::string name;
  FeaturePairKind pair = FeaturePairKind::VertexFace;
  std::vector<LinearMotion4> motions;
  std::vector<char> truth;  // as many as motions
};

// All CSV files below <data>/queries/nyu; empty when the folder is missing.
std::vector<QuerySet> degenerate_queries(const std::string& data);
// The candidates of <data>/frames/{cloth-ball,cloth-funnel}; empty when missing.
std::vector<QuerySet> frame_queries(const std::string& data);

}  // namespace toccata::oracle
