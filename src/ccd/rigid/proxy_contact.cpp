#include "toccata/ccd/rigid/proxy_contact.hpp"

#include <algorithm>

#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/rigid_query.hpp"

namespace toccata {

using namespace search;
using namespace rigid;

ProxyShape::ProxyShape(Shape mesh, const MedialProxy& proxy)
    : mesh_(std::move(mesh)), outer_(proxy.outer), error_(proxy.error) {
  if (!proxy.inner.centers.empty()) inner_.emplace(proxy.inner);
}

namespace {

// The first contact of two bodies, whose part before `begin` is proven free.
FirstContactResult from(double begin, const Body& a, const Body& b, const FirstContactOptions& options) {
  if (begin == 0.0) return first_contact(a, b, options);
  const StopWatch watch(options.stop);
  SearchMemory memory;
  const RigidQuery query = {
      pair_of(a, b), resolved_tolerance(a.shape, b.shape, options.tolerance, options.relative_tolerance),
      options, watch.or_null()};
  FirstContactResult result = answered_from(begin, query, memory);
  result.minimum_distance = options.minimum_distance;
  return result;
}

}  // namespace

ProxyContactResult first_contact(const ProxyBody& a, const ProxyBody& b, const ProxyContactOptions& options) {
  ProxyContactResult result;
  result.shape_error = a.shape.error() + b.shape.error();
  result.contact =
      first_contact(Body{a.shape.outer(), a.motion}, Body{b.shape.outer(), b.motion}, options.contact);
  const Status outer = result.contact.status;
  result.outer_time = result.contact.lower;
  if (outer == Status::Separated || outer == Status::Failed) return result;
  if (options.refine && outer != Status::OutOfBudget) {
    const QueryStats before = result.contact.stats;
    result.contact =
        from(result.outer_time, {a.shape.mesh(), a.motion}, {b.shape.mesh(), b.motion}, options.contact);
    result.contact.stats += before;
    result.refined = true;
    return result;
  }
  if (outer == Status::OutOfBudget) return result;
  if (a.shape.inner() && b.shape.inner()) {
    // Balls inside both: where they overlap, the solids do. `upper` of a contact is proven that way.
    const FirstContactResult inner =
        from(result.outer_time, {*a.shape.inner(), a.motion}, {*b.shape.inner(), b.motion}, options.contact);
    if (inner.status == Status::Contact) result.inner_time = inner.upper;
    if (inner.status == Status::OverlapAtStart && inner.distance <= 0.0) result.inner_time = 0.0;
    result.contact.stats += inner.stats;
  }
  result.contact.upper = result.inner_time;
  return result;
}

}  // namespace toccata
