// The real file system until its N-th operation, which fails, or ends the process.
#pragma once

#include <csignal>
#include <type_traits>

#include "apply/file_system.h"

namespace portpatch::test {

enum class Fault { kKill, kFailOnce, kFailFromThenOn };

class FaultyFileSystem : public FileSystem {
 public:
  FaultyFileSystem(Fault fault, int at, std::errc error = std::errc::no_space_on_device)
      : fault_(fault), at_(at), error_(error) {}

  /// How many operations there were.
  [[nodiscard]] int count() const { return count_; }

  SystemResult<FileStatus> status(const std::string& path) override {
    return attempt([&] { return real_.status(path); });
  }
  SystemResult<std::string> real_path(const std::string& path) override {
    return attempt([&] { return real_.real_path(path); });
  }
  SystemResult<void> check_writable(const std::string& path) override {
    return attempt([&] { return real_.check_writable(path); });
  }
  SystemResult<std::string> read(const std::string& path) override {
    return attempt([&] { return real_.read(path); });
  }
  SystemResult<std::vector<std::string>> list(const std::string& path) override {
    return attempt([&] { return real_.list(path); });
  }
  SystemResult<int> create(const std::string& path, unsigned permissions) override {
    return attempt([&] { return real_.create(path, permissions); });
  }
  SystemResult<void> write(int descriptor, std::string_view bytes) override {
    // A write that does not succeed leaves half of it.
    if (is_due(count_ + 1)) (void)real_.write(descriptor, bytes.substr(0, bytes.size() / 2));
    return attempt([&] { return real_.write(descriptor, bytes); });
  }
  SystemResult<void> imitate(int descriptor, const FileStatus& like) override {
    return attempt([&] { return real_.imitate(descriptor, like); });
  }
  SystemResult<void> sync(int descriptor) override {
    return attempt([&] { return real_.sync(descriptor); });
  }
  SystemResult<void> close(int descriptor) override {
    const auto closed = real_.close(descriptor);
    return attempt([&] { return closed; });
  }
  SystemResult<void> rename(const std::string& from, const std::string& to) override {
    return attempt([&] { return real_.rename(from, to); });
  }
  SystemResult<void> link(const std::string& from, const std::string& to) override {
    return attempt([&] { return real_.link(from, to); });
  }
  SystemResult<void> remove(const std::string& path) override {
    return attempt([&] { return real_.remove(path); });
  }
  SystemResult<void> make_folder(const std::string& path, unsigned permissions) override {
    return attempt([&] { return real_.make_folder(path, permissions); });
  }
  SystemResult<void> remove_folder(const std::string& path) override {
    return attempt([&] { return real_.remove_folder(path); });
  }
  SystemResult<void> remove_all(const std::string& path) override {
    return attempt([&] { return real_.remove_all(path); });
  }
  SystemResult<void> sync_folder(const std::string& path) override {
    return attempt([&] { return real_.sync_folder(path); });
  }
  SystemResult<int> lock(const std::string& path) override {
    return attempt([&] { return real_.lock(path); });
  }

 private:
  [[nodiscard]] bool is_due(int count) const {
    return fault_ == Fault::kFailFromThenOn ? count >= at_ : count == at_;
  }

  template <typename Operation>
  std::invoke_result_t<Operation> attempt(Operation operation) {
    ++count_;
    if (!is_due(count_)) return operation();
    if (fault_ == Fault::kKill) ::raise(SIGKILL);
    return std::unexpected(std::make_error_code(error_));
  }

  FileSystem& real_ = real_file_system();
  Fault fault_;
  int at_;
  int count_ = 0;
  std::errc error_;
};

}  // namespace portpatch::test
