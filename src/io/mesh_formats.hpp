#pragma once
// One reader and one writer a format, each in its own file. Readers throw ReadFailure; they check that
// coordinates are finite and indices in range, so that the error can name the place.
#include <string>
#include <string_view>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::io {

TriangleMesh read_obj(std::string_view content, std::string_view name);
TriangleMesh read_off(std::string_view content, std::string_view name);
TriangleMesh read_ply(std::string_view content, std::string_view name);
TriangleMesh read_stl(std::string_view content, std::string_view name, bool weld);
bool is_binary_stl(std::string_view content);

std::string write_obj(const TriangleMesh& mesh);
std::string write_off(const TriangleMesh& mesh);
std::string write_ply(const TriangleMesh& mesh, bool ascii);
std::string write_stl(const TriangleMesh& mesh, bool ascii);

}  // namespace toccata::io
