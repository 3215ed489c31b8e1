#pragma once
// Prepared shapes in files: the geometry of any kind and, of meshes and compounds, the tree of boxes over it,
// so that a shape is read instead of built again. Loading checks everything once and leaves the tree, and the
// lists of a mesh, in the mapped file, which the shape keeps mapped; it takes a small part of the time that
// building takes. Geometry of other kinds is copied.
//
// The format, version 3, as the machine has numbers (little endian with IEEE doubles; anything else is
// refused): "toccata shape 3\n", then fourteen 8-byte integers: a mark of the byte order, the size of the
// file, the checksum of all that follows, the bytes of the geometry, the nodes of the tree, the bytes of a
// node, the children of a node, and seven times 0. Then the geometry, padded to 64 bytes, then the nodes,
// which so start at a multiple of 64.
//
// A file that was cut off or altered is refused, and so is one of another version or layout. Whatever the
// bytes are, reading them is safe: every number is checked before it is used. But the checksum tells damage,
// not malice: that boxes hold their triangles is not proven again, so that a forged file can give wrong
// answers. Take meshes, not prepared shapes, from people you do not trust.
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// Returns the size in bytes. Written aside and moved into place. Without `force` an existing file is an
// error, and stays as it is.
Expected<std::size_t> save_shape(const std::string& path, const Shape& shape, bool force = true);
// Its answers are those of the shape that was saved, bit by bit. A tree or a mesh of 64 kB and more stays in
// the mapped file as long as a copy of the shape lives: the file may be removed and replaced (save_shape
// does), but who overwrites it in place or cuts it off changes the shape or ends the process. Where that may
// happen, read the bytes and use parse_shape, which copies. Shape::mesh and Shape::geometry of such a mesh
// copy it when first asked for; questions do not, but for a few that need its connected parts.
Expected<Shape> load_shape(const std::string& path);

// The same in memory. `name` stands for the file in errors.
std::string shape_bytes(const Shape& shape);
Expected<Shape> parse_shape(std::string_view content, std::string_view name = "shape");

}  // namespace toccata
