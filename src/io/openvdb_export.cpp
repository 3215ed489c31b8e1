#include "toccata/io/openvdb_export.hpp"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include "toccata/base/parallel.hpp"

namespace toccata {
namespace {

constexpr int leaf_side = 8;  // of a leaf of OpenVDB
constexpr std::size_t leaf_voxels = 512;
constexpr double most_leaves = 1 << 27;

using LeafOrigin = std::array<std::int32_t, 3>;
using LeafValues = std::array<float, leaf_voxels>;

std::string fault_of(const DistanceField& field, const OpenVdbOptions& options) {
  if (!field.is_signed()) return "a level set needs a mesh that is closed";
  if (!(options.voxel >= 0.0) || !std::isfinite(options.voxel)) return "voxel must be at least 0";
  if (!(options.half_width >= 1.5) || !(options.half_width <= 1e6))
    return "half_width must be from 1.5 to 1e6 voxels";
  return {};
}

class LevelSet {
 public:
  LevelSet(const DistanceField& field, double voxel, const OpenVdbOptions& options)
      : field_(field), voxel_(voxel), band_(options.half_width * voxel), threads_(options.threads) {}

  // Whole leaves around all that the band can reach.
  Expected<bool> lay_leaves();
  openvdb::FloatGrid::Ptr grid() const;

 private:
  Vector3 place(const LeafOrigin& at) const { return voxel_ * Vector3(at[0], at[1], at[2]); }
  LeafValues values_of(const LeafOrigin& origin) const;

  const DistanceField& field_;
  double voxel_;
  double band_;
  int threads_;
  std::vector<LeafOrigin> leaves_;  // that hold a part of the band
};

Expected<bool> LevelSet::lay_leaves() {
  const TriangleMesh& mesh = field_.shape().mesh();
  Vector3 low = Vector3::Constant(INFINITY), high = -low;
  for (const Face& f : mesh.faces) {
    for (const std::int32_t v : f) {
      low = low.cwiseMin(mesh.vertices[static_cast<std::size_t>(v)]);
      high = high.cwiseMax(mesh.vertices[static_cast<std::size_t>(v)]);
    }
  }
  const double side = leaf_side * voxel_;
  const Vector3 first = ((low.array() - band_) / side).floor(),
                last = ((high.array() + band_) / side).floor();
  const Vector3 counts = last - first + Vector3::Ones();
  if (!(counts.prod() <= most_leaves) || !(first.cwiseAbs().maxCoeff() < 1e8) ||
      !(last.cwiseAbs().maxCoeff() < 1e8))
    return Error{"a voxel of " + std::to_string(voxel_) + " is too small for this mesh"};
  const auto nx = static_cast<std::size_t>(counts.x()), ny = static_cast<std::size_t>(counts.y()),
             nz = static_cast<std::size_t>(counts.z());
  const auto origin = [&](std::size_t i) {
    const auto at = [&](int axis, std::size_t k) {
      return leaf_side * (static_cast<std::int32_t>(first[axis]) + static_cast<std::int32_t>(k));
    };
    return LeafOrigin{at(0, i % nx), at(1, i / nx % ny), at(2, i / nx / ny)};
  };
  // Distances are 1-Lipschitz: leaves whose middle is farther than their reach hold none.
  const double reach = band_ + 0.5 * std::sqrt(3.0) * (leaf_side - 1) * voxel_;
  std::vector<std::uint8_t> holds(nx * ny * nz, 0);
  parallel_blocks(holds.size(), 256, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const FieldValue middle =
          field_.at(place(origin(i)) + Vector3::Constant(0.5 * (leaf_side - 1) * voxel_));
      holds[i] = middle.lower <= reach && middle.upper >= -reach ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < holds.size(); ++i)
    if (holds[i] != 0) leaves_.push_back(origin(i));
  return true;
}

// As OpenVDB numbers them: z fastest. Beyond the band infinite.
LeafValues LevelSet::values_of(const LeafOrigin& origin) const {
  LeafValues values;
  for (std::size_t i = 0; i < leaf_voxels; ++i) {
    const auto k = static_cast<std::int32_t>(i);
    const Vector3 point = place({origin[0] + k / 64, origin[1] + k / 8 % 8, origin[2] + k % 8});
    const FieldValue here = field_.at(point);
    double value = here.value();
    if (here.lower <= 0.0 && here.upper >= 0.0)
      value = field_.side_at(point) == Containment::Inside ? -std::abs(value) : std::abs(value);
    values[i] = std::abs(value) < band_ ? static_cast<float>(value) : INFINITY;
  }
  return values;
}

openvdb::FloatGrid::Ptr LevelSet::grid() const {
  openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(static_cast<float>(band_));
  grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel_));
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  grid->setName("distance");
  grid->insertMeta("toccata_error", openvdb::DoubleMetadata(field_.error()));
  constexpr std::size_t batch = 4096;
  std::vector<LeafValues> values;
  for (std::size_t begin = 0; begin < leaves_.size(); begin += batch) {
    values.resize(std::min(batch, leaves_.size() - begin));
    parallel_blocks(values.size(), 4, threads_, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) values[i] = values_of(leaves_[begin + i]);
    });
    for (std::size_t i = 0; i < values.size(); ++i) {
      const LeafOrigin& at = leaves_[begin + i];
      auto* const leaf = grid->tree().touchLeaf(openvdb::Coord(at[0], at[1], at[2]));
      for (std::size_t k = 0; k < leaf_voxels; ++k)
        if (std::isfinite(values[i][k])) leaf->setValueOn(static_cast<openvdb::Index>(k), values[i][k]);
    }
  }
  openvdb::tools::signedFloodFill(grid->tree());
  openvdb::tools::pruneLevelSet(grid->tree());
  return grid;
}

}  // namespace

Expected<std::size_t> save_openvdb(const std::string& path, const DistanceField& field,
                                   const OpenVdbOptions& options) {
  if (const std::string fault = fault_of(field, options); !fault.empty()) return Error{fault};
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) {
    if (!std::filesystem::is_regular_file(path, unknown))
      return Error{path + ": exists and is not a regular file"};
    if (!options.force) return Error{path + ": the file exists; it is replaced only with the option force"};
  }
  // Beside it first: whole or not at all.
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  const double voxel = options.voxel > 0.0 ? options.voxel : field.shape().size() / 64.0;
  LevelSet level_set(field, voxel, options);
  if (const Expected<bool> good = level_set.lay_leaves(); !good) return good.error();
  try {
    openvdb::initialize();
    const openvdb::FloatGrid::Ptr grid = level_set.grid();
    openvdb::io::File(temporary).write({grid});
    std::filesystem::rename(temporary, path);
    return static_cast<std::size_t>(grid->activeVoxelCount());
  } catch (const std::exception& problem) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return Error{path + ": cannot write the file: " + problem.what()};
  }
}

}  // namespace toccata
