#include "toccata/base/gl_device.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <type_traits>

#include "base/gl_context.hpp"

namespace toccata {
namespace gl {
namespace {

// libEGL, which stays loaded: drivers do not like to be unloaded.
struct Egl {
  PFNEGLGETPROCADDRESSPROC get_function = nullptr;
  PFNEGLGETDISPLAYPROC get_display = nullptr;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;
  PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
  PFNEGLINITIALIZEPROC initialize = nullptr;
  PFNEGLBINDAPIPROC bind_api = nullptr;
  PFNEGLCHOOSECONFIGPROC choose_config = nullptr;
  PFNEGLCREATECONTEXTPROC create_context = nullptr;
  PFNEGLDESTROYCONTEXTPROC destroy_context = nullptr;
  PFNEGLMAKECURRENTPROC make_current = nullptr;
  std::string failure;
};

const Egl& egl() {
  static const Egl loaded = [] {
    Egl e;
    void* const library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      e.failure = "OpenGL needs libEGL.so.1, which was not found (Debian: libegl1)";
      return e;
    }
    const auto load = [&](auto& function, const char* name) {
      void* address = dlsym(library, name);
      if (address == nullptr && e.get_function != nullptr)
        address = reinterpret_cast<void*>(e.get_function(name));
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
      return function != nullptr;
    };
    bool all = load(e.get_function, "eglGetProcAddress");
    load(e.get_platform_display, "eglGetPlatformDisplayEXT");
    load(e.query_devices, "eglQueryDevicesEXT");
    all = load(e.get_display, "eglGetDisplay") && load(e.initialize, "eglInitialize") && all;
    all = load(e.bind_api, "eglBindAPI") && load(e.choose_config, "eglChooseConfig") && all;
    all = load(e.create_context, "eglCreateContext") && load(e.destroy_context, "eglDestroyContext") && all;
    all = load(e.make_current, "eglMakeCurrent") && all;
    if (!all) e.failure = "libEGL.so.1 lacks functions of EGL 1.4";
    return e;
  }();
  return loaded;
}

EGLContext core_context(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || egl().initialize(display, nullptr, nullptr) == EGL_FALSE) return nullptr;
  if (egl().bind_api(EGL_OPENGL_API) == EGL_FALSE) return nullptr;
  constexpr EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (egl().choose_config(display, wanted, &config, 1, &count) == EGL_FALSE || count < 1) config = nullptr;
  constexpr EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                4,
                                EGL_CONTEXT_MINOR_VERSION,
                                5,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                EGL_NONE};
  EGLContext context = egl().create_context(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) return nullptr;
  if (egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
    egl().destroy_context(display, context);
    return nullptr;
  }
  return context;
}

std::string text_of(const GLubyte* text) {
  return text == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(text));
}

