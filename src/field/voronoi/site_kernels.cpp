#include "field/voronoi/site_kernels.hpp"

#include <array>
#include <vector>

#include "field/voronoi/point_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/voronoi/site_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "field/lane_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::voronoi {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// Below this distance (of lengths below 2) a direction may be rounding.
constexpr double least_distance = 0x1p-20;
// What directions of greater distances are off, twice.
constexpr double direction_error = 0x1p-24;

using V3 = field::HWY_NAMESPACE::LaneVector<V>;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}
HWY_INLINE V3 set3(const double* v) {
  return {set(v[0]), set(v[1]), set(v[2])};
}
HWY_INLINE V3 load3(const double (*from)[CellColumns::width], std::size_t at) {
  return {hn::Load(D(), from[0] + at), hn::Load(D(), from[1] + at), hn::Load(D(), from[2] + at)};
}
// How much a linear function of this gradient can change from the centre of a box.
HWY_INLINE V change(const V3& gradient, const V3& half) {
  return hn::Add(hn::Add(hn::Mul(hn::Abs(gradient.x), half.x), hn::Mul(hn::Abs(gradient.y), half.y)),
                 hn::Mul(hn::Abs(gradient.z), half.z));
}

// A site as seen from the centres.
struct Look {
  V distance;
  V3 away;     // from the nearest point, as long as the distance: the gradient times it
  M reaches;   // the site itself is that near, and not only no nearer
  M possible;  // it can be nearest somewhere in the box
};

template <bool WithRegions>
HWY_INLINE Look look_at(const PointRecord& site, const V3& p, const V3& half, V slack) {
  Look look;
  look.away = minus(p, set3(site.place));
  look.distance = hn::Sqrt(dot(look.away, look.away));
  look.reaches = look.possible = hn::Eq(slack, slack);
  if constexpr (WithRegions) {
    for (int i = 0; i < site.edges; ++i) {
      const V3 edge = set3(site.edge[i]);
      const V least = hn::Sub(dot(look.away, edge), change(edge, half));
      look.possible = hn::And(look.possible, hn::Le(least, slack));
    }
  }
  return look;
}

// From the nearest point of the closed edge.
HWY_INLINE V3 away_from(const EdgeRecord& site, const V3& p) {
  const V3 along = set3(site.along), from_start = minus(p, set3(site.start));
  const V s = hn::Min(hn::Max(dot(from_start, along), hn::Zero(D())), set(site.length));
  return minus(from_start, times(along, s));
}

template <bool WithRegions>
HWY_INLINE Look look_at(const EdgeRecord& site, const V3& p, const V3& half, V slack) {
  Look look;
  look.away = away_from(site, p);
  look.distance = hn::Sqrt(dot(look.away, look.away));
  look.reaches = look.possible = hn::Eq(slack, slack);
  if constexpr (WithRegions) {
    const V3 w = minus(p, set3(site.start));
    for (int i = 0; i < site.faces; ++i) {
      const V3 inward = set3(site.inward[i]);
      const V least = hn::Sub(dot(w, inward), change(inward, half));
      look.possible = hn::And(look.possible, hn::Le(least, slack));
    }
    // Where all of the box is beyond an end, the corner there is as near.
    const V3 along = set3(site.along);
    const V s = dot(w, along), range = hn::Add(change(along, half), slack);
    look.possible = hn::And(look.possible, hn::Ge(hn::Add(s, range), hn::Zero(D())));
    look.possible = hn::And(look.possible, hn::Le(hn::Sub(s, range), set(site.length)));
  }
  return look;
}

// Of the inside of a face: its plane, above the face.
HWY_INLINE Look look_at_inside(const FaceRecord& site, const V3& p, const V3& half, V slack) {
  Look look;
  const V3 normal = set3(site.normal);
  const V height = dot(minus(p, set3(site.corner[0])), normal);
  look.away = times(normal, height);
  look.distance = hn::Abs(height);
  look.reaches = look.possible = site.flat ? hn::Eq(slack, slack) : hn::Ne(slack, slack);
  for (int i = 0; i < 3; ++i) {
    const V3 inward = set3(site.inward[i]);
    const V depth = dot(minus(p, set3(site.corner[i])), inward);
    look.reaches = hn::And(look.reaches, hn::Gt(depth, hn::Zero(D())));
    look.possible = hn::And(look.possible, hn::Ge(hn::Add(depth, change(inward, half)), hn::Neg(slack)));
  }
  return look;
}

