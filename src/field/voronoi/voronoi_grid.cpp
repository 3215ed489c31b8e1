#include "toccata/field/voronoi_grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "base/stop_watch.hpp"
#include "field/voronoi/polygon_parts.hpp"
#include "field/voronoi/prepared_sites.hpp"
#include "field/voronoi/site_kernels.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {
namespace voronoi {
namespace {

// A block of cells: from `first` up to, not including, `last`.
struct Block {
  std::array<std::int32_t, 3> first = {0, 0, 0};
  std::array<std::int32_t, 3> last = {0, 0, 0};
};

// A block and the sites that can be best somewhere in it.
struct Task {
  Block block;
  std::int32_t side = 0;  // of blocks of this level, in cells
  std::vector<std::int32_t> sites;
};

// What the cells of one task add to the grid besides their own numbers.
struct Extras {
  std::vector<VoronoiPart> finer;
  std::vector<VoronoiNeighbours> neighbours;
};

// Memory of one thread, kept from task to task: a room of lists for each level.
struct Room {
  std::vector<std::int32_t> buffer;
  CellColumns cells;
  std::vector<Block> blocks;
  std::int32_t* lists[CellColumns::width];
  std::int32_t counts[CellColumns::width];
};

class GridBuild {
 public:
  GridBuild(const VoronoiOptions& options, const Question& question, double scale, VoronoiGrid& grid)
      : options_(options), question_(question), scale_(scale), grid_(grid), watch_(options.stop) {
    flat_ = grid.counts[2] == 1;
    // The centres are rounded; cells are taken as that much larger.
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double end = grid.lower[i] + grid.counts[static_cast<std::size_t>(i)] * grid.cell_size[i];
      largest = std::max({largest, std::abs(grid.lower[i]), std::abs(end)});
    }
    rounding_ = scale * largest * 0x1p-49;
    for (int i = 0; i < 3; ++i) {
      for (std::int32_t k = 0; k < grid.counts[static_cast<std::size_t>(i)]; ++k)
        centers_[i].push_back(scale * (grid.lower[i] + (k + 0.5) * grid.cell_size[i]));
      half_[i] = scale * 0.5 * grid.cell_size[i] + rounding_;
    }
  }

  // False if it was stopped.
  bool run();

 private:
  std::int32_t leaf_side() const { return flat_ ? 8 : 4; }
  std::int32_t cut() const { return flat_ ? 4 : 2; }

  void split(const Block& block, std::int32_t side, std::vector<Block>& blocks) const;
  void add_box(const Block& block, CellColumns& cells) const;
  void sift(const Block& block, std::int32_t side, std::span<const std::int32_t> sites, Room& room) const;
  void visit(const Block& block, std::int32_t side, std::span<const std::int32_t> sites, std::size_t level,
             std::vector<Room>& rooms, Extras& extras);
  void fill(const Block& block, std::span<const std::int32_t> sites, std::vector<Room>& rooms,
            Extras& extras);
  void look_closer(std::size_t cell, const Vector3& center, const Vector3& half, int level,
                   std::span<const std::int32_t> sites, Extras& extras);
  void add_neighbours(const Vector3& center, const Vector3& half, std::span<const std::int32_t> sites,
                      Extras& extras) const;
  void gather(std::vector<Extras>& extras);
  // From what kernels number, parts of sites, to the sites.
  std::int32_t site_of(std::int32_t part) const {
    const std::vector<std::int32_t>& owner = question_.sites->owner;
    return owner.empty() || part < 0 ? part : owner[static_cast<std::size_t>(part)];
  }

