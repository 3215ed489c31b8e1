// What `toccata field export` loads when it is asked: OpenVDB takes longer to load than most questions to
// answer.
#include "openvdb/export.hpp"

#include <algorithm>
#include <string>

#include "toccata/field/distance_field.hpp"
#include "toccata/io/field_io.hpp"
#include "toccata/io/openvdb_export.hpp"

using namespace toccata;

extern "C" __attribute__((visibility("default"))) void toccata_export_openvdb(
    const app::OpenVdbQuestion* question, app::OpenVdbAnswer* answer) {
  const auto fail = [answer](const std::string& message) {
    answer->error[std::min(message.size(), sizeof answer->error - 1)] = 0;
    std::copy_n(message.begin(), std::min(message.size(), sizeof answer->error - 1), answer->error);
  };
  const Expected<DistanceField> field = load_distance_field(question->field);
  if (!field) return fail(field.error().message);
  const Expected<std::size_t> voxels = save_openvdb(question->output, *field,
                                                    {.voxel = question->voxel,
                                                     .half_width = question->half_width,
                                                     .threads = question->threads,
                                                     .force = question->force});
  if (!voxels) return fail(voxels.error().message);
  answer->voxels = *voxels;
  answer->field_error = field->error();
}
