#pragma once
// What `spheres`, `medial` and `parts` have in common: a mesh that is to be enclosed, how closely, where that
// is written, and how it is told.
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "command.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::app {

struct EnclosingArguments {
  std::string file, output;
  std::optional<double> error;
  int count = 0;  // 0: not asked for
  int threads = 0;
  bool json = false;
  ReportOptions reports;
};

struct EnclosingHelp {
  std::string count;   // of --count
  std::string output;  // of --output
};

// Declares MESH, --error, --count, --output, --threads, --json and those of reports; `outputs`: the files
// that the command writes besides. `arguments` must outlive the command.
void add_enclosing_options(EnclosingArguments& arguments, Command& command, const EnclosingHelp& help,
                           OutputFiles outputs);

template <typename Made>
struct Enclosed {
  Made made;
  double seconds;
};

// What `make` makes of the mesh, an Expected, and how long that took. Throws UsageError with its error.
template <typename Make>
auto enclosed(const EnclosingArguments& arguments, const Make& make) {
  const auto begin = std::chrono::steady_clock::now();
  auto made = make();
  if (!made) throw UsageError(arguments.file + ": " + made.error().message);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return Enclosed<std::decay_t<decltype(*made)>>{std::move(*made), took.count()};
}

// "17 spheres enclose the 12 triangles of part.stl, proven, and reach at most 0.05 beyond it."
struct EnclosingAnswer {
  std::size_t count;        // 1 is said in the singular
  std::string what;         // "17 spheres"
  double error;             // said rounded upwards
  std::string inside = {};  // what is enclosed, too: " and all inside"

  std::string sentence(const Shape& mesh, const std::string& file) const;
};

// Prints the record with --json, else the sentence and where the answer was written.
void tell(const EnclosingArguments& arguments, const Shape& mesh, const EnclosingAnswer& answer,
          const JsonObject& record);

// The mesh, and what encloses it as a layer; `question` is the command.
void write_reports(const EnclosingArguments& arguments, const Shape& mesh, const EnclosingAnswer& answer,
                   const std::string& question, LayerRecord layer);

}  // namespace toccata::app