HWY_INLINE Look look_at_whole(const FaceRecord& site, const std::array<EdgeRecord, 3>& edges, const V3& p,
                              const V3& half, V slack) {
  Look look = look_at_inside(site, p, half, slack);
  V least = set(1e300);
  V3 away = look.away;
  for (const EdgeRecord& edge : edges) {
    const V3 from_edge = away_from(edge, p);
    const V squared = dot(from_edge, from_edge);
    away = choose(hn::Lt(squared, least), from_edge, away);
    least = hn::Min(squared, least);
  }
  look.away = choose(look.reaches, look.away, away);
  look.distance = hn::IfThenElse(look.reaches, look.distance, hn::Sqrt(least));
  look.reaches = look.possible = hn::Eq(slack, slack);
  return look;
}

// One site of any kind. Wholes have no regions.
template <bool Wholes>
HWY_INLINE Look look_at_site(const PreparedSites& sites, std::int32_t s, const V3& p, const V3& half,
                             V slack) {
  if (s < sites.first_edge)
    return look_at<!Wholes>(sites.points[static_cast<std::size_t>(s)], p, half, slack);
  if (s < sites.first_face)
    return look_at<!Wholes>(sites.edges[static_cast<std::size_t>(s - sites.first_edge)], p, half, slack);
  const auto face = static_cast<std::size_t>(s - sites.first_face);
  if constexpr (Wholes) return look_at_whole(sites.faces[face], sites.face_edges[face], p, half, slack);
  return look_at_inside(sites.faces[face], p, half, slack);
}

HWY_INLINE V3 away_from_feature(const PreparedSites& sites, std::int32_t s, const V3& p) {
  if (s < sites.first_edge) return minus(p, set3(sites.points[static_cast<std::size_t>(s)].place));
  if (s < sites.first_face) return away_from(sites.edges[static_cast<std::size_t>(s - sites.first_edge)], p);
  const FaceRecord& face = sites.faces[static_cast<std::size_t>(s - sites.first_face)];
  const V3 normal = set3(face.normal);
  return times(normal, dot(minus(p, set3(face.corner[0])), normal));
}

// The best site at the centres, as what every other one is compared with.
struct Best {
  V value, number, distance, scale;
  V3 gradient;          // of the value
  V radius, curvature;  // of the boxes: half diagonals; how far the value can rise above its tangent plane
};

template <bool Wholes>
HWY_INLINE V value_of(const PreparedSites& sites, std::int32_t s, V distance) {
  if constexpr (!Wholes) return distance;
  const auto i = static_cast<std::size_t>(s);
  return hn::Sub(hn::Mul(distance, set(sites.scale[i])), set(sites.shift[i]));
}
template <bool Wholes>
HWY_INLINE V scale_of(const PreparedSites& sites, std::int32_t s) {
  if constexpr (!Wholes) return set(1.0);
  return set(sites.scale[static_cast<std::size_t>(s)]);
}

// What follows from the distance and the way to the best site.
HWY_INLINE void complete(Best& best, const V3& away, const V3& half) {
  const V safe = hn::Max(best.distance, set(0x1p-200));
  best.gradient = times(away, hn::Div(best.scale, safe));
  best.curvature = hn::Mul(hn::Div(dot(half, half), safe), hn::Mul(best.scale, set(0.5 + 0x1p-40)));
}

HWY_INLINE V radius_of(const V3& half) {
  return hn::Mul(hn::Sqrt(dot(half, half)), set(1.0 + 0x1p-50));
}

// Sites that are left after a first look at all: those that are near enough to matter.
struct Rest {
  std::vector<std::int32_t> sites;
  std::vector<std::int32_t> equals;  // those that may be as near as the best one
  std::int32_t second = -1;          // the next best of the first cell: a rival of many
  std::vector<double> squared;
};

