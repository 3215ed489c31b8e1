// Arrays of numpy: every type and order, and no bytes that read beyond the file. tests/apps/test_numpy.py
// reads what numpy itself writes.
#include "toccata/io/numpy_io.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "effort.hpp"
#include "io/byte_order.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata {
namespace {

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string content = "\x93NUMPY";
  content.append(1, version).append(1, '\0');
  if (version == 1) {
    io::append_number(content, static_cast<std::uint16_t>(header.size()));
  } else {
    io::append_number(content, static_cast<std::uint32_t>(header.size()));
  }
  return content + header + data;
}

std::string header_of(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <typename Number>
std::string bytes_of(const std::vector<double>& values, std::endian order = std::endian::little) {
  std::string data;
  for (const double value : values) io::append_number(data, static_cast<Number>(value), order);
  return data;
}

// An archive as numpy.savez writes it: stored, one local header per file, the directory at the end.
std::string npz(const std::vector<std::pair<std::string, std::string>>& files, std::uint16_t method = 0) {
  std::string content, directory;
  for (const auto& [name, data] : files) {
    const auto offset = static_cast<std::uint32_t>(content.size());
    const auto size = static_cast<std::uint32_t>(data.size());
    const auto length = static_cast<std::uint16_t>(name.size());
    const auto common = [&](std::string& out) {
      for (const std::uint16_t number :
           {std::uint16_t{20}, std::uint16_t{0}, method, std::uint16_t{0}, std::uint16_t{0}})
        io::append_number(out, number);
      io::append_number(out, std::uint32_t{0});  // the check sum is not looked at
      io::append_number(out, size);
      io::append_number(out, size);
      io::append_number(out, length);
      io::append_number(out, std::uint16_t{0});
    };
    content += "PK\x03\x04";
    common(content);
    content += name + data;
    directory += "PK\x01\x02";
    io::append_number(directory, std::uint16_t{20});
    common(directory);
    directory.append(6, '\0');
    io::append_number(directory, std::uint32_t{0});
    io::append_number(directory, offset);
    directory += name;
  }
  const auto begin = static_cast<std::uint32_t>(content.size());
  content += directory + "PK\x05\x06";
  content.append(4, '\0');
  io::append_number(content, static_cast<std::uint16_t>(files.size()));
  io::append_number(content, static_cast<std::uint16_t>(files.size()));
  io::append_number(content, static_cast<std::uint32_t>(directory.size()));
  io::append_number(content, begin);
  content.append(2, '\0');
  return content;
}

std::string error_of(const std::string& content) {
  const Expected<NumpyArray> array = parse_npy(content, "file");
  return array ? "" : array.error().message;
}

const std::vector<double> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(NumpyArrays, every_type_and_byte_order) {
  const auto check = [](const std::string& type, const std::string& data) {
    const Expected<NumpyArray> array = parse_npy(npy(header_of(type, "(2, 3, 2)"), data));
    ASSERT_TRUE(array) << type << array.error().message;
    EXPECT_EQ(array->shape, (std::vector<std::size_t>{2, 3, 2}));
    EXPECT_EQ(array->values, numbers) << type;
  };
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const std::string mark = order == std::endian::little ? "<" : ">";
    check(mark + "f8", bytes_of<double>(numbers, order));
    check(mark + "f4", bytes_of<float>(numbers, order));
    check(mark + "i8", bytes_of<std::int64_t>(numbers, order));
    check(mark + "i4", bytes_of<std::int32_t>(numbers, order));
    check(mark + "i2", bytes_of<std::int16_t>(numbers, order));
    check(mark + "u8", bytes_of<std::uint64_t>(numbers, order));
    check(mark + "u4", bytes_of<std::uint32_t>(numbers, order));
    check(mark + "u2", bytes_of<std::uint16_t>(numbers, order));
  }
  check("|i1", bytes_of<std::int8_t>(numbers));
  check("|u1", bytes_of<std::uint8_t>(numbers));
  const Expected<NumpyArray> negative =
      parse_npy(npy(header_of("<i2", "(1,)"), bytes_of<std::int16_t>({-7})));
  EXPECT_EQ(negative->values, std::vector<double>{-7});
  EXPECT_EQ(negative->shape_text(), "(1,)");
}

TEST(NumpyArrays, either_memory_order) {
  // The first index runs fastest: value (i, j, k) is at place i + 2 j + 6 k of the file.
  const Expected<NumpyArray> array =
      parse_npy(npy(header_of("<f8", "(2, 3, 2)", true), bytes_of<double>(numbers)));
  ASSERT_TRUE(array);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k)
        EXPECT_EQ(array->values[static_cast<std::size_t>((i * 3 + j) * 2 + k)], i + 2 * j + 6 * k);
    }
  }
}

TEST(NumpyArrays, headers_of_all_versions_and_shapes) {
  for (const char version : {'\1', '\2', '\3'})
    EXPECT_TRUE(parse_npy(npy(header_of("<f8", "(12,)"), bytes_of<double>(numbers), version)));
  EXPECT_EQ(parse_npy(npy(header_of("<f8", "()"), bytes_of<double>({3})))->values, std::vector<double>{3});
  EXPECT_TRUE(parse_npy(npy(header_of("<f8", "(0, 7)"), ""))->values.empty());
  EXPECT_TRUE(
      parse_npy(npy("{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<f8\"}", bytes_of<double>({1, 2}))));
}

