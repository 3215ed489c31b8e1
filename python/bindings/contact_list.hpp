#pragma once
// The contacts of a step as Python keeps them for later, e.g. for the page.
#include <memory>
#include <vector>

#include "toccata/report/deformable_contact.hpp"

namespace toccata::python {

struct ContactList {
  std::shared_ptr<std::vector<DeformableContact>> contacts;
};

}  // namespace toccata::python
