// A span is confirmed at its middle: the exact distance there, less what the two can approach within half of
// the span (the largest speed of any point of one as the other sees it, by intervals). Where that is less
// than what the certificate says, the span is halved.
#include "toccata/proximity/verify_certificate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/stop_watch.hpp"
#include "hierarchy/shape_data.hpp"
#include "motion/interval_kinematics.hpp"
#include "motion/rotation.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/geometry/content_hash.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace proximity {
namespace {

constexpr int most_halvings = 40;

struct ThingPart {
  Shape shape;
  Pose pose;  // in the link's frame, or in the world
};

// A link, what a link holds, or an obstacle.
struct Thing {
  std::string name;
  std::int32_t link = -1;  // -1: an obstacle
  std::vector<ThingPart> parts = {};
};

struct PairOfThings {
  const Thing* a;
  const Thing* b;
};

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string pair_text(const std::string& a, const std::string& b) {
  return "'" + a + "' and '" + b + "'";
}

// A part at one moment: where it stands as doubles, and how far any of its points may be from there.
struct Standing {
  Pose pose;
  double slack = 0.0;
};

Standing standing(const IntervalFrame& frame, const ThingPart& part) {
  const IntervalMatrix rotation =
      frame.rotation * IntervalMatrix::of(nearest_rotation(part.pose.rotation), 32.0 * unit_roundoff);
  const IntervalVector place = frame.place + frame.rotation * IntervalVector::of(part.pose.translation);
  Standing result;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      result.pose.rotation(i, k) =
          rotation.rows[static_cast<std::size_t>(i)].x[static_cast<std::size_t>(k)].middle();
    result.pose.translation[i] = place.x[static_cast<std::size_t>(i)].middle();
  }
  result.pose.rotation = nearest_rotation(result.pose.rotation);
  Interval turned = 0.0, moved = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      turned += square(rotation.rows[i].x[k] -
                       Interval(result.pose.rotation(static_cast<int>(i), static_cast<int>(k))));
    moved += square(place.x[i] - Interval(result.pose.translation[static_cast<int>(i)]));
  }
  const ShapeData& data = part.shape.data();
  // A half space reaches everywhere; it stands where it is given, as obstacles do.
  const double reach = data.is_half_space() ? 0.0 : data.center.norm() + data.radius;
  // The distance is that of world coordinates rounded to double: four roundings each.
  result.slack = (sqrt(turned).upper * reach + sqrt(moved).upper +
                  32.0 * unit_roundoff * (reach + result.pose.translation.norm())) *
                 (1.0 + 16.0 * unit_roundoff);
  return result;
}

class Verifier {
 public:
  Verifier(const ArticulatedBody& robot, const ObstacleScene& scene, const JointPath& path,
           const VerifyCertificateOptions& options)
      : robot_(robot), scene_(scene), path_(path), options_(options), watch_(options.stop) {}

  CertificateCheck verify(const PathCertificate& certificate) {
    CertificateCheck check;
    check.reason = reason_against(certificate, check);
    check.valid = check.reason.empty();
    check.clearance = check.valid ? least_ : 0.0;
    check.distances = distances_;
    return check;
  }

