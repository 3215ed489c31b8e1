#pragma once
// The public query sets with exact truth (test_data.hpp): the degenerate benchmark in CSV, and the
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

// All CSV files below a folder, queries/nyu; empty when it is missing.
std::vector<QuerySet> degenerate_queries(const std::string& root);
// The candidates of the two scenes of frames; one whose folder is missing is left out.
std::vector<QuerySet> frame_queries(const std::string& cloth_ball, const std::string& cloth_funnel);

}  // namespace toccata::oracle
