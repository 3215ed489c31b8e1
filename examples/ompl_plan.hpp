#pragma once
// What the examples with OMPL share: a way from values to values, by the planner of that name.
#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>

#include <memory>
#include <string>
#include <vector>

using WayPoints = std::vector<std::vector<double>>;

// Empty where none is found until then. RRT-Connect ends with the first way; PRM* goes on for shorter ones.
inline WayPoints planned_way(const ompl::base::SpaceInformationPtr& space, const std::string& planner_name,
                             const std::vector<double>& from, const std::vector<double>& to,
                             const ompl::base::PlannerTerminationCondition& until) {
  const ompl::base::StateSpace& states = *space->getStateSpace();
  ompl::base::ScopedState<> start(space), goal(space);
  states.copyFromReals(start.get(), from);
  states.copyFromReals(goal.get(), to);
  auto problem = std::make_shared<ompl::base::ProblemDefinition>(space);
  problem->setStartAndGoalStates(start, goal);
  ompl::base::PlannerPtr planner;
  if (planner_name == "RRT-Connect") {
    planner = std::make_shared<ompl::geometric::RRTConnect>(space);
  } else {
    planner = std::make_shared<ompl::geometric::PRMstar>(space);
  }
  planner->setProblemDefinition(problem);
  planner->setup();
  WayPoints points;
  if (!planner->solve(until) || !problem->hasExactSolution()) return points;
  const auto path = std::dynamic_pointer_cast<ompl::geometric::PathGeometric>(problem->getSolutionPath());
  for (const ompl::base::State* state : path->getStates()) {
    points.emplace_back();
    states.copyToReals(points.back(), state);
  }
  return points;
}