template <bool Farthest>
HWY_INLINE Best best_whole(const Question& question, std::span<const std::int32_t> list, const V3& p,
                           const V3& half) {
  const PreparedSites& sites = *question.sites;
  Best best;
  V3 away = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  best.value = set(Farthest ? -1e300 : 1e300);
  best.number = set(-1.0);
  best.distance = hn::Zero(D());
  best.scale = set(1.0);
  for (const std::int32_t s : list) {
    const Look look = look_at_site<true>(sites, s, p, half, set(question.slack));
    const V value = value_of<true>(sites, s, look.distance);
    const M better = Farthest ? hn::Gt(value, best.value) : hn::Lt(value, best.value);
    best.value = hn::IfThenElse(better, value, best.value);
    best.number = hn::IfThenElse(better, set(s), best.number);
    best.distance = hn::IfThenElse(better, look.distance, best.distance);
    best.scale = hn::IfThenElse(better, scale_of<true>(sites, s), best.scale);
    away = choose(better, look.away, away);
  }
  best.radius = radius_of(half);
  complete(best, away, half);
  return best;
}

// Features: squares of distances first, which need no roots; the few that are within reach of the best one
// are looked at again, with their directions and regions.
HWY_INLINE Best best_feature(const Question& question, std::span<const std::int32_t> list, const V3& p,
                             const V3& half, Rest& rest) {
  const PreparedSites& sites = *question.sites;
  const std::size_t lanes = hn::Lanes(D());
  if (rest.squared.size() < list.size() * lanes) rest.squared.resize(list.size() * lanes);
  Best best;
  V least = set(1e300);
  best.number = set(-1.0);
  const auto take = [&](std::size_t at, V squared, M reaches) {
    hn::StoreU(squared, D(), rest.squared.data() + at * lanes);
    const M better = hn::And(reaches, hn::Lt(squared, least));
    best.number = hn::IfThenElse(better, set(list[at]), best.number);
    least = hn::IfThenElse(better, squared, least);
  };
  const M all = hn::Eq(least, least);
  std::size_t at = 0;
  for (; at < list.size() && list[at] < sites.first_edge; ++at) {
    const V3 away = minus(p, set3(sites.points[static_cast<std::size_t>(list[at])].place));
    take(at, dot(away, away), all);
  }
  for (; at < list.size() && list[at] < sites.first_face; ++at) {
    const V3 away = away_from(sites.edges[static_cast<std::size_t>(list[at] - sites.first_edge)], p);
    take(at, dot(away, away), all);
  }
  for (; at < list.size(); ++at) {
    const FaceRecord& face = sites.faces[static_cast<std::size_t>(list[at] - sites.first_face)];
    const V height = dot(minus(p, set3(face.corner[0])), set3(face.normal));
    const V squared = hn::Mul(height, height);
    M reaches = hn::Lt(squared, least);
    if (!face.flat) reaches = hn::Ne(least, least);
    if (!hn::AllFalse(D(), reaches)) {
      for (int i = 0; i < 3; ++i) {
        const V depth = dot(minus(p, set3(face.corner[i])), set3(face.inward[i]));
        reaches = hn::And(reaches, hn::Gt(depth, hn::Zero(D())));
      }
    }
    take(at, squared, reaches);
  }
  best.value = best.distance = hn::Sqrt(least);
  best.scale = set(1.0);
  best.radius = radius_of(half);
  const V slack = set(question.slack);
  const V reach = hn::Add(hn::Add(best.distance, hn::Add(best.radius, best.radius)), hn::Add(slack, slack));
  const V limit = hn::Mul(hn::Mul(reach, reach), set(1.0 + 0x1p-45));
  const V equal = hn::Add(best.distance, slack);
  const V tie = hn::Mul(equal, equal);
  rest.sites.clear();
  rest.equals.clear();
  const auto first = static_cast<std::int32_t>(hn::GetLane(best.number));
  double next = 1e300;
  rest.second = -1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const V squared = hn::LoadU(D(), rest.squared.data() + i * lanes);
    if (hn::AllFalse(D(), hn::Le(squared, limit))) continue;
    rest.sites.push_back(list[i]);
    if (list[i] != first && rest.squared[i * lanes] < next) {
      next = rest.squared[i * lanes];
      rest.second = list[i];
    }
    const M lower = hn::And(hn::Le(squared, tie), hn::Lt(set(list[i]), best.number));
    if (!hn::AllFalse(D(), lower)) rest.equals.push_back(list[i]);
  }
  V3 away = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  if (rest.sites.size() > 1) {
    for (const std::int32_t s : rest.sites) {
      const M mine = hn::Eq(best.number, set(s));
      if (!hn::AllFalse(D(), mine)) away = choose(mine, away_from_feature(sites, s, p), away);
    }
  }
  complete(best, away, half);
  return best;
}

