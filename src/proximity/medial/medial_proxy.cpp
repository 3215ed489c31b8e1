#include "toccata/proximity/medial_proxy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "base/number_text.hpp"
#include "hierarchy/length_limits.hpp"
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
constexpr double finest_error = 1e-4;     // of the mesh's size
constexpr double more_than_enough = 4.0;  // of the mesh's size: a ball that grows by as much holds it all
constexpr std::size_t most_samples = 60'000;
// Of the error: what is left for the proof to add, and what the proof may find missing without a ball more.
constexpr double left_for_proof = 0.015;
constexpr double may_be_missing = 0.008;
// Of spheres alone from this round on, when gaps are few and small.
constexpr double may_be_missing_late = 0.013;
constexpr int late_round = 4;
// Of the error that a ball grows by, where cones and slabs lie between balls.
constexpr double growth_with_slabs = 0.9;
// How many balls there are if more of them are joined and more are there to choose from, about.
constexpr double with_more_to_join = 0.89;
// Beyond so many there is no such look, and each is joined to fewer: it takes the longer the more there are.
constexpr double most_fine = 400.0;
// The error is about this power of the number, of balls alone and of balls that are joined.
constexpr double power_alone = -0.57;
constexpr double power_joined = -0.7;
constexpr int most_looks = 4;
// A single one is as many as asked for at any error that is large enough: how often the least one is looked
// for.
constexpr int looks_for_one = 14;
constexpr double near_enough = 0.94;
constexpr double near_enough_alone = 0.9;
constexpr double near_enough_of_many = 0.75;

// How much work goes into a cover.
enum class Care : std::uint8_t {
  Quick,  // few samples, balls alone, nothing proven: how many will it be?
  Many,   // so many that a look takes long
  Usual,
  Once,  // as usual, where no other errors are tried
  Fine,  // more balls to choose from, each joined to more others
};

struct CoverSettings {
  std::size_t samples, candidates, neighbours;
  double spacing, margin;  // of the error: of samples, and how far inside they must be
  int rounds;
  int thinning_rounds;
  std::int64_t exchange_work, thinning_work;
};

// How many more balls alone there are for the same error, about: where to start to look.
double times_alone(double wanted, const MedialProxyOptions& o) {
  if (o.spheres_only) return 1.0;
  return o.balls ? std::clamp(1.15 * std::pow(wanted / 80.0, 0.3), 1.0, 1.9)
                 : std::clamp(1.75 * std::pow(wanted / 50.0, 0.3), 1.0, 2.4);
}

