#include "toccata/io/shape_io.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "hierarchy/given_tree.hpp"
#include "hierarchy/shape_data.hpp"
#include "io/checksum.hpp"
#include "io/file_bytes.hpp"
#include "io/geometry_bytes.hpp"
#include "io/read_failure.hpp"

namespace toccata {

using namespace io;

namespace {

constexpr std::string_view kind_line = "toccata shape ";
constexpr std::string_view first_line = "toccata shape 3\n";
constexpr std::uint64_t order_mark = 0x0102030405060708ULL;
constexpr std::size_t alignment = 64;
// Trees and meshes of fewer bytes are copied out of a file: a mapping takes whole pages, and what is copied
// is safe from those who write to the file later.
constexpr std::size_t least_mapped = 1 << 16;
// What a node says; after it there is only what aligns the next one.
constexpr std::size_t told_of_node = offsetof(BoxNode, count) + sizeof(std::int32_t);

static_assert(std::is_trivially_copyable_v<BoxNode>);

struct Head {
  std::uint64_t order = order_mark;
  std::uint64_t size = 0;
  std::uint64_t sum = 0;  // of all that follows this number
  std::uint64_t geometry_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t node_bytes = sizeof(BoxNode);
  std::uint64_t node_children = box_width;
  std::uint64_t unused[7] = {};
};
constexpr std::size_t head_bytes = first_line.size() + sizeof(Head);
static_assert(head_bytes % alignment == 0 && alignment % alignof(BoxNode) == 0);
constexpr std::size_t summed_from = first_line.size() + offsetof(Head, geometry_bytes);

std::size_t padded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// A half space and a height field have no nodes that take long to make.
bool has_tree(const ShapeData& data) {
  return !data.is_half_space() && data.tree.heights == nullptr;
}

// Of all that is in the file but its content.
std::optional<std::string> wrong_sizes(const Head& head, std::size_t size) {
  if (head.node_bytes != sizeof(BoxNode) || head.node_children != static_cast<std::uint64_t>(box_width))
    return "has a tree of another layout: prepare the shape again from its mesh";
  if (head.geometry_bytes > size || head.nodes > size / sizeof(BoxNode) ||
      head_bytes + padded(head.geometry_bytes) + head.nodes * sizeof(BoxNode) != size)
    return "does not have the sizes that its head promises";
  return std::nullopt;
}

[[noreturn]] void throw_damaged() {
  throw ReadFailure{"is damaged: its checksum does not match its content"};
}

// The sum is left to who reads the content.
Head checked_head(std::string_view content) {
  if (!content.starts_with(kind_line)) throw ReadFailure{"is not a prepared shape of toccata"};
  if (!content.starts_with(first_line))
    throw ReadFailure{"is a prepared shape of another version than 3: prepare it again from its mesh"};
  if (content.size() < head_bytes) throw ReadFailure{"ends within its head"};
  Head head;
  std::memcpy(&head, content.data() + first_line.size(), sizeof head);
  if (head.order != order_mark)
    throw ReadFailure{
        "was written by a machine of another byte order: prepare the shape again from its mesh"};
  if (head.size != content.size())
    throw ReadFailure{"has " + std::to_string(content.size()) + " bytes, where its head promises " +
                      std::to_string(head.size)};
  if (std::optional<std::string> wrong = wrong_sizes(head, content.size())) {
    if (head.sum != checksum(content.substr(summed_from))) throw_damaged();
    throw ReadFailure{std::move(*wrong)};
  }
  return head;
}

// Who keeps the content where it is; nobody if it must be copied.
using Keeper = std::shared_ptr<const void>;

bool may_stay(const char* nodes, std::size_t bytes, const Keeper& keeper) {
  return keeper != nullptr && bytes >= least_mapped &&
         reinterpret_cast<std::uintptr_t>(nodes) % alignof(BoxNode) == 0;
}

struct CheckedNodes {
  BoxNodes nodes;
  TreeGlance glance;
};

// Summed and looked at, and copied where they cannot stay, block by block: the bytes come from memory once.
// The sum of all is checked.
CheckedNodes checked_nodes(std::string_view content, const Head& head, const Keeper& keeper) {
  constexpr std::size_t block = 32;  // nodes: they stay in the first cache
  Checksum sum(content.substr(summed_from));
  TreeGlance glance(head.nodes);
  const std::size_t first = head_bytes + padded(head.geometry_bytes);
  const bool stays = may_stay(content.data() + first, head.nodes * sizeof(BoxNode), keeper);
  const auto* const given = reinterpret_cast<const BoxNode*>(content.data() + first);  // if it stays
  std::vector<BoxNode> nodes;
  if (!stays) nodes.reserve(head.nodes);
  bool all_finite = true;
  for (std::size_t from = 0; from < head.nodes; from += block) {
    const std::size_t count = std::min(block, head.nodes - from);
    const std::size_t at = first + from * sizeof(BoxNode);
    sum.advance(at + count * sizeof(BoxNode) - summed_from);
    if (!stays) {
      nodes.resize(from + count);
      std::memcpy(&nodes[from], content.data() + at, count * sizeof(BoxNode));
    }
    const std::span<const BoxNode> next((stays ? given : nodes.data()) + from, count);
    all_finite = are_finite(next) && all_finite;
    glance.take(next);
  }
  if (head.sum != sum.of_all()) throw_damaged();
  if (!all_finite) throw ReadFailure{"its tree is not right: a number of it is not finite"};
  return {stays ? BoxNodes(std::span(given, head.nodes), keeper) : BoxNodes(std::move(nodes)),
          std::move(glance)};
}

// A mesh large enough stays where it is, as its tree does.
GivenParts given_parts(std::string_view geometry, BoxNodes nodes, const Keeper& keeper) {
  GivenParts given;
  given.nodes = std::move(nodes);
  if (keeper == nullptr || geometry.size() < least_mapped) return given;
  if (const std::optional<MeshView> mesh = mesh_within(geometry); mesh && is_sound(*mesh)) {
    given.mesh = *mesh;
    given.mesh_keeper = keeper;
  }
  return given;
}

Shape shape_in(std::string_view content, const Keeper& keeper) {
  const Head head = checked_head(content);
  CheckedNodes checked = checked_nodes(content, head, keeper);
  const std::string_view bytes = content.substr(head_bytes, head.geometry_bytes);
  GivenParts parts = given_parts(bytes, std::move(checked.nodes), keeper);
  Geometry geometry = parts.mesh_keeper != nullptr ? TriangleMesh() : geometry_in(bytes);
  const auto built = [&] {
    Expected<Shape> shape = Shape::build(std::move(geometry));
    if (!shape) throw ReadFailure{shape.error().message};
    return std::move(*shape);
  };
  if (std::holds_alternative<HalfSpace>(geometry) || std::holds_alternative<HeightField>(geometry)) {
    if (head.nodes != 0) throw ReadFailure{"has a tree where none belongs"};
    return built();
  }
  const GivenTree given(std::move(parts));
  Shape shape = built();
  const ShapeData& data = shape.data();
  if (data.is_mesh && checked.glance.is_tree_over(static_cast<std::size_t>(data.piece_count()))) return shape;
  if (const std::optional<std::string> failure = failure_of_tree(data)) throw ReadFailure{*failure};
  return shape;
}

Expected<Shape> read_shape(std::string_view content, std::string_view name, const Keeper& keeper) {
  try {
    return shape_in(content, keeper);
  } catch (const ReadFailure& failure) {
    return Error{std::string(name) + ": " + failure.message};
  }
}

}  // namespace

std::string shape_bytes(const Shape& shape) {
  const ShapeData& data = shape.data();
  std::string out(head_bytes, '\0');
  append_geometry(out, data.given_geometry());
  Head head;
  head.geometry_bytes = out.size() - head_bytes;
  out.resize(head_bytes + padded(head.geometry_bytes));
  if (has_tree(data)) {
    head.nodes = data.tree.nodes.size();
    out.reserve(out.size() + head.nodes * sizeof(BoxNode));
    for (const BoxNode& node : data.tree.nodes) {
      out.append(reinterpret_cast<const char*>(&node), told_of_node);
      out.append(sizeof(BoxNode) - told_of_node, '\0');
    }
  }
  head.size = out.size();
  const auto write_head = [&] {
    std::memcpy(out.data(), first_line.data(), first_line.size());
    std::memcpy(out.data() + first_line.size(), &head, sizeof head);
  };
  write_head();
  head.sum = checksum(std::string_view(out).substr(summed_from));
  write_head();
  return out;
}

Expected<Shape> parse_shape(std::string_view content, std::string_view name) {
  return read_shape(content, name, nullptr);
}

Expected<std::size_t> save_shape(const std::string& path, const Shape& shape, bool force) {
  return write_file(path, shape_bytes(shape), force);
}

Expected<Shape> load_shape(const std::string& path) {
  Expected<FileBytes> bytes = FileBytes::map(path);
  if (!bytes) return bytes.error();
  const auto kept = std::make_shared<const FileBytes>(std::move(*bytes));
  kept->fetch();
  return read_shape(kept->view(), path, kept);
}

}  // namespace toccata
