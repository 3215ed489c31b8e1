#include "toccata/ccd/deformable/frame_list.hpp"

#include <string>

#include "base/stop_watch.hpp"

namespace toccata {
namespace {

// Sets the step between frames i and i + 1. Frame i is known to be good, but for the first one.
Expected<UpdateReport> update_to(DeformableScene& scene, std::span<const std::vector<Vector3>> frames,
                                 std::size_t i) {
  auto updated = scene.update(frames[i], frames[i + 1]);
  if (updated) return updated;
  const bool first_is_good = i > 0 || scene.update(frames[0], frames[0]).has_value();
  const std::size_t frame = first_is_good ? i + 1 : 0;
  const auto& bad = frames[frame];
  const auto count = static_cast<std::size_t>(scene.vertex_count());
  if (bad.size() != count) {
    return Error{"frame " + std::to_string(frame) + " has " + std::to_string(bad.size()) +
                 " vertices, the scene " + std::to_string(count)};
  }
  return Error{"frame " + std::to_string(frame) + ": " + updated.error().message};
}

}  // namespace

Expected<std::vector<DeformableContacts>> all_contacts(DeformableScene& scene,
                                                       std::span<const std::vector<Vector3>> frames,
                                                       const DeformableOptions& options) {
  const StopWatch watch(options.stop);
  DeformableOptions rest = options;
  std::vector<DeformableContacts> steps;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    const auto updated = update_to(scene, frames, i);
    if (!updated) return updated.error();
    rest.stop = watch.rest();
    steps.push_back(scene.all_contacts(rest));
    if (steps.back().status == Status::Failed) return Error{std::move(steps.back().failure)};
    if (watch.is_over()) break;
  }
  DeformableContacts unasked;
  unasked.status = Status::OutOfBudget;
  if (frames.size() > 1) steps.resize(frames.size() - 1, unasked);
  return steps;
}

Expected<FirstContactResult> first_contact(DeformableScene& scene,
                                           std::span<const std::vector<Vector3>> frames,
                                           const DeformableOptions& options) {
  const StopWatch watch(options.stop);
  DeformableOptions rest = options;
  FirstContactResult first;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    const auto updated = update_to(scene, frames, i);
    if (!updated) return updated.error();
    rest.stop = watch.rest();
    first = scene.first_contact(rest);
    if (first.status == Status::Failed) return Error{std::move(first.failure)};
    first.step = static_cast<std::int32_t>(i);
    if (first.status != Status::Separated) return first;
    ++first.step;
  }
  return first;
}

double time_in_frames(const FirstContactResult& first) {
  return first.step + (first.status == Status::Separated ? 0.0 : first.time);
}

}  // namespace toccata
