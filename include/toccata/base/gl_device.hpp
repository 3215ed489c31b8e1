#pragma once
// OpenGL without a window, for the component Toccata::gl: a graphics card where there is one, else Mesa's
// software renderer.
//
//   const Expected<GlDevice> device = GlDevice::create();  // or why there is none
//
// libEGL is loaded when a device is made, and not before: a program that has this component runs where
// there is no OpenGL, too.
#include <memory>
#include <string>

#include "toccata/base/expected.hpp"

namespace toccata {

namespace gl {
class Context;
}

// Of one thread: the one that made it. Making it takes some tens of milliseconds, so keep it.
class GlDevice {
 public:
  // Error: no libEGL, no display that works without a window, or no OpenGL 4.5.
  static Expected<GlDevice> create();

  const std::string& name() const;     // as the driver calls it: "llvmpipe (LLVM 15.0.6, 256 bits)"
  const std::string& version() const;  // "4.5 (Core Profile) Mesa 22.3.6"

  gl::Context& context() const { return *context_; }

 private:
  explicit GlDevice(std::shared_ptr<gl::Context> context) : context_(std::move(context)) {}

  std::shared_ptr<gl::Context> context_;
};

}  // namespace toccata
