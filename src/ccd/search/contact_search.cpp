#include "ccd/search/contact_search.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "ccd/search/box_pair_step.hpp"
#include "ccd/search/box_test.hpp"
#include "ccd/search/convex_search.hpp"
#include "ccd/search/piece_pair.hpp"
#include "ccd/search/turning_profiles.hpp"
#include "hierarchy/box_pair.hpp"

namespace toccata::search {
namespace {

// A group whose test is this many buckets old is tested again before any of it is opened.
constexpr int stale_buckets = 32;
// One state of the bodies serves this many buckets, at the start of the first: earlier is safe, and what the
// buckets are finer for is the order of the search.
constexpr int buckets_per_state = 2;
// So many buckets ahead groups are looked for that can be tested beside one that is due: two at once, and two
// more, which wait for nothing that is found out by the first two, so that a processor can go on with them.
constexpr int buckets_ahead = 32;
constexpr int most_tests = 4;
constexpr int most_waiting = 2;  // pairs of pieces
// Boxes proven apart for less than this share of the window also try their edge directions.
constexpr float near_share = 0.05F;
// From so many pairs of triangles on, boxes are looked at in double precision before they are opened, as long
// as three in four of these looks, each as dear as opening a dozen pairs, spare what is inside.
constexpr std::int64_t usual_piece_pairs = 1024;
constexpr int looks_per_trial = 16;
constexpr int least_spared = 12;
// Triangles advance until they are within this share of the tolerance.
constexpr double target_share = 0.125;
// Far apart, nearest points are found to this share of the distance only: the direction is what counts.
constexpr double rough_share = 0.05;
// In radians. From the first on, windows are worth sparing as a whole; from the second on in parts too.
constexpr double some_turns = 12.0;
constexpr double very_many_turns = 1e4;
// Groups and windows, of about a microsecond each, between two looks at the watch.
constexpr int looks_at_watch = 16;

class Search {
 public:
  Search(const SearchQuestion& question, SearchMemory& memory)
      : q_(question),
        queue_(memory.queue()),
        tree_{&question.a.tree(), &question.b.tree()},
        has_plane_(tree_[0]->plane || tree_[1]->plane),
        in_pairs_(!has_plane_ && tree_[0]->heights == nullptr && tree_[1]->heights == nullptr),
        only_triangles_(question.a.shape->has_only_triangles() && question.b.shape->has_only_triangles()),
        states_(question.a, question.b),
        watch_(question.stop, looks_at_watch),
        limited_(question.budget > 0 || question.stop != nullptr) {}

  SearchAnswer run() {
    answer_.time = q_.end;
    if (tree_[0]->empty() || tree_[1]->empty()) return answer_;
    double begin = q_.start;
    while (begin <= q_.end) {
      if (watch_.is_over()) {
        end_undecided(begin);
        break;
      }
      const double smooth =
          std::min({q_.end, q_.a.motion->next_breakpoint(begin), q_.b.motion->next_breakpoint(begin)});
      const double start = later_by_turns(whole_boxes_meet(begin, smooth), smooth);
      const double end = std::min(smooth, start + window_length());
      if (start <= smooth) search_window(start, end);
      ++windows_;
      if (answer_.ending != SearchAnswer::Ending::Free) break;
      const double reached = start <= smooth ? end : smooth;
      if (reached >= q_.end) break;
      begin = reached;
    }
    return answer_;
  }

 private:
  // A pair of pieces that is due.
  struct WaitingPieces {
    int side = 0;
    BoxId own = 0;
    BoxId other = 0;
    std::int32_t id_a = 0;
    std::int32_t id_b = 0;
    double step = 0.0;  // apart for so long from the present state on
  };

  // Until when the boxes of the whole bodies are apart, from `begin` on.
  double whole_boxes_meet(double begin, double smooth) {
    set_state(begin, smooth);
    PendingGroup whole = whole_bodies();
    test_boxes(box_state_, tree_, {apart(), 0.0F, 0.0F, std::numeric_limits<float>::max()}, whole, false);
    return later(begin, static_cast<double>(whole.earliest));
  }

