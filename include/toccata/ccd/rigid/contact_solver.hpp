#pragma once
// For many queries on one pair of shapes, one solver per thread: keeps the memory of the search, and what one
// answer tells about the next.
#include <memory>

#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata {

// first_contact: how far apart the bodies were when last looked at. A motion that cannot use that up is
// answered without a search. The answers are those of the function of the same name in every field but
// `stats`, and with a budget, where less work may mean an answer instead of OutOfBudget.
// closest_approach: which triangles came closest, and when. The answers are those of the function of the same
// name within the tolerance.
class ContactSolver {
 public:
  // Surfaces.
  ContactSolver(Shape shape_a, Shape shape_b, const FirstContactOptions& options = {});
  // Of each body the shape, and whether it is solid; its own motion is not looked at.
  ContactSolver(const Body& a, const Body& b, const FirstContactOptions& options = {});
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  FirstContactResult first_contact(const Motion& motion_a, const Motion& motion_b);
  ClosestApproachResult closest_approach(const Motion& motion_a, const Motion& motion_b,
                                         const ClosestApproachOptions& options = {});

 private:
  struct Memory;
  Shape shape_a_;
  Shape shape_b_;
  bool solid_a_ = false;
  bool solid_b_ = false;
  FirstContactOptions options_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace toccata
