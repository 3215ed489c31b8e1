#include "oracle/test_data.hpp"
#include "toccata/io/mesh_io.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "io/byte_order.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed afterwards.
class MeshFiles : public testing::Test {
 protected:
  MeshFiles() {
    folder_ = fs::temp_directory_path() / ("toccata_mesh_io_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~MeshFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  fs::path folder_;
};

TriangleMesh parsed(const std::string& content, MeshFormat format) {
  const Expected<TriangleMesh> mesh = parse_mesh(content, format);
  EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().message);
  return mesh ? *mesh : TriangleMesh{};
}

std::string error_of(const std::string& content, MeshFormat format) {
  const Expected<TriangleMesh> mesh = parse_mesh(content, format, "file");
  EXPECT_FALSE(mesh) << "accepted: " << content.substr(0, 80);
  return mesh ? "" : mesh.error().message;
}

bool same(const TriangleMesh& a, const TriangleMesh& b) {
  return a.vertices == b.vertices && a.faces == b.faces;
}

// Coordinates over the whole range of doubles, subnormal and huge ones included.
TriangleMesh wild_mesh(std::uint64_t seed) {
  Random random(seed);
  TriangleMesh mesh;
  for (int i = 0; i < 200; ++i) {
    const Vector3 p = random.in_box(1.0);
    const int exponent = random.integer(-1074, 1023);
    mesh.vertices.push_back(Vector3(std::ldexp(p.x(), exponent), p.y(), std::ldexp(p.z(), exponent / 3)));
  }
  for (int i = 0; i < 300; ++i) {
    mesh.faces.push_back({random.integer(0, 199), random.integer(0, 199), random.integer(0, 199)});
  }
  return mesh;
}

TEST(MeshText, obj_reads_every_form_of_a_face) {
  const TriangleMesh mesh = parsed(
      "# a comment that ends with a backslash \\\n"
      "mtllib a.mtl\r\no thing\n"
      "v 0 0 0\nv 1 0 0 1.0\r\n  v +1.5e0 1 0 0.5 0.5 0.5\nv 0 \\\n 1 0\n"
      "vt 0 0\nvn 0 0 1\n"
      "f 1 2 3 # a corner\nf 1/1 2/1 4/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 4/1/1\nf -4 -3 -2\nf 1 2 3 4\n",
      MeshFormat::Obj);
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[2], Vector3(1.5, 1, 0));
  EXPECT_EQ(mesh.vertices[3], Vector3(0, 1, 0));
  ASSERT_EQ(mesh.faces.size(), 7u);
  EXPECT_EQ(mesh.faces[1], (Face{0, 1, 3}));
  EXPECT_EQ(mesh.faces[4], (Face{0, 1, 2}));
  EXPECT_EQ(mesh.faces[6], (Face{0, 2, 3}));
}

TEST(MeshText, obj_may_name_vertices_before_they_come) {
  const TriangleMesh mesh = parsed("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", MeshFormat::Obj);
  EXPECT_EQ(mesh.faces[0], (Face{0, 1, 2}));
}

TEST(MeshText, line_ends_of_all_systems) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const TriangleMesh mesh =
        parsed("v 0 0 0" + end + "v 1 0 0" + end + "v 0 1 0" + end + "f 1 2 3" + end, MeshFormat::Obj);
    EXPECT_EQ(mesh.vertices.size(), 3u);
    EXPECT_EQ(mesh.faces.size(), 1u);
    EXPECT_EQ(error_of("v 0 0 0" + end + "v 1 0" + end, MeshFormat::Obj),
              "file:2: expected a number (coordinate), found the end of the line");
  }
}

