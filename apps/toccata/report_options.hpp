#pragma once
// --report FILE, --view, --page FILE and --open for a command that answers a question. In the command:
//
//   ReportOptions output;                                     // beside the command's other options
//   add_report_options(output, command, inputs, outputs);     // where they are declared
//   if (output.wanted()) write_outputs(output, report);       // after the answer has been printed
//
// with `report` a toccata::Report, most often made by toccata/io/query_report.hpp. Work that only the report
// needs (samples of the clearance, all contacts for display) goes inside the `if`. `command` is set by
// write_outputs from what was typed.
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "command.hpp"
#include "toccata/io/report.hpp"
#include "toccata/io/viewer_page.hpp"

namespace toccata::app {

using InputFiles = std::function<std::vector<std::string>()>;
using OutputFiles = std::function<std::vector<std::string>()>;

// How a page shows its report.
struct PageWishes {
  std::string up;          // "x", "y", "z", or empty: as the report says
  bool hierarchy = false;  // the bodies' boxes, too

  ViewerPageOptions page_options() const;
};

// Declares --up and --hierarchy. `wishes` must outlive the command.
void add_page_wishes(PageWishes& wishes, Command& command);

struct ReportOptions {
  std::string report;  // file to write, or empty
  std::string page;    // file to write, or empty
  bool view = false;   // a page under a name of its own
  bool open = false;   // the page, in a browser
  bool force = false;  // replace existing files
  PageWishes wishes = {};
  // The files that the command reads, asked for after parsing: no output may replace one, not even with
  // --force.
  InputFiles inputs = {};

  bool wanted() const { return wants_page() || !report.empty(); }
  bool wants_page() const { return view || open || !page.empty(); }
};

// Declares the options in the group "Report". Files that may not or cannot be written are refused before the
// question is answered, those of `outputs` too: what else the command writes, asked for after parsing, names
// that are empty left out. `options` must outlive the command.
void add_report_options(ReportOptions& options, Command& command, InputFiles inputs = {},
                        OutputFiles outputs = {});

// Writes what was asked for and says where it is, on `out` (stderr for commands that print JSON on stdout).
// Throws UsageError if a file exists (without --force) or cannot be written.
void write_outputs(const ReportOptions& options, Report report, std::FILE* out = stdout);

// Throws UsageError if the file exists (a link that leads nowhere does, too) and `force` is not set, if it is
// one of `inputs`, or if there is no folder for it.
void refuse_output(const std::string& path, bool force, const InputFiles& inputs = {});

// The same of several, no two of which may be one file. Empty names are left out.
void refuse_outputs(const std::vector<std::string>& paths, bool force, const InputFiles& inputs = {});

// Writes `content` whole. Throws UsageError if the file exists and `force` is not set, or if writing fails.
void write_new_file(const std::string& path, const std::string& content, bool force);

// "stem.html", or "stem-2.html" and so on if that exists and may not be replaced.
std::string free_page_name(const std::string& stem, bool force = false);

// What the user typed, for the report: set once by main.
void remember_command_line(int argc, const char* const* argv);

}  // namespace toccata::app
