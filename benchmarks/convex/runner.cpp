#include "runner.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>

namespace toccata::bench {
namespace {

double thread_nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Who takes longer than this does not gain from a second time.
constexpr double long_pass = 1e9;  // ns

PassTimes timed(Contestant& contestant, const Row& row, std::vector<double>& answers) {
  const double begin = thread_nanoseconds();
  contestant.answer(row, answers);
  const double middle = thread_nanoseconds();
  if (middle - begin < long_pass) contestant.answer(row, answers);
  const double end = thread_nanoseconds();
  const double count = static_cast<double>(row.cases.size());
  const double first = (middle - begin) / count;
  return {middle - begin < long_pass ? (end - middle) / count : first, first};
}

class HereRunner final : public Runner {
 public:
  HereRunner(Contestant& contestant, const Row& row) : contestant_(contestant), row_(row) {
    contestant.prepare(row);
  }
  PassTimes pass(std::vector<double>& answers) override { return timed(contestant_, row_, answers); }

 private:
  Contestant& contestant_;
  const Row& row_;
};

bool read_all(int file, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(file, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int file, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = write(file, at, size);
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

// A byte asks for a pass; its time and answers come back.
class ChildRunner final : public Runner {
 public:
  ChildRunner(Contestant& contestant, const Row& row) {
    int ask[2], reply[2];
    if (pipe(ask) != 0 || pipe(reply) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      // The other runners' pipes too, or their children would never see the end.
      for (int file = 3; file < 1024; ++file) {
        if (file != ask[0] && file != reply[1]) close(file);
      }
      const int nowhere = open("/dev/null", O_WRONLY);  // what it says before it aborts
      dup2(nowhere, STDERR_FILENO);
      std::vector<double> answers(row.cases.size());
      contestant.prepare(row);
      char request = 0;
      while (read(ask[0], &request, 1) == 1) {
        const PassTimes time = timed(contestant, row, answers);
        if (!write_all(reply[1], &time, sizeof time) ||
            !write_all(reply[1], answers.data(), answers.size() * sizeof(double)))
          break;
      }
      _exit(0);
    }
    close(ask[0]);
    close(reply[1]);
    ask_ = ask[1];
    reply_ = reply[0];
  }

  ~ChildRunner() override {
    if (child_ < 0) return;
    close(ask_);
    close(reply_);
    waitpid(child_, nullptr, 0);
  }

  PassTimes pass(std::vector<double>& answers) override {
    const char request = 1;
    PassTimes time;
    if (child_ < 0 || !write_all(ask_, &request, 1) || !read_all(reply_, &time, sizeof time)) return {};
    return read_all(reply_, answers.data(), answers.size() * sizeof(double)) ? time : PassTimes();
  }

 private:
  pid_t child_ = -1;
  int ask_ = -1, reply_ = -1;
};

}  // namespace

std::unique_ptr<Runner> runner_of(Contestant& contestant, const Row& row) {
  std::signal(SIGPIPE, SIG_IGN);
  if (contestant.may_abort()) return std::make_unique<ChildRunner>(contestant, row);
  return std::make_unique<HereRunner>(contestant, row);
}

}  // namespace toccata::bench
