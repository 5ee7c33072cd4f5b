#include "base/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system_error.h"

extern char** environ;

namespace portpatch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSignalBase = 128, kPollMilliseconds = 20, kCannotBegin = 127;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_ = -1;
};

struct Pipe {
  Descriptor read, write;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
};

/// The keyboard's signals and that of a closed pipe leave this process alone while it exists. How a
/// child ended can be asked, even where whoever started this process ignores that.
class QuietSignals {
 public:
  QuietSignals() {
    struct sigaction ignore{}, usual{};
    ignore.sa_handler = SIG_IGN;
    usual.sa_handler = SIG_DFL;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &ignore, &before_[i]);
    ::sigaction(SIGCHLD, &usual, &before_child_);
  }
  QuietSignals(const QuietSignals&) = delete;
  QuietSignals& operator=(const QuietSignals&) = delete;
  ~QuietSignals() {
    restore();
    ::sigaction(SIGCHLD, &before_child_, nullptr);
  }
  /// Only calls what a child between fork and exec may call; the child keeps the usual SIGCHLD.
  void restore() const {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr std::array kSignals{SIGINT, SIGQUIT, SIGPIPE};
  std::array<struct sigaction, kSignals.size()> before_{};
  struct sigaction before_child_{};
};

std::vector<std::string> environment_of(const ProcessRequest& request) {
  std::vector<std::string> variables;
  const auto is_named = [](std::string_view variable, std::string_view name) {
    return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
  };
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable(*at);
    const bool is_unset = std::ranges::any_of(
        request.unset, [&](const auto& name) { return is_named(variable, name); });
    const bool is_set = std::ranges::any_of(
        request.set, [&](const auto& one) { return is_named(variable, one.first); });
    if (!is_unset && !is_set) variables.emplace_back(variable);
  }
  for (const auto& [name, value] : request.set) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Pipes {
  Pipe input, out, error, gate, failure;
  bool open() {
    return input.open() && out.open() && error.open() && gate.open() && failure.open();
  }
};

/// Where a child fails on its way to the program.
enum class Step { kBegin, kEnterFolder, kRun };

/// The child's way to the program; async-signal-safe calls only. Does not return.
[[noreturn]] void begin(const ProcessRequest& request, const Pipes& pipes,
                        const QuietSignals& signals, char** arguments, char** variables) {
  char go = 0;
  // The other end is closed, without a word, when the parent dies or changes its mind.
  ::close(pipes.gate.write.get());
  const auto fail = [&](Step step) {
    const std::array reason{static_cast<int>(step), errno};
    (void)!::write(pipes.failure.write.get(), reason.data(), sizeof reason);
    ::_exit(kCannotBegin);
  };
  const auto got = ::read(pipes.gate.read.get(), &go, 1);
  if (got < 0) fail(Step::kBegin);
  if (got == 0) ::_exit(kCannotBegin);
  signals.restore();
  if (::dup2(pipes.input.read.get(), STDIN_FILENO) < 0 ||
      ::dup2(pipes.out.write.get(), STDOUT_FILENO) < 0 ||
      (!request.show_errors && ::dup2(pipes.error.write.get(), STDERR_FILENO) < 0))
    fail(Step::kBegin);
  if (!request.folder.empty() && ::chdir(request.folder.c_str()) != 0) fail(Step::kEnterFolder);
  ::execvpe(arguments[0], arguments, variables);
  fail(Step::kRun);
  ::_exit(kCannotBegin);
}

/// Takes what can be read now, and not much more than `most` bytes in all unless that is 0; closes
/// at the end of the file. False, with errno, when reading fails: what came is not all.
bool drain(Descriptor& from, std::string& to, std::size_t most) {
  std::array<char, 1 << 16> buffer{};
  while (from.get() >= 0 && (most == 0 || to.size() <= most)) {
    const auto got = ::read(from.get(), buffer.data(), buffer.size());
    if (got > 0)
      to.append(buffer.data(), static_cast<std::size_t>(got));
    else if (got < 0 && errno == EINTR)
      continue;
    else if (got < 0 && errno == EAGAIN)
      return true;
    else if (got < 0)
      return false;
    else
      from.close();
  }
  return true;
}

/// False, with errno, when writing fails, but for a program that does not want to read all.
bool feed(Descriptor& to, std::string_view& rest) {
  while (to.get() >= 0 && !rest.empty()) {
    const auto put = ::write(to.get(), rest.data(), rest.size());
    if (put > 0)
      rest.remove_prefix(static_cast<std::size_t>(put));
    else if (put < 0 && errno == EINTR)
      continue;
    else if (put < 0 && errno == EAGAIN)
      return true;
    else if (put < 0 && errno != EPIPE)
      return false;
    else
      rest = {};
  }
  to.close();
  return true;
}