  const VoronoiOptions& options_;
  const Question& question_;
  double scale_;
  VoronoiGrid& grid_;
  StopWatch watch_;
  std::atomic<bool> stopped_ = false;
  bool flat_ = true;
  double rounding_ = 0.0;
  std::vector<double> centers_[3];  // of cells, scaled
  Vector3 half_ = Vector3::Zero();  // of a cell, scaled
};

void GridBuild::split(const Block& block, std::int32_t side, std::vector<Block>& blocks) const {
  blocks.clear();
  for (std::int32_t k = block.first[2]; k < block.last[2]; k += side)
    for (std::int32_t j = block.first[1]; j < block.last[1]; j += side)
      for (std::int32_t i = block.first[0]; i < block.last[0]; i += side)
        blocks.push_back({{i, j, k},
                          {std::min(i + side, block.last[0]), std::min(j + side, block.last[1]),
                           std::min(k + side, block.last[2])}});
}

void GridBuild::add_box(const Block& block, CellColumns& cells) const {
  Vector3 center, half;
  for (int i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(i);
    const double size = grid_.cell_size[i];
    center[i] = scale_ * (grid_.lower[i] + 0.5 * (block.first[a] + block.last[a]) * size);
    half[i] = scale_ * (0.5 * (block.last[a] - block.first[a]) * size) + rounding_;
  }
  cells.add(center, half);
}

// Blocks of this side within the block, and the sites of each.
void GridBuild::sift(const Block& block, std::int32_t side, std::span<const std::int32_t> sites,
                     Room& room) const {
  split(block, side, room.blocks);
  room.cells.clear();
  for (const Block& b : room.blocks) add_box(b, room.cells);
  room.cells.pad();
  // One more for each: what is written before it is known whether it stays.
  const std::size_t stride = sites.size() + 1;
  if (room.buffer.size() < stride * room.blocks.size()) room.buffer.resize(stride * room.blocks.size());
  for (std::size_t i = 0; i < room.blocks.size(); ++i) room.lists[i] = room.buffer.data() + i * stride;
  sift_sites(question_, sites, room.cells, room.lists, room.counts);
}

void GridBuild::visit(const Block& block, std::int32_t side, std::span<const std::int32_t> sites,
                      std::size_t level, std::vector<Room>& rooms, Extras& extras) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  // One site takes the block without further questions.
  if (side <= leaf_side()) return fill(block, sites, rooms, extras);
  if (sites.size() == 1) {
    std::vector<Block> leaves;
    split(block, leaf_side(), leaves);
    for (const Block& leaf : leaves) fill(leaf, sites, rooms, extras);
    return;
  }
  const std::int32_t next = side / cut();
  sift(block, next, sites, rooms[level]);
  for (std::size_t i = 0; i < rooms[level].blocks.size(); ++i) {
    const Room& room = rooms[level];
    visit(room.blocks[i], next, {room.lists[i], static_cast<std::size_t>(room.counts[i])}, level + 1, rooms,
          extras);
  }
}

void GridBuild::fill(const Block& block, std::span<const std::int32_t> sites, std::vector<Room>& rooms,
                     Extras& extras) {
  CellColumns& cells = rooms.back().cells;
  const std::int32_t across = block.last[0] - block.first[0];
  cells.count = 0;
  for (std::int32_t k = block.first[2]; k < block.last[2]; ++k) {
    for (std::int32_t j = block.first[1]; j < block.last[1]; ++j) {
      std::copy_n(centers_[0].data() + block.first[0], across, cells.center[0] + cells.count);
      std::fill_n(cells.center[1] + cells.count, across, centers_[1][static_cast<std::size_t>(j)]);
      std::fill_n(cells.center[2] + cells.count, across, centers_[2][static_cast<std::size_t>(k)]);
      cells.count += across;
    }
  }
  for (int i = 0; i < 3; ++i) std::fill_n(cells.half[i], cells.count, half_[i]);
  cells.pad();
  CellAnswers answers;
  answer_cells(question_, sites, cells, answers);
  const double back = 1.0 / scale_;
  const bool closer = options_.refine > 0 || options_.with_neighbours;
  std::size_t at = 0;
  for (std::int32_t k = block.first[2]; k < block.last[2]; ++k) {
    for (std::int32_t j = block.first[1]; j < block.last[1]; ++j) {
      const std::size_t cell = grid_.index(block.first[0], j, k);
      const auto count = static_cast<std::size_t>(across);
      std::copy_n(answers.site + at, count, grid_.site.data() + cell);
      if (!question_.sites->owner.empty())
        for (std::size_t i = cell; i < cell + count; ++i) grid_.site[i] = site_of(grid_.site[i]);
      std::copy_n(answers.certified + at, count, grid_.certified.data() + cell);
      double* const to = grid_.distance.data() + cell;
      for (std::size_t i = 0; i < count; ++i) to[i] = answers.value[at + i] * back;
      for (std::size_t i = 0; closer && i < count; ++i)
        if (answers.certified[at + i] == 0)
          look_closer(cell + i, scale_ * grid_.center(block.first[0] + static_cast<std::int32_t>(i), j, k),
                      half_, 0, sites, extras);
      at += count;
    }
  }
}

