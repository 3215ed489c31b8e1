#include "toccata/proximity/medial_proxy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "proximity/medial/ball_cover.hpp"
#include "proximity/medial/open_points.hpp"
#include "proximity/medial/solid_probe.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/proximity/enclosure.hpp"

namespace toccata {

using namespace medial;

namespace {

constexpr std::size_t most_balls = 50'000;
constexpr double finest_error = 1e-4;  // of the mesh's size
constexpr std::size_t most_samples = 60'000;
constexpr std::size_t most_candidates = 12'000;
// Of the error: how far samples are apart, how much of them must be covered beyond touching, and what is left
// for the proof to add.
constexpr double sample_spacing = 0.75;
constexpr double cover_margin = 0.03;
constexpr double left_for_proof = 0.015;
// Of the error that a ball grows by, where cones and slabs lie between balls.
constexpr double growth_with_slabs = 0.9;
// How many more balls alone there are for the same error, about: where to start to look.
constexpr double balls_alone = 1.45;
constexpr double primitives_alone = 2.2;
constexpr int quick_looks = 6;
constexpr int looks = 4;
constexpr double near_enough = 0.97;

std::string failure_of(const Shape& mesh, const MedialProxyOptions& o) {
  if (!mesh.is_mesh())
    return "a medial proxy is made of a mesh, and this is a " + std::string(kind_of(mesh.geometry()));
  const int asked = (o.error ? 1 : 0) + (o.balls ? 1 : 0) + (o.primitives ? 1 : 0);
  if (asked != 1) return "give one of error, balls and primitives: it says how fine";
  if (o.error && !(*o.error > 0.0 && std::isfinite(*o.error))) return "error must be above 0";
  if ((o.balls && *o.balls < 1) || (o.primitives && *o.primitives < 1))
    return "there must be at least one ball";
  if (mesh.mesh().faces.empty()) return "the mesh has no triangles";
  if (const auto open = mesh.open_edges())
    return "the mesh is not closed, so that nothing is inside it: " + *open;
  if (!(mesh.size() > 0.0)) return "the mesh is a single point";
  if (o.error && *o.error < finest_error * mesh.size())
    return "an error of " + std::to_string(*o.error) +
           " is less than a ten-thousandth of the mesh's size, as fine as proxies are made";
  return {};
}

// Covers at one error after the other.
class Builder {
 public:
  Builder(const Shape& mesh, const MedialProxyOptions& options)
      : mesh_(mesh), options_(options), placed_(mesh_, Pose()) {}

  // At most this error.
  Expected<MedialProxy> with_error(double error) {
    double target = error;
    for (int again = 0; again < 4; ++again) {
      const BallCover cover = cover_at(target, most_balls, false);
      if (!cover.is_complete)
        return Error{"an error of " + std::to_string(error) + " needs more than " +
                     std::to_string(most_balls) + " balls"};
      Expected<MedialProxy> proxy = proven(cover, target);
      if (!proxy || proxy->error <= error) return proxy;
      target *= 0.98 * error / proxy->error;
    }
    return Error{"the error could not be kept: it is too small for the mesh's size"};
  }

  // The error for which there are as many as asked for, by secants: the number falls about with a power of
  // the error. First with few samples and balls alone, which takes no time, then in earnest.
  Expected<MedialProxy> with_number() {
    const auto wanted = static_cast<double>(options_.balls ? *options_.balls : *options_.primitives);
    const double alone = options_.spheres_only ? 1.0 : options_.balls ? balls_alone : primitives_alone;
    double error = mesh_.size() * std::min(0.7, 0.5 / std::sqrt(wanted));
    searched(error, alone * wanted, true, quick_looks);
    const BallCover cover = searched(error, wanted, false, looks);
    if (!cover.is_complete) return Error{"so few primitives do not enclose the mesh"};
    return proven(cover, error);
  }

 private:
  // From `error` on: the best cover with no more than wanted, and its error.
  BallCover searched(double& error, double wanted, bool quick, int most_looks) const {
    double low = 0.0, high = 0.0;  // errors with too many, and with few enough
    double count_low = 0.0, count_high = 0.0, target = error;
    BallCover best;
    for (int look = 0; look < most_looks || (!best.is_complete && look < 3 * most_looks); ++look) {
      BallCover cover = cover_at(target, static_cast<std::size_t>(wanted * 6.0) + 64, quick);
      const double count = cover.is_complete ? count_of(cover, quick) : 1e300;
      if (count <= wanted) {
        if (!best.is_complete || target < error) {
          best = std::move(cover);
          error = target;
        }
        high = target;
        count_high = count;
        if (count >= near_enough * wanted) break;
      } else {
        low = target;
        count_low = count;
      }
      if (high > 0.0 && low > 0.0) {
        if (high / low < 1.01) break;
        double share = 0.5;
        if (count_low < 1e200 && count_low > count_high && count_high > 0.0)
          share = std::log(count_low / wanted) / std::log(count_low / count_high);
        target = low * std::pow(high / low, std::clamp(share + 0.05, 0.1, 0.9));
      } else if (high > 0.0) {
        target = high * std::clamp(std::pow(count_high / wanted, 0.8), 0.25, 0.97);
        if (high < 1e-6 * mesh_.size()) break;
      } else {
        target =
            low * (count_low < 1e200 ? std::clamp(1.02 * std::pow(count_low / wanted, 0.8), 1.02, 4.0) : 3.0);
        if (low > 16.0 * mesh_.size()) break;
      }
    }
    return best;
  }

