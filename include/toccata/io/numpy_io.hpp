#pragma once
// Arrays written by numpy.save (.npy) and numpy.savez (.npz), read as doubles.
//
// Any shape, either memory order, either byte order; floating numbers of 4 and 8 bytes, integers of 1 to 8
// bytes and booleans. Compressed .npz files, objects, text and complex numbers are refused, with what to do
// instead. Nothing is allocated for what a header promises until the file is known to be long enough.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct NumpyArray {
  std::vector<std::size_t> shape;  // empty: a single number
  std::vector<double> values;      // the last index runs fastest, whatever the order in the file

  std::string shape_text() const;  // "(600, 2, 7)"
};

// `name` stands for the file in errors.
Expected<NumpyArray> parse_npy(std::string_view content, std::string_view name = "array");

// One array of an .npz: its name without .npy, and its bytes within the content that was parsed.
struct NpzEntry {
  std::string name;
  std::string_view npy;
};
Expected<std::vector<NpzEntry>> parse_npz(std::string_view content, std::string_view name = "arrays");

// The arrays of a file by name. The array of an .npy has the empty name.
struct NamedArray {
  std::string name;
  NumpyArray array;
};
// Of an .npz only the arrays in `wanted`, in the order of the file: others need not be readable. None of them
// is an error that lists what there is; a single array under another name counts as the first that is wanted.
Expected<std::vector<NamedArray>> load_numpy(const std::string& path,
                                             std::span<const std::string_view> wanted);

// Does the name end with .npy or .npz, whatever its case?
bool is_numpy_file(std::string_view path);

// A mesh: `vertices` (n, 3) and `faces` (m, 3) of an .npz (also V and F), or the triangles (m, 3, 3) of an
// .npy, whose equal corners become one vertex.
Expected<TriangleMesh> parse_numpy_mesh(std::string_view content, std::string_view path);

}  // namespace toccata
