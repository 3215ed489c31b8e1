#pragma once
// A value built once on first use and shared by all threads: what a method prepares for a shape beyond the
// hierarchy of the default method.
#include <memory>
#include <mutex>

namespace toccata {

class LazySlot {
 public:
  // build() returns a T; the first caller runs it, the others wait. One slot always holds the same T.
  template <typename T, typename Build>
  const T& get(Build&& build) const {
    std::call_once(once_, [&] { content_ = std::make_shared<const T>(build()); });
    return *static_cast<const T*>(content_.get());
  }

 private:
  mutable std::once_flag once_;
  mutable std::shared_ptr<const void> content_;
};

}  // namespace toccata
