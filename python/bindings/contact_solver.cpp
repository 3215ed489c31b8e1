// A solver that is kept for many questions on one pair of shapes.
#include "toccata/ccd/rigid/contact_solver.hpp"

#include <mutex>

#include "rigid.hpp"

namespace toccata::python {
namespace {

// The library's solver is for one thread; Python's threads take turns.
class SharedSolver {
 public:
  SharedSolver(const Mesh& mesh_a, const Mesh& mesh_b, const std::pair<bool, bool>& solid,
               const py::dict& values)
      : solver_(made(mesh_a, mesh_b, solid, first_contact_options_of(values))) {}

  std::shared_ptr<FirstContactResult> first_contact(const MotionPointer& motion_a,
                                                    const MotionPointer& motion_b) {
    return asked<FirstContactResult>(motion_a, motion_b,
                                     [&] { return solver_.first_contact(*motion_a, *motion_b); });
  }

  std::shared_ptr<ClosestApproachResult> closest_approach(const MotionPointer& motion_a,
                                                          const MotionPointer& motion_b,
                                                          const py::dict& values) {
    const ClosestApproachOptions options = closest_approach_options_of(values);
    return asked<ClosestApproachResult>(
        motion_a, motion_b, [&] { return solver_.closest_approach(*motion_a, *motion_b, options); });
  }

 private:
  static ContactSolver made(const Mesh& mesh_a, const Mesh& mesh_b, const std::pair<bool, bool>& solid,
                            const FirstContactOptions& options) {
    const py::gil_scoped_release release;
    return {Body{mesh_a.shape(), {}, solid.first}, Body{mesh_b.shape(), {}, solid.second}, options};
  }

  template <typename Result, typename Ask>
  std::shared_ptr<Result> asked(const MotionPointer& motion_a, const MotionPointer& motion_b, Ask ask) {
    std::shared_ptr<Result> result;
    {
      // Without the GIL first: a motion of Python's may want it while the solver is taken.
      const py::gil_scoped_release release;
      const std::scoped_lock turn(mutex_);
      result = std::make_shared<Result>(ask());
    }
    raise_pending(*motion_a);
    raise_pending(*motion_b);
    return result;
  }

  std::mutex mutex_;
  ContactSolver solver_;
};

}  // namespace

void bind_contact_solver(py::module_& module) {
  py::class_<SharedSolver, std::shared_ptr<SharedSolver>>(module, "ContactSolver")
      .def(py::init<const Mesh&, const Mesh&, const std::pair<bool, bool>&, const py::dict&>())
      .def("first_contact", &SharedSolver::first_contact)
      .def("closest_approach", &SharedSolver::closest_approach);
}

}  // namespace toccata::python