bool load_all(Functions& f) {
  bool all = true;
  const auto load = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(egl().get_function(name));
    all = all && function != nullptr;
  };
  load(f.get_string, "glGetString");
  load(f.get_integer, "glGetIntegerv");
  load(f.get_error, "glGetError");
  load(f.viewport, "glViewport");
  load(f.clip_control, "glClipControl");
  load(f.enable, "glEnable");
  load(f.disable, "glDisable");
  load(f.depth_func, "glDepthFunc");
  load(f.depth_mask, "glDepthMask");
  load(f.clear_buffer_float, "glClearBufferfv");
  load(f.clear_buffer_int, "glClearBufferiv");
  load(f.gen_textures, "glGenTextures");
  load(f.delete_textures, "glDeleteTextures");
  load(f.bind_texture, "glBindTexture");
  load(f.tex_storage_2d, "glTexStorage2D");
  load(f.gen_framebuffers, "glGenFramebuffers");
  load(f.delete_framebuffers, "glDeleteFramebuffers");
  load(f.bind_framebuffer, "glBindFramebuffer");
  load(f.framebuffer_texture, "glFramebufferTexture2D");
  load(f.framebuffer_status, "glCheckFramebufferStatus");
  load(f.gen_vertex_arrays, "glGenVertexArrays");
  load(f.delete_vertex_arrays, "glDeleteVertexArrays");
  load(f.bind_vertex_array, "glBindVertexArray");
  load(f.gen_buffers, "glGenBuffers");
  load(f.delete_buffers, "glDeleteBuffers");
  load(f.bind_buffer, "glBindBuffer");
  load(f.buffer_data, "glBufferData");
  load(f.enable_attribute, "glEnableVertexAttribArray");
  load(f.attribute, "glVertexAttribPointer");
  load(f.integer_attribute, "glVertexAttribIPointer");
  load(f.create_shader, "glCreateShader");
  load(f.shader_source, "glShaderSource");
  load(f.compile_shader, "glCompileShader");
  load(f.delete_shader, "glDeleteShader");
  load(f.create_program, "glCreateProgram");
  load(f.attach_shader, "glAttachShader");
  load(f.link_program, "glLinkProgram");
  load(f.get_program, "glGetProgramiv");
  load(f.get_program_log, "glGetProgramInfoLog");
  load(f.delete_program, "glDeleteProgram");
  load(f.use_program, "glUseProgram");
  load(f.uniform, "glUniform1i");
  load(f.draw_arrays, "glDrawArrays");
  load(f.read_pixels, "glReadPixels");
  load(f.gen_queries, "glGenQueries");
  load(f.delete_queries, "glDeleteQueries");
  load(f.begin_query, "glBeginQuery");
  load(f.end_query, "glEndQuery");
  load(f.get_query, "glGetQueryObjectuiv");
  return all;
}

}  // namespace

