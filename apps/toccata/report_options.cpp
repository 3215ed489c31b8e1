#include "report_options.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "command.hpp"
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

}  // namespace

void remember_command_line(int argc, const char* const* argv) {
  std::string command = "toccata";
  for (int i = 1; i < argc; ++i) command.append(" ").append(quoted(argv[i]));
  typed_command() = command;
}

void add_report_options(ReportOptions& options, Command& command) {
  const auto add = [&command](const char* name, OptionTarget target, const char* help, const char* value) {
    command.options.push_back(
        {.names = name, .target = target, .help = help, .value = value, .group = "Report"});
  };
  add("--report", &options.report, "Write a report (JSON) for `toccata view` and other programs", "FILE");
  add("--view", &options.view, "Write a page that shows the answer, and say where it is", "");
  add("--page", &options.page, "As --view, to this file", "FILE");
  add("--force", &options.force, "Replace existing files", "");
  command.check = [&options] {
    for (const std::string& path : {options.report, options.page}) {
      if (!path.empty()) refuse_existing(path, options.force);
    }
  };
}

void refuse_existing(const std::string& path, bool force) {
  if (!force && std::filesystem::exists(path)) throw UsageError(path + " exists; use --force to replace it");
}

void write_new_file(const std::string& path, const std::string& content, bool force) {
  refuse_existing(path, force);
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw UsageError(path + ": cannot be written");
}

std::string free_page_name(const std::string& stem) {
  std::string name = stem + ".html";
  for (int i = 2; std::filesystem::exists(name); ++i) name = stem + "-" + std::to_string(i) + ".html";
  return name;
}

void write_outputs(const ReportOptions& options, Report report, std::FILE* out) {
  if (!options.wanted()) return;
  if (report.command.empty()) report.command = typed_command();
  const std::string json = to_json(report);
  if (!options.report.empty()) {
    write_new_file(options.report, json + "\n", options.force);
    fmt::print(out, "report: {}\n", options.report);
  }
  if (!options.view && options.page.empty()) return;
  const std::string name = options.page.empty() ? free_page_name("toccata-" + report.query) : options.page;
  const Expected<std::string> page = viewer_page(std::string_view(json));
  if (!page) throw UsageError(page.error().message);
  write_new_file(name, *page, options.force);
  fmt::print(out, "page: {}\n", std::filesystem::absolute(name).string());
}

}  // namespace toccata::app