// A cell that has more than one site: its neighbours, and its parts.
void GridBuild::look_closer(std::size_t cell, const Vector3& center, const Vector3& half, int level,
                            std::span<const std::int32_t> sites, Extras& extras) {
  CellColumns cells;
  cells.add(center, half);
  cells.pad();
  std::vector<std::int32_t> left(sites.size() + 1);
  std::int32_t* lists[1] = {left.data()};
  std::int32_t count = 0;
  sift_sites(question_, sites, cells, lists, &count);
  const std::span<const std::int32_t> rest(left.data(), static_cast<std::size_t>(count));
  if (options_.with_neighbours) add_neighbours(center, half, rest, extras);
  if (level >= options_.refine) return;
  cells.clear();
  // The quarters' centres are exact but for their last bit, which the rounding of the half side covers.
  const Vector3 quarter = 0.5 * half;
  for (int child = 0; child < (flat_ ? 4 : 8); ++child) {
    Vector3 at = center;
    for (int i = 0; i < (flat_ ? 2 : 3); ++i) at[i] += (child >> i & 1) != 0 ? quarter[i] : -quarter[i];
    Vector3 size = quarter;
    if (flat_) size.z() = half.z();
    cells.add(at, size.array() + rounding_);
  }
  cells.pad();
  CellAnswers answers;
  answer_cells(question_, rest, cells, answers);
  for (int child = 0; child < cells.count; ++child) {
    const Vector3 at(cells.center[0][child], cells.center[1][child], cells.center[2][child]);
    const bool last = answers.certified[child] != 0 || level + 1 >= options_.refine;
    if (last)
      extras.finer.push_back({static_cast<std::int32_t>(cell), level + 1, at / scale_,
                              site_of(answers.site[child]), answers.value[child] / scale_,
                              answers.certified[child] != 0});
    if (answers.certified[child] == 0 && (!last || options_.with_neighbours)) {
      const Vector3 size(cells.half[0][child], cells.half[1][child], cells.half[2][child]);
      look_closer(cell, at, size, level + 1, rest, extras);
    }
  }
}

// Where two sites are left and each is better somewhere, by more than rounding, they meet here.
void GridBuild::add_neighbours(const Vector3& center, const Vector3& half,
                               std::span<const std::int32_t> sites, Extras& extras) const {
  // Parts of a site follow each other.
  const auto second_site = std::find_if(sites.begin(), sites.end(),
                                        [&](std::int32_t s) { return site_of(s) != site_of(sites.front()); });
  const auto of_first = static_cast<std::size_t>(second_site - sites.begin());
  if (second_site == sites.end() || site_of(*second_site) != site_of(sites.back())) return;
  CellColumns corners;
  for (int corner = 0; corner < (flat_ ? 4 : 8); ++corner) {
    Vector3 at = center;
    for (int i = 0; i < (flat_ ? 2 : 3); ++i) at[i] += (corner >> i & 1) != 0 ? half[i] : -half[i];
    corners.add(at, Vector3::Zero());
  }
  corners.pad();
  CellAnswers a, b;
  answer_cells(question_, sites.first(of_first), corners, a);
  answer_cells(question_, sites.subspan(of_first), corners, b);
  bool first = false, second = false;
  for (int i = 0; i < corners.count; ++i) {
    // A feature whose region does not reach this corner has no value there.
    if (a.site[i] < 0 || b.site[i] < 0) {
      first = first || b.site[i] < 0;
      second = second || a.site[i] < 0;
      continue;
    }
    const double better = question_.farthest ? a.value[i] - b.value[i] : b.value[i] - a.value[i];
    first = first || better > question_.slack;
    second = second || better < -question_.slack;
  }
  if (first && second) extras.neighbours.push_back({site_of(sites.front()), site_of(sites.back()), true});
}