TEST(MeshText, errors_name_the_line_and_what_was_expected) {
  EXPECT_EQ(error_of("v 0 0 0\nv 1 2 x\n", MeshFormat::Obj),
            "file:2: expected a number (coordinate), found 'x'");
  EXPECT_EQ(error_of("v 0 0 nan\n", MeshFormat::Obj), "file:1: expected a number (coordinate), found 'nan'");
  EXPECT_EQ(error_of("v 0 0 1e400\n", MeshFormat::Obj),
            "file:1: expected a number (coordinate), found '1e400'");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1 2\n", MeshFormat::Obj),
            "file:2: expected a vertex index from 1 to 1, found 2");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 -2 1\n", MeshFormat::Obj),
            "file:2: expected a vertex index from 1 to 1, found -2 (counted back from here)");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 0 1\n", MeshFormat::Obj),
            "file:2: expected a vertex index from 1 to 1, found 0");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1\n", MeshFormat::Obj),
            "file:2: expected at least 3 corners of a face, found the end of the line");
  EXPECT_EQ(error_of("v 0 0 0\nhello\n", MeshFormat::Obj),
            "file:2: expected an OBJ statement (v, f, vn, ...), found 'hello'");
  EXPECT_EQ(error_of("# nothing\n", MeshFormat::Obj), "file: the file holds no vertices");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 99999999999999999999 1\n", MeshFormat::Obj),
            "file:2: expected a vertex index, found '99999999999999999999'");
  // The least of all integers, which has no opposite; likewise the largest, and one before the first vertex.
  EXPECT_EQ(
      error_of("v 0 0 0\nf -9223372036854775808 1 1\n", MeshFormat::Obj),
      "file:2: expected a vertex index from 1 to 1, found -9223372036854775808 (counted back from here)");
  EXPECT_EQ(error_of("v 0 0 0\nf 9223372036854775807 1 1\n", MeshFormat::Obj),
            "file:2: expected a vertex index from 1 to 1, found 9223372036854775807");
  EXPECT_EQ(
      error_of("f -9223372036854775808 1 1\nv 0 0 0\n", MeshFormat::Obj),
      "file:1: expected a vertex index from 1 to 0, found -9223372036854775808 (counted back from here)");
  EXPECT_EQ(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 -9223372036854775808 1 2\n", MeshFormat::Off),
            "file:6: expected a vertex index from 0 to 2, found -9223372036854775808");
  EXPECT_EQ(error_of("OFF\n-9223372036854775808 1 0\n", MeshFormat::Off),
            "file:2: expected the number of vertices from 0 to 2147483647, found -9223372036854775808");
  // A line that looks like a vertex but continues a comment-like statement must not make room for an index.
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1 2\ng a \\\nv 1 1 1\n", MeshFormat::Obj),
            "file:2: expected a vertex index from 1 to 1, found 2");
  EXPECT_EQ(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", MeshFormat::Off),
            "file:6: expected a vertex index from 0 to 2, found 3");
  EXPECT_EQ(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1 2\n", MeshFormat::Off),
            "file:6: expected at least 3 corners, found '2'");
  EXPECT_EQ(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1", MeshFormat::Off),
            "file:6: expected a vertex index, found the end of the file");
  EXPECT_EQ(error_of("OFF BINARY\n", MeshFormat::Off), "file:1: expected ascii OFF, found binary OFF");
  EXPECT_EQ(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                     MeshFormat::Stl),
            "file:6: expected vertex, found 'endloop'");
}

TEST(MeshText, numbers_too_small_for_a_double_become_zero) {
  const TriangleMesh mesh = parsed("v 1e-400 -1e-9999 4.9e-324\n", MeshFormat::Obj);
  EXPECT_EQ(mesh.vertices[0], Vector3(0, 0, 4.9e-324));
}

