#pragma once
// Between the program and the part of it that is linked with OpenVDB (export.cpp), which is loaded at need.
#include <cstddef>

namespace toccata::app {

struct OpenVdbQuestion {
  const char* field;
  const char* output;
  double voxel;
  double half_width;
  int threads;
  bool force;
};

struct OpenVdbAnswer {
  std::size_t voxels = 0;
  double field_error = 0.0;
  char error[1024] = {};  // empty: none
};

using OpenVdbExport = void(const OpenVdbQuestion*, OpenVdbAnswer*);  // "toccata_export_openvdb"

}  // namespace toccata::app
