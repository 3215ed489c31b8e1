#include "enclosing_arguments.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "body_argument.hpp"
#include "toccata/io/layer_report.hpp"
#include "toccata/io/sentence.hpp"
#include "upper_text.hpp"

namespace toccata::app {

void add_enclosing_options(EnclosingArguments& arguments, Command& command, const EnclosingHelp& help,
                           OutputFiles outputs) {
  command.options = {
      {.names = "MESH",
       .target = &arguments.file,
       .help = "A closed mesh",
       .value = "FILE",
       .required = true},
      {.names = "--error",
       .target = &arguments.error,
       .help = "How far they may reach beyond the mesh, in its unit: as few as found",
       .value = "LENGTH",
       .least = 0.0},
      {.names = "--count",
       .target = &arguments.count,
       .help = help.count,
       .value = "N",
       .least = 1.0,
       .excludes = "--error"},
      {.names = "-o,--output", .target = &arguments.output, .help = help.output, .value = "FILE"},
      {.names = "--threads", .target = &arguments.threads, .help = "0 = all cores", .least = 0.0},
      {.names = "--json", .target = &arguments.json, .help = "Print JSON"},
  };
  const auto inputs = [&arguments] { return std::vector<std::string>{file_of(arguments.file)}; };
  add_report_options(arguments.reports, command, inputs, std::move(outputs));
}

std::string EnclosingAnswer::sentence(const Shape& mesh, const std::string& file) const {
  const bool one = count == 1;
  return fmt::format("{} {} the {} of {}{}, proven, and {} at most {} beyond it.", what,
                     one ? "encloses" : "enclose", plural(mesh.mesh().faces.size(), "triangle"), file, inside,
                     one ? "reaches" : "reach", upper_text(error));
}

void tell(const EnclosingArguments& arguments, const Shape& mesh, const EnclosingAnswer& answer,
          const JsonObject& record) {
  if (arguments.json) {
    print_json(record);
    return;
  }
  fmt::print("{}\n", answer.sentence(mesh, arguments.file));
  if (!arguments.output.empty()) fmt::print("{}\n", arguments.output);
}

void write_reports(const EnclosingArguments& arguments, const Shape& mesh, const EnclosingAnswer& answer,
                   const std::string& question, LayerRecord layer) {
  if (!arguments.reports.wanted()) return;
  const std::string name = std::filesystem::path(arguments.file).filename().string();
  std::vector<LayerRecord> layers;
  layers.push_back(std::move(layer));
  Report report = layers_report(question, answer.sentence(mesh, name), std::move(layers));
  add_body(mesh, name, report);
  write_outputs(arguments.reports, std::move(report), arguments.json ? stderr : stdout);
}

}  // namespace toccata::app
