// A solver that is kept for many questions on one pair of shapes.
#include "toccata/ccd/rigid/contact_solver.hpp"

#include <mutex>
#include <optional>

#include "interrupt.hpp"
#include "rigid.hpp"

namespace toccata::python {
namespace {

// The library's solver is for one thread; Python's threads take turns.
class SharedSolver {
 public:
  SharedSolver(std::shared_ptr<AnyShape> shape_a, std::shared_ptr<AnyShape> shape_b,
               const std::pair<bool, bool>& solid, const py::dict& values)
      : shape_a_(std::move(shape_a)),
        shape_b_(std::move(shape_b)),
        solid_(solid),
        options_(first_contact_options_of(values)) {}

  std::shared_ptr<FirstContactResult> first_contact(const MotionPointer& motion_a,
                                                    const MotionPointer& motion_b) {
    return asked<FirstContactResult>(motion_a, motion_b, options_.stop.seconds, [&](const Stop&) {
      return solver_->first_contact(*motion_a, *motion_b);
    });
  }

  std::shared_ptr<ClosestApproachResult> closest_approach(const MotionPointer& motion_a,
                                                          const MotionPointer& motion_b,
                                                          const py::dict& values) {
    ClosestApproachOptions options = closest_approach_options_of(values);
    return asked<ClosestApproachResult>(motion_a, motion_b, options.stop.seconds, [&](const Stop& stop) {
      options.stop = stop;
      return solver_->closest_approach(*motion_a, *motion_b, options);
    });
  }

 private:
  // The solver keeps the token that it was made with, and a token stops for good: after a Ctrl-C a new solver
  // starts without memory.
  void make_ready(const StopToken& token) {
    const StopToken& last = options_.stop.token;
    if (solver_ && !last.stop_requested() && (last.stop_possible() || !token.stop_possible())) return;
    options_.stop.token = token;
    solver_.emplace(Body{shape_a_->shape(), {}, solid_.first}, Body{shape_b_->shape(), {}, solid_.second},
                    options_);
  }

  template <typename Result, typename Ask>
  std::shared_ptr<Result> asked(const MotionPointer& motion_a, const MotionPointer& motion_b, double seconds,
                                Ask ask) {
    return answered(
        seconds,
        [&](const Stop& stop) {
          // The GIL is free here: a motion of Python's may want it while the solver is taken.
          const std::scoped_lock turn(mutex_);
          make_ready(stop.token);
          return std::make_shared<Result>(ask(stop));
        },
        [&] {
          raise_pending(*motion_a);
          raise_pending(*motion_b);
        });
  }

  std::shared_ptr<AnyShape> shape_a_;
  std::shared_ptr<AnyShape> shape_b_;
  std::pair<bool, bool> solid_;
  FirstContactOptions options_;
  std::mutex mutex_;
  std::optional<ContactSolver> solver_;
};

}  // namespace

void bind_contact_solver(py::module_& module) {
  py::class_<SharedSolver, std::shared_ptr<SharedSolver>>(module, "ContactSolver")
      .def(py::init<std::shared_ptr<AnyShape>, std::shared_ptr<AnyShape>, const std::pair<bool, bool>&,
                    const py::dict&>())
      .def("first_contact", &SharedSolver::first_contact)
      .def("closest_approach", &SharedSolver::closest_approach);
}

}  // namespace toccata::python
