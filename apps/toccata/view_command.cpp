#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "command.hpp"
#include "json_text.hpp"
#include "report_options.hpp"

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
  const std::string name =
      options.output.empty() ? free_page_name(report.stem().string(), options.force) : options.output;
  refuse_output(name, options.force, [&] { return std::vector<std::string>{options.report}; });
  ViewerPageOptions page_options;
  page_options.triangle_limit = options.triangles;
  page_options.folder = report.has_parent_path() ? report.parent_path().string() : ".";
  const Expected<std::string> page = viewer_page(std::string_view(read_file(options.report)), page_options);
  if (!page) throw UsageError(options.report + ": " + page.error().message);
  write_new_file(name, *page, options.force);
  const std::string place = std::filesystem::absolute(name).string();
  if (options.json) {
    print_json(JsonObject().add("page", place));
  } else {
    fmt::print("page: {}\n", place);
  }
  return 0;
}

}  // namespace

Command view_command() {
  const auto options = std::make_shared<ViewOptions>();
  Command command{.name = "view",
                  .description = "Write the page that shows a report: one HTML file, works offline"};
  command.options = {{.names = "report",
                      .target = &options->report,
                      .help = "The report, as written by --report",
                      .value = "REPORT",
                      .required = true},
                     {.names = "-o,--output",
                      .target = &options->output,
                      .help = "The page [the report's name with .html]",
                      .value = "FILE"},
                     {.names = "--json", .target = &options->json, .help = "Print JSON"},
                     {.names = "--force", .target = &options->force, .help = "Replace an existing file"},
                     {.names = "--triangles",
                      .target = &options->triangles,
                      .help = "Thin shapes out for display above this many triangles in all",
                      .shows_default = true}};
  command.footer =
      "Example:\n  toccata impact a.stl b.stl --to '2 0 0' --report r.json && toccata view r.json";
  command.run = [options] { return view(*options); };
  return command;
}

}  // namespace toccata::app