  // Until when the bodies are apart at whatever angle one of them has turned to, from `begin` on; after
  // `smooth` if until then. Asked when a window has been searched in vain and many are left, or if there are
  // very many, and again after more and more windows, for a quarter of the work that is to be spared.
  double later_by_turns(double begin, double smooth) {
    const double spin = state_.turn[0].spin + state_.turn[1].spin;
    if (!(spin * (smooth - begin) > some_turns) || windows_ < next_profile_) return begin;
    const bool in_parts = spin * (smooth - begin) > very_many_turns;
    if (windows_ == 0 && !in_parts) return begin;
    const double work_per_window =
        windows_ > 0 ? static_cast<double>(work_of(answer_.stats)) / static_cast<double>(windows_) : 1e3;
    SearchQuestion span = q_;
    span.distance += q_.tolerance;  // whoever comes this close may be reported
    double t = begin, length = smooth - begin;
    while (spin * length > some_turns) {
      span.start = t;
      span.end = std::min(smooth, t + length);
      if (!(span.end > t)) break;
      const double spared = 0.25 * work_per_window * (span.end - t) / window_length();
      const bool apart =
          apart_by_profile(span, static_cast<std::int64_t>(std::min(spared, 1e12)), answer_.stats);
      if (apart && span.end >= smooth) return std::nextafter(smooth, 2.0);
      if (!in_parts) break;
      if (apart) t = span.end;
      length = apart ? 2.0 * length : 0.25 * length;
    }
    next_profile_ = windows_ + (t > begin ? 1 : 1 + windows_);
    return t;
  }

  static PendingGroup whole_bodies() {
    PendingGroup group;
    group.set_only(0, 0.0F);
    return group;
  }

  // A bucket of a window should see a small turn and a short way, or its boxes could not be told apart.
  double window_length() const {
    const double larger = std::max(q_.a.shape->radius, q_.b.shape->radius);
    const double smaller = std::max(std::min(q_.a.shape->radius, q_.b.shape->radius), 0.05 * larger);
    const double spin = state_.turn[0].spin + state_.turn[1].spin;
    const double speed = (state_.view[0].own.velocity - state_.view[0].other.velocity).norm();
    double length = 1.0;
    if (spin > 0.0) length = std::min(length, 4.0 / spin);
    if (speed > 0.0) length = std::min(length, 16.0 * smaller / speed);
    return std::max(length, 1e-6);
  }

  void search_window(double begin, double end) {
    window_begin_ = begin;
    window_end_ = end;
    limit_ = end;
    // The window is closed: contact exactly at its end counts, and is only dropped beyond it.
    found_ = false;
    near_step_ = near_share * static_cast<float>(end - begin);
    queue_.reset(begin, end);
    set_latest();
    queue_.push(0, whole_bodies());
    bucket_ = first_bucket_ = -buckets_per_state;
    for (int bucket = queue_.first(); bucket >= 0; bucket = queue_.first()) {
      if (beyond(queue_.start_of(bucket))) return;
      bucket_ = bucket;
      if (bucket >= first_bucket_ + buckets_per_state) {
        first_bucket_ = bucket;
        set_state(queue_.start_of(first_bucket_), end);
        now_ = queue_.offset_of(first_bucket_);
      }
      if (is_out_of_budget()) return give_up();
      treat_next();
      if (answer_.ending == SearchAnswer::Ending::OutOfBudget) return;
    }
  }

  void set_state(double t, double end) {
    states_.set(t, end, state_);
    box_state_.set(state_);
  }

  // Nothing at or after t can be the answer any more.
  bool beyond(double t) const { return found_ ? t >= limit_ : t > window_end_; }

  void give_up() { end_undecided(queue_.start_of(bucket_)); }

  void end_undecided(double free_until) {
    answer_.ending = SearchAnswer::Ending::OutOfBudget;
    answer_.time = free_until;
    answer_.piece_a = answer_.piece_b = -1;
  }

  // Within this distance is not apart. At the start whoever would be accepted counts as touching, even if the
  // distance grows.
  double apart() const { return q_.distance + (state_.time == q_.start ? q_.tolerance * target_share : 0.0); }

