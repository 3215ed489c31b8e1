// Many pairs of moving rigid bodies in one call.
#include <pybind11/stl.h>

#include <limits>

#include "batch.hpp"
#include "rigid.hpp"
#include "toccata/io/sentence.hpp"

namespace toccata::python {
namespace {

// One side of all pairs: a motion per pair; a shape per pair or one for all, and likewise whether it is
// solid.
class BatchSide {
 public:
  BatchSide(std::vector<std::shared_ptr<AnyShape>> shapes, std::shared_ptr<MotionList> motions,
            std::vector<bool> solid)
      : shapes_(std::move(shapes)), motions_(std::move(motions)), solid_(std::move(solid)) {}

  std::size_t size() const { return motions_->size(); }
  Body body(std::size_t i) const {
    return body_of(*shapes_[shapes_.size() == 1 ? 0 : i], (*motions_)[i], solid_[solid_.size() == 1 ? 0 : i]);
  }
  const MotionList& motions() const { return *motions_; }

 private:
  std::vector<std::shared_ptr<AnyShape>> shapes_;
  std::shared_ptr<MotionList> motions_;
  std::vector<bool> solid_;
};

using FirstContactBatch = Batch<FirstContactResult>;
using ClosestApproachBatch = Batch<ClosestApproachResult>;

// What Python's motions raised in a batch.
auto pending_of(const BatchSide& a, const BatchSide& b) {
  return [all_a = &a.motions(), all_b = &b.motions()] {
    all_a->raise_pending();
    all_b->raise_pending();
  };
}

FirstContactBatch ask_first_contacts(const BatchSide& a, const BatchSide& b, const py::dict& values,
                                     int threads) {
  FirstContactOptions options = first_contact_options_of(values);
  options.threads = threads;
  return FirstContactBatch(answer_until_interrupted(
      options.stop.seconds, true,
      [&](const Stop& stop) {
        options.stop = stop;
        std::vector<BodyPair> pairs;
        pairs.reserve(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) pairs.push_back({a.body(i), b.body(i)});
        return first_contacts(pairs, options);
      },
      pending_of(a, b)));
}

ClosestApproachResult unanswered_approach() {
  ClosestApproachResult result;
  result.status = Status::OutOfBudget;
  result.distance = std::numeric_limits<double>::infinity();
  return result;
}

ClosestApproachBatch ask_closest_approaches(const BatchSide& a, const BatchSide& b, const py::dict& values,
                                            int threads) {
  const ClosestApproachOptions options = closest_approach_options_of(values);
  return ClosestApproachBatch(answer_until_interrupted(
      options.stop.seconds, true,
      [&](const Stop& stop) {
        std::vector<ClosestApproachResult> results(a.size());
        for_each_row(
            results.size(), threads, stop,
            [&](std::size_t i, const Stop& rest) {
              ClosestApproachOptions own = options;
              own.stop = rest;
              results[i] = closest_approach(a.body(i), b.body(i), own);
            },
            [&](std::size_t i) { results[i] = unanswered_approach(); });
        return results;
      },
      pending_of(a, b)));
}

py::dict first_contact_columns(const FirstContactBatch& batch) {
  using Row = FirstContactResult;
  Columns columns(batch);
  columns.add("status", &Row::status).add("time", &Row::time).add("lower", &Row::lower);
  columns.add("upper", &Row::upper).add("distance", &Row::distance);
  return columns.add_contact(&Row::contact).fields();
}

py::dict closest_approach_columns(const ClosestApproachBatch& batch) {
  using Row = ClosestApproachResult;
  Columns columns(batch);
  columns.add("status", &Row::status).add("time", &Row::time).add("distance", &Row::distance);
  return columns.add("lower_distance", &Row::lower_distance).add_contact(&Row::contact).fields();
}

// How the trials of a batch ended, in words.
std::string trials_sentence(std::size_t answered, std::size_t touching, std::size_t undecided,
                            std::size_t failed) {
  return sentence({.asked = answered,
                   .answered = answered,
                   .touching = touching,
                   .undecided = undecided,
                   .failed = failed});
}

}  // namespace

void bind_rigid_batch(py::module_& module) {
  py::class_<BatchSide>(module, "BatchSide")
      .def(
          py::init<std::vector<std::shared_ptr<AnyShape>>, std::shared_ptr<MotionList>, std::vector<bool>>());
  py::class_<FirstContactBatch>(module, "FirstContactBatch")
      .def_property_readonly("interrupted", &FirstContactBatch::interrupted)
      .def("columns", &first_contact_columns)
      .def("row", &FirstContactBatch::row);
  py::class_<ClosestApproachBatch>(module, "ClosestApproachBatch")
      .def_property_readonly("interrupted", &ClosestApproachBatch::interrupted)
      .def("columns", &closest_approach_columns)
      .def("row", &ClosestApproachBatch::row);
  module.def("trials_sentence", &trials_sentence);
  module.def("first_contacts", &ask_first_contacts);
  module.def("closest_approaches", &ask_closest_approaches);
}

}  // namespace toccata::python
