// A span is confirmed by what PairsInIntervals says of it; where that is less than the certificate says, it
// is halved.
#include "toccata/proximity/verify_certificate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/stop_watch.hpp"
#include "proximity/pairs_in_intervals.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/geometry/content_hash.hpp"

namespace toccata {
namespace proximity {
namespace {

constexpr int most_halvings = 40;

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string pair_text(const std::string& a, const std::string& b) {
  return "'" + a + "' and '" + b + "'";
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
    if (certificate.robot != content_hash(robot_)) return "it is of another robot: the hashes differ";
    if (certificate.scene != content_hash(scene_)) return "it is of another scene: the hashes differ";
    if (certificate.path != content_hash(path_)) return "it is of another path: the hashes differ";
    Expected<PairsInIntervals> built = PairsInIntervals::build(
        robot_, scene_, path_, {options_.allowed, options_.adjacent_allowed, options_.self_contact});
    if (!built) return built.error().message;
    things_.emplace(std::move(*built));
    const std::vector<PairOfThings>& pairs = things_->pairs();
    check.pairs = static_cast<std::int64_t>(pairs.size());
    std::map<std::tuple<std::string, std::string, bool>, const CertifiedPair*> certified;
    for (const CertifiedPair& pair : certificate.pairs) {
      if (!certified.emplace(key_of(pair.a, pair.b, pair.with_scene), &pair).second)
        return "the pair " + pair_text(pair.a, pair.b) + " is there twice";
    }
    std::vector<const CertifiedPair*> claims;
    for (const PairOfThings& pair : pairs) {
      const auto found = certified.find(key_of(pair.a->name, pair.b->name, pair.b->link < 0));
      if (found == certified.end())
        return "the pair " + pair_text(pair.a->name, pair.b->name) + " is missing";
      if (std::string gap = gap_in(*found->second); !gap.empty()) return gap;
      claims.push_back(found->second);
      check.spans += static_cast<std::int64_t>(found->second->spans.size());
    }
    std::vector<std::string> reasons(pairs.size());
    parallel_blocks(pairs.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) reasons[i] = reason_against(pairs[i], *claims[i]);
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
        if (things_->is_inside_at_start(pair, a, b))
          return pair_text(pair.a->name, pair.b->name) + ": one is inside the other at the start";
        for (const CertifiedSpan& span : claim.spans) {
          for (int piece = 0; piece < path_.piece_count(); ++piece) {
            const std::optional<Interval> part = things_->within(piece, span.begin, span.end);
            if (!part) continue;
            std::string reason = reason_against(pair, a, b, piece, *part, span.clearance);
            if (!reason.empty()) return reason;
          }
        }
      }
    }
    return {};
  }

  std::string reason_against(const PairOfThings& pair, const ThingPart& a, const ThingPart& b, int piece,
                             const Interval& all, double clearance) {
    struct Span {
      double begin, end;
      int depth;
    };
    std::vector<Span> waiting = {{all.lower, all.upper, 0}};
    const std::string names = pair_text(pair.a->name, pair.b->name);
    while (!waiting.empty()) {
      const Span span = waiting.back();
      waiting.pop_back();
      if (watch_.is_over()) return "stopped before " + names + " was confirmed";
      ++distances_;
      const SpanBound found = things_->bound(pair, a, b, piece, span.begin, span.end);
      if (found.distance + found.slack < clearance)
        return names + " are " + number_text(found.distance) + " apart at t = " + number_text(found.middle) +
               ", less than the certificate says (" + number_text(clearance) + ")";
      if (found.lower >= clearance) continue;
      if (span.depth >= most_halvings || !(span.begin < found.middle && found.middle < span.end))
        return "could not confirm that " + names + " are " + number_text(clearance) +
               " apart at t = " + number_text(found.middle);
      waiting.push_back({found.middle, span.end, span.depth + 1});
      waiting.push_back({span.begin, found.middle, span.depth + 1});
    }
    return {};
  }

  const ArticulatedBody& robot_;
  const ObstacleScene& scene_;
  const JointPath& path_;
  const VerifyCertificateOptions& options_;
  StopWatch watch_;
  std::optional<PairsInIntervals> things_;
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