  bool is_out_of_budget() {
    return limited_ && ((q_.budget > 0 && work_of(answer_.stats) >= q_.budget) || watch_.is_over());
  }

  // The first group, and where others are due soon some of them too: what is asked of them does not wait for
  // the others' answers, and so takes little more time than one.
  void treat_next() {
    tested_ = waiting_ = 0;
    take(bucket_);
    while (in_pairs_ && tested_ < most_tests && waiting_ < most_waiting) {
      const int bucket = queue_.first();
      if (bucket < 0 || bucket >= bucket_ + (tested_ > 0 ? buckets_ahead : buckets_per_state)) break;
      if (!take(bucket)) break;
    }
    if (only_triangles_) {
      for (int i = 0; i < waiting_; ++i) find_first_step(pieces_[i]);
    }
    if (tested_ > 0) test();
    for (int i = 0; i < waiting_ && answer_.ending != SearchAnswer::Ending::OutOfBudget; ++i)
      treat_pieces(pieces_[i]);
  }

  // Takes the first group of the bucket: it is to be tested again if its times are old, else its earliest
  // child is opened. False if that is too early, and nothing has changed.
  bool take(int bucket) {
    const bool is_due = bucket < first_bucket_ + buckets_per_state;
    const std::int32_t place = queue_.top(bucket);
    PendingGroup& group = queue_.at(place);
    if (bucket_ - group.seen >= stale_buckets) {
      queue_.take(bucket);
      add_test(place, false);
      return true;
    }
    const DueChild child = group.next();
    const int side = group.side;
    const BoxId own = group.node * box_width + child.slot(), other = group.other;
    BoxPair larger;
    const bool opens_boxes = find_larger(side, own, other, larger);
    if (!is_due && (!opens_boxes || looks_closely())) return false;
    queue_.take(bucket);
    group.take_next();
    keep(place, bucket_);
    if (!(child.when <= latest_)) return true;
    if (!opens_boxes) {
      add_pieces(side, own, other);
      return true;
    }
    if (looks_closely() && !has_plane_ && stays_apart(side, own, other)) return true;
    const std::int32_t room = queue_.make_room();
    PendingGroup& children = queue_.at(room);
    children.earliest = child.when;
    children.node = larger.node;
    children.other = larger.other;
    children.side = larger.side;
    add_test(room, true);
    return true;
  }

  // A group, not before `bucket`, if any of it matters.
  void keep(std::int32_t place, int bucket) {
    const float when = queue_.at(place).earliest;
    if (when <= latest_) {
      queue_.put(std::max(bucket, queue_.bucket_of(when)), place);
    } else {
      queue_.free_room(place);
    }
  }

  bool looks_closely() const { return answer_.stats.piece_pairs >= close_looks_from_; }

  // In double precision, beyond the present state; the pair is put aside until then.
  bool stays_apart(int side, BoxId own, BoxId other) {
    if (!close_state_ || close_state_->t != state_.time) close_state_.emplace(q_, state_.time, window_end_);
    const double step =
        box_pair_step(q_, *close_state_, side == 0 ? own : other, side == 0 ? other : own, apart());
    const double t = later(state_.time, step), end = state_end();
    // The last state has no later one to wait for; of a single moment it is the only one.
    const bool apart_now = beyond(t) || (t >= end && end < window_end_);
    if (apart_now && !beyond(t)) push_later(t, side, own, other);
    ++close_looks_;
    if (apart_now) ++close_proofs_;
    if (close_looks_ == looks_per_trial) {
      if (close_proofs_ < least_spared) close_looks_from_ = 4 * answer_.stats.piece_pairs;
      close_looks_ = close_proofs_ = 0;
    }
    return apart_now;
  }

  // Until when the present state serves.
  double state_end() const {
    const int next = first_bucket_ + buckets_per_state;
    return next < queue_.bucket_count ? queue_.start_of(next) : window_end_;
  }

  void add_test(std::int32_t place, bool is_fresh) {
    tests_[tested_].place = place;
    tests_[tested_].is_fresh = is_fresh;
    ++tested_;
  }