TEST(MeshText, off_with_comments_colours_and_counts_on_the_first_line) {
  const TriangleMesh mesh = parsed(
      "COFF 4 2 # counts\n# vertices\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n\n1 1 0 1 1 1 1\n0 1 0 1 1 1 1\n"
      "4 0 1 2 3\n3 0 1 2 0.5 0.5 0.5\n",
      MeshFormat::Off);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.faces, (std::vector<Face>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
}

TEST(MeshText, ply_in_any_order_of_elements_and_properties) {
  const TriangleMesh mesh = parsed(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement face 2\r\nproperty list uchar float uv\r\n"
      "property list uchar uint vertex_index\r\nproperty uchar red\r\nelement odd 2\r\nproperty int a\r\n"
      "element vertex 4\r\nproperty float nz\r\nproperty double z\r\nproperty list uchar int extra\r\n"
      "property int x\r\nproperty float y\r\nend_header\r\n"
      "2 0.5 nan 4 0 1 2 3 7\r\n0 3 0 1 2 7\r\n5\r\n6\r\n"
      "nan 1 0 2 3\r\n0 1 1 9 4 5\r\n0 1 0 6 7\r\n0 1 0 0 9\r\n",
      MeshFormat::Ply);
  EXPECT_EQ(mesh.vertices,
            (std::vector<Vector3>{Vector3(2, 3, 1), Vector3(4, 5, 1), Vector3(6, 7, 1), Vector3(0, 9, 1)}));
  EXPECT_EQ(mesh.faces.size(), 3u);
  EXPECT_EQ(mesh.faces[2], (Face{0, 1, 2}));
}

TEST(MeshText, ply_triangle_strips) {
  const TriangleMesh mesh = parsed(
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 0 1 3\n",
      MeshFormat::Ply);
  EXPECT_EQ(mesh.faces, (std::vector<Face>{{0, 1, 2}, {2, 1, 3}, {0, 1, 3}}));
}

// The same little mesh in every binary flavour of PLY.
template <typename Coordinate, typename Count, typename Index>
std::string binary_ply(std::endian order, const char* coordinate, const char* count, const char* index) {
  std::string out = std::string("ply\nformat ") +
                    (order == std::endian::big ? "binary_big_endian" : "binary_little_endian") +
                    " 1.0\nelement vertex 3\nproperty " + coordinate + " y\nproperty uchar red\nproperty " +
                    coordinate + " x\nproperty " + coordinate + " z\nelement face 1\nproperty list " + count +
                    " " + index + " vertex_indices\nend_header\n";
  for (int i = 0; i < 3; ++i) {
    io::append_number(out, static_cast<Coordinate>(10 * i), order);
    io::append_number(out, std::uint8_t{255}, order);
    io::append_number(out, static_cast<Coordinate>(i + 1), order);
    io::append_number(out, static_cast<Coordinate>(i * i), order);
  }
  io::append_number(out, static_cast<Count>(3), order);
  for (int i = 0; i < 3; ++i) io::append_number(out, static_cast<Index>(2 - i), order);
  return out;
}

TEST(MeshBytes, ply_of_both_byte_orders_and_all_types) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    for (const std::string& content :
         {binary_ply<float, std::uint8_t, std::int32_t>(order, "float", "uchar", "int"),
          binary_ply<double, std::int32_t, std::uint32_t>(order, "double", "int32", "uint32"),
          binary_ply<std::int16_t, std::uint16_t, std::int16_t>(order, "short", "ushort", "int16"),
          binary_ply<std::int8_t, std::int8_t, std::uint8_t>(order, "char", "int8", "uint8"),
          binary_ply<std::uint32_t, std::uint32_t, float>(order, "uint", "uint", "float"),
          binary_ply<std::int32_t, std::uint8_t, double>(order, "int", "uchar", "float64")}) {
      const TriangleMesh mesh = parsed(content, MeshFormat::Ply);
      EXPECT_EQ(mesh.vertices,
                (std::vector<Vector3>{Vector3(1, 0, 0), Vector3(2, 10, 1), Vector3(3, 20, 4)}));
      EXPECT_EQ(mesh.faces, (std::vector<Face>{{2, 1, 0}}));
      // Cut off anywhere after the header, it is an error that names a byte.
      const std::size_t header = content.find("end_header\n") + 11;
      for (std::size_t size = header; size < content.size(); ++size) {
        EXPECT_NE(error_of(content.substr(0, size), MeshFormat::Ply).find("file: byte "), std::string::npos);
      }
      for (std::size_t size = 0; size < header; ++size) {
        EXPECT_NE(error_of(content.substr(0, size), MeshFormat::Ply).find("file:"), std::string::npos);
      }
    }
  }
}

TEST(MeshBytes, stl_is_welded_by_equal_coordinates) {
  const TriangleMesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  for (const bool ascii : {false, true}) {
    std::string content = *format_mesh(square, MeshFormat::Stl, ascii);
    EXPECT_TRUE(same(parsed(content, MeshFormat::Stl), square));
    LoadMeshOptions soup;
    soup.weld_stl = false;
    EXPECT_EQ(parse_mesh(content, MeshFormat::Stl, "soup", soup)->vertices.size(), 6u);
    // -0 is the same point as 0.
    const TriangleMesh negative_zero{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0, -0.0, 0}, {0, 1, 0}},
                                     {{0, 1, 2}, {3, 2, 4}}};
    content = *format_mesh(negative_zero, MeshFormat::Stl, ascii);
    EXPECT_EQ(parsed(content, MeshFormat::Stl).vertices.size(), 4u);
  }
}

