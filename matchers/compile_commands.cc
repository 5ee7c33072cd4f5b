#include "compile_commands.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace portpatch::matchers {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;  // of response files in response files
constexpr std::array<std::string_view, 4> kFolders{"-I", "-isystem", "-iquote", "-include"};
constexpr std::array<std::string_view, 3> kPlain{"-D", "-U", "-std"};

/// A command line's words, as a shell reads them.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
      is_open = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      is_open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (is_open) words.push_back(std::move(word));
      word.clear();
      is_open = false;
    } else {
      word += c;
      is_open = true;
    }
  }
  if (is_open) words.push_back(std::move(word));
  return words;
}

void expand(const std::vector<std::string>& words, const fs::path& folder, int depth,
            std::vector<std::string>& into, LookedAt& looked_at) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string file;
    if (words[i].starts_with('@'))
      file = words[i].substr(1);
    else if ((words[i] == "--options-file" || words[i] == "-optf") && i + 1 < words.size())
      file = words[++i];
    if (file.empty() || depth > kDeepest) {
      into.push_back(words[i]);
    } else if (const auto text = read_file(note(looked_at, folder / file))) {
      expand(shell_words(*text), folder, depth + 1, into, looked_at);
    }
  }
}

/// What an entry says of `key`; empty where it says nothing, or no text.
std::string text_of(const nlohmann::json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> words_of(const nlohmann::json& entry) {
  const auto arguments = entry.find("arguments");
  if (arguments == entry.end()) return shell_words(text_of(entry, "command"));
  std::vector<std::string> words;
  for (const auto& word : *arguments) {
    if (word.is_string()) words.push_back(word.get<std::string>());
  }
  return words;
}

void add_architectures(std::string_view word, std::vector<std::string>& into) {
  for (std::size_t at = 0; at < word.size();) {
    const auto end = std::min(word.find_first_of(",=[]\"' ", at), word.size());
    const auto one = word.substr(at, end - at);
    if (one.starts_with("sm_") || one.starts_with("compute_") || one.starts_with("lto_"))
      into.emplace_back(one);
    at = end + 1;
  }
}

}  // namespace

CompileCommand read_command(const std::vector<std::string>& given, const std::string& folder,
                            LookedAt& looked_at) {
  std::vector<std::string> words;
  expand(given, folder, 0, words, looked_at);
  CompileCommand result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto word = words[i];
    const auto take = [&](std::string_view flag, bool is_path) {
      auto value = word.size() > flag.size() ? word.substr(flag.size())
                                             : (i + 1 < words.size() ? words[++i] : std::string());
      if (value.empty()) return;
      const bool is_standard = flag == "-std";
      if (is_path &&
          !(flag == "-include" && !fs::exists(note(looked_at, fs::path(folder) / value))))
        value = (fs::path(folder) / value).lexically_normal().string();
      const bool is_apart = flag.size() > 2 && !is_standard;
      if (is_apart) result.arguments.emplace_back(flag);
      result.arguments.push_back(is_apart ? value : std::string(flag) + value);
    };
    if (word.starts_with("--std=")) word = word.substr(1);
    const auto path_flag = std::ranges::find_if(kFolders,
                                                [&](auto flag) { return word.starts_with(flag); });
    const auto plain_flag = std::ranges::find_if(kPlain,
                                                 [&](auto flag) { return word.starts_with(flag); });
    if (path_flag != kFolders.end())
      take(*path_flag, true);
    else if (plain_flag != kPlain.end())
      take(*plain_flag, false);
    else if (word.contains("gencode") || word.contains("generate-code") ||
             word.starts_with("-arch") || word.starts_with("--gpu-architecture") ||
             word.starts_with("arch=") || word.starts_with("--cuda-gpu-arch")) {
      const bool is_apart = !word.contains('=') && i + 1 < words.size();
      add_architectures(is_apart ? words[++i] : word, result.architectures);
    }
  }
  std::ranges::sort(result.architectures);
  result.architectures.erase(std::unique(result.architectures.begin(), result.architectures.end()),
                             result.architectures.end());
  return result;
}

CompileCommand compile_command(const std::string& build, const std::string& path,
                               LookedAt& looked_at) {
  const auto text = read_file(note(looked_at, fs::path(build) / "compile_commands.json"));
  if (!text) return {};
  const auto database = nlohmann::json::parse(*text, nullptr, false);
  if (!database.is_array()) return {};
  for (const auto& entry : database) {
    const auto named = text_of(entry, "directory");
    const auto folder = named.empty() ? std::string(".") : named;
    if ((fs::path(folder) / text_of(entry, "file")).lexically_normal() == fs::path(path))
      return read_command(words_of(entry), folder, looked_at);
  }
  return {};
}

}  // namespace portpatch::matchers
