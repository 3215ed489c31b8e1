#include "body_argument.hpp"

#include <filesystem>

#include "load_mesh.hpp"

namespace toccata::app {
namespace {

Shape shape_of(const std::string& body) {
  return Shape(load_mesh_argument(body));
}

}  // namespace

Option body_option(const std::string& name, std::string& target) {
  return {.names = name,
          .target = &target,
          .help = "Mesh of the " + std::string(name == "A" ? "first" : "second") +
                  " body (OBJ, STL, PLY, OFF, NPZ...)",
          .value = "FILE",
          .required = true};
}

BodyNames names_of(const std::string& body_a, const std::string& body_b) {
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  const BodyNames names = {stem(body_a), stem(body_b)};
  return names.a == names.b ? BodyNames{} : names;
}

std::pair<ReportBody, ReportBody> load_bodies(const std::string& body_a, const std::string& body_b) {
  const BodyNames names = names_of(body_a, body_b);
  const Shape a = shape_of(body_a);
  const Shape b = body_b == body_a ? a : shape_of(body_b);
  return {{.name = names.a, .shape = a, .source = body_a}, {.name = names.b, .shape = b, .source = body_b}};
}

}  // namespace toccata::app
