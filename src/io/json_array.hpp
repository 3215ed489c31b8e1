#pragma once
// Arrays of numbers inside JSON: {"type": "float32", "components": 3, "base64": "..."}, little-endian,
// with value = offset + scale * stored for the quantised ones; or plain nested lists when written by hand.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/base/vector.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/io/report.hpp"

namespace toccata::json_array {

nlohmann::ordered_json positions(std::span<const Vector3> values);  // float64, as given
// uint16 over their box, or on the grid given, if they lie on it.
nlohmann::ordered_json quantised_positions(std::span<const Vector3> values,
                                           const std::optional<FrameGrid>& grid = {});
nlohmann::ordered_json vectors(std::span<const Vector3> values);     // float32
nlohmann::ordered_json scalars(std::span<const float> values);       // float32
nlohmann::ordered_json bytes(std::span<const std::uint8_t> values);  // uint8
nlohmann::ordered_json pairs(std::span<const std::int32_t> values);  // int32, two per row
nlohmann::ordered_json faces(std::span<const Face> values);          // uint32

// What the writers above wrote, or nested lists. `what` names the array in the error.
Expected<std::vector<Vector3>> read_positions(const nlohmann::ordered_json& array, const std::string& what);
Expected<std::vector<Face>> read_faces(const nlohmann::ordered_json& array, const std::string& what);
// All numbers, row after row; the array must have so many components per row.
Expected<std::vector<double>> read_numbers(const nlohmann::ordered_json& array, std::size_t components,
                                           const std::string& what);
// The grid of quantised positions; none if they are not.
std::optional<FrameGrid> read_grid(const nlohmann::ordered_json& array);

}  // namespace toccata::json_array
