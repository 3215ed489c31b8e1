#include <optional>

#include "method.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::bench {
namespace {

class Advancement final : public Method {
 public:
  std::string name() const override { return "toccata advancement"; }
  void prepare(const TriangleMesh& a, const TriangleMesh& b) override {
    solver_.emplace(RigidShape(a), RigidShape(b));
  }
  Answer answer(const Trial& trial) override {
    const FirstContactResult r = solver_->first_contact(RigidMotion(trial.from, trial.to), RigidMotion());
    return {r.status == Status::Contact || r.status == Status::OverlapAtStart, r.time,
            static_cast<long>(r.stats.node_pairs), static_cast<long>(r.stats.triangle_pairs)};
  }

 private:
  std::optional<RigidContactSolver> solver_;
};

}  // namespace

std::unique_ptr<Method> toccata_advancement() {
  return std::make_unique<Advancement>();
}

}  // namespace toccata::bench