TEST(MeshBytes, a_binary_stl_may_begin_with_the_word_solid) {
  std::string content = *format_mesh({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 1, 2}}}, MeshFormat::Stl);
  content.replace(0, 5, "solid");
  EXPECT_EQ(parsed(content, MeshFormat::Stl).faces.size(), 1u);
}

TEST(MeshBytes, what_follows_a_binary_stl) {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 1, 2}}};
  std::string content = *format_mesh(triangle, MeshFormat::Stl);
  for (const char* start : {"Tocca", "solid"}) {  // as some programs begin a binary file
    content.replace(0, 5, start);
    for (const std::string& end :
         {std::string("x"), std::string(49, 'x'), std::string(500, '\0'), std::string(80, '\n')})
      EXPECT_TRUE(same(parsed(content + end, MeshFormat::Stl), triangle)) << start << end.size();
    // Room for one triangle more: is the number of triangles wrong?
    EXPECT_EQ(
        error_of(content + std::string(50, 'x'), MeshFormat::Stl),
        "file: byte 134: expected the end after the promised 1 triangles, found 50 bytes more: the number of "
        "triangles at byte 80 is wrong, or something was appended");
  }
}

TEST(MeshBytes, byte_order_marks_and_empty_lines) {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 1, 2}}};
  for (const MeshFormat format : {MeshFormat::Obj, MeshFormat::Off, MeshFormat::Ply, MeshFormat::Stl}) {
    const std::string content = *format_mesh(triangle, format, true);
    EXPECT_TRUE(same(parsed("\xef\xbb\xbf" + content, format), triangle)) << to_string(format);
    std::string wide = "\xff\xfe";
    for (const char c : content) wide.append(1, c).append(1, '\0');
    EXPECT_EQ(error_of(wide, format), "file:1: expected plain text, found UTF-16; save it as UTF-8")
        << to_string(format);
    EXPECT_EQ(error_of("\xfe\xff" + content, format),
              "file:1: expected plain text, found UTF-16; save it as UTF-8");
  }
  const std::string stl = *format_mesh(triangle, MeshFormat::Stl, true);
  for (const std::string before : {"\n", "\r\n\r\n", "  \n\t\n", "\xef\xbb\xbf\n\n"})
    EXPECT_TRUE(same(parsed(before + stl, MeshFormat::Stl), triangle));
}

TEST(MeshBytes, stl_errors_name_the_byte) {
  std::string content = *format_mesh({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 1, 2}}}, MeshFormat::Stl);
  EXPECT_EQ(error_of(content.substr(0, 133), MeshFormat::Stl),
            "file: byte 80: expected 134 bytes for the promised 1 triangles, found 133");
  EXPECT_EQ(error_of("abc", MeshFormat::Stl),
            "file: byte 0: expected the word solid, or a binary STL header of 84 bytes; found 3 bytes");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(content.data() + 84 + 24, &nan, sizeof nan);
  EXPECT_EQ(error_of(content, MeshFormat::Stl),
            "file: byte 108: expected finite coordinates, found infinity or NaN");
}

