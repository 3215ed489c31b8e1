// The extension module toccata._openvdb: level sets of OpenVDB, where that library is installed.
#include <pybind11/pybind11.h>

#include "toccata/io/field_io.hpp"
#include "toccata/io/openvdb_export.hpp"

namespace py = pybind11;

namespace {

// A field as its bytes: objects of another extension module are not this one's.
std::size_t save_level_set(const py::bytes& field, const std::string& path,
                           const toccata::OpenVdbOptions& options) {
  const std::string content = field;
  const py::gil_scoped_release release;
  const toccata::Expected<toccata::DistanceField> parsed = toccata::parse_distance_field(content);
  if (!parsed) throw std::invalid_argument(parsed.error().message);
  const toccata::Expected<std::size_t> voxels = toccata::save_openvdb(path, *parsed, options);
  if (!voxels) throw std::invalid_argument(voxels.error().message);
  return *voxels;
}

}  // namespace

PYBIND11_MODULE(_openvdb, module) {
  module.doc() = "Level sets of OpenVDB; use toccata.DistanceField.save_openvdb, not this module.";
  module.def("save", [](const py::bytes& field, const std::string& path, double voxel, double half_width,
                        int threads, bool force) {
    return save_level_set(field, path, {voxel, half_width, threads, force});
  });
}