 private:
  std::string reason_against(const PathCertificate& certificate, CertificateCheck& check) {
    if (!(options_.minimum_distance >= 0.0)) return "minimum_distance must be a distance of at least 0";
    if (std::string failure = failure_of(options_.stop); !failure.empty()) return failure;
    Expected<IntervalKinematics> kinematics = IntervalKinematics::build(robot_, path_);
    if (!kinematics) return kinematics.error().message;
    kinematics_.emplace(std::move(*kinematics));
    if (certificate.robot != content_hash(robot_)) return "it is of another robot: the hashes differ";
    if (certificate.scene != content_hash(scene_)) return "it is of another scene: the hashes differ";
    if (certificate.path != content_hash(path_)) return "it is of another path: the hashes differ";
    if (std::string failure = add_things(); !failure.empty()) return failure;
    collect_pairs();
    check.pairs = static_cast<std::int64_t>(pairs_.size());
    std::map<std::tuple<std::string, std::string, bool>, const CertifiedPair*> certified;
    for (const CertifiedPair& pair : certificate.pairs) {
      if (!certified.emplace(key_of(pair.a, pair.b, pair.with_scene), &pair).second)
        return "the pair " + pair_text(pair.a, pair.b) + " is there twice";
    }
    std::vector<const CertifiedPair*> claims;
    for (const PairOfThings& pair : pairs_) {
      const auto found = certified.find(key_of(pair.a->name, pair.b->name, pair.b->link < 0));
      if (found == certified.end())
        return "the pair " + pair_text(pair.a->name, pair.b->name) + " is missing";
      if (std::string gap = gap_in(*found->second); !gap.empty()) return gap;
      claims.push_back(found->second);
      check.spans += static_cast<std::int64_t>(found->second->spans.size());
    }
    std::vector<std::string> reasons(pairs_.size());
    parallel_blocks(pairs_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) reasons[i] = reason_against(pairs_[i], *claims[i]);
    });
    for (std::string& reason : reasons) {
      if (!reason.empty()) return std::move(reason);
    }
    least_ = std::numeric_limits<double>::infinity();
    for (const CertifiedPair* claim : claims) {
      for (const CertifiedSpan& span : claim->spans) least_ = std::min(least_, span.clearance);
    }
    if (certificate.clearance > least_)
      return "it says that the clearance is " + number_text(certificate.clearance) + ", but its spans say " +
             number_text(least_);
    return {};
  }

  static std::tuple<std::string, std::string, bool> key_of(const std::string& a, const std::string& b,
                                                           bool with_scene) {
    return with_scene || a < b ? std::tuple(a, b, with_scene) : std::tuple(b, a, with_scene);
  }

  std::string add_part(Thing& thing, const Geometry& geometry, const Pose& pose) const {
    Expected<Shape> shape = Shape::build(geometry);
    if (!shape) return "'" + thing.name + "': " + shape.error().message;
    if (shape->piece_count() > 0) thing.parts.push_back({std::move(*shape), pose});
    return {};
  }

  std::string add_things() {
    std::map<std::string, std::int32_t> links;
    const auto add_all = [&](Thing thing, const std::vector<CompoundPart>& shapes) {
      Compound compound{shapes};
      for (const CompoundPart& part : flattened(compound)) {
        if (std::string failure = add_part(thing, part.geometry, part.pose); !failure.empty()) return failure;
      }
      if (!thing.parts.empty()) things_.push_back(std::move(thing));
      return std::string();
    };
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      links[robot_.links[i].name] = static_cast<std::int32_t>(i);
      if (std::string failure =
              add_all({robot_.links[i].name, static_cast<std::int32_t>(i)}, robot_.links[i].shapes);
          !failure.empty())
        return failure;
    }
    for (const AttachedObject& object : scene_.attached) {
      const auto link = links.find(object.link);
      if (link == links.end())
        return "'" + object.name + "' is attached to link '" + object.link +
               "', which the robot does not have";
      if (std::string failure = add_all({object.name, link->second}, object.shapes); !failure.empty())
        return failure;
      allow(object.name, object.link);
      for (const std::string& touched : object.touch_links) allow(object.name, touched);
    }
    std::map<std::string, std::size_t> obstacles;
    for (const Obstacle& obstacle : scene_.obstacles) {
      const auto [place, is_new] = obstacles.emplace(obstacle.name, things_.size());
      if (is_new) things_.push_back({obstacle.name, -1});
      if (std::string failure = add_part(things_[place->second], obstacle.geometry, obstacle.pose);
          !failure.empty())
        return failure;
    }
    return {};
  }

  void allow(const std::string& a, const std::string& b) {
    allowed_.emplace(a, b);
    allowed_.emplace(b, a);
  }

  void collect_pairs() {
    for (const AllowedPair& pair : options_.allowed) allow(pair.a, pair.b);
    for (const AllowedPair& pair : scene_.allowed) allow(pair.a, pair.b);
    for (std::size_t i = 0; i < things_.size(); ++i) {
      for (std::size_t k = i + 1; k < things_.size(); ++k) {
        // Obstacles come last.
        const Thing &a = things_[i], &b = things_[k];
        if (a.link < 0 || a.parts.empty() || b.parts.empty() || allowed_.contains({a.name, b.name})) continue;
        if (b.link >= 0) {
          if (!options_.self_contact) continue;
          const int joints = kinematics_->joints_between(a.link, b.link);
          if (joints == 0 || (joints == 1 && options_.adjacent_allowed)) continue;
        }
        pairs_.push_back({&a, &b});
      }
    }
  }

  std::string gap_in(const CertifiedPair& pair) const {
    double proven = 0.0;
    const std::string names = pair_text(pair.a, pair.b);
    if (pair.spans.empty()) return "the pair " + names + " has no spans";
    for (const CertifiedSpan& span : pair.spans) {
      if (!(span.begin >= 0.0 && span.begin <= span.end && span.end <= 1.0))
        return "a span of " + names + " runs from " + number_text(span.begin) + " to " +
               number_text(span.end);
      if (span.begin > proven)
        return "nothing is said of " + names + " between t = " + number_text(proven) + " and " +
               number_text(span.begin);
      if (!(span.clearance > 0.0) || !std::isfinite(span.clearance))
        return "the clearance of " + names + " at t = " + number_text(span.begin) + " is no distance above 0";
      if (span.clearance < options_.minimum_distance)
        return "the clearance of " + names + " at t = " + number_text(span.begin) + " is " +
               number_text(span.clearance) + ", less than the " + number_text(options_.minimum_distance) +
               " asked for";
      proven = std::max(proven, span.end);
    }
    if (proven < 1.0) return "nothing is said of " + names + " after t = " + number_text(proven);
    return {};
  }

  std::string reason_against(const PairOfThings& pair, const CertifiedPair& claim) {
    for (const ThingPart& a : pair.a->parts) {
      for (const ThingPart& b : pair.b->parts) {
        if (is_inside_at_start(pair, a, b))
          return pair_text(pair.a->name, pair.b->name) + ": one is inside the other at the start";
        for (const CertifiedSpan& span : claim.spans) {
          for (int piece = 0; piece < path_.piece_count(); ++piece) {
            const auto i = static_cast<std::size_t>(piece);
            const double begin = std::max(span.begin, path_.times()[i]);
            const double end = std::min(span.end, path_.times()[i + 1]);
            if (begin > end || (begin == end && span.begin < span.end)) continue;
            std::string reason = reason_against(pair, a, b, piece, begin, end, span.clearance);
            if (!reason.empty()) return reason;
          }
        }
      }
    }
    return {};
  }

  struct Frames {
    IntervalFrame a, b;
  };
  // Both in the frame of the closest link that both hang on; obstacles stand in the root's.
  Frames frames(const PairOfThings& pair, int piece, double begin, double end) const {
    Frames result;
    const std::int32_t top =
        pair.b->link < 0 ? kinematics_->root() : kinematics_->common_ancestor(pair.a->link, pair.b->link);
    result.a = kinematics_->frame(pair.a->link, top, piece, begin, end);
    if (pair.b->link >= 0) result.b = kinematics_->frame(pair.b->link, top, piece, begin, end);
    return result;
  }

  bool is_inside_at_start(const PairOfThings& pair, const ThingPart& a, const ThingPart& b) const {
    const auto is_closed_mesh = [](const ThingPart& part) {
      return part.shape.is_mesh() && part.shape.is_closed();
    };
    if (!is_closed_mesh(a) && !is_closed_mesh(b)) return false;
    const Frames at_start = frames(pair, 0, 0.0, 0.0);
    const PlacedShape first(a.shape, standing(at_start.a, a).pose),
        second(b.shape, standing(at_start.b, b).pose);
    const auto is_inside = [](Containment c) { return c == Containment::Inside || c == Containment::Mixed; };
    return (is_closed_mesh(a) && is_inside(containment(second, first))) ||
           (is_closed_mesh(b) && is_inside(containment(first, second)));
  }

  // At most, over the span: how fast a point of `part` moves as the other one sees it.
  static double largest_speed(const IntervalFrame& own, const IntervalFrame& other, const ThingPart& part) {
    const ShapeData& data = part.shape.data();
    if (data.is_half_space()) return std::numeric_limits<double>::infinity();
    const IntervalVector arm = own.rotation * IntervalVector::of(part.pose.apply(data.center));
    const IntervalVector center = own.place + arm;
    const IntervalVector velocity =
        own.velocity + cross(own.spin, arm) - other.velocity - cross(other.spin, center - other.place);
    // The part's pose was applied with rounding: the ball about the centre is that much larger.
    const double radius = data.radius + 64.0 * unit_roundoff *
                                            (data.radius + data.center.norm() + part.pose.translation.norm());
    return (norm(velocity) + norm(own.spin - other.spin) * Interval(next_up(radius))).upper;
  }

  std::string reason_against(const PairOfThings& pair, const ThingPart& a, const ThingPart& b, int piece,
                             double begin, double end, double clearance) {
    struct Span {
      double begin, end;
      int depth;
    };
    std::vector<Span> waiting = {{begin, end, 0}};
    while (!waiting.empty()) {
      const Span span = waiting.back();
      waiting.pop_back();
      const std::string names = pair_text(pair.a->name, pair.b->name);
      if (watch_.is_over()) return "stopped before " + names + " was confirmed";
      const double middle = 0.5 * span.begin + 0.5 * span.end;
      const Frames now = frames(pair, piece, middle, middle);
      const Standing at_a = standing(now.a, a), at_b = standing(now.b, b);
      ++distances_;
      const DistanceResult found = distance({a.shape, at_a.pose}, {b.shape, at_b.pose});
      const double slack = next_up(at_a.slack + at_b.slack);
      if (found.distance + slack < clearance)
        return names + " are " + number_text(found.distance) + " apart at t = " + number_text(middle) +
               ", less than the certificate says (" + number_text(clearance) + ")";
      const Frames all = frames(pair, piece, span.begin, span.end);
      const double speed = std::min(largest_speed(all.a, all.b, a), largest_speed(all.b, all.a, b));
      const double half = next_up(std::max(middle - span.begin, span.end - middle));
      const double least = next_down(next_down(found.lower_distance - slack) - next_up(half * speed));
      if (least >= clearance) continue;
      if (span.depth >= most_halvings || !(span.begin < middle && middle < span.end))
        return "could not confirm that " + names + " are " + number_text(clearance) +
               " apart at t = " + number_text(middle);
      waiting.push_back({middle, span.end, span.depth + 1});
      waiting.push_back({span.begin, middle, span.depth + 1});
    }
    return {};
  }

  const ArticulatedBody& robot_;
  const ObstacleScene& scene_;
  const JointPath& path_;
  const VerifyCertificateOptions& options_;
  StopWatch watch_;
  std::optional<IntervalKinematics> kinematics_;
  std::vector<Thing> things_;
  std::set<std::pair<std::string, std::string>> allowed_;
  std::vector<PairOfThings> pairs_;
  std::atomic<std::int64_t> distances_ = 0;
  double least_ = 0.0;
};

}  // namespace
}  // namespace proximity

CertificateCheck verify_certificate(const ArticulatedBody& robot, const ObstacleScene& scene,
                                    const JointPath& path, const PathCertificate& certificate,
                                    const VerifyCertificateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CertificateCheck check = proximity::Verifier(robot, scene, path, options).verify(certificate);
  check.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return check;
}

}  // namespace toccata
