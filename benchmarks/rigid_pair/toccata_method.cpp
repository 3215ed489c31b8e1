#include <chrono>
#include <optional>

#include "method.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata::bench {
namespace {

class Toccata final : public Method {
 public:
  Toccata(std::string name, RigidMethod method) : name_(std::move(name)) { options_.method = method; }
  std::string name() const override { return "toccata " + name_; }

  void prepare(const TriangleMesh& a, const TriangleMesh& b) override {
    a_.emplace(a);
    b_.emplace(b);
    solver_.emplace(*a_, *b_, options_);
    // The other methods' trees are built by their first query.
    const Pose far{Matrix3::Identity(), Vector3(1e3, 0, 0)};
    solver_->first_contact(RigidMotion::fixed(far), RigidMotion());
  }

  Answer answer(const Trial& trial) override {
    const FirstContactResult r = solver_->first_contact(RigidMotion(trial.from, trial.to), RigidMotion());
    return {r.status == Status::Contact || r.status == Status::OverlapAtStart, r.time, r.distance,
            static_cast<long>(r.stats.node_pairs), static_cast<long>(r.stats.triangle_pairs)};
  }

  std::size_t bytes() const override {
    return options_.method == RigidMethod::Advancement ? a_->memory() + b_->memory() : 0;
  }

  double batch_seconds(const std::vector<Trial>& trials, int threads) override {
    if (options_.method != RigidMethod::Advancement) return 0.0;
    std::vector<RigidMotion> motions;
    for (const Trial& trial : trials) motions.emplace_back(trial.from, trial.to);
    const RigidMotion fixed;
    std::vector<MotionPair> pairs;
    for (const RigidMotion& motion : motions) pairs.push_back({&motion, &fixed});
    const auto begin = std::chrono::steady_clock::now();
    first_contacts(*a_, *b_, pairs, options_, threads);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  std::string name_;
  RigidContactOptions options_;
  std::optional<RigidShape> a_, b_;
  std::optional<RigidContactSolver> solver_;
};

}  // namespace

std::vector<std::unique_ptr<Method>> toccata_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  methods.push_back(std::make_unique<Toccata>("advancement", RigidMethod::Advancement));
  methods.push_back(std::make_unique<Toccata>("controlled", RigidMethod::Controlled));
  methods.push_back(std::make_unique<Toccata>("screw", RigidMethod::Screw));
  methods.push_back(std::make_unique<Toccata>("interval", RigidMethod::Interval));
  return methods;
}

}  // namespace toccata::bench
