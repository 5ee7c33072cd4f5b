#include "workers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <list>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "frontend/parse.h"
#include "json.h"

namespace portpatch::matchers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOutOfMemory = 77;  // exit status of a child
constexpr std::size_t kBatch = 16;
constexpr rlim_t kBaseBytes = 1UL << 30;  // address space of the libraries and of the stack

std::string report_on(const std::string& file, const CcOptions& options) {
  const auto path = absolute_path(file);
  const auto text = read_file(path);
  if (!text) return file_json({.path = path, .failure = text.error().message}, file, "");
  auto report = analyse(path, *text, options.analysis);
  if (!options.tell_reads) report.looked_at.clear();
  return file_json(report, file, *text);
}

[[nodiscard]] bool send(int to, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const auto put = ::write(to, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

/// A child's whole life: a message for each file, its size first.
[[noreturn]] void work(const CcOptions& options, std::size_t begin, std::size_t end, int to) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  set_out_of_memory_handler([] { ::_exit(kOutOfMemory); });
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlim_t bytes = (static_cast<rlim_t>(options.memory_megabytes) << 20) + kBaseBytes;
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
  // What Clang says when it dies is no part of our output.
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0)
    ::dup2(nowhere, STDERR_FILENO);
  for (auto i = begin; i < end; ++i) {
    const auto report = report_on(options.files[i], options);
    const std::uint64_t size = report.size();
    if (!send(to, &size, sizeof size) || !send(to, report.data(), report.size())) ::_exit(1);
  }
  ::_exit(0);
}

struct Child {
  pid_t id = -1;
  int from = -1;
  std::size_t next = 0, end = 0;  ///< the file it is at, and past its last one
  std::string bytes = {};
  Clock::time_point since = Clock::now();
  std::string verdict = {};  ///< why we ended it
};

class Pool {
 public:
  explicit Pool(const CcOptions& options) : options_(options), results_(options.files.size()) {
    const auto batch = std::clamp<std::size_t>(options.files.size() / (4 * options.jobs), 1,
                                               kBatch);
    for (std::size_t begin = 0; begin < options.files.size(); begin += batch)
      waiting_.push_back({begin, std::min(begin + batch, options.files.size())});
  }

  std::vector<std::string> run() && {
    while (!waiting_.empty() || !children_.empty()) {
      while (!waiting_.empty() && children_.size() < options_.jobs) start();
      listen();
      for (auto child = children_.begin(); child != children_.end();) {
        if (!attend(*child))
          ++child;
        else
          child = children_.erase(child);
      }
    }
    return std::move(results_);
  }

 private:
  struct Span {
    std::size_t begin, end;
  };

  void start() {
    const auto span = waiting_.front();
    waiting_.pop_front();
    std::array<int, 2> ends{};
    pid_t id = -1;
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      id = ::fork();
      if (id == 0) work(options_, span.begin, span.end, ends[1]);
      ::close(ends[1]);
      if (id < 0) ::close(ends[0]);
    }
    if (id < 0) {
      for (auto i = span.begin; i < span.end; ++i)
        fail(i, fmt::format("no process could be started: {}", std::strerror(errno)));
      return;
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    children_.push_back({.id = id, .from = ends[0], .next = span.begin, .end = span.end});
  }

  void listen() {
    std::vector<pollfd> ends;
    for (const auto& child : children_) ends.push_back({child.from, POLLIN, 0});
    constexpr int kMilliseconds = 100;
    ::poll(ends.data(), ends.size(), kMilliseconds);
  }

  /// Takes what the child has said; true when it is gone.
  bool attend(Child& child) {
    std::array<char, 1 << 16> buffer{};
    bool is_closed = false;
    for (;;) {
      const auto got = ::read(child.from, buffer.data(), buffer.size());
      if (got > 0)
        child.bytes.append(buffer.data(), static_cast<std::size_t>(got));
      else if (got < 0 && errno == EINTR)
        continue;
      else {
        is_closed = got == 0;
        break;
      }
    }
    take_messages(child);
    if (!is_closed) {
      if (child.next < child.end && Clock::now() - child.since > options_.time_limit &&
          child.verdict.empty()) {
        child.verdict = fmt::format("out of time: more than {} s", options_.time_limit.count());
        ::kill(child.id, SIGKILL);
      }
      return false;
    }
    bury(child);
    return true;
  }

  void take_messages(Child& child) {
    std::uint64_t size = 0;
    while (child.bytes.size() >= sizeof size) {
      std::memcpy(&size, child.bytes.data(), sizeof size);
      if (child.bytes.size() - sizeof size < size) return;
      results_[child.next++] = child.bytes.substr(sizeof size, size);
      child.bytes.erase(0, sizeof size + size);
      child.since = Clock::now();
    }
  }

  void bury(Child& child) {
    ::close(child.from);
    int status = 0;
    while (::waitpid(child.id, &status, 0) < 0 && errno == EINTR) {
    }
    if (child.next >= child.end) return;
    auto reason = child.verdict;
    if (reason.empty() && WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory) {
      reason = fmt::format("out of memory: more than {} MB", options_.memory_megabytes);
    } else if (reason.empty()) {
      reason = WIFSIGNALED(status) ? fmt::format("Clang crashed (signal {})", WTERMSIG(status))
                                   : fmt::format("Clang ended with status {}", WEXITSTATUS(status));
    }
    fail(child.next, reason);
    if (child.next + 1 < child.end) waiting_.push_front({child.next + 1, child.end});
  }

  void fail(std::size_t file, const std::string& reason) {
    results_[file] = file_json({.path = options_.files[file], .failure = reason},
                               options_.files[file], "");
  }

  const CcOptions& options_;
  std::vector<std::string> results_;
  std::list<Span> waiting_;
  std::list<Child> children_;
};

}  // namespace

std::vector<std::string> analyse_files(const CcOptions& options) { return Pool(options).run(); }

}  // namespace portpatch::matchers