template <bool Wholes, bool Farthest>
HWY_INLINE Best best_of(const Question& question, std::span<const std::int32_t> list, const V3& p,
                        const V3& half, Rest& rest) {
  if constexpr (!Wholes) return best_feature(question, list, p, half, rest);
  rest.sites.assign(list.begin(), list.end());
  rest.equals = rest.sites;
  return best_whole<Farthest>(question, list, p, half);
}

// Can this site be better than the best one somewhere in the box? Sites whose region the box does not meet
// cannot. Otherwise both values change by no more than their scales times the half diagonal, and where there
// are directions: the value of a convex set lies above its tangent plane, and below it by no more than the
// square of the half diagonal over twice the distance.
template <bool Wholes, bool Farthest>
HWY_INLINE M may_be_better(const Best& best, const Look& look, V value, V scale, const V3& half, V slack) {
  const V behind = Farthest ? hn::Sub(best.value, value) : hn::Sub(value, best.value);
  const V both = hn::Mul(hn::Add(best.scale, scale), best.radius);
  const M near = hn::And(look.possible, hn::Le(behind, hn::Add(both, slack)));
  if (hn::AllFalse(D(), near)) return near;
  const V safe = hn::Max(look.distance, set(0x1p-200));
  const V inverse = hn::Div(scale, safe);
  const V3 gradient = times(look.away, inverse);
  V bound = hn::Add(change(minus(gradient, best.gradient), half), hn::Mul(both, set(direction_error)));
  if constexpr (Farthest) {
    const V radius2 = hn::Mul(best.radius, best.radius);
    bound = hn::Add(bound, hn::Mul(hn::Mul(radius2, inverse), set(0.5 + 0x1p-40)));
  } else {
    bound = hn::Add(bound, best.curvature);
  }
  const M undirected =
      hn::Or(hn::Le(look.distance, set(least_distance)), hn::Le(best.distance, set(least_distance)));
  return hn::And(near, hn::Or(undirected, hn::Le(behind, hn::Add(bound, slack))));
}

HWY_INLINE unsigned bits_of(M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
}

template <bool Wholes, bool Farthest>
HWY_NOINLINE void answer_general(const Question& question, std::span<const std::int32_t> list,
                                 const CellColumns& cells, CellAnswers& answers) {
  const PreparedSites& sites = *question.sites;
  const V slack = set(question.slack);
  Rest rest;
  for (std::size_t at = 0; at < static_cast<std::size_t>(cells.count); at += hn::Lanes(D())) {
    const V3 p = load3(cells.center, at), half = load3(cells.half, at);
    const Best best = best_of<Wholes, Farthest>(question, list, p, half, rest);
    V number = best.number;
    M certified = hn::Ge(best.number, hn::Zero(D()));
    // Parts of one site do not challenge each other.
    const auto is_same_site = [&](std::int32_t s) {
      if (!Wholes || sites.owner.empty()) return hn::Eq(best.number, set(s));
      const auto i = static_cast<std::size_t>(s);
      return hn::And(hn::Ge(best.number, set(sites.first_part[i])),
                     hn::Lt(best.number, set(sites.last_part[i])));
    };
    M is_lowest = certified;  // no site of a lower number may be equal
    // The lowest of those that may be equal: from the last to the first.
    for (std::size_t i = rest.equals.size(); i-- > 0;) {
      const std::int32_t s = rest.equals[i];
      const Look look = look_at_site<Wholes>(sites, s, p, half, slack);
      const V value = value_of<Wholes>(sites, s, look.distance);
      const V behind = Farthest ? hn::Sub(best.value, value) : hn::Sub(value, best.value);
      const M ties = hn::And(look.reaches, hn::Le(behind, hn::Mul(slack, set(0.25))));
      const M lower = hn::And(ties, hn::Lt(set(s), number));
      number = hn::IfThenElse(lower, set(s), number);
      is_lowest = hn::AndNot(hn::AndNot(is_same_site(s), lower), is_lowest);
    }
    const auto challenge = [&](std::int32_t s) {
      const M same = is_same_site(s);
      if (hn::AllFalse(D(), hn::AndNot(same, certified))) return;
      const Look look = look_at_site<Wholes>(sites, s, p, half, slack);
      const M rival = may_be_better<Wholes, Farthest>(best, look, value_of<Wholes>(sites, s, look.distance),
                                                      scale_of<Wholes>(sites, s), half, slack);
      certified = hn::AndNot(hn::AndNot(same, rival), certified);
    };
    if (rest.sites.size() > 1) {
      if (rest.second >= 0) challenge(rest.second);
      for (std::size_t i = 0; i < rest.sites.size() && !hn::AllFalse(D(), certified); ++i)
        challenge(rest.sites[i]);
    }
    certified = hn::And(certified, is_lowest);
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::int32_t, D>(), number), hn::Rebind<std::int32_t, D>(),
               answers.site + at);
    hn::StoreU(best.value, D(), answers.value + at);
    const unsigned bits = bits_of(certified);
    for (std::size_t l = 0; l < hn::Lanes(D()); ++l)
      answers.certified[at + l] = static_cast<std::uint8_t>((bits >> l) & 1U);
  }
}

