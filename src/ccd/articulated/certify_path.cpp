// Every pair on its own goes along the path: its distance at a time, less how far one can get as the other
// sees it, holds for a while. What holds is a span of the certificate, and the next one starts where it ends.
#include "toccata/ccd/articulated/certify_path.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "base/number_text.hpp"
#include "ccd/articulated/path_search.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/geometry/content_hash.hpp"
#include "toccata/motion/displacement_bound.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace articulated {
namespace {

using Spans = std::vector<CertifiedSpan>;

// Two spans become one if that loses no more than this share of the larger clearance.
constexpr double merged_share = 0.5;

class PairWalk {
 public:
  PairWalk(PathSearch& search, const CertifyPathOptions& options, const StopWatch* stop)
      : search_(search), options_(options), stop_(stop) {}

  // Along the whole path; empty where a contact is met, or the time is over.
  Spans along(const PathPair& pair) {
    Spans spans;
    for (int piece = 0; piece < search_.motion().piece_count(); ++piece) {
      if (!walk(pair, search_.motion().begin_of(piece), search_.motion().end_of(piece), spans)) return {};
    }
    return merged(spans);
  }

 private:
  bool walk(const PathPair& pair, double t, double end, Spans& spans) {
    const PathSearch::Seen both = search_.seen(pair);
    const Motion& motion = *both.shape[0].motion;
    const Outline& outline = *both.outline[0];
    const double needed = search_.distance_of(pair, options_.minimum_distance);
    // What is kept of the way between what is needed and what there is; the rest is for the step, and for
    // whoever checks it by simpler means.
    const double share = options_.share, kept = 0.5 * (1.0 + share);
    while (true) {
      if (stop_ != nullptr && stop_->is_over()) return false;
      const double gap = clearance_at(pair, t, motion.pose_error(), outline) - needed;
      if (!(gap > 0.0)) return false;
      const double room = (1.0 - kept) * gap;
      const Vector3 center = motion.pose(t).apply(outline.center);
      double step = end - t;
      for (int attempt = 0; step > 0.0; ++attempt) {
        const MotionExpansion expansion = motion.expansion(t, std::min(end, t + step));
        const double moved = displacement(expansion, {&center, 1}, outline.radius, step);
        if (moved <= room) break;
        // The bound grows at least evenly with the step: this much less is nearly always enough.
        step *= attempt > 60 ? 0.0 : std::clamp(0.95 * room / moved, 0.1, 0.95);
      }
      const double until = std::min(end, t + step);
      spans.push_back({t, until, needed + share * gap});
      if (until >= end) return true;
      if (!(until > t)) return false;
      t = until;
    }
  }

  // Not above the distance of the two at t.
  double clearance_at(const PathPair& pair, double t, const PoseError& error, const Outline& outline) {
    const PathSearch::Seen both = search_.seen(pair);
    const Pose pose = both.shape[0].motion->pose(t), other = both.shape[1].motion->pose(t);
    const DistanceResult found = distance({both.outline[0]->shape, pose}, {both.outline[1]->shape, other});
    const double reach = outline.center.norm() + outline.radius;
    return found.lower_distance - 2.0 * (error.translation + error.rotation * reach) -
           64.0 * unit_roundoff * (reach + pose.translation.norm() + other.translation.norm());
  }

  static Spans merged(const Spans& spans) {
    Spans result;
    double largest = 0.0;
    for (const CertifiedSpan& span : spans) {
      const double least = result.empty() ? 0.0 : std::min(result.back().clearance, span.clearance);
      if (!result.empty() && least >= merged_share * std::max(largest, span.clearance)) {
        result.back().end = span.end;
        result.back().clearance = least;
        largest = std::max(largest, span.clearance);
      } else {
        result.push_back(span);
        largest = span.clearance;
      }
    }
    return result;
  }

  PathSearch& search_;
  const CertifyPathOptions& options_;
  const StopWatch* stop_;
};

// Where both hold.
Spans both_of(const Spans& a, const Spans& b) {
  Spans result;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const double begin = std::max(a[i].begin, b[k].begin), end = std::min(a[i].end, b[k].end);
    if (begin < end || (begin == end && result.empty()))
      result.push_back({begin, end, std::min(a[i].clearance, b[k].clearance)});
    if (a[i].end < b[k].end) {
      ++i;
    } else {
      ++k;
    }
  }
  return result;
}