/// Why the program may not go on.
std::optional<Diagnostic> broken_limit(const ProcessRequest& request, const ProcessResult& result,
                                       Clock::time_point begun) {
  const auto& name = request.arguments[0];
  if (request.time_limit.count() > 0 && Clock::now() - begun > request.time_limit) {
    return Diagnostic{.code = "program-hangs",
                      .message = fmt::format("{} did not end within {} s and was killed", name,
                                             request.time_limit.count())};
  }
  if (request.most_output > 0 && result.out.size() + result.error.size() > request.most_output) {
    return Diagnostic{.code = "endless-output",
                      .message = fmt::format("{} printed more than {} MB and was killed", name,
                                             request.most_output >> 20)};
  }
  return {};
}

std::unexpected<Diagnostic> cut_off(const ProcessRequest& request, int error) {
  return failure(
      "program-lost",
      fmt::format("the connection to {} broke: {}", request.arguments[0], std::strerror(error)),
      remedy_of(error));
}

/// Moves bytes until the child has ended; its status as waitpid() says it.
Result<int> attend(pid_t child, Pipes& pipes, const ProcessRequest& request,
                   ProcessResult& result) {
  std::optional<Diagnostic> broken;
  const auto check = [&](bool is_well) {
    if (!is_well && !broken) broken = cut_off(request, errno).error();
  };
  for (auto* end : {&pipes.input.write, &pipes.out.read, &pipes.error.read})
    check(::fcntl(end->get(), F_SETFL, O_NONBLOCK) == 0);
  if (broken) ::kill(child, SIGKILL);
  int status = 0;
  std::string_view input = request.input;
  const bool is_timed = request.time_limit.count() > 0;
  for (const auto begun = Clock::now();;) {
    if (!broken) {
      check(feed(pipes.input.write, input));
      check(drain(pipes.out.read, result.out, request.most_output));
      check(drain(pipes.error.read, result.error, request.most_output));
      if (!broken) broken = broken_limit(request, result, begun);
      if (broken) ::kill(child, SIGKILL);
    }
    const bool is_quiet = pipes.out.read.get() < 0 && pipes.error.read.get() < 0 && input.empty();
    const auto ended = ::waitpid(child, &status, broken || (is_quiet && !is_timed) ? 0 : WNOHANG);
    // Without knowing how it ended nothing can be said of what it did.
    if (ended < 0 && errno != EINTR) check(false);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    std::array<pollfd, 3> waiting{{{pipes.out.read.get(), POLLIN, 0},
                                   {pipes.error.read.get(), POLLIN, 0},
                                   {pipes.input.write.get(), POLLOUT, 0}}};
    ::poll(waiting.data(), waiting.size(), kPollMilliseconds);
  }
  if (!broken) {
    check(drain(pipes.out.read, result.out, request.most_output));
    check(drain(pipes.error.read, result.error, request.most_output));
  }
  if (broken) return std::unexpected(*broken);
  return status;
}

std::unexpected<Diagnostic> cannot_run(const ProcessRequest& request, Step step, int reason) {
  const auto& name = request.arguments[0];
  const auto* const why = std::strerror(reason);
  if (step == Step::kEnterFolder)
    return failure("no-program", fmt::format("cannot run {} in {}: {}", name, request.folder, why),
                   remedy_of(reason));
  const bool is_missing = step == Step::kRun && (reason == ENOENT || reason == EACCES);
  return failure("no-program", fmt::format("cannot run {}: {}", name, why),
                 is_missing ? fmt::format("see to it that {} is installed and in PATH", name)
                            : remedy_of(reason));
}

}  // namespace

Result<ProcessResult> run_process(const ProcessRequest& request) {
  Pipes pipes;
  if (!pipes.open()) return cannot_run(request, Step::kBegin, errno);
  auto arguments = request.arguments;
  auto variables = environment_of(request);
  const auto argument_list = pointers(arguments), variable_list = pointers(variables);
  const QuietSignals signals;
  const auto child = ::fork();
  if (child < 0) return cannot_run(request, Step::kBegin, errno);
  if (child == 0)
    begin(request, pipes, signals, const_cast<char**>(argument_list.data()),
          const_cast<char**>(variable_list.data()));
  for (auto* end : {&pipes.input.read, &pipes.out.write, &pipes.error.write, &pipes.gate.read,
                    &pipes.failure.write})
    end->close();

  auto allowed = request.before_start ? request.before_start(child) : Result<void>();
  const bool is_told = !allowed || ::write(pipes.gate.write.get(), "y", 1) == 1;
  const int gate_error = is_told ? 0 : errno;
  pipes.gate.write.close();
  ProcessResult result;
  const auto attended = attend(child, pipes, request, result);
  if (!allowed) return std::unexpected(allowed.error());
  if (!attended) return std::unexpected(attended.error());
  const int status = *attended;
  std::array<int, 2> reason{};
  const auto told = ::read(pipes.failure.read.get(), reason.data(), sizeof reason);
  if (told == sizeof reason) return cannot_run(request, static_cast<Step>(reason[0]), reason[1]);
  if (told < 0) return cut_off(request, errno);
  // Asked last: a child that failed has said why, and its end closes the gate, too.
  if (!is_told) return cannot_run(request, Step::kBegin, gate_error);
  result.status = WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace portpatch
