#pragma once
// Distance fields in files, with the mesh they are of.
//
// Little endian: "toccata field 3\n", then as 8-byte integers the numbers of vertices, faces, cells, planes,
// curves and triangle numbers, then the cube, error and band, and these. Another version is refused, and so
// is a file that is damaged: every number is checked before it is used.
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/field/distance_field.hpp"

namespace toccata {

// Returns the size in bytes. Without `force` an existing file is an error, and stays as it is.
Expected<std::size_t> save_distance_field(const std::string& path, const DistanceField& field,
                                          bool force = true);
// Prepares the mesh again, about a microsecond per triangle.
Expected<DistanceField> load_distance_field(const std::string& path);

// The same in memory. `name` stands for the file in errors.
std::string distance_field_bytes(const DistanceField& field);
Expected<DistanceField> parse_distance_field(std::string_view content, std::string_view name = "field");

}  // namespace toccata
