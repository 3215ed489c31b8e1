#include "trial_file.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "number_rows.hpp"
#include "pose_argument.hpp"
#include "toccata/io/numpy_io.hpp"

namespace toccata::app {
namespace {

constexpr std::string_view names_a[] = {"trials", "motions", "motions_a", "a"};
constexpr std::string_view names_b[] = {"motions_b", "b"};

OwnedMotion motion_of(const double* numbers, std::size_t width, const std::string& where,
                      const MotionReading& reading) {
  const Pose from = typed_pose_of({numbers, numbers + width}, where, reading.quaternion).pose;
  const Pose to = typed_pose_of({numbers + width, numbers + 2 * width}, where, reading.quaternion).pose;
  return motion_between(from, to, reading.screw);
}

Trial trial_of(const NumberRow& row, const std::string& shape, const MotionReading& reading) {
  const std::size_t count = row.numbers.size();
  for (const std::size_t width : {std::size_t{7}, std::size_t{12}, std::size_t{16}}) {
    const double* numbers = row.numbers.data();
    if (count == 2 * width) return {motion_of(numbers, width, row.where, reading), {}};
    if (count == 4 * width)
      return {motion_of(numbers, width, row.where, reading),
              motion_of(numbers + 2 * width, width, row.where, reading)};
  }
  throw UsageError(
      fmt::format("{}: expected 24 numbers, found {}{}; a trial is two poses of A, or two of A and two of B, "
                  "each of 7 (x y z and "
                  "a quaternion), 12 (rotation row by row, x y z) or 16 numbers (4x4 matrix)",
                  row.where, count, shape.empty() ? "" : " (the array has the shape " + shape + ")"));
}

void add_trial(const NumberRow& row, const std::string& shape, const MotionReading& reading,
               std::vector<Trial>& trials) {
  trials.push_back(trial_of(row, shape, reading));
  if (trials.back().motion_b.has_value() == trials.front().motion_b.has_value()) return;
  throw UsageError(row.where + ": B moves in some trials and not in others; give its poses in all of them");
}

std::vector<Trial> trials_of_text(const std::string& path, const MotionReading& reading) {
  std::vector<Trial> trials;
  for_each_text_row(path, [&](const NumberRow& row) { add_trial(row, "", reading, trials); });
  return trials;
}

std::vector<Trial> trials_of_arrays(const std::string& path, const MotionReading& reading) {
  std::vector<std::string_view> wanted(std::begin(names_a), std::end(names_a));
  wanted.insert(wanted.end(), std::begin(names_b), std::end(names_b));
  std::vector<Trial> trials, of_b;
  for (const NumberRows& table : read_array_rows(path, wanted)) {
    const bool is_b = std::find(std::begin(names_b), std::end(names_b), table.name) != std::end(names_b);
    std::vector<Trial>& target = is_b ? of_b : trials;
    if (!target.empty())
      throw UsageError(path + ": has the motions of one body twice; the second as " + table.name);
    for (const NumberRow& row : table.rows) add_trial(row, table.shape, reading, target);
  }
  if (of_b.empty()) return trials;
  if (of_b.size() != trials.size())
    throw UsageError(fmt::format("{}: has {} motions of A and {} of B", path, trials.size(), of_b.size()));
  for (std::size_t i = 0; i < trials.size(); ++i) trials[i].motion_b = of_b[i].motion_a;
  return trials;
}

}  // namespace

std::vector<Trial> read_trials(const std::string& path, const MotionReading& reading) {
  std::vector<Trial> trials =
      is_numpy_file(path) ? trials_of_arrays(path, reading) : trials_of_text(path, reading);
  if (trials.empty()) throw UsageError(path + ": holds no trial");
  return trials;
}

}  // namespace toccata::app
