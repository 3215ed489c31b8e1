#include <chrono>
#include <optional>

#include "method.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
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
            static_cast<long>(r.stats.node_pairs), static_cast<long>(r.stats.piece_pairs)};
  }

  std::size_t bytes() const override {
    return options_.method == RigidMethod::Advancement ? a_->memory_bytes() + b_->memory_bytes() : 0;
  }

  double batch_seconds(const std::vector<Trial>& trials, int threads) override {
    if (options_.method != RigidMethod::Advancement) return 0.0;
    std::vector<BodyPair> pairs;
    for (const Trial& trial : trials) pairs.push_back({{*a_, RigidMotion(trial.from, trial.to)}, {*b_}});
    FirstContactOptions options = options_;
    options.threads = threads;
    const auto start = std::chrono::steady_clock::now();
    first_contacts(pairs, options);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  std::string name_;
  FirstContactOptions options_;
  std::optional<Shape> a_, b_;
  std::optional<ContactSolver> solver_;
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
