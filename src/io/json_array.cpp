#include "io/json_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace toccata::json_array {
namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "arrays are written little-endian");

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <typename T>
std::string encode_base64(std::span<const T> values) {
  const auto* data = reinterpret_cast<const unsigned char*>(values.data());
  const std::size_t size = values.size_bytes();
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t left = size - i;
    const std::uint32_t word =
        data[i] << 16 | (left > 1 ? data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
    text += digits[word >> 18];
    text += digits[word >> 12 & 63];
    text += left > 1 ? digits[word >> 6 & 63] : '=';
    text += left > 2 ? digits[word & 63] : '=';
  }
  return text;
}

constexpr std::array<std::int8_t, 256> digit_values = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}();

std::optional<std::vector<unsigned char>> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<unsigned char> data;
  data.reserve(text.size() * 3 / 4);
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = digit_values[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    word = word << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      data.push_back(static_cast<unsigned char>(word >> bits));
    }
  }
  return data;
}

template <typename T>
Json typed(const char* type, int components, std::span<const T> values) {
  return {{"type", type}, {"components", components}, {"base64", encode_base64(values)}};
}

Json list(const Vector3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

template <typename T>
bool append_as_double(const std::vector<unsigned char>& data, std::vector<double>& values) {
  if (data.size() % sizeof(T) != 0) return false;
  const std::size_t count = data.size() / sizeof(T);
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return true;
}

// The text of a field, or nothing if it is not there or not text.
std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// So many numbers, or none.
std::optional<std::vector<double>> plain_numbers(const Json& array, std::size_t count) {
  if (!array.is_array() || array.size() != count) return std::nullopt;
  std::vector<double> values;
  for (const Json& value : array) {
    if (!value.is_number()) return std::nullopt;
    values.push_back(value.get<double>());
  }
  return values;
}

// precondition: array is an object
Expected<std::vector<double>> read_typed(const Json& array, std::size_t components, const std::string& what) {
  const std::string type = text_of(array, "type");
  const auto text = array.find("base64");
  if (text == array.end() || !text->is_string()) return Error{what + ": \"base64\" is not a text"};
  const auto data = decode_base64(text->get_ref<const std::string&>());
  if (!data) return Error{what + ": not base64"};
  const auto width = array.find("components");
  if (width == array.end() || *width != components)
    return Error{what + ": expected " + std::to_string(components) + " components"};
  std::vector<double> values;
  bool whole = false;
  if (type == "float64") {
    whole = append_as_double<double>(*data, values);
  } else if (type == "float32") {
    whole = append_as_double<float>(*data, values);
  } else if (type == "uint32") {
    whole = append_as_double<std::uint32_t>(*data, values);
  } else if (type == "int32") {
    whole = append_as_double<std::int32_t>(*data, values);
  } else if (type == "uint16") {
    whole = append_as_double<std::uint16_t>(*data, values);
  } else if (type == "uint8") {
    whole = append_as_double<std::uint8_t>(*data, values);
  } else {
    return Error{what + ": unknown array type '" + type + "'"};
  }
  if (!whole || values.size() % components != 0)
    return Error{what + ": the number of values is not a multiple of " + std::to_string(components)};
  if (array.contains("scale") && array.contains("offset")) {
    const auto scale = plain_numbers(array["scale"], components);
    const auto offset = plain_numbers(array["offset"], components);
    if (!scale || !offset)
      return Error{what + ": expected " + std::to_string(components) + " numbers as scale and as offset"};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (*offset)[i % components] + (*scale)[i % components] * values[i];
  }
  return values;
}

// precondition: array is a list
Expected<std::vector<double>> read_lists(const Json& array, std::size_t components, const std::string& what) {
  std::vector<double> values;
  for (const Json& row : array) {
    if (components == 1 && row.is_number()) {
      values.push_back(row.get<double>());
      continue;
    }
    const auto numbers = plain_numbers(row, components);
    if (!numbers) return Error{what + ": expected rows of " + std::to_string(components) + " numbers"};
    values.insert(values.end(), numbers->begin(), numbers->end());
  }
  return values;
}

// The nearest of the 65536 places; 0 for what is not a number.
double grid_step(double value, double offset, double scale) {
  const double step = scale > 0.0 ? std::round((value - offset) / scale) : 0.0;
  return step > 0.0 ? std::min(step, 65535.0) : 0.0;
}

bool lies_on(const FrameGrid& grid, std::span<const Vector3> values) {
  for (const Vector3& v : values) {
    for (int k = 0; k < 3; ++k) {
      const double step = grid_step(v[k], grid.offset[k], grid.scale[k]);
      if (grid.offset[k] + grid.scale[k] * step != v[k]) return false;
    }
  }
  return true;
}

}  // namespace