TEST(MeshBytes, headers_that_promise_too_much_fail_at_once) {
  const std::string many = "1099511627776";  // 2^40
  for (const char* format : {"ascii", "binary_little_endian"}) {
    const std::string head = std::string("ply\nformat ") + format + " 1.0\nelement vertex ";
    const std::string xyz = "\nproperty float x\nproperty float y\nproperty float z\n";
    EXPECT_NE(error_of(head + many + xyz + "end_header\n0 0 0\n", MeshFormat::Ply).find("promised " + many),
              std::string::npos);
    EXPECT_NE(error_of(head + "2000000000" + xyz + "end_header\n0 0 0\n", MeshFormat::Ply)
                  .find("promised 2000000000 elements 'vertex', found only 6 bytes"),
              std::string::npos);
    EXPECT_NE(error_of(head + "0" + xyz + "element face " + many +
                           "\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
                       MeshFormat::Ply)
                  .find("promised " + many),
              std::string::npos);
    EXPECT_NE(
        error_of(head + "0" + xyz + "element odd 9223372036854775807\nproperty int a\nend_header\n0 0 0\n",
                 MeshFormat::Ply)
            .find("promised 9223372036854775807"),
        std::string::npos);
    // Elements without properties take no room: any number of them is nothing.
    EXPECT_EQ(error_of(head + "0" + xyz + "element odd " + many + "\nend_header\n", MeshFormat::Ply),
              "file: the file holds no vertices");
  }
  EXPECT_NE(error_of("OFF\n2000000000 1 0\n0 0 0\n", MeshFormat::Off).find("file:2: expected data for"),
            std::string::npos);
  EXPECT_NE(error_of("OFF\n" + many + " 1 0\n0 0 0\n", MeshFormat::Off).find("file:2: expected the number"),
            std::string::npos);
}

TEST(MeshBytes, ply_rejects_lists_and_indices_out_of_range) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(error_of(head + "3 0 1 3\n", MeshFormat::Ply),
            "file:13: expected a vertex index from 0 to 2, found 3");
  EXPECT_EQ(error_of(head + "3 0 1 0.5\n", MeshFormat::Ply),
            "file:13: expected a vertex index from 0 to 2, found 0.5");
  EXPECT_EQ(error_of(head + "2 0 1\n", MeshFormat::Ply),
            "file:13: expected at least 3 corners of a face, found 2");
  EXPECT_EQ(error_of(head + "-1 0 1\n", MeshFormat::Ply),
            "file:13: expected the length of a list that fits into the file, found -1");
  EXPECT_EQ(error_of(head + "3 0 1 2 3\n", MeshFormat::Ply),
            "file:13: expected the end of the line, found '3'");
  EXPECT_EQ(error_of(head + "3 0 1\n", MeshFormat::Ply),
            "file:13: expected a vertex index, found the end of the line");
  EXPECT_EQ(
      error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", MeshFormat::Ply),
      "file:6: expected the vertex property 'y' in the header");
  EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty float32x x\n", MeshFormat::Ply),
            "file:4: expected a PLY type (float, double, uchar, int, ...), found 'float32x'");
}

// Millions of lines of nonsense are turned down at the first, and huge polygons take linear time: a quadratic
// reader would not end.
TEST(MeshText, long_malformed_files_fail_at_once) {
  const auto repeated = [](const std::string& line, int count) {
    std::string text;
    text.reserve(line.size() * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) text += line;
    return text;
  };
  const int many = 2000000;
  EXPECT_EQ(error_of(repeated("x\n", many), MeshFormat::Obj),
            "file:1: expected an OBJ statement (v, f, vn, ...), found 'x'");
  EXPECT_EQ(error_of(repeated("f 1 2 3\n", many), MeshFormat::Obj),
            "file:1: expected a vertex index from 1 to 0, found 1");
  EXPECT_EQ(error_of("v 0 0 0\n" + repeated("f 1 1 1\n", many) + "f 1 1 2\n", MeshFormat::Obj),
            "file:2000002: expected a vertex index from 1 to 1, found 2");
  EXPECT_EQ(error_of(repeated("facet\n", many), MeshFormat::Stl).substr(0, 15), "file: byte 80: ");
  EXPECT_EQ(error_of("solid\n" + repeated("facet\n", many), MeshFormat::Stl),
            "file:3: expected outer, found 'facet'");
  EXPECT_EQ(error_of("OFF\n" + repeated("1", many), MeshFormat::Off).substr(0, 39),
            "file:2: expected the number of vertices");
  EXPECT_EQ(error_of(std::string(many, '\n') + "x", MeshFormat::Obj),
            "file:2000001: expected an OBJ statement (v, f, vn, ...), found 'x'");
  EXPECT_EQ(parsed("v 0 0 0\nv 1 0 0\nv 0 1 0\nf" + repeated(" 1 2 3", many / 6) + "\n", MeshFormat::Obj)
                .faces.size(),
            static_cast<std::size_t>(3 * (many / 6) - 2));
  EXPECT_EQ(parsed("v 0 0 0\n" + repeated("f 1" + repeated(" 1", 255) + "\n", many / 5000), MeshFormat::Obj)
                .faces.size(),
            static_cast<std::size_t>(254 * (many / 5000)));
}

