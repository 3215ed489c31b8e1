#include "report_options.hpp"

#include <fmt/core.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "browser.hpp"
#include "command.hpp"
#include "terminal.hpp"
#include "toccata/io/report_json.hpp"

namespace toccata::app {
namespace {

std::string& typed_command() {
  static std::string command;
  return command;
}

bool plain_word(const std::string& word) {
  return !word.empty() && word.find_first_of(" \t\n\"'\\$&|<>();*?[]#~`") == std::string::npos;
}

std::string quoted(const std::string& word) {
  if (plain_word(word)) return word;
  std::string result = "'";
  for (const char c : word) result.append(c == '\'' ? std::string("'\\''") : std::string(1, c));
  return result + "'";
}

// A link that leads nowhere is there, too: writing would make a file at a place that was not named.
bool is_there(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  return status.type() != std::filesystem::file_type::not_found;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return !a.empty() && !b.empty() && std::filesystem::equivalent(a, b, error) && !error;
}

void refuse_unwritable_place(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(path, error)) throw UsageError(path + ": cannot be written: it is a folder");
  if (fs::exists(path, error)) {
    if (::access(path.c_str(), W_OK) == 0) return;
    throw UsageError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!fs::is_directory(folder, error))
    throw UsageError(fmt::format("{}: cannot be written: there is no folder {}", path, folder));
  if (::access(folder.c_str(), W_OK) != 0)
    throw UsageError(fmt::format("{}: cannot be written: {}: {}", path, folder, std::strerror(errno)));
}

}  // namespace

void remember_command_line(int argc, const char* const* argv) {
  std::string command = "toccata";
  for (int i = 1; i < argc; ++i) command.append(" ").append(quoted(argv[i]));
  typed_command() = command;
}

ViewerPageOptions PageWishes::page_options() const {
  ViewerPageOptions options;
  if (!up.empty()) options.up = up[0];
  if (hierarchy) options.hierarchy_levels = 9;  // the deeper boxes are too many to be told apart
  return options;
}

void add_page_wishes(PageWishes& wishes, Command& command) {
  command.options.push_back({.names = "--up",
                             .target = &wishes.up,
                             .help = "The axis that points up on the page",
                             .value = "AXIS",
                             .choices = {"x", "y", "z"},
                             .group = "Report"});
  command.options.push_back({.names = "--hierarchy",
                             .target = &wishes.hierarchy,
                             .help = "Put the bodies' bounding boxes on the page, level by level",
                             .group = "Report"});
}

void add_report_options(ReportOptions& options, Command& command, InputFiles inputs, OutputFiles outputs) {
  options.inputs = std::move(inputs);
  const auto add = [&command](const char* name, OptionTarget target, const char* help, const char* value) {
    command.options.push_back(
        {.names = name, .target = target, .help = help, .value = value, .group = "Report"});
  };
  add("--report", &options.report, "Write a report (JSON) for `toccata view` and other programs", "FILE");
  add("--view", &options.view, "Write a page that shows the answer, and say where it is", "");
  add("--page", &options.page, "As --view, to this file", "FILE");
  add("--open", &options.open, "As --view, and open the page in a browser", "");
  add("--force", &options.force, "Replace existing files", "");
  add_page_wishes(options.wishes, command);
  command.check = [&options, outputs = std::move(outputs), page = "toccata-" + command.name + ".html"] {
    if (options.wants_page() && options.page.empty()) refuse_unwritable_place(page);
    std::vector<std::string> files = outputs ? outputs() : std::vector<std::string>();
    files.insert(files.end(), {options.report, options.page});
    refuse_outputs(files, options.force, options.inputs);
  };
}

void refuse_output(const std::string& path, bool force, const InputFiles& inputs) {
  if (!force && is_there(path)) throw UsageError(path + " exists; use --force to replace it");
  refuse_unwritable_place(path);
  if (!force || !inputs || !is_there(path)) return;
  for (const std::string& input : inputs()) {
    if (same_file(path, input)) throw UsageError(path + " is an input, which is not replaced");
  }
}

void refuse_outputs(const std::vector<std::string>& paths, bool force, const InputFiles& inputs) {
  std::set<std::filesystem::path> places;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    refuse_output(path, force, inputs);
    std::error_code error;
    if (!places.insert(std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error))
             .second)
      throw UsageError("two outputs name the same file, " + path);
  }
}

void write_new_file(const std::string& path, const std::string& content, bool force) {
  if (!force && is_there(path)) throw UsageError(path + " exists; use --force to replace it");
  // "x": what has come into being since then is not replaced either.
  std::FILE* const file = std::fopen(path.c_str(), force ? "wb" : "wbx");
  if (file == nullptr) throw UsageError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  bool whole = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  int reason = errno;
  if (std::fclose(file) != 0) {
    if (whole) reason = errno;
    whole = false;
  }
  if (!whole) throw UsageError(fmt::format("{}: cannot be written: {}", path, std::strerror(reason)));
}

std::string free_page_name(const std::string& stem, bool force) {
  std::string name = stem + ".html";
  for (int i = 2; !force && is_there(name); ++i) name = stem + "-" + std::to_string(i) + ".html";
  return name;
}

void write_outputs(const ReportOptions& options, Report report, std::FILE* out) {
  if (!options.wanted()) return;
  if (report.command.empty()) report.command = typed_command();
  if (!options.wishes.up.empty()) report.up = options.wishes.up[0];
  const std::string json = to_json(report);
  if (!options.report.empty()) {
    write_new_file(options.report, json + "\n", options.force);
    fmt::print(out, "report: {}\n", options.report);
  }
  if (!options.wants_page()) return;
  const std::string name =
      options.page.empty() ? free_page_name("toccata-" + report.query, options.force) : options.page;
  const Expected<std::string> page = viewer_page(std::string_view(json), options.wishes.page_options());
  if (!page) throw UsageError(page.error().message);
  write_new_file(name, *page, options.force);
  fmt::print(out, "page: {}\n", place_text(name, out));
  if (options.open) open_in_browser(name);
}

}  // namespace toccata::app