  double count_of(const BallCover& cover, bool quick) const {
    return options_.balls || quick ? static_cast<double>(cover.mesh.centers.size())
                                   : static_cast<double>(medial_primitives(cover.mesh).size());
  }

  BallCover cover_at(double error, std::size_t most, bool quick) const {
    const double inside = error * (1.0 - left_for_proof);
    const std::size_t most_points = quick ? most_samples / 8 : most_samples;
    const std::vector<SurfaceSample> samples =
        surface_samples(mesh_.mesh(), sample_spacing * error, most_points);
    std::vector<Vector3> points;
    for (const SurfaceSample& sample : samples) points.push_back(sample.point);
    const PointTree tree(points);
    const double share = quick || options_.spheres_only ? 1.0 : growth_with_slabs;
    const std::vector<MedialBall> candidates =
        candidates_of(samples, share * inside, quick ? most_candidates / 6 : most_candidates);
    return ball_cover({
        .solid = placed_,
        .samples = points,
        .tree = tree,
        .candidates = candidates,
        .error = inside,
        .share = share,
        .margin = cover_margin * inside,
        .spheres_only = quick || options_.spheres_only,
        .few_balls = options_.balls.has_value(),
        .most_balls = most,
        .open_points =
            [&](const MedialMesh& medial) {
              return quick ? std::vector<Vector3>() : open_points(medial, error);
            },
        .threads = options_.threads,
    });
  }

  // Of some of the samples, and of all where there are few: balls as large as get, and somewhat smaller ones,
  // which fit better into corners. The sample itself is what is left where no ball helps.
  std::vector<MedialBall> candidates_of(const std::vector<SurfaceSample>& samples, double growth,
                                        std::size_t most) const {
    std::vector<SurfaceSample> some;
    const std::size_t every = samples.size() / (most / 2) + 1;
    for (std::size_t i = 0; i < samples.size(); i += every) some.push_back(samples[i]);
    std::vector<MedialBall> candidates;
    for (const double share : {0.85, 0.3}) {
      const std::vector<MedialBall> balls = medial_balls(placed_, some, share * growth, options_.threads);
      candidates.insert(candidates.end(), balls.begin(), balls.end());
    }
    for (const SurfaceSample& sample : samples) candidates.push_back({sample.point, 0.0});
    return candidates;
  }

  EnclosureOptions enclosing(double error) const {
    EnclosureOptions options;
    options.finest = 0.15 * error;
    options.threads = options_.threads;
    return options;
  }

  // One per cell of a grid finer than the samples'.
  std::vector<Vector3> open_points(const MedialMesh& medial, double error) const {
    const double cell = 0.25 * error;
    std::set<std::array<std::int64_t, 3>> taken;
    std::vector<Vector3> points;
    for (const Vector3& point : medial::open_points(mesh_.mesh(), medial, enclosing(error))) {
      const Vector3 at = (point / cell).array().floor();
      if (taken
              .insert({static_cast<std::int64_t>(at.x()), static_cast<std::int64_t>(at.y()),
                       static_cast<std::int64_t>(at.z())})
              .second)
        points.push_back(point);
    }
    return points;
  }

  Expected<MedialProxy> proven(const BallCover& cover, double error) const {
    Expected<DilatedMedialMesh> dilated = dilated_to_enclose(mesh_.mesh(), cover.mesh, enclosing(error));
    if (!dilated) return dilated.error();
    ProtrusionOptions sticking;
    sticking.threads = options_.threads;
    const Expected<Protrusion> out = protrusion(dilated->mesh, mesh_, sticking);
    if (!out) return out.error();
    MedialProxy proxy;
    proxy.outer = std::move(dilated->mesh);
    proxy.error = out->upper;
    proxy.errors = out->of_primitive;
    proxy.largest_dilation = dilated->largest;
    proxy.pieces = dilated->pieces;
    for (std::size_t i = 0; i < cover.depths.size(); ++i) {
      if (!(cover.depths[i] > 0.0)) continue;
      proxy.inner.centers.push_back(cover.mesh.centers[i]);
      proxy.inner.radii.push_back(cover.depths[i]);
    }
    return proxy;
  }

  const Shape& mesh_;
  const MedialProxyOptions& options_;
  PlacedShape placed_;
};

}  // namespace

Expected<MedialProxy> medial_proxy(const Shape& mesh, const MedialProxyOptions& options) {
  if (std::string failure = failure_of(mesh, options); !failure.empty()) return Error{std::move(failure)};
  Builder builder(mesh, options);
  return options.error ? builder.with_error(*options.error) : builder.with_number();
}

}  // namespace toccata
