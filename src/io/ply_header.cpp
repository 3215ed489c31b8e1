#include "io/ply_header.hpp"

#include <array>
#include <utility>

#include "io/text_cursor.hpp"

namespace toccata::io {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> type_names = {{
    {"char", PlyType::Int8},
    {"int8", PlyType::Int8},
    {"uchar", PlyType::Uint8},
    {"uint8", PlyType::Uint8},
    {"short", PlyType::Int16},
    {"int16", PlyType::Int16},
    {"ushort", PlyType::Uint16},
    {"uint16", PlyType::Uint16},
    {"int", PlyType::Int32},
    {"int32", PlyType::Int32},
    {"uint", PlyType::Uint32},
    {"uint32", PlyType::Uint32},
    {"float", PlyType::Float32},
    {"float32", PlyType::Float32},
    {"double", PlyType::Float64},
    {"float64", PlyType::Float64},
}};

PlyType read_type(TextCursor& cursor) {
  const std::string_view word = cursor.peek();
  for (const auto& [name, type] : type_names) {
    if (word == name) {
      cursor.token();
      return type;
    }
  }
  cursor.fail_expected("a PLY type (float, double, uchar, int, ...)");
}

PlyProperty read_property(TextCursor& cursor) {
  PlyProperty property;
  if (cursor.peek() == "list") {
    cursor.token();
    property.is_list = true;
    cursor.peek();
    const char* place = cursor.place();
    property.count_type = read_type(cursor);
    if (property.count_type == PlyType::Float32 || property.count_type == PlyType::Float64) {
      cursor.fail_expected("an integer type for the length of the list", place);
    }
  }
  property.type = read_type(cursor);
  if (cursor.peek().empty()) cursor.fail_expected("the name of the property");
  property.name = std::string(cursor.token());
  return property;
}

void read_format(TextCursor& cursor, PlyHeader& header) {
  const std::string_view format = cursor.peek();
  if (format == "ascii") {
    header.ascii = true;
  } else if (format == "binary_big_endian") {
    header.order = std::endian::big;
  } else if (format != "binary_little_endian") {
    cursor.fail_expected("ascii, binary_little_endian or binary_big_endian");
  }
  cursor.token();
  if (cursor.peek() != "1.0") cursor.fail_expected("the version 1.0");
  cursor.token();
}

}  // namespace

bool PlyElement::has_lists() const {
  for (const PlyProperty& property : properties) {
    if (property.is_list) return true;
  }
  return false;
}

std::size_t PlyElement::least_bytes() const {
  std::size_t bytes = 0;
  for (const PlyProperty& property : properties) {
    bytes += ply_size(property.is_list ? property.count_type : property.type);
  }
  return bytes;
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

PlyHeader read_ply_header(std::string_view content, std::string_view name) {
  TextCursor cursor(content, name);
  PlyHeader header;
  if (cursor.peek() != "ply") cursor.fail_expected("the word ply");
  cursor.token();
  cursor.expect_line_end("the end of the line");
  if (cursor.peek() != "format") cursor.fail_expected("the line 'format ...'");
  cursor.token();
  read_format(cursor, header);
  for (;;) {
    cursor.expect_line_end("the end of the line");
    const std::string_view word = cursor.peek();
    const char* place = cursor.place();
    if (word == "comment" || word == "obj_info") {
      while (!cursor.at_line_end()) cursor.token();
    } else if (word == "element") {
      cursor.token();
      PlyElement& element = header.elements.emplace_back();
      if (cursor.peek().empty()) cursor.fail_expected("the name of the element");
      element.name = std::string(cursor.token());
      cursor.peek();
      place = cursor.place();
      element.count = cursor.integer("the number of elements");
      if (element.count < 0) cursor.fail_expected("the number of elements", place);
    } else if (word == "property") {
      if (header.elements.empty()) cursor.fail_expected("an element before its properties", place);
      cursor.token();
      header.elements.back().properties.push_back(read_property(cursor));
    } else if (word == "end_header") {
      cursor.token();
      break;
    } else {
      cursor.fail_expected("element, property, comment or end_header", place);
    }
  }
  cursor.expect_line_end("the end of the line");
  header.bytes = static_cast<std::size_t>(cursor.place() - content.data());
  return header;
}

}  // namespace toccata::io
