#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "report_options.hpp"
#include "terminal.hpp"

namespace toccata::app {
namespace {

struct ViewOptions {
  std::string report;
  std::string output;
  bool force = false;
  bool json = false;
  std::size_t triangles = ViewerPageOptions{}.triangle_limit;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw UsageError(path + ": cannot be read");
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

int view(const ViewOptions& options) {
  const std::filesystem::path report(options.report);
  ViewerPageOptions page_options;
  page_options.triangle_limit = options.triangles;
  page_options.folder = report.has_parent_path() ? report.parent_path().string() : ".";
  const Expected<std::string> page = viewer_page(std::string_view(read_file(options.report)), page_options);
  if (!page) throw UsageError(options.report + ": " + page.error().message);
  const std::string name = options.output.empty() ? free_page_name(report.stem().string()) : options.output;
  write_new_file(name, *page, options.force);
  const std::string place = std::filesystem::absolute(name).string();
  if (options.json) {
    print_json({{"page", place}});
  } else {
    fmt::print("page: {}\n", place);
  }
  return 0;
}

}  // namespace

void add_view_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("view", "Write the page that shows a report: one HTML file, works offline");
  auto options = std::make_shared<ViewOptions>();
  command->add_option("report", options->report, "The report, as written by --report")
      ->required()
      ->type_name("REPORT");
  command->add_option("-o,--output", options->output, "The page [the report's name with .html]")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--force", options->force, "Replace an existing file");
  command
      ->add_option("--triangles", options->triangles,
                   "Thin shapes out for display above this many triangles in all")
      ->capture_default_str();
  command->footer(
      "Example:\n  toccata impact a.stl b.stl --to '2 0 0' --report r.json && toccata view r.json");
  command->callback([&run, options] { run = [options] { return view(*options); }; });
}

}  // namespace toccata::app