CoverSettings settings_of(Care care, bool spheres_only) {
  if (care == Care::Quick) return {most_samples / 8, 2'000, 0, 0.75, 0.03, 0, 0, 0, 0};
  // Balls alone overlap in narrow lenses: they need closer samples and more rounds.
  if (spheres_only) {
    // By number a cover is made for several errors: each has less time.
    const bool is_once = care == Care::Once;
    return {
        most_samples, 12'000, 0, 0.5, 0.02, 10, is_once ? 4 : 2, 3'000'000, is_once ? 12'000'000 : 5'000'000};
  }
  if (care == Care::Many) return {most_samples, 12'000, 7, 1.0, 0.03, 6, 0, 0, 0};
  if (care == Care::Usual || care == Care::Once) return {most_samples, 12'000, 10, 1.0, 0.03, 6, 0, 0, 0};
  return {most_samples, 24'000, 24, 1.0, 0.03, 6, 0, 0, 0};
}

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
  if (std::string failure = failure_of_lengths(mesh.data(), "the mesh"); !failure.empty()) return failure;
  if (o.error && *o.error < finest_error * mesh.size())
    return "an error of " + number_text(*o.error) +
           " is less than a ten-thousandth of the mesh's size, as fine as proxies are made";
  return {};
}

// Covers at one error after the other.
class Builder {
 public:
  Builder(const Shape& mesh, const MedialProxyOptions& options)
      : mesh_(mesh), options_(options), placed_(mesh_, Pose()) {
    Vector3 lower = mesh.mesh().vertices[0], upper = lower;
    for (const Vector3& v : mesh.mesh().vertices) {
      lower = lower.cwiseMin(v);
      upper = upper.cwiseMax(v);
    }
    usual_finest_ = 1e-3 * (upper - lower).maxCoeff();
  }

  // At most this error.
  Expected<MedialProxy> with_error(double error) {
    double target = error;
    for (int again = 0; again < 4; ++again) {
      const BallCover cover = cover_at(target, most_balls, Care::Once);
      if (!cover.is_complete)
        return Error{"an error of " + number_text(error) + " needs more than " + std::to_string(most_balls) +
                     " balls"};
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
    double error = mesh_.size() * std::min(0.7, 0.5 / std::sqrt(wanted));
    searched(error, times_alone(wanted, options_) * wanted, Care::Quick);
    Care care = wanted <= most_fine || options_.spheres_only ? Care::Usual : Care::Many;
    if (options_.balls && !options_.spheres_only && wanted <= most_fine) {
      // One usual look says where the fine ones, which take twice as long, should begin.
      const BallCover usual = cover_at(error, many(wanted), Care::Usual);
      if (usual.is_complete) {
        const double count = with_more_to_join * count_of(usual, false);
        error *= std::pow(wanted / count, power_joined);
      }
      care = Care::Fine;
    }
    const BallCover cover = searched(error, wanted, care);
    if (!cover.is_complete) return Error{"so few primitives do not enclose the mesh"};
    return proven(cover, error);
  }

 private:
  // Beyond so many a cover is given up.
  static std::size_t many(double wanted) { return static_cast<std::size_t>(wanted * 6.0) + 64; }

  // From `error` on: the best cover with no more than wanted, and its error.
  BallCover searched(double& error, double wanted, Care care) const {
    const double power = care == Care::Quick ? power_alone : power_joined;
    const double enough = care == Care::Many    ? near_enough_of_many
                          : care == Care::Quick ? near_enough_alone
                                                : near_enough;
    double low = 0.0, high = 0.0;  // errors with too many, and with few enough
    double count_low = 0.0, count_high = 0.0, target = error;
    BallCover best;
    const int looks = wanted > 1.0 ? most_looks : looks_for_one;
    for (int look = 0; look < looks || (!best.is_complete && look < 3 * most_looks); ++look) {
      BallCover cover = cover_at(target, many(wanted), care);
      const double count = cover.is_complete ? count_of(cover, care == Care::Quick) : 1e300;
      if (count <= wanted) {
        if (!best.is_complete || target < error) {
          best = std::move(cover);
          error = target;
        }
        high = target;
        count_high = count;
        if (wanted > 1.0 && count >= enough * wanted) break;
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
        target = high * std::clamp(std::pow(wanted / count_high, power), 0.25, wanted > 1.0 ? 0.97 : 0.7);
        if (high < 1e-6 * mesh_.size()) break;
      } else {
        target = low * (count_low < 1e200 ? std::clamp(1.01 * std::pow(wanted / count_low, power), 1.01, 4.0)
                                          : 3.0);
        if (low > 16.0 * mesh_.size()) break;
      }
    }
    return best;
  }

  double count_of(const BallCover& cover, bool quick) const {
    return options_.balls || quick ? static_cast<double>(cover.mesh.centers.size())
                                   : static_cast<double>(medial_primitives(cover.mesh).size());
  }

  BallCover cover_at(double error, std::size_t most, Care care) const {
    const bool quick = care == Care::Quick, spheres_only = quick || options_.spheres_only;
    const CoverSettings settings = settings_of(care, options_.spheres_only);
    const double inside = error * (1.0 - left_for_proof);
    const std::vector<SurfaceSample> samples =
        surface_samples(mesh_.mesh(), settings.spacing * error, settings.samples);
    std::vector<Vector3> points;
    for (const SurfaceSample& sample : samples) points.push_back(sample.point);
    const PointTree tree(points);
    const double share = spheres_only ? 1.0 : growth_with_slabs;
    const std::vector<MedialBall> candidates = candidates_of(samples, share * inside, settings.candidates);
    return ball_cover({
        .solid = placed_,
        .samples = points,
        .tree = tree,
        .candidates = candidates,
        .error = inside,
        .share = share,
        .margin = settings.margin * inside,
        .spheres_only = spheres_only,
        .few_balls = options_.balls.has_value(),
        .most_balls = most,
        .wanted = options_.balls ? static_cast<std::size_t>(*options_.balls) : 1,
        .neighbours = settings.neighbours,
        .exchange_work = settings.exchange_work,
        .open_points =
            [&](const MedialMesh& medial, int round) {
              return quick ? std::vector<Vector3>() : open_points(medial, error, round);
            },
        .most_rounds = settings.rounds,
        .thinning_rounds = settings.thinning_rounds,
        .thinning_work = settings.thinning_work,
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
    const std::array slacks = {0.85 * growth, 0.3 * growth};
    std::vector<MedialBall> candidates;
    if (options_.spheres_only) {
      // From as large as may be for each: what differs is worth more than the time.
      for (const double& slack : slacks) {
        const std::vector<MedialBall> balls =
            medial_balls(placed_, some, {&slack, 1}, true, options_.threads);
        candidates.insert(candidates.end(), balls.begin(), balls.end());
      }
    } else {
      candidates = medial_balls(placed_, some, slacks, false, options_.threads);
    }
    for (const SurfaceSample& sample : samples) candidates.push_back({sample.point, 0.0});
    return candidates;
  }

  // Pieces at the rims of two primitives are in none of them: the smaller they are, the less is missing. Not
  // smaller than those that enclosure.hpp takes unless told, so that the same question has the same answer.
  EnclosureOptions enclosing(double error, bool close) const {
    EnclosureOptions options;
    options.finest = 0.15 * error;
    if (close) options.finest = std::min(options.finest, std::max(0.05 * error, usual_finest_));
    options.threads = options_.threads;
    return options;
  }

  // One per cell of a grid finer than the samples'. The first round finds wide gaps, which need no close
  // look.
  std::vector<Vector3> open_points(const MedialMesh& medial, double error, int round) const {
    const double cell = 0.25 * error;
    std::set<std::array<std::int64_t, 3>> taken;
    std::vector<Vector3> points;
    const bool is_late = options_.spheres_only && round >= late_round;
    const double missing = (is_late ? may_be_missing_late : may_be_missing) * error;
    for (const Vector3& point :
         medial::open_points(mesh_.mesh(), medial, enclosing(error, round > 0), missing)) {
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
    Expected<DilatedMedialMesh> dilated =
        dilated_to_enclose(mesh_.mesh(), cover.mesh, enclosing(error, true));
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
  double usual_finest_ = 0.0;  // of EnclosureOptions
};

}  // namespace

Expected<MedialProxy> medial_proxy(const Shape& mesh, const MedialProxyOptions& options) {
  if (std::string failure = failure_of(mesh, options); !failure.empty()) return Error{std::move(failure)};
  MedialProxyOptions wanted = options;
  if (options.balls == 1) wanted.spheres_only = true;  // nothing lies between them
  if (!options.error) return Builder(mesh, wanted).with_number();
  Expected<MedialProxy> proxy =
      Builder(mesh, wanted).with_error(std::min(*options.error, more_than_enough * mesh.size()));
  if (!proxy || proxy->errors.size() > 1) return proxy;
  // Where one will do it need not be as large as may be.
  wanted.error.reset();
  wanted.primitives = 1;
  Expected<MedialProxy> one = Builder(mesh, wanted).with_number();
  return one && one->error < proxy->error ? std::move(one) : std::move(proxy);
}

}  // namespace toccata