  // Tests what is left of the groups, at the present state.
  void test() {
    const BoxTestLimits limits = {apart(), near_step_, now_, latest_};
    int i = 0;
    for (; i + 2 <= tested_; i += 2) {
      PendingGroup& first = queue_.at(tests_[i].place);
      PendingGroup& second = queue_.at(tests_[i + 1].place);
      box_steps({box_test(box_state_, tree_, first, tests_[i].is_fresh),
                 box_test(box_state_, tree_, second, tests_[i + 1].is_fresh)},
                limits);
    }
    if (i < tested_) test_boxes(box_state_, tree_, limits, queue_.at(tests_[i].place), tests_[i].is_fresh);
    // The first one on top, where it is gone on with.
    for (int k = tested_ - 1; k >= 0; --k) {
      PendingGroup& group = queue_.at(tests_[k].place);
      answer_.stats.node_pairs += tree_[group.side]->node(group.node).count;
      group.seen = static_cast<std::int16_t>(bucket_);
      keep(tests_[k].place, bucket_);
    }
  }

  void set_latest() { latest_ = rounded_up(limit_ - window_begin_) + 1e-30F; }

  struct BoxPair {
    BoxId node = 0;
    BoxId other = 0;
    std::int16_t side = 0;
  };

  // The larger of two boxes is to be replaced by its children. False: both hold one triangle.
  bool find_larger(int side, BoxId own, BoxId other, BoxPair& larger) {
    const std::int32_t child = child_of(*tree_[side], own);
    const std::int32_t other_child = child_of(*tree_[1 - side], other);
    if (child < 0 && other_child < 0) return false;
    const bool open_own = opens_first(*tree_[side], own, *tree_[1 - side], other);
    larger.side = static_cast<std::int16_t>(open_own ? side : 1 - side);
    larger.node = static_cast<BoxId>(open_own ? child : other_child);
    larger.other = open_own ? other : own;
    prefetch(tree_[larger.side]->node(larger.node));
    return true;
  }

  static void prefetch(const BoxNode& node) {
    const auto* begin = reinterpret_cast<const char*>(&node);
    for (std::size_t at = 0; at < sizeof(BoxNode); at += 64) __builtin_prefetch(begin + at);
  }

  void add_pieces(int side, BoxId own, BoxId other) {
    WaitingPieces& pieces = pieces_[waiting_++];
    pieces.side = side;
    pieces.own = own;
    pieces.other = other;
    pieces.id_a = ~child_of(*tree_[0], side == 0 ? own : other);
    pieces.id_b = ~child_of(*tree_[1], side == 0 ? other : own);
    ++answer_.stats.piece_pairs;
  }

  double first_step(const PiecePair& pieces) const {
    const PieceMoment first(state_, pieces, window_end_ - state_.time);
    return first.quick_step(apart(), q_.tolerance * target_share).step;
  }

  void find_first_step(WaitingPieces& waiting) const {
    waiting.step = first_step(PiecePair(q_.a, waiting.id_a, q_.b, waiting.id_b));
  }

  void treat_pieces(const WaitingPieces& waiting) {
    if (only_triangles_ && beyond(later(state_.time, waiting.step))) return;
    PiecePair pieces(q_.a, waiting.id_a, q_.b, waiting.id_b);
    pieces.take_hint(hint_);
    const double step = only_triangles_ ? waiting.step : first_step(pieces);
    advance_pieces(waiting, pieces, later(state_.time, step));
    pieces.give_hint(hint_);
  }

