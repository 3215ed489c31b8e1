#include "toccata/ccd/rigid/first_contact.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "ccd/rigid/controlled/controlled.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"
#include "hierarchy/obb_tree.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {

using namespace search;
using namespace rigid;

namespace {

RigidQuery query_of(const Body& a, const Body& b, const FirstContactOptions& options, const StopWatch* stop) {
  return {pair_of(a, b), resolved_tolerance(a.shape, b.shape, options.tolerance, options.relative_tolerance),
          options, stop};
}

FirstContactResult checked(const Body& a, const Body& b, const FirstContactOptions& options,
                           const StopWatch* stop, SearchMemory& memory) {
  std::string failure = failure_of(options);
  if (failure.empty()) failure = failure_of(a, b);
  if (failure.empty()) failure = failure_of_method(options.method, a.shape, b.shape);
  if (!failure.empty()) return failed(std::move(failure));
  const RigidQuery query = query_of(a, b, options, stop);
  return stop != nullptr && stop->is_over() ? unanswered(query) : answered(query, memory);
}

}  // namespace

double resolved_tolerance(const Shape& a, const Shape& b, std::optional<double> tolerance,
                          double relative_tolerance) {
  if (tolerance) return *tolerance;
  const double smaller = std::min(a.size(), b.size());
  const double larger = std::max(a.size(), b.size());
  // A half space has no size of its own; two of them have that of the unit.
  if (!std::isfinite(larger)) return relative_tolerance * (std::isfinite(smaller) ? smaller : 1.0);
  return relative_tolerance * std::max(smaller, 1e-3 * larger);
}

void prepare(const Shape& shape, RigidMethod method) {
  if (!shape.is_mesh()) return;
  switch (method) {
    case RigidMethod::Advancement:
      return;
    case RigidMethod::Controlled:
      return controlled::prepare(shape.data());
    case RigidMethod::Interval:
    case RigidMethod::Screw:
      obb_tree_of(shape.data());
      return;
  }
}

FirstContactResult first_contact(const Body& a, const Body& b, const FirstContactOptions& options) {
  const StopWatch watch(options.stop);
  SearchMemory memory;
  return checked(a, b, options, watch.or_null(), memory);
}

std::vector<FirstContactResult> first_contacts(std::span<const BodyPair> pairs,
                                               const FirstContactOptions& options) {
  const StopWatch watch(options.stop);
  std::vector<FirstContactResult> results(pairs.size());
  // Each worker takes the next pair when it is free, since some take a hundred times longer than others.
  const int workers = usable_threads(options.threads);
  std::atomic<std::size_t> next = 0;
  parallel_blocks(static_cast<std::size_t>(workers), 1, options.threads, [&](std::size_t, std::size_t) {
    SearchMemory memory;
    for (std::size_t i = next++; i < pairs.size(); i = next++) {
      results[i] = checked(pairs[i].a, pairs[i].b, options, watch.or_null(), memory);
    }
  });
  return results;
}

}  // namespace toccata
