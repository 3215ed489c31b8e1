#pragma once
// The functions of OpenGL that are used, loaded at run time, and the context they belong to.
#include <EGL/egl.h>
#include <GL/glcorearb.h>

#include <memory>
#include <string>

#include "toccata/base/expected.hpp"

namespace toccata::gl {

struct Functions {
  PFNGLGETSTRINGPROC get_string = nullptr;
  PFNGLGETINTEGERVPROC get_integer = nullptr;
  PFNGLGETERRORPROC get_error = nullptr;
  PFNGLVIEWPORTPROC viewport = nullptr;
  PFNGLCLIPCONTROLPROC clip_control = nullptr;
  PFNGLENABLEPROC enable = nullptr;
  PFNGLDISABLEPROC disable = nullptr;
  PFNGLDEPTHFUNCPROC depth_func = nullptr;
  PFNGLDEPTHMASKPROC depth_mask = nullptr;
  PFNGLCLEARBUFFERFVPROC clear_buffer_float = nullptr;
  PFNGLCLEARBUFFERIVPROC clear_buffer_int = nullptr;
  PFNGLGENTEXTURESPROC gen_textures = nullptr;
  PFNGLDELETETEXTURESPROC delete_textures = nullptr;
  PFNGLBINDTEXTUREPROC bind_texture = nullptr;
  PFNGLTEXSTORAGE2DPROC tex_storage_2d = nullptr;
  PFNGLGENFRAMEBUFFERSPROC gen_framebuffers = nullptr;
  PFNGLDELETEFRAMEBUFFERSPROC delete_framebuffers = nullptr;
  PFNGLBINDFRAMEBUFFERPROC bind_framebuffer = nullptr;
  PFNGLFRAMEBUFFERTEXTURE2DPROC framebuffer_texture = nullptr;
  PFNGLCHECKFRAMEBUFFERSTATUSPROC framebuffer_status = nullptr;
  PFNGLGENVERTEXARRAYSPROC gen_vertex_arrays = nullptr;
  PFNGLDELETEVERTEXARRAYSPROC delete_vertex_arrays = nullptr;
  PFNGLBINDVERTEXARRAYPROC bind_vertex_array = nullptr;
  PFNGLGENBUFFERSPROC gen_buffers = nullptr;
  PFNGLDELETEBUFFERSPROC delete_buffers = nullptr;
  PFNGLBINDBUFFERPROC bind_buffer = nullptr;
  PFNGLBUFFERDATAPROC buffer_data = nullptr;
  PFNGLENABLEVERTEXATTRIBARRAYPROC enable_attribute = nullptr;
  PFNGLVERTEXATTRIBPOINTERPROC attribute = nullptr;
  PFNGLVERTEXATTRIBIPOINTERPROC integer_attribute = nullptr;
  PFNGLCREATESHADERPROC create_shader = nullptr;
  PFNGLSHADERSOURCEPROC shader_source = nullptr;
  PFNGLCOMPILESHADERPROC compile_shader = nullptr;
  PFNGLDELETESHADERPROC delete_shader = nullptr;
  PFNGLCREATEPROGRAMPROC create_program = nullptr;
  PFNGLATTACHSHADERPROC attach_shader = nullptr;
  PFNGLLINKPROGRAMPROC link_program = nullptr;
  PFNGLGETPROGRAMIVPROC get_program = nullptr;
  PFNGLGETPROGRAMINFOLOGPROC get_program_log = nullptr;
  PFNGLDELETEPROGRAMPROC delete_program = nullptr;
  PFNGLUSEPROGRAMPROC use_program = nullptr;
  PFNGLUNIFORM1IPROC uniform = nullptr;
  PFNGLDRAWARRAYSPROC draw_arrays = nullptr;
  PFNGLREADPIXELSPROC read_pixels = nullptr;
  PFNGLGENQUERIESPROC gen_queries = nullptr;
  PFNGLDELETEQUERIESPROC delete_queries = nullptr;
  PFNGLBEGINQUERYPROC begin_query = nullptr;
  PFNGLENDQUERYPROC end_query = nullptr;
  PFNGLGETQUERYOBJECTUIVPROC get_query = nullptr;
};

class Context {
 public:
  static Expected<std::shared_ptr<Context>> create();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  const Functions& functions() const { return functions_; }
  // Makes it the context of this thread: before anything is drawn. False if it is another thread's.
  bool make_current() const;

  std::string name;
  std::string version;
  GLint most_pixels = 0;  // across

 private:
  Context() = default;

  EGLDisplay display_ = nullptr;
  EGLContext context_ = nullptr;
  Functions functions_;
};

// A picture of depths, and of whole numbers if asked for, that is drawn into until it goes out of scope.
class Picture {
 public:
  // Error: too large, or not supported.
  static Expected<std::unique_ptr<Picture>> create(Context& context, GLsizei width, GLsizei height,
                                                   bool with_numbers);
  ~Picture();

  // Everything as far as `depth`, and -1.
  void clear(float depth) const;
  // The numbers, row by row from below.
  void read(GLint* numbers) const;

 private:
  explicit Picture(Context& context) : context_(context) {}

  Context& context_;
  GLsizei width_ = 0, height_ = 0;
  bool with_numbers_ = false;
  GLuint framebuffer_ = 0, depths_ = 0, numbers_ = 0;
};

// What is drawn: vertices of some layout with a program.
class Drawing {
 public:
  // layout(location = 0) in vec4, and with `with_number` layout(location = 1) in int, one after the other.
  static Expected<std::unique_ptr<Drawing>> create(Context& context, const char* vertex_shader,
                                                   const char* fragment_shader, bool with_number);
  ~Drawing();

  void upload(const void* vertices, std::size_t bytes) const;
  void draw(std::size_t first, std::size_t count) const;

 private:
  explicit Drawing(Context& context) : context_(context) {}

  Context& context_;
  GLuint program_ = 0, array_ = 0, buffer_ = 0;
};

}  // namespace toccata::gl
