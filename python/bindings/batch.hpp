#pragma once
// Batches: many answers of one kind, as columns that look into them and as single ones.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/stop.hpp"
#include "toccata/report/contact.hpp"

namespace toccata::python {

template <typename Row>
class Batch {
 public:
  explicit Batch(std::vector<Row> rows) : rows_(std::make_shared<std::vector<Row>>(std::move(rows))) {}
  explicit Batch(Interruptible<std::vector<Row>> answer) : Batch(std::move(answer.result)) {
    interrupted_ = answer.interrupted;
  }

  // Ctrl-C came before the last row was answered.
  bool interrupted() const { return interrupted_; }
  std::size_t size() const { return rows_->size(); }
  const Row& operator[](std::size_t i) const { return (*rows_)[i]; }
  // One whole answer; it keeps the batch alive. Throws std::out_of_range.
  std::shared_ptr<Row> row(std::size_t i) const { return {rows_, &rows_->at(i)}; }
  std::span<const Row> rows() const { return *rows_; }
  py::capsule owner() const { return owner_of(rows_); }

 private:
  std::shared_ptr<std::vector<Row>> rows_;
  bool interrupted_ = false;
};

// Columns of a batch by name. get(row) returns a reference into the row.
template <typename Row>
class Columns {
 public:
  explicit Columns(const Batch<Row>& batch) : rows_(batch.rows()), owner_(batch.owner()) {}

  template <typename Get>
  Columns& add(const char* name, Get get) {
    fields_[name] = column(rows_, owner_, get);
    return *this;
  }
  template <typename Member>
  Columns& add(const char* name, Member Row::*member) {
    return add(name, [member](const Row& row) -> const Member& { return row.*member; });
  }
  // The points, normal and parts of a contact.
  Columns& add_contact(Contact Row::*contact) {
    add("point_a", [contact](const Row& row) -> const Vector3& { return (row.*contact).point_a; });
    add("point_b", [contact](const Row& row) -> const Vector3& { return (row.*contact).point_b; });
    add("normal", [contact](const Row& row) -> const Vector3& { return (row.*contact).normal; });
    add(
        "triangle_a", [contact](const Row& row) -> const auto& { return (row.*contact).feature_a.part; });
    return add(
        "triangle_b", [contact](const Row& row) -> const auto& { return (row.*contact).feature_b.part; });
  }
  py::dict fields() const { return fields_; }

 private:
  std::span<const Row> rows_;
  py::capsule owner_;
  py::dict fields_;
};

// A batch's view of its Stop: seconds count from when the batch is asked, over all rows.
class BatchStop {
 public:
  explicit BatchStop(const Stop& stop) : stop_(stop), end_(Clock::now() + duration_of(stop.seconds)) {}

  bool is_over() const { return stop_.token.stop_requested() || (is_limited() && Clock::now() >= end_); }
  // What is left for a row.
  Stop rest() const {
    Stop rest = stop_;
    if (is_limited())
      rest.seconds = std::max(1e-9, std::chrono::duration<double>(end_ - Clock::now()).count());
    return rest;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
  }
  bool is_limited() const { return stop_.seconds > 0.0; }

  Stop stop_;
  Clock::time_point end_;
};

// Calls answer(i, stop) for every row, or unanswered(i) once the batch is over. Each worker takes the next
// row when it is free, since some take a hundred times longer than others. To be called without the GIL.
template <typename Answer, typename Unanswered>
void for_each_row(std::size_t count, int threads, const Stop& stop, Answer&& answer,
                  Unanswered&& unanswered) {
  const BatchStop batch_stop(stop);
  std::atomic<std::size_t> next = 0;
  const auto workers = static_cast<std::size_t>(usable_threads(threads));
  parallel_blocks(workers, 1, threads, [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) {
      if (batch_stop.is_over()) {
        unanswered(i);
      } else {
        answer(i, batch_stop.rest());
      }
    }
  });
}

}  // namespace toccata::python