HWY_INLINE void append(std::int32_t s, unsigned bits, std::size_t at, std::size_t lanes,
                       std::int32_t* const* lists, std::int32_t* counts) {
  for (std::size_t l = 0; l < lanes; ++l) {
    lists[at + l][counts[at + l]] = s;
    counts[at + l] += static_cast<std::int32_t>((bits >> l) & 1U);
  }
}

template <bool Wholes, bool Farthest>
HWY_NOINLINE void sift_general(const Question& question, std::span<const std::int32_t> list,
                               const CellColumns& cells, std::int32_t* const* lists, std::int32_t* counts) {
  const PreparedSites& sites = *question.sites;
  const V slack = set(question.slack);
  const auto count = static_cast<std::size_t>(cells.count);
  Rest rest;
  for (std::size_t at = 0; at < count; at += hn::Lanes(D())) {
    const std::size_t lanes = at + hn::Lanes(D()) <= count ? hn::Lanes(D()) : count - at;
    const V3 p = load3(cells.center, at), half = load3(cells.half, at);
    const Best best = best_of<Wholes, Farthest>(question, list, p, half, rest);
    for (const std::int32_t s : rest.sites) {
      const Look look = look_at_site<Wholes>(sites, s, p, half, slack);
      const M rival = may_be_better<Wholes, Farthest>(best, look, value_of<Wholes>(sites, s, look.distance),
                                                      scale_of<Wholes>(sites, s), half, slack);
      const unsigned bits = bits_of(hn::Or(rival, hn::Eq(best.number, set(s))));
      if (bits != 0) append(s, bits, at, lanes, lists, counts);
    }
  }
}

void answer_kernel(const Question& question, std::span<const std::int32_t> list, const CellColumns& cells,
                   CellAnswers& answers) {
  if (!question.sites->wholes) return answer_general<false, false>(question, list, cells, answers);
  if (question.farthest) return answer_general<true, true>(question, list, cells, answers);
  return answer_general<true, false>(question, list, cells, answers);
}

void sift_kernel(const Question& question, std::span<const std::int32_t> list, const CellColumns& cells,
                 std::int32_t* const* lists, std::int32_t* counts) {
  if (!question.sites->wholes) return sift_general<false, false>(question, list, cells, lists, counts);
  if (question.farthest) return sift_general<true, true>(question, list, cells, lists, counts);
  return sift_general<true, false>(question, list, cells, lists, counts);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::voronoi
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::voronoi {

HWY_EXPORT(answer_kernel);
HWY_EXPORT(sift_kernel);

void answer_cells(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                  CellAnswers& answers) {
  if (question.sites->points_alone) return points::answer_points(question, sites, cells, answers);
  HWY_DYNAMIC_DISPATCH(answer_kernel)(question, sites, cells, answers);
}

void sift_sites(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                std::int32_t* const* lists, std::int32_t* counts) {
  for (int i = 0; i < cells.count; ++i) counts[i] = 0;
  if (question.sites->points_alone) return points::sift_points(question, sites, cells, lists, counts);
  HWY_DYNAMIC_DISPATCH(sift_kernel)(question, sites, cells, lists, counts);
}

}  // namespace toccata::voronoi
#endif
