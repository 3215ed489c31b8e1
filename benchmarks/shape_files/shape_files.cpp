// How much faster is a prepared shape read than built? Knots; that what was read has the same bytes is
// checked first. "first" is the only thing that a process of its own does, with the memory it must get for
// it; "again" is the best of many, building and reading in turn. CPU time of all threads, file in the page
// cache.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "scenes/torus_knot.hpp"
#include "toccata/io/shape_io.hpp"

using namespace toccata;

namespace {

double cpu_milliseconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

// What the function returns in a process of its own.
double apart(const std::function<double()>& measured) {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(1);
  const pid_t child = ::fork();
  if (child == 0) {
    const double value = measured();
    const bool is_told = ::write(ends[1], &value, sizeof value) == sizeof value;
    ::_exit(is_told ? 0 : 1);
  }
  double value = 0.0;
  const bool is_read = ::read(ends[0], &value, sizeof value) == sizeof value;
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  if (!is_read || status != 0) std::exit(1);
  return value;
}

void print(const TriangleMesh& mesh, double megabytes, const char* state, double build, double load) {
  std::printf("%zu,%.2f,%s,%.3f,%.3f,%.1f\n", mesh.faces.size(), megabytes, state, build, load, build / load);
  std::fflush(stdout);
}

void measure(const std::string& path, int along, int around) {
  const TriangleMesh mesh = scenes::torus_knot({.along = along, .around = around});
  const auto build = [&] {
    const double time = cpu_milliseconds([&] { (void)Shape(mesh); });
    return time;
  };
  const auto load = [&] {
    const double time = cpu_milliseconds([&] {
      if (!load_shape(path)) std::exit(1);
    });
    return time;
  };
  // In processes of their own, before this one has threads.
  const double megabytes =
      1e-6 * apart([&] {
        const Shape shape(mesh);
        if (!save_shape(path, shape) || shape_bytes(*load_shape(path)) != shape_bytes(shape)) std::exit(1);
        return static_cast<double>(std::filesystem::file_size(path));
      });
  double first_build = 1e300, first_load = 1e300;
  for (int i = 0; i < 3; ++i) {
    first_build = std::min(first_build, apart(build));
    first_load = std::min(first_load, apart(load));
  }
  print(mesh, megabytes, "first", first_build, first_load);
  const auto again = [&](const std::function<double()>& one, int times) {
    return apart([&] {
      double best = 1e300;
      for (int i = 0; i < times; ++i) best = std::min(best, one());
      return best;
    });
  };
  double best_build = 1e300, best_load = 1e300;
  for (int i = 0; i < 3; ++i) {
    best_build = std::min(best_build, again(build, 3));
    best_load = std::min(best_load, again(load, 20));
  }
  print(mesh, megabytes, "again", best_build, best_load);
}

}  // namespace

int main() {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("toccata_bench_" + std::to_string(::getpid()) + ".shape"))
          .string();
  std::printf("triangles,megabytes,state,build_milliseconds,load_milliseconds,ratio\n");
  measure(path, 100, 24);
  measure(path, 720, 24);
  measure(path, 1600, 54);
  std::filesystem::remove(path);
  return 0;
}