Json positions(std::span<const Vector3> values) {
  static_assert(sizeof(Vector3) == 3 * sizeof(double));
  return typed("float64", 3, std::span(reinterpret_cast<const double*>(values.data()), 3 * values.size()));
}

Json quantised_positions(std::span<const Vector3> values, const std::optional<FrameGrid>& grid) {
  Vector3 lower = Vector3::Zero(), upper = Vector3::Zero();
  if (!values.empty()) lower = upper = values.front();
  for (const Vector3& v : values) {
    lower = lower.cwiseMin(v);
    upper = upper.cwiseMax(v);
  }
  Vector3 scale = (upper - lower) / 65535.0;
  if (grid && lies_on(*grid, values)) {
    lower = grid->offset;
    scale = grid->scale;
  }
  std::vector<std::uint16_t> stored;
  stored.reserve(3 * values.size());
  for (const Vector3& v : values) {
    for (int k = 0; k < 3; ++k) {
      stored.push_back(static_cast<std::uint16_t>(grid_step(v[k], lower[k], scale[k])));
    }
  }
  Json array = typed<std::uint16_t>("uint16", 3, stored);
  array["offset"] = list(lower);
  array["scale"] = list(scale);
  return array;
}

Json vectors(std::span<const Vector3> values) {
  std::vector<float> stored;
  stored.reserve(3 * values.size());
  for (const Vector3& v : values) {
    for (int k = 0; k < 3; ++k) stored.push_back(static_cast<float>(v[k]));
  }
  return typed<float>("float32", 3, stored);
}

Json scalars(std::span<const float> values) {
  return typed("float32", 1, values);
}

Json bytes(std::span<const std::uint8_t> values) {
  return typed("uint8", 1, values);
}

Json pairs(std::span<const std::int32_t> values) {
  return typed("int32", 2, values);
}

Json faces(std::span<const Face> values) {
  static_assert(sizeof(Face) == 3 * sizeof(std::uint32_t));
  return typed("uint32", 3,
               std::span(reinterpret_cast<const std::uint32_t*>(values.data()), 3 * values.size()));
}

Expected<std::vector<double>> read_numbers(const Json& array, std::size_t components,
                                           const std::string& what) {
  if (array.is_object()) return read_typed(array, components, what);
  if (array.is_array()) return read_lists(array, components, what);
  return Error{what + ": expected an array"};
}

std::optional<FrameGrid> read_grid(const Json& array) {
  if (!array.is_object() || text_of(array, "type") != "uint16") return std::nullopt;
  const auto offset = plain_numbers(array.value("offset", Json()), 3);
  const auto scale = plain_numbers(array.value("scale", Json()), 3);
  if (!offset || !scale) return std::nullopt;
  return FrameGrid{Vector3((*offset)[0], (*offset)[1], (*offset)[2]),
                   Vector3((*scale)[0], (*scale)[1], (*scale)[2])};
}

Expected<std::vector<Vector3>> read_positions(const Json& array, const std::string& what) {
  const Expected<std::vector<double>> values = read_numbers(array, 3, what);
  if (!values) return values.error();
  std::vector<Vector3> result;
  result.reserve(values->size() / 3);
  for (std::size_t i = 0; i < values->size(); i += 3) {
    result.emplace_back((*values)[i], (*values)[i + 1], (*values)[i + 2]);
  }
  return result;
}

Expected<std::vector<Face>> read_faces(const Json& array, const std::string& what) {
  const Expected<std::vector<double>> values = read_numbers(array, 3, what);
  if (!values) return values.error();
  std::vector<Face> result;
  result.reserve(values->size() / 3);
  for (std::size_t i = 0; i < values->size(); i += 3) {
    Face face{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double index = (*values)[i + k];
      if (!(index >= 0.0 && index < 2147483648.0 && std::floor(index) == index))
        return Error{what + ": a vertex index is out of range"};
      face[k] = static_cast<std::int32_t>(index);
    }
    result.push_back(face);
  }
  return result;
}

}  // namespace toccata::json_array
