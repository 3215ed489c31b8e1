// How fast are mesh files read and written? A knot of 871,200 triangles in every format; each is checked to
// give back the mesh, then timed (best of five, file in the page cache).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "scenes/torus_knot.hpp"
#include "toccata/io/mesh_io.hpp"

using namespace toccata;

namespace {

template <typename Work>
double best_seconds(Work&& work) {
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void measure(const std::string& folder, const char* name, bool ascii, const TriangleMesh& mesh) {
  const std::string path = folder + "/" + name;
  const SaveMeshOptions options{.force = true, .ascii = ascii};
  const Expected<SavedMesh> saved = save_mesh(path, mesh, options);
  if (!saved) std::exit(1);
  const Expected<TriangleMesh> loaded = load_mesh(path);
  if (!loaded || loaded->faces.size() != mesh.faces.size() ||
      loaded->vertices.size() != mesh.vertices.size()) {
    std::fprintf(stderr, "%s does not give back the mesh\n", name);
    std::exit(1);
  }
  const double save_time = best_seconds([&] { return save_mesh(path, mesh, options).has_value(); });
  const double load_time = best_seconds([&] { return load_mesh(path)->faces.size(); });
  std::printf("%s,%s,%zu,%.1f,%.4f,%.4f\n", name, ascii ? "text" : "as usual", mesh.faces.size(),
              static_cast<double>(saved->bytes) / 1e6, load_time, save_time);
  std::fflush(stdout);
}

}  // namespace

int main() {
  scenes::TorusKnotOptions shape;
  shape.along = 1100;
  shape.around = 396;
  TriangleMesh mesh = scenes::torus_knot(shape);
  // As single precision keeps them, so that binary STL gives back the same number of vertices.
  for (Vector3& p : mesh.vertices) p = p.cast<float>().cast<double>().eval();
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("toccata_bench_" + std::to_string(::getpid()))).string();
  std::filesystem::create_directory(folder);
  std::printf("file,encoding,triangles,megabytes,load_seconds,save_seconds\n");
  measure(folder, "knot.obj", false, mesh);
  measure(folder, "knot.off", false, mesh);
  measure(folder, "knot.ply", false, mesh);
  measure(folder, "knot.ply", true, mesh);
  measure(folder, "knot.stl", false, mesh);
  measure(folder, "knot.stl", true, mesh);
  std::filesystem::remove_all(folder);
}
