#pragma once
// The header of a PLY file: what elements follow, and what properties each has.
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toccata::io {

enum class PlyType { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

constexpr std::size_t ply_size(PlyType type) {
  switch (type) {
    case PlyType::Int8:
    case PlyType::Uint8:
      return 1;
    case PlyType::Int16:
    case PlyType::Uint16:
      return 2;
    case PlyType::Int32:
    case PlyType::Uint32:
    case PlyType::Float32:
      return 4;
    case PlyType::Float64:
      return 8;
  }
  return 0;
}

struct PlyProperty {
  std::string name;
  PlyType type;  // of the value, or of the members of the list
  bool is_list = false;
  PlyType count_type = PlyType::Uint8;  // of a list
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has_lists() const;
  // Bytes of one element in a binary file, with all lists empty.
  std::size_t least_bytes() const;
  // Index of the property, -1 if there is none.
  int find(std::string_view property) const;
};

struct PlyHeader {
  bool ascii = false;
  std::endian order = std::endian::little;  // of a binary file
  std::vector<PlyElement> elements;
  std::size_t bytes = 0;  // the data begin here
};

// Throws ReadFailure.
PlyHeader read_ply_header(std::string_view content, std::string_view name);

}  // namespace toccata::io