// In the order of the tasks, then of the cells; neighbours sorted, a proven pair before what is only seen.
void GridBuild::gather(std::vector<Extras>& extras) {
  for (Extras& e : extras) {
    grid_.finer.insert(grid_.finer.end(), e.finer.begin(), e.finer.end());
    grid_.neighbours.insert(grid_.neighbours.end(), e.neighbours.begin(), e.neighbours.end());
  }
  std::stable_sort(grid_.finer.begin(), grid_.finer.end(),
                   [](const VoronoiPart& a, const VoronoiPart& b) { return a.cell < b.cell; });
  if (!options_.with_neighbours) return;
  const auto seen = [&](std::size_t p, std::size_t q) {
    const std::int32_t a = grid_.site[p], b = grid_.site[q];
    if (a != b) grid_.neighbours.push_back({std::min(a, b), std::max(a, b), false});
  };
  const auto& n = grid_.counts;
  for (std::int32_t k = 0; k < n[2]; ++k) {
    for (std::int32_t j = 0; j < n[1]; ++j) {
      for (std::int32_t i = 0; i < n[0]; ++i) {
        const std::size_t cell = grid_.index(i, j, k);
        if (i + 1 < n[0]) seen(cell, grid_.index(i + 1, j, k));
        if (j + 1 < n[1]) seen(cell, grid_.index(i, j + 1, k));
        if (k + 1 < n[2]) seen(cell, grid_.index(i, j, k + 1));
      }
    }
  }
  auto& list = grid_.neighbours;
  const auto key = [](const VoronoiNeighbours& p) { return std::array{p.first, p.second, p.proven ? 0 : 1}; };
  std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  list.erase(
      std::unique(list.begin(), list.end(),
                  [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }),
      list.end());
}

bool GridBuild::run() {
  const auto& n = grid_.counts;
  std::int32_t side = leaf_side();
  std::size_t levels = 2;
  while (side < std::max({n[0], n[1], n[2]})) {
    side = side > (1 << 28) ? side : side * cut();
    ++levels;
    if (levels > 40) break;
  }
  std::vector<Task> tasks(1);
  tasks[0].block.last = n;
  tasks[0].side = side;
  for (std::int32_t s = 0; s < question_.sites->count; ++s) tasks[0].sites.push_back(s);
  // Breadth first until there is work for all threads, each level in parallel; the order never depends on
  // them.
  while (tasks.size() < 200 && tasks[0].side > leaf_side()) {
    std::vector<std::vector<Task>> below(tasks.size());
    parallel_blocks(tasks.size(), 1, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        if (watch_.is_over()) stopped_ = true;
        if (stopped_) return;
        Room room;
        const std::int32_t next = tasks[t].side / cut();
        sift(tasks[t].block, next, tasks[t].sites, room);
        for (std::size_t i = 0; i < room.blocks.size(); ++i)
          below[t].push_back({room.blocks[i], next, {room.lists[i], room.lists[i] + room.counts[i]}});
      }
    });
    if (stopped_) return false;
    std::vector<Task> all;
    for (std::vector<Task>& list : below)
      for (Task& task : list) all.push_back(std::move(task));
    tasks = std::move(all);
  }
  std::vector<Extras> extras(tasks.size());
  parallel_blocks(tasks.size(), 8, options_.threads, [&](std::size_t begin, std::size_t end) {
    std::vector<Room> rooms(levels);
    for (std::size_t t = begin; t < end; ++t) {
      if (watch_.is_over()) stopped_ = true;
      if (stopped_) return;
      visit(tasks[t].block, tasks[t].side, tasks[t].sites, 0, rooms, extras[t]);
    }
  });
  if (stopped_) return false;
  gather(extras);
  return true;
}