  // From t on, until when they are known to be apart.
  void advance_pieces(const WaitingPieces& waiting, const PiecePair& pieces, double t) {
    const double state_end = this->state_end();
    const double target = q_.tolerance * target_share;
    for (int round = 0;; ++round) {
      if (beyond(t)) return;
      if (t >= state_end && state_end < window_end_) {
        push_later(t, waiting.side, waiting.own, waiting.other);
        return;
      }
      ++answer_.stats.steps;
      if (round > 0 && is_out_of_budget()) return give_up();
      states_.set_from_b(t, window_end_, moment_);
      PieceMoment now(moment_, pieces, window_end_ - t);
      const PieceStep quick = now.quick_step(q_.distance, target);
      double step = quick.step;
      // Far pieces that approach quickly need no nearest points.
      if (!quick.is_far || (round >= 2 && step < 0.25 * (state_end - t))) {
        const double accepted = round < 16 ? target : q_.tolerance;
        // Roughly; where that leads no farther as closely as it gets. Nearest points within reach are close.
        for (const double share : {rough_share, 0.0}) {
          convex::ConvexLimits limits;
          limits.relative_error = share;
          limits.absolute_error = share > 0.0 ? target_share * accepted : 0.0;
          const double upper = now.find_distance(limits) + 2.0 * moment_.gap_padding;
          if (upper <= q_.distance + accepted) {
            accept(t, waiting.id_a, waiting.id_b);
            return;
          }
          step = now.careful_step(q_.distance, step, 0.5 * (window_end_ - t));
          if (later(t, step) > t) break;
        }
        if (!(later(t, step) > t)) {
          // No double lies between here and the contact.
          accept(t, waiting.id_a, waiting.id_b);
          return;
        }
      }
      t = later(t, step);
    }
  }

  // Two boxes, or two pieces, proven apart until t, which is beyond this state.
  void push_later(double t, int side, BoxId own, BoxId other) {
    PendingGroup group;
    const auto offset = static_cast<float>((t - window_begin_) * (1.0 - 0x1p-19));
    group.set_only(own % box_width, offset);
    group.side = static_cast<std::int16_t>(side);
    group.node = own / box_width;
    group.other = other;
    const int next = std::max(first_bucket_ + buckets_per_state, queue_.bucket_of(offset));
    group.seen = static_cast<std::int16_t>(next);  // boxes would tell less
    queue_.push(next, group);
  }

  void accept(double t, std::int32_t id_a, std::int32_t id_b) {
    if (found_ && t >= limit_) return;
    found_ = true;
    limit_ = t;
    set_latest();
    answer_.ending = SearchAnswer::Ending::Contact;
    answer_.time = t;
    answer_.piece_a = id_a;
    answer_.piece_b = id_b;
  }

  const SearchQuestion& q_;
  TimeQueue<PendingGroup>& queue_;
  const BoxTree* tree_[2];
  bool has_plane_;
  bool in_pairs_;  // nodes of height fields are not there for long enough
  bool only_triangles_;
  PairStates states_;
  PairState state_;  // at the start of first_bucket_
  BoxTestState box_state_;
  PairState moment_;  // in between, for triangles
  // What is to be tested.
  struct Test {
    std::int32_t place = 0;  // in the queue
    bool is_fresh = false;
  };
  Test tests_[most_tests];
  int tested_ = 0;
  WaitingPieces pieces_[most_waiting];
  int waiting_ = 0;
  Vector3 hint_ = Vector3::Zero();  // from pieces to the next
  int bucket_ = 0;
  int first_bucket_ = 0;
  float now_ = 0.0F;     // of state_, from the start of the window, not after it
  float latest_ = 0.0F;  // what still matters, the same way, not before it
  double window_begin_ = 0.0;
  SearchAnswer answer_;
  double window_end_ = 1.0;
  double limit_ = 1.0;
  float near_step_ = 0.0F;
  bool found_ = false;
  std::optional<PairAtTime> close_state_;  // state_ for looks in double precision
  std::int64_t close_looks_from_ = usual_piece_pairs;
  std::int64_t windows_ = 0;       // searched so far
  std::int64_t next_profile_ = 0;  // of windows, until profiles are asked for again
  int close_looks_ = 0;
  int close_proofs_ = 0;
  SparseLook watch_;
  bool limited_;  // by a budget or a stop
};

}  // namespace

double later(double t, double step) {
  const double sum = t + step;
  return sum - t > step ? std::nextafter(sum, -std::numeric_limits<double>::infinity()) : sum;
}

SearchAnswer search_contact(const SearchQuestion& question, SearchMemory& memory) {
  if (is_convex_pair(*question.a.shape, *question.b.shape)) {
    ConvexTouch unused;
    return search_convex_contact(question, unused);
  }
  return Search(question, memory).run();
}

}  // namespace toccata::search
