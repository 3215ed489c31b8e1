// OMPL 1.5: edges by its DiscreteMotionValidator, which samples states in steps of 1 % of the joint space as
// by default. A state is tested by FCL 0.7, exactly: links and obstacles are boxes. Nothing of toccata.
#include <fcl/fcl.h>
#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/util/Console.h>
#include <urdf_parser/urdf_parser.h>

#include <memory>

#include "protocol.hpp"

namespace ob = ompl::base;
using namespace truth;

namespace {

fcl::Transform3d transform_of(const urdf::Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() =
      fcl::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z).toRotationMatrix();
  t.translation() = fcl::Vector3d(pose.position.x, pose.position.y, pose.position.z);
  return t;
}

// The joints in the order of the file, which is that of the variables.
struct Arm {
  urdf::ModelInterfaceSharedPtr model;
  std::vector<urdf::JointSharedPtr> joints;
  std::map<std::string, std::shared_ptr<fcl::Boxd>> boxes;

  explicit Arm(const std::string& path) : model(urdf::parseURDFFile(path)) {
    if (!model) throw std::runtime_error(path + ": no robot that can be read");
    for (urdf::LinkConstSharedPtr link = model->getRoot(); link;) {  // a chain
      if (link->collision) {
        const auto* box = dynamic_cast<const urdf::Box*>(link->collision->geometry.get());
        if (box == nullptr) throw std::runtime_error("a link is no box");
        boxes[link->name] = std::make_shared<fcl::Boxd>(box->dim.x, box->dim.y, box->dim.z);
      }
      if (link->child_joints.size() > 1) throw std::runtime_error("the robot is no chain");
      if (link->child_joints.empty()) break;
      joints.push_back(link->child_joints[0]);
      link = link->child_links[0];
    }
  }

  bool meets(const double* values, const std::vector<fcl::CollisionObjectd>& obstacles) const {
    fcl::Transform3d at = fcl::Transform3d::Identity();
    if (touches(*model->getRoot(), at, obstacles)) return true;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const urdf::Joint& joint = *joints[i];
      at = at * transform_of(joint.parent_to_joint_origin_transform) *
           Eigen::AngleAxisd(values[i], fcl::Vector3d(joint.axis.x, joint.axis.y, joint.axis.z));
      if (touches(*model->getLink(joint.child_link_name), at, obstacles)) return true;
    }
    return false;
  }

 private:
  bool touches(const urdf::Link& link, const fcl::Transform3d& at,
               const std::vector<fcl::CollisionObjectd>& obstacles) const {
    const auto box = boxes.find(link.name);
    if (box == boxes.end()) return false;
    const fcl::CollisionObjectd moving(box->second, at * transform_of(link.collision->origin));
    for (const fcl::CollisionObjectd& obstacle : obstacles) {
      fcl::CollisionResultd result;
      if (fcl::collide(&moving, &obstacle, fcl::CollisionRequestd(), result) > 0) return true;
    }
    return false;
  }
};

std::vector<fcl::CollisionObjectd> obstacles_of(const Json& given) {
  std::vector<fcl::CollisionObjectd> obstacles;
  for (const Json& o : given) {
    fcl::Transform3d place = fcl::Transform3d::Identity();
    place.translation() = fcl::Vector3d(o["position"][0], o["position"][1], o["position"][2]);
    const auto& size = o["size"];
    obstacles.emplace_back(
        std::make_shared<fcl::Boxd>(size[0].get<double>(), size[1].get<double>(), size[2].get<double>()),
        place);
  }
  return obstacles;
}

}  // namespace

int main(int argc, char** argv) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  std::map<std::string, std::shared_ptr<Arm>> arms;
  return run(argc, argv, {"edge"}, [&](const Json& given) -> std::function<Answer()> {
    auto& arm = arms[given["robot"].get<std::string>()];
    if (!arm) arm = std::make_shared<Arm>(given["robot"].get<std::string>());
    const auto dimensions = static_cast<unsigned>(arm->joints.size());
    auto space = std::make_shared<ob::RealVectorStateSpace>(dimensions);
    ob::RealVectorBounds bounds(dimensions);
    for (unsigned i = 0; i < dimensions; ++i) {
      bounds.setLow(i, arm->joints[i]->limits->lower);
      bounds.setHigh(i, arm->joints[i]->limits->upper);
    }
    space->setBounds(bounds);
    auto information = std::make_shared<ob::SpaceInformation>(space);
    const auto obstacles =
        std::make_shared<std::vector<fcl::CollisionObjectd>>(obstacles_of(given["obstacles"]));
    information->setStateValidityChecker([arm = arm, obstacles](const ob::State* state) {
      return !arm->meets(state->as<ob::RealVectorStateSpace::StateType>()->values, *obstacles);
    });
    information->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(information));
    information->setup();
    const auto start = given["start"].get<std::vector<double>>(),
               end = given["end"].get<std::vector<double>>();
    return [=] {
      ob::ScopedState<> from(space), to(space);
      for (unsigned i = 0; i < dimensions; ++i) {
        from[i] = start[i];
        to[i] = end[i];
      }
      if (!information->isValid(from.get())) return Answer{true, 0.0};
      ob::ScopedState<> last(space);
      std::pair<ob::State*, double> valid(last.get(), 0.0);  // the last valid state: a contact is beyond it
      return information->checkMotion(from.get(), to.get(), valid) ? Answer{} : Answer{true, valid.second};
    };
  });
}
