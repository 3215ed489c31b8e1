#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "browser.hpp"
#include "command.hpp"
#include "json_text.hpp"
#include "report_options.hpp"
#include "terminal.hpp"

namespace toccata::app {
namespace {

struct ViewOptions {
  std::string report;
  std::string other;  // to be compared with; empty: none
  std::string output;
  PageWishes wishes;
  bool force = false;
  bool json = false;
  bool open = false;
  std::size_t triangles = ViewerPageOptions{}.triangle_limit;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw UsageError(path + ": cannot be read");
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

ViewerPageOptions page_options_of(const ViewOptions& options, const std::filesystem::path& report) {
  ViewerPageOptions result = options.wishes.page_options();
  result.triangle_limit = options.triangles;
  result.folder = report.has_parent_path() ? report.parent_path().string() : ".";
  return result;
}

std::string page_of(const ViewOptions& options) {
  const std::string text = read_file(options.report);
  const ViewerPageOptions page_options = page_options_of(options, options.report);
  const Expected<std::string> page = options.other.empty()
                                         ? viewer_page(std::string_view(text), page_options)
                                         : comparison_page(text, page_options, read_file(options.other),
                                                           page_options_of(options, options.other));
  if (page) return *page;
  throw UsageError(options.report + (options.other.empty() ? "" : " and " + options.other) + ": " +
                   page.error().message);
}

int view(const ViewOptions& options) {
  const std::filesystem::path report(options.report);
  const std::string name =
      options.output.empty() ? free_page_name(report.stem().string(), options.force) : options.output;
  refuse_output(name, options.force, [&] { return std::vector<std::string>{options.report, options.other}; });
  const std::string page = page_of(options);
  write_new_file(name, page, options.force);
  const std::string place = std::filesystem::absolute(name).string();
  if (options.json) {
    print_json(JsonObject().add("page", place));
  } else {
    fmt::print("page: {}\n", place_text(name, stdout));
  }
  if (options.open) open_in_browser(name);
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
                     {.names = "other",
                      .target = &options->other,
                      .help = "A second report, to be shown beside the first",
                      .value = "OTHER"},
                     {.names = "-o,--output",
                      .target = &options->output,
                      .help = "The page [the report's name with .html]",
                      .value = "FILE"},
                     {.names = "--json", .target = &options->json, .help = "Print JSON"},
                     {.names = "--open", .target = &options->open, .help = "Open the page in a browser"},
                     {.names = "--force", .target = &options->force, .help = "Replace an existing file"},
                     {.names = "--triangles",
                      .target = &options->triangles,
                      .help = "Thin shapes out for display above this many triangles in all",
                      .shows_default = true}};
  add_page_wishes(options->wishes, command);
  command.footer =
      "Example:\n  toccata impact a.stl b.stl --to '2 0 0' --report r.json && toccata view r.json";
  command.run = [options] { return view(*options); };
  return command;
}

}  // namespace toccata::app