Expected<Aabb> box_of(const VoronoiSites& sites, const VoronoiOptions& options) {
  Aabb box = options.box;
  if ((box.lower.array() > box.upper.array()).all()) {
    box = sites.points.empty() ? Aabb{} : fit<Aabb>(sites.points);
    const double side = (box.upper - box.lower).maxCoeff();
    const double margin = side > 0.0 ? 0.05 * side : 1.0;
    const bool in_plane = options.counts[2] == 1 && box.lower.z() == box.upper.z();
    for (int i = 0; i < (in_plane ? 2 : 3); ++i) {
      box.lower[i] -= margin;
      box.upper[i] += margin;
    }
  }
  if (!(box.lower.cwiseAbs().maxCoeff() <= 1e100) || !(box.upper.cwiseAbs().maxCoeff() <= 1e100))
    return Error{"the box of a Voronoi grid must be finite, and no coordinate beyond 1e100"};
  for (int i = 0; i < 3; ++i) {
    const bool may_be_flat = i == 2 && options.counts[2] == 1;
    if (!(box.lower[i] < box.upper[i]) && !(may_be_flat && box.lower[i] == box.upper[i]))
      return Error{
          "the box of a Voronoi grid has no extent along an axis: only along z, and with one cell there"};
  }
  return box;
}

Expected<bool> check_options(const VoronoiOptions& options, std::size_t wholes) {
  double cells = 1.0;
  for (const std::int32_t count : options.counts) {
    if (count < 1) return Error{"a Voronoi grid needs at least one cell along every axis"};
    cells *= count;
  }
  if (cells > 2147483647.0) return Error{"a Voronoi grid has at most 2^31 - 1 cells"};
  if (options.refine < 0 || options.refine > 20) return Error{"cells are cut between 0 and 20 times"};
  if (options.threads < 0) return Error{"threads must be at least 0"};
  if (options.weighting == VoronoiWeights::None)
    return options.weights.empty() ? Expected<bool>(true)
                                   : Error{"weights are given, but no weighting: additive or multiplicative"};
  if (options.weights.size() != wholes)
    return Error{std::to_string(options.weights.size()) + " weights are given for " + std::to_string(wholes) +
                 " sites: one per free point, segment, triangle and polygon, in this order"};
  for (std::size_t i = 0; i < options.weights.size(); ++i) {
    const double w = options.weights[i];
    if (!(std::abs(w) <= 1e100))
      return Error{"weight " + std::to_string(i) + " is not a finite number of at most 1e100"};
    if (options.weighting == VoronoiWeights::Multiplicative && !(w >= 1e-100))
      return Error{"weight " + std::to_string(i) + " must be above zero: distances are divided by it"};
  }
  return true;
}

}  // namespace
}  // namespace voronoi

Vector3 VoronoiGrid::center(std::size_t cell) const {
  const auto nx = static_cast<std::size_t>(counts[0]), ny = static_cast<std::size_t>(counts[1]);
  return center(static_cast<std::int32_t>(cell % nx), static_cast<std::int32_t>(cell / nx % ny),
                static_cast<std::int32_t>(cell / (nx * ny)));
}

