// toccata batch FILE.toml: one question, many rows, on many processes or a cluster. The work is that of the
// Python module, which has the engines for it (concurrent.futures, Dask); this program hands it over.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "command.hpp"

namespace toccata::app {
namespace {

struct BatchOptions {
  std::string file;
  int workers = 0;
  std::string scheduler;
  bool force = false;
  bool quiet = false;
};

// Says what is missing instead of a traceback.
constexpr const char* python_program = R"(
import sys
try:
    from toccata.batch_file import main
except ModuleNotFoundError as error:
    print(f"toccata: batch needs the Python module toccata, and {sys.executable} has no module {error.name!r}: "
          "install it there (docs/python.md), or name another Python in TOCCATA_PYTHON", file=sys.stderr)
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
)";

[[noreturn]] void hand_over(const BatchOptions& options) {
  const char* const chosen = std::getenv("TOCCATA_PYTHON");
  const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  std::vector<std::string> words = {python, "-c", python_program, options.file};
  if (options.workers > 0) words.insert(words.end(), {"--workers", std::to_string(options.workers)});
  if (!options.scheduler.empty()) words.insert(words.end(), {"--scheduler", options.scheduler});
  if (options.force) words.emplace_back("--force");
  if (options.quiet) words.emplace_back("--quiet");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(python.c_str(), arguments.data());
  throw UsageError("batch needs Python, and " + python + " cannot be run: " + std::strerror(errno) +
                   "; name another one in TOCCATA_PYTHON");
}

}  // namespace

Command batch_command() {
  const auto options = std::make_shared<BatchOptions>();
  Command command{
      .name = "batch",
      .description = "One question, many rows, on all cores or a cluster, kept on disk if wished"};
  command.options = {
      {.names = "FILE",
       .target = &options->file,
       .help = "What is asked, in TOML",
       .value = "FILE",
       .required = true},
      {.names = "--workers",
       .target = &options->workers,
       .help = "Processes of this machine (default: all cores)",
       .least = 1},
      {.names = "--scheduler",
       .target = &options->scheduler,
       .help = "Of a Dask cluster, e.g. tcp://head:8786",
       .value = "ADDRESS",
       .excludes = "--workers"},
      {.names = "--force", .target = &options->force, .help = "Replace the output"},
      {.names = "--quiet", .target = &options->quiet, .help = "Show no progress"},
  };
  command.footer =
      "The file names the question, the shapes, the rows (.npy or .npz) and the output:\n"
      "  question = \"first_contact\"\n"
      "  shapes = [\"part.stl\", \"crate.stl\"]\n"
      "  rows = { motions_a = \"motions.npy\" }\n"
      "  store = \"kept\"                # optional: a second run computes only what is missing\n"
      "  output = \"answers.npz\"        # or .csv\n"
      "It runs in Python: python3 on the PATH, or the one that TOCCATA_PYTHON names, must have the module "
      "toccata.\n"
      "It exits with 1 where rows could not be answered.\n"
      "Examples:\n"
      "  toccata batch study.toml --workers 2\n"
      "  toccata batch study.toml --scheduler tcp://HOST:8786\n";
  command.run = [options]() -> int { hand_over(*options); };
  return command;
}

}  // namespace toccata::app