TEST(MeshPolygons, concave_ones_keep_their_area) {
  // An arrow whose fan from corner 0 would cover ground outside of it.
  const TriangleMesh mesh = parsed(
      "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 1 2 3 4\nf 4 1 2 3\nf 3 4 1 2\nf 2 3 4 1\n", MeshFormat::Obj);
  ASSERT_EQ(mesh.faces.size(), 8u);
  double area = 0;
  for (const Face& f : mesh.faces) {
    const Vector3 u = mesh.vertices[f[1]] - mesh.vertices[f[0]];
    const Vector3 v = mesh.vertices[f[2]] - mesh.vertices[f[0]];
    const double twice = u.x() * v.y() - u.y() * v.x();
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_DOUBLE_EQ(area, 4 * 4.0);
}

TEST(MeshPolygons, a_comb_and_a_tilted_star_are_cut_inside) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int corners = random.integer(5, 40);
    const Vector3 u = random.on_sphere(), w = random.on_sphere();
    const Vector3 v = (w - w.dot(u) * u).normalized();
    std::string text;
    double area = 0;
    std::vector<Vector2> outline;
    for (int i = 0; i < corners; ++i) {
      const double radius = random.uniform(0.1, 1.0), angle = 2 * M_PI * i / corners;
      outline.push_back({radius * std::cos(angle), radius * std::sin(angle)});
      const Vector3 p = outline.back().x() * u + outline.back().y() * v;
      text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
    }
    for (int i = 0; i < corners; ++i) {
      const Vector2 &a = outline[i], &b = outline[(i + 1) % corners];
      area += (a.x() * b.y() - a.y() * b.x()) / 2;
    }
    text += "f";
    for (int i = 1; i <= corners; ++i) text += " " + std::to_string(i);
    const TriangleMesh mesh = parsed(text + "\n", MeshFormat::Obj);
    ASSERT_EQ(mesh.faces.size(), static_cast<std::size_t>(corners - 2));
    double sum = 0;
    for (const Face& f : mesh.faces) {
      const Vector3 e = mesh.vertices[f[1]] - mesh.vertices[f[0]],
                    g = mesh.vertices[f[2]] - mesh.vertices[f[0]];
      const Vector3 n(e.y() * g.z() - e.z() * g.y(), e.z() * g.x() - e.x() * g.z(),
                      e.x() * g.y() - e.y() * g.x());
      sum += n.norm() / 2;
    }
    EXPECT_NEAR(sum, area, 1e-4);
  }
}

TEST_F(MeshFiles, every_format_gives_back_what_was_saved) {
  for (const TriangleMesh& mesh : {scenes::torus_knot(), wild_mesh(5)}) {
    for (const char* name : {"m.obj", "m.off", "m.PLY", "a.ply"}) {
      const SaveMeshOptions options{.force = true, .ascii = name[0] == 'a'};
      const Expected<SavedMesh> saved = save_mesh(path(name), mesh, options);
      ASSERT_TRUE(saved) << saved.error().message;
      EXPECT_EQ(saved->bytes, fs::file_size(path(name)));
      const Expected<TriangleMesh> loaded = load_mesh(path(name));
      ASSERT_TRUE(loaded) << loaded.error().message;
      EXPECT_TRUE(same(*loaded, mesh)) << name;
    }
  }
  // STL keeps triangles, not the order of vertices; binary only in single precision.
  TriangleMesh knot = scenes::torus_knot();
  for (Vector3& p : knot.vertices) p = p.cast<float>().cast<double>();
  for (const bool ascii : {false, true}) {
    ASSERT_TRUE(save_mesh(path("m.stl"), knot, {.force = true, .ascii = ascii}));
    const Expected<TriangleMesh> loaded = load_mesh(path("m.stl"));
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->vertices.size(), knot.vertices.size());
    ASSERT_EQ(loaded->faces.size(), knot.faces.size());
    for (std::size_t i = 0; i < knot.faces.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_EQ(loaded->vertices[loaded->faces[i][k]], knot.vertices[knot.faces[i][k]]);
      }
    }
  }
  EXPECT_FALSE(save_mesh(path("huge.stl"), {{{1e300, 0, 0}}, {{0, 0, 0}}}));
  EXPECT_FALSE(fs::exists(path("huge.stl")));
}