Expected<VoronoiGrid> voronoi_grid(const VoronoiSites& sites, const VoronoiOptions& options) {
  if (const Expected<bool> good = check_voronoi_sites(sites); !good) return good.error();
  const bool wholes = options.kind == VoronoiKind::Farthest || options.weighting != VoronoiWeights::None ||
                      !sites.polygons.empty();
  if (options.kind == VoronoiKind::Farthest && !sites.polygons.empty())
    return Error{"the farthest of filled polygons is not known here: of their outlines it is"};
  VoronoiGrid grid;
  grid.sites = wholes ? voronoi_wholes(sites) : voronoi_features(sites);
  if (grid.sites.size() > 2147483000U) return Error{"too many sites"};
  if (const Expected<bool> good = voronoi::check_options(options, grid.sites.size()); !good)
    return good.error();
  const Expected<voronoi::SiteParts> parts = voronoi::parts_of(sites, grid.sites, options.weights);
  if (!parts) return parts.error();
  const Expected<Aabb> box = voronoi::box_of(sites, options);
  if (!box) return box.error();
  grid.counts = options.counts;
  grid.lower = box->lower;
  for (int i = 0; i < 3; ++i)
    grid.cell_size[i] = (box->upper[i] - box->lower[i]) / options.counts[static_cast<std::size_t>(i)];
  const std::size_t cells = static_cast<std::size_t>(options.counts[0]) *
                            static_cast<std::size_t>(options.counts[1]) *
                            static_cast<std::size_t>(options.counts[2]);
  if (grid.sites.empty()) {
    grid.site.assign(cells, -1);
    grid.distance.assign(cells, std::numeric_limits<double>::infinity());
    grid.certified.assign(cells, 0);
    return grid;
  }
  grid.site.resize(cells);
  grid.distance.resize(cells);
  grid.certified.resize(cells);

  // All lengths below 2, by a power of two, which rounds nothing.
  Aabb all = *box;
  if (!sites.points.empty()) all = merge(all, fit<Aabb>(sites.points));
  double length = (all.upper - all.lower).stableNorm();
  for (const double w : options.weights)
    if (options.weighting == VoronoiWeights::Additive) length = std::max(length, std::abs(w));
  int exponent = 0;
  std::frexp(length, &exponent);
  const double scale = length > 0.0 ? std::ldexp(1.0, -exponent) : 1.0;
  VoronoiSites scaled = sites;
  for (Vector3& p : scaled.points) p *= scale;
  VoronoiOptions inner = options;
  inner.weights = parts->weights;
  if (options.weighting == VoronoiWeights::Additive)
    for (double& w : inner.weights) w *= scale;

  const voronoi::PreparedSites prepared = voronoi::prepare_sites(scaled, parts->list, parts->owner, inner);
  voronoi::Question question;
  question.sites = &prepared;
  question.farthest = options.kind == VoronoiKind::Farthest;
  question.slack = 0x1p-45 * std::max(1.0, prepared.largest_scale);
  grid.error = 0.5 * question.slack / scale;
  grid.reach = 0.5 * grid.cell_size.norm() * (wholes ? prepared.largest_scale : 1.0);
  question.flat = prepared.points_alone && grid.cell_size.z() == 0.0;
  for (const auto& place : prepared.places)
    question.flat = question.flat && place[2] == scale * grid.lower.z();
  voronoi::GridBuild build(inner, question, scale, grid);
  if (!build.run()) return Error{"stopped before the Voronoi grid was done"};
  return grid;
}

std::vector<std::uint8_t> voronoi_boundaries(const VoronoiGrid& grid) {
  std::vector<std::uint8_t> boundary(grid.site.size(), 0);
  const auto& n = grid.counts;
  for (std::int32_t k = 0; k < n[2]; ++k) {
    for (std::int32_t j = 0; j < n[1]; ++j) {
      for (std::int32_t i = 0; i < n[0]; ++i) {
        const std::size_t cell = grid.index(i, j, k);
        if (grid.certified[cell] == 0) boundary[cell] = 1;
        const auto compare = [&](std::size_t other) {
          if (grid.site[other] != grid.site[cell]) boundary[cell] = boundary[other] = 1;
        };
        if (i + 1 < n[0]) compare(grid.index(i + 1, j, k));
        if (j + 1 < n[1]) compare(grid.index(i, j + 1, k));
        if (k + 1 < n[2]) compare(grid.index(i, j, k + 1));
      }
    }
  }
  return boundary;
}

}  // namespace toccata
