#pragma once
// Kim, Rossignac 2003: the relative motion as screw segments, closed-form contact equations of vertex and
// triangle and of two edges under a screw, and rejection by cylinders, heights and angles about the screw's
// axis.
#include "ccd/rigid/advancement.hpp"

namespace toccata {

// How many pairs of features (corner and triangle, edge and edge) came up, and how many of them the annulus,
// height and angle tests rejected before their equation was looked at.
struct ScrewRejections {
  std::int64_t feature_pairs = 0;
  std::int64_t rejected = 0;
};

AdvancementAnswer screw_to_contact(const AdvancementQuestion& question,
                                   ScrewRejections* rejections = nullptr);

}  // namespace toccata