// Without a window in three ways: Mesa's, that of devices, and the usual display.
Expected<std::shared_ptr<Context>> Context::create() {
  const Egl& e = egl();
  if (!e.failure.empty()) return Error{e.failure};
  const std::shared_ptr<Context> made(new Context);
  const auto try_display = [&](EGLDisplay display) {
    if (made->context_ != nullptr) return;
    made->context_ = core_context(display);
    if (made->context_ != nullptr) made->display_ = display;
  };
  if (e.get_platform_display != nullptr) {
    try_display(e.get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    EGLDeviceEXT devices[8];
    EGLint count = 0;
    if (e.query_devices != nullptr && e.query_devices(8, devices, &count) != EGL_FALSE)
      for (EGLint i = 0; i < count; ++i)
        try_display(e.get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  }
  try_display(e.get_display(EGL_DEFAULT_DISPLAY));
  if (made->context_ == nullptr)
    return Error{"no OpenGL 4.5 without a window was found (Debian: libgl1-mesa-dri has one in software)"};
  if (!load_all(made->functions_)) return Error{"the OpenGL that was found lacks functions of version 4.5"};
  const Functions& f = made->functions_;
  made->name = text_of(f.get_string(GL_RENDERER));
  made->version = text_of(f.get_string(GL_VERSION));
  f.get_integer(GL_MAX_TEXTURE_SIZE, &made->most_pixels);
  f.clip_control(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  f.enable(GL_DEPTH_TEST);
  return made;
}

Context::~Context() {
  if (context_ == nullptr) return;
  egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  egl().destroy_context(display_, context_);
}

bool Context::make_current() const {
  return egl().bind_api(EGL_OPENGL_API) != EGL_FALSE &&
         egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_FALSE;
}

Expected<std::unique_ptr<Picture>> Picture::create(Context& context, GLsizei width, GLsizei height,
                                                   bool with_numbers) {
  if (!context.make_current()) return Error{"this OpenGL device belongs to another thread"};
  if (width > context.most_pixels || height > context.most_pixels)
    return Error{"OpenGL draws at most " + std::to_string(context.most_pixels) + " pixels across here"};
  std::unique_ptr<Picture> made(new Picture(context));
  made->width_ = width;
  made->height_ = height;
  made->with_numbers_ = with_numbers;
  const Functions& f = context.functions();
  const auto add = [&](GLuint& texture, GLenum format, GLenum place) {
    f.gen_textures(1, &texture);
    f.bind_texture(GL_TEXTURE_2D, texture);
    f.tex_storage_2d(GL_TEXTURE_2D, 1, format, width, height);
    f.framebuffer_texture(GL_FRAMEBUFFER, place, GL_TEXTURE_2D, texture, 0);
  };
  f.gen_framebuffers(1, &made->framebuffer_);
  f.bind_framebuffer(GL_FRAMEBUFFER, made->framebuffer_);
  add(made->depths_, GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT);
  if (with_numbers) add(made->numbers_, GL_R32I, GL_COLOR_ATTACHMENT0);
  if (f.framebuffer_status(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return Error{"OpenGL cannot draw a picture of " + std::to_string(width) + " x " + std::to_string(height)};
  f.viewport(0, 0, width, height);
  return made;
}

Picture::~Picture() {
  const Functions& f = context_.functions();
  f.bind_framebuffer(GL_FRAMEBUFFER, 0);
  f.delete_framebuffers(1, &framebuffer_);
  f.delete_textures(1, &depths_);
  if (with_numbers_) f.delete_textures(1, &numbers_);
}

void Picture::clear(float depth) const {
  const Functions& f = context_.functions();
  f.depth_mask(GL_TRUE);
  f.clear_buffer_float(GL_DEPTH, 0, &depth);
  constexpr GLint none[4] = {-1, -1, -1, -1};
  if (with_numbers_) f.clear_buffer_int(GL_COLOR, 0, none);
}

void Picture::read(GLint* numbers) const {
  context_.functions().read_pixels(0, 0, width_, height_, GL_RED_INTEGER, GL_INT, numbers);
}

Expected<std::unique_ptr<Drawing>> Drawing::create(Context& context, const char* vertex_shader,
                                                   const char* fragment_shader, bool with_number) {
  std::unique_ptr<Drawing> made(new Drawing(context));
  const Functions& f = context.functions();
  made->program_ = f.create_program();
  for (const auto& [kind, text] :
       {std::pair(GL_VERTEX_SHADER, vertex_shader), std::pair(GL_FRAGMENT_SHADER, fragment_shader)}) {
    const GLuint shader = f.create_shader(kind);
    f.shader_source(shader, 1, &text, nullptr);
    f.compile_shader(shader);
    f.attach_shader(made->program_, shader);
    f.delete_shader(shader);
  }
  f.link_program(made->program_);
  GLint linked = GL_FALSE;
  f.get_program(made->program_, GL_LINK_STATUS, &linked);
  if (linked != GL_TRUE) {
    char log[1024] = "";
    f.get_program_log(made->program_, sizeof log, nullptr, log);
    return Error{std::string("OpenGL refused a shader: ") + log};
  }
  f.gen_vertex_arrays(1, &made->array_);
  f.bind_vertex_array(made->array_);
  f.gen_buffers(1, &made->buffer_);
  f.bind_buffer(GL_ARRAY_BUFFER, made->buffer_);
  const GLsizei stride = 4 * sizeof(float) + (with_number ? static_cast<GLsizei>(sizeof(GLint)) : 0);
  f.enable_attribute(0);
  f.attribute(0, 4, GL_FLOAT, GL_FALSE, stride, nullptr);
  if (with_number) {
    f.enable_attribute(1);
    f.integer_attribute(1, 1, GL_INT, stride, reinterpret_cast<const void*>(4 * sizeof(float)));
  }
  f.use_program(made->program_);
  return made;
}

Drawing::~Drawing() {
  const Functions& f = context_.functions();
  f.use_program(0);
  f.delete_program(program_);
  f.delete_vertex_arrays(1, &array_);
  f.delete_buffers(1, &buffer_);
}

void Drawing::upload(const void* vertices, std::size_t bytes) const {
  context_.functions().buffer_data(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), vertices, GL_STREAM_DRAW);
}

void Drawing::draw(std::size_t first, std::size_t count) const {
  context_.functions().draw_arrays(GL_TRIANGLES, static_cast<GLint>(first), static_cast<GLsizei>(count));
}

}  // namespace gl

Expected<GlDevice> GlDevice::create() {
  Expected<std::shared_ptr<gl::Context>> context = gl::Context::create();
  if (!context) return context.error();
  return GlDevice(std::move(*context));
}

const std::string& GlDevice::name() const {
  return context_->name;
}

const std::string& GlDevice::version() const {
  return context_->version;
}

}  // namespace toccata