TEST(NumpyArrays, what_is_refused_says_what_to_do) {
  EXPECT_EQ(error_of("v 0 0 0"), "file: expected a file written by numpy.save, found 'v 0 0 0'");
  EXPECT_NE(error_of(npy(header_of("<c16", "(1,)"), std::string(16, '\0'))).find("astype(float)"),
            std::string::npos);
  EXPECT_NE(error_of(npy(header_of("<f2", "(1,)"), "12")).find("astype(float)"), std::string::npos);
  EXPECT_NE(error_of(npy(header_of("|O", "(1,)"), "12")).find("Python objects"), std::string::npos);
  EXPECT_NE(error_of(npy("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}", "12345678"))
                .find("structured array"),
            std::string::npos);
  EXPECT_NE(error_of(npy(header_of("<f8", "(2,)"), "12345678")).find("is the file cut short?"),
            std::string::npos);
  // A single number has no sizes to compare: nothing was asked of the file's length, and the read went past
  // its end.
  EXPECT_NE(error_of(npy(header_of("<f8", "()"), "1234567")).find("is the file cut short?"),
            std::string::npos);
  EXPECT_NE(error_of(npy(header_of("<f8", "()"), "")).find("is the file cut short?"), std::string::npos);
  // Sizes whose product is beyond all numbers.
  for (const char* shape : {"(4294967296, 4294967296)", "(99999999999999999, 99999999999999999, 2)",
                            "(9223372036854775807, 2)", "(111111111111111111111111,)"})
    EXPECT_NE(error_of(npy(header_of("<f8", shape), "12345678")), "") << shape;
  EXPECT_NE(error_of(npy("{'descr': '<f8'}", "12345678")).find("expected the keys"), std::string::npos);
}

TEST(NumpyArrays, archives) {
  const std::string vertices = npy(header_of("<f8", "(4, 3)"), bytes_of<double>(numbers));
  const std::string content = npz({{"vertices.npy", vertices}, {"other.npy", "no array"}});
  const Expected<std::vector<NpzEntry>> entries = parse_npz(content);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].name, "vertices");
  EXPECT_EQ(parse_npy((*entries)[0].npy)->values, numbers);
  EXPECT_NE(parse_npz(npz({{"a.npy", vertices}}, 8), "file").error().message.find("not savez_compressed"),
            std::string::npos);
}

TEST(NumpyArrays, meshes) {
  const std::string vertices =
      npy(header_of("<f8", "(4, 3)"), bytes_of<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  const auto faces = [](std::vector<double> indices) {
    return npy(header_of("<i8", "(2, 3)"), bytes_of<std::int64_t>(indices));
  };
  const Expected<TriangleMesh> mesh =
      parse_numpy_mesh(npz({{"V.npy", vertices}, {"F.npy", faces({0, 1, 2, 0, 1, 3})}}), "mesh.npz");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices.size(), 4u);
  EXPECT_EQ(mesh->faces, (std::vector<Face>{{0, 1, 2}, {0, 1, 3}}));
  for (const std::vector<double>& bad :
       {std::vector<double>{0, 1, 4, 0, 1, 3}, std::vector<double>{0, -1, 2, 0, 1, 3}}) {
    const auto refused =
        parse_numpy_mesh(npz({{"vertices.npy", vertices}, {"faces.npy", faces(bad)}}), "mesh.npz");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("mesh.npz: face 0: expected vertex numbers from 0 to 3"),
              std::string::npos);
  }
  // Triangles corner by corner; equal corners are one vertex.
  const std::string soup = npy(header_of("<f8", "(2, 3, 3)"), bytes_of<double>({0, 0, 0, 1, 0, 0, 0, 1, 0,  //
                                                                                0, 0, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(parse_numpy_mesh(soup, "mesh.npy")->vertices.size(), 4u);
  EXPECT_NE(parse_numpy_mesh(vertices, "mesh.npy").error().message.find("numpy.savez("), std::string::npos);
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "toccata_test_numpy.npz";
  std::ofstream(file, std::ios::binary)
      << npz({{"vertices.npy", vertices}, {"faces.npy", faces({0, 1, 2, 0, 1, 3})}});
  EXPECT_EQ(load_mesh(file.string())->faces.size(), 2u);
  std::filesystem::remove(file);
}

// Cut anywhere, or with any bytes changed, a file is an array or an error, never a read beyond its end (the
// sanitizers watch; here it must not crash).
TEST(NumpyArrays, damaged_files) {
  const std::string array = npy(header_of("<f4", "(2, 3, 2)", true), bytes_of<float>(numbers));
  const std::string archive = npz({{"vertices.npy", array}, {"faces.npy", array}});
  for (std::size_t size = 0; size < array.size(); ++size)
    EXPECT_FALSE(parse_npy(array.substr(0, size), "file")) << size;
  for (std::size_t size = 0; size < archive.size(); ++size)
    EXPECT_FALSE(parse_npz(archive.substr(0, size), "file")) << size;
  Random random(11);
  for (int i = 0; i < with_effort(20'000); ++i) {
    std::string damaged = i % 2 == 0 ? array : archive;
    for (int k = 0; k < 1 + i % 3; ++k)
      damaged[static_cast<std::size_t>(random.unit() * static_cast<double>(damaged.size()))] =
          static_cast<char>(256 * random.unit());
    if (i % 2 == 0) {
      const Expected<NumpyArray> read = parse_npy(damaged, "file");
      EXPECT_TRUE(read || read.error().message.starts_with("file"));
    } else {
      (void)parse_numpy_mesh(damaged, "file.npz").has_value();
    }
  }
}

}  // namespace
}  // namespace toccata
