#pragma once
// CULLIDE as its authors ran it: occlusion queries of OpenGL (the component Toccata::gl).
//
// image_space_pairs needs no graphics, leaves fewer pairs and is proven. Here rectangles around the widened
// and swept triangles are drawn in whole pixels and whole depths, so that no contact is lost as long as the
// driver fills rectangles and compares depths rightly.
#include <span>

#include "toccata/base/gl_device.hpp"
#include "toccata/broad_phase/image_space.hpp"

namespace toccata {

// `pairs`: those of the set whose boxes overlap; `part_pairs` likewise: pairs are not compared one by one, as
// image_space_pairs does. Error: as there, `with_self`, more pixels than OpenGL draws, or stopped.
Expected<ImageSpaceResult> gl_image_space_pairs(const GlDevice& device,
                                                std::span<const ImageSpaceBody> bodies,
                                                const ImageSpaceOptions& options = {});

}  // namespace toccata
