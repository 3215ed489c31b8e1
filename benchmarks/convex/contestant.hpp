#pragma once
// Who answers the questions of a row.
#include <memory>
#include <string>
#include <vector>

#include "workload.hpp"

namespace toccata::bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  virtual bool can_answer(const Row& row) const = 0;
  // Before the clock runs.
  virtual void prepare(const Row& row) = 0;
  // All cases of the row, once, each answer in its place.
  virtual void answer(const Row& row, std::vector<double>& answers) = 0;
  // Of the shape that counts; 0: not told.
  virtual std::size_t bytes() const { return 0; }
  // It may end the process it runs in.
  virtual bool may_abort() const { return false; }
};

std::vector<std::unique_ptr<Contestant>> question_contestants();  // of Toccata
std::vector<std::unique_ptr<Contestant>> kernel_contestants();    // of Toccata
std::vector<std::unique_ptr<Contestant>> bullet_contestants();
std::vector<std::unique_ptr<Contestant>> fcl_contestants();

}  // namespace toccata::bench
