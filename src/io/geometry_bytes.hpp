#pragma once
// The geometry of a shape, of any kind, as bytes: whole numbers of 8 bytes, doubles, and lists with their
// counts before them, as the machine has them.
#include <optional>
#include <string>
#include <string_view>

#include "geometry/mesh_view.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata::io {

void append_geometry(std::string& out, const Geometry& geometry);

// Throws ReadFailure where the bytes end too soon or too late, or say what cannot be. Whether the geometry is
// all right is left to who builds a shape of it, but for hulls, whose lists must fit together.
Geometry geometry_in(std::string_view bytes);

// Where the lists of a mesh lie in these bytes; none if they do not lie so that they can be used there, or if
// the bytes are not those of a mesh.
std::optional<MeshView> mesh_within(std::string_view bytes);

}  // namespace toccata::io