TEST_F(MeshFiles, saving_never_overwrites_unless_forced) {
  const TriangleMesh mesh = scenes::torus_knot();
  const std::string file = write("m.obj", "precious");
  const Expected<SavedMesh> saved = save_mesh(file, mesh);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message, file + ": the file exists; it is replaced only with the option force");
  EXPECT_EQ(fs::file_size(file), 8u);
  EXPECT_TRUE(save_mesh(file, mesh, {.force = true}));
  EXPECT_GT(fs::file_size(file), 8u);
  EXPECT_FALSE(save_mesh(path("missing/m.obj"), mesh));
  EXPECT_FALSE(save_mesh(path("m.xyz"), mesh));
  EXPECT_FALSE(save_mesh(path("bad.obj"), {{{0, 0, 0}}, {{0, 0, 1}}}));
  // Nothing is left behind.
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(file).parent_path()), fs::directory_iterator()), 1);
}

TEST_F(MeshFiles, what_is_not_a_readable_mesh_file_says_so) {
  const auto message = [](const std::string& file) {
    const Expected<TriangleMesh> mesh = load_mesh(file);
    EXPECT_FALSE(mesh);
    return mesh ? "" : mesh.error().message;
  };
  EXPECT_EQ(message(path("missing.obj")),
            path("missing.obj") + ": cannot open the file: No such file or directory");
  EXPECT_EQ(message(write("empty.obj", "")), path("empty.obj") + ": the file is empty");
  fs::create_directory(path("folder.obj"));
  EXPECT_EQ(message(path("folder.obj")), path("folder.obj") + ": expected a file, found a directory");
  ASSERT_EQ(::mkfifo(path("pipe.obj").c_str(), 0600), 0);
  EXPECT_EQ(message(path("pipe.obj")),
            path("pipe.obj") + ": expected a regular file, found a pipe or a device");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: expected a regular file, found a pipe or a device");
  EXPECT_EQ(message(write("mesh.xyz", "1 2 3")),
            path("mesh.xyz") + ": expected a name that ends with .obj, .stl, .ply, .off, .npz or .npy");
  EXPECT_EQ(message(write("bad.obj", "v 0 0\n")),
            path("bad.obj") + ":1: expected a number (coordinate), found the end of the line");
  if (::geteuid() != 0) {
    write("secret.obj", "v 0 0 0\n");
    fs::permissions(path("secret.obj"), fs::perms::none);
    EXPECT_EQ(message(path("secret.obj")), path("secret.obj") + ": cannot open the file: Permission denied");
  }
}

TEST_F(MeshFiles, an_importer_is_asked_for_other_extensions) {
  LoadMeshOptions options;
  options.importer = [](const std::string&) -> Expected<TriangleMesh> {
    return TriangleMesh{{{1, 2, 3}}, {}};
  };
  EXPECT_EQ(load_mesh(write("mesh.xyz", "1 2 3"), options)->vertices[0], Vector3(1, 2, 3));
  EXPECT_FALSE(load_mesh(path("missing.xyz"), options));
}

TEST(MeshData, shared_files) {
  const struct {
    const char* file;
    std::size_t vertices, faces;
  } files[] = {{"frames/cloth-ball/frames/cloth_ball92.ply", 46598, 92230},
               {"frames/cloth-funnel/frames/227.ply", 9450, 18484},
               {"rigid/knot.obj", 17280, 34560},
               {"rigid/gear.obj", 14208, 25344}};
  for (const auto& [file, vertices, faces] : files) {
    if (!fs::exists(test_data(file))) continue;
    const Expected<TriangleMesh> mesh = load_mesh(test_data(file));
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices.size(), vertices) << file;
    EXPECT_EQ(mesh->faces.size(), faces) << file;
  }
}

}  // namespace
}  // namespace toccata