// Names of what moves as one; the scene's bodies have one each.
struct NamedPair {
  const std::vector<std::string>* a;
  std::vector<std::string> b;
  bool with_scene = false;
};

NamedPair names_of(const PreparedRobot& robot, const PathPair& pair) {
  const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  if (!pair.self) return {&robot.bodies[at(pair.body)].names, {robot.obstacles[at(pair.other)].name}, true};
  const SelfPair& self = robot.self_pairs[at(pair.other)];
  return {&robot.bodies[at(self.a)].names, robot.bodies[at(self.b)].names, false};
}

std::vector<PathPair> all_pairs(const PreparedRobot& robot) {
  std::vector<PathPair> pairs;
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    for (std::size_t k = 0; k < robot.obstacles.size(); ++k) {
      if (robot.bodies[i].may_meet[k] != 0)
        pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k), false});
    }
  }
  for (std::size_t i = 0; i < robot.self_pairs.size(); ++i)
    pairs.push_back({robot.self_pairs[i].b, static_cast<std::int32_t>(i), true});
  return pairs;
}

PathContactResult not_certified(Status status, std::string failure) {
  PathContactResult result;
  result.status = status;
  result.time = result.lower = 0.0;
  result.failure = std::move(failure);
  return result;
}

}  // namespace
}  // namespace articulated

using namespace articulated;

CertifiedPath certify_path(const RobotInScene& robot, const JointPath& path,
                           const CertifyPathOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CertifiedPath result;
  if (!(options.share > 0.0 && options.share < 1.0)) {
    result.contact = not_certified(
        Status::Failed, "share is " + number_text(options.share) + ", but must be above 0 and below 1");
    return result;
  }
  const StopWatch watch(options.stop);
  PathContactOptions asked;
  asked.minimum_distance = options.minimum_distance;
  asked.stop = options.stop;
  result.contact = path_contact(robot, path, asked);
  if (result.contact.status != Status::Separated) return result;
  const PreparedRobot& prepared = robot.data();
  const std::vector<PathPair> pairs = all_pairs(prepared);
  std::vector<Spans> spans(pairs.size());
  const Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics().shared(), path);
  if (!motion) {
    result.contact = not_certified(Status::Failed, motion.error().message);
    return result;
  }
  constexpr std::size_t at_once = 16;
  parallel_blocks(pairs.size(), at_once, options.threads, [&](std::size_t begin, std::size_t end) {
    PathSearch search(prepared);
    search.set_path(*motion);
    PairWalk walk(search, options, watch.or_null());
    for (std::size_t i = begin; i < end; ++i) spans[i] = walk.along(pairs[i]);
  });
  // One body may be several links, and one thing of the scene several bodies.
  std::map<std::tuple<bool, std::string, std::string>, Spans> by_name;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (spans[i].empty()) {
      result.contact = not_certified(Status::OutOfBudget, {});
      return result;
    }
    const NamedPair names = articulated::names_of(prepared, pairs[i]);
    for (const std::string& a : *names.a) {
      for (const std::string& b : names.b) {
        Spans& known = by_name[{names.with_scene, a, b}];
        known = known.empty() ? spans[i] : both_of(known, spans[i]);
      }
    }
  }
  PathCertificate& certificate = result.certificate;
  certificate.robot_name = prepared.robot.name;
  certificate.robot = content_hash(prepared.robot);
  certificate.scene = content_hash(prepared.scene);
  certificate.path = content_hash(path);
  certificate.clearance = std::numeric_limits<double>::infinity();
  for (auto& [names, known] : by_name) {
    for (const CertifiedSpan& span : known)
      certificate.clearance = std::min(certificate.clearance, span.clearance);
    certificate.pairs.push_back(
        {std::get<1>(names), std::get<2>(names), std::get<0>(names), std::move(known)});
  }
  if (certificate.pairs.empty()) certificate.clearance = 0.0;
  result.contact.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace toccata
