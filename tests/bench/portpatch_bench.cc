// What each stage costs, on sources made here: files/s and bytes/s. Numbers of two machines, or of
// one busy machine at two times, say nothing about each other; compare runs of the same minutes.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "edit/plan.h"
#include "locate/locate.h"
#include "pack/lock.h"
#include "pack/pack.h"
#include "pack/pack_files.h"
#include "repo/work_tree.h"
#include "syntax/language.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRule = R"(; Every table has an entry for cc 12.0.
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#eq? @name "LIMITS_OF_ALL_REDUCE")
 (#in-scope? @name "Communicator")
 (#ensure-entry! @table "12" "{2: 256 * MiB, 4: 256 * MiB}"))
)";

/// A module of `blocks` classes and functions; with the rule's table in the middle when asked for.
std::string make_source(int blocks, bool has_table) {
  std::string text = "\"\"\"A generated module.\"\"\"\nimport os\n\nMiB = 1024 * 1024\n";
  for (int i = 0; i < blocks; ++i) {
    if (has_table && i == blocks / 2) {
      text +=
          "\n\nclass Communicator:\n    LIMITS_OF_ALL_REDUCE = {\n        9: {2: 64 * MiB, 4: 64 * "
          "MiB},  # measured\n"
          "        10: {2: 64 * MiB, 4: 128 * MiB},\n    }\n";
    }
    text += fmt::format(
        "\n\nclass Worker{0}:\n    SIZES_{0} = {{\n        9: [4, 6, 8],\n        10: [4, 6, 8],\n "
        "   }}\n\n"
        "    def __init__(self, group, device: int = {0}, *, name=\"worker\"):\n"
        "        self.group = group  # kept for later\n        self.limit = "
        "self.SIZES_{0}.get(device, [])\n\n"
        "    def should_use(self, tensor):\n        if tensor.size() > {0} * MiB or tensor.dtype "
        "not in (\"bf16\", \"fp16\"):\n"
        "            return False\n        return all(x % 4 == 0 for x in tensor.shape)\n",
        i);
  }
  return text;
}

[[noreturn]] void stop(std::string_view what) {
  std::cerr << what << "\n";
  std::exit(2);
}

template <typename T>
T must(Result<T> result) {
  if (!result) stop(result.error().message);
  return std::move(*result);
}

template <typename T>
T must(std::expected<T, std::vector<Diagnostic>> result) {
  if (!result) stop(result.error().front().message);
  return std::move(*result);
}

const Language& python() { return *find_language("python"); }

ParsedFile parse_source(std::string text) {
  return must(ParsedFile::parse(python(), "generated.py", std::move(text)));
}

/// A folder with a pack, and a plain tree of files beside it, deleted at the end.
class Scratch {
 public:
  static const Scratch& get() {
    static const Scratch scratch;
    return scratch;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  [[nodiscard]] std::string pack() const { return root_ / "pack"; }
  [[nodiscard]] std::string tree() const { return root_ / "tree"; }
  [[nodiscard]] std::size_t tree_bytes() const { return tree_bytes_; }
  static constexpr int kFiles = 400;

 private:
  Scratch() : root_(fs::temp_directory_path() / fmt::format("portpatch-bench-{}", ::getpid())) {
    write("pack/pack.toml", "format = 1\nname = \"bench\"\n");
    write("pack/python/limits.scm", std::string(kRule));
    fs::create_directories(root_ / "tree/.portpatch");  // marks the top of a tree without git
    for (int i = 0; i < kFiles; ++i) {
      const auto text = make_source(20 + i % 60, i == kFiles / 2);
      tree_bytes_ += text.size();
      write(fmt::format("tree/package_{}/module_{}.py", i % 20, i), text);
    }
  }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }

  fs::path root_;
  std::size_t tree_bytes_ = 0;
};

const Rule& rule() {
  static const Pack pack = must(load_pack(Scratch::get().pack()));
  return pack.rules.at(0);
}

/// Counters of a benchmark that looks at `files` files of `bytes` bytes in all an iteration.
void count(benchmark::State& state, std::size_t files, std::size_t bytes) {
  const auto iterations = static_cast<std::int64_t>(state.iterations());
  state.SetItemsProcessed(iterations * static_cast<std::int64_t>(files));
  state.SetBytesProcessed(iterations * static_cast<std::int64_t>(bytes));
}

void parse(benchmark::State& state) {
  const auto text = make_source(static_cast<int>(state.range(0)), true);
  for (auto _ : state) benchmark::DoNotOptimize(parse_source(text));
  count(state, 1, text.size());
}
BENCHMARK(parse)->Arg(10)->Arg(100)->Arg(1000);

void compile_query(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(must(CompiledQuery::compile(python(), "limits.scm", kRule)));
  count(state, 1, kRule.size());
}
BENCHMARK(compile_query);

void run_query(benchmark::State& state) {
  const auto query = must(CompiledQuery::compile(python(), "limits.scm", kRule));
  const auto text = make_source(static_cast<int>(state.range(0)), true);
  for (auto _ : state) {
    state.PauseTiming();
    const auto file = parse_source(
        text);  // a tree remembers the roles of its nodes, so each run gets its own
    state.ResumeTiming();
    benchmark::DoNotOptimize(must(query.run(file.tree(), file.tree().root(), file.path())));
  }
  count(state, 1, text.size());
}
BENCHMARK(run_query)->Arg(10)->Arg(100)->Arg(1000);

void find_in_file(benchmark::State& state) {
  const auto text = make_source(static_cast<int>(state.range(0)), true);
  for (auto _ : state) {
    state.PauseTiming();
    const auto file = parse_source(text);
    state.ResumeTiming();
    if (must(find_sites(rule(), file)).size() != 1) stop("the site was not found");
  }
  count(state, 1, text.size());
}
BENCHMARK(find_in_file)->Arg(10)->Arg(100)->Arg(1000);

/// The directive, the layout of the edit, and all of the verification, with its second parse.
void plan_and_verify(benchmark::State& state) {
  const auto text = make_source(static_cast<int>(state.range(0)), true);
  for (auto _ : state) {
    state.PauseTiming();
    const auto file = parse_source(text);
    const auto sites = must(find_sites(rule(), file));
    state.ResumeTiming();
    if (!must(plan_file(rule(), file, sites, Direction::kApply)).text) stop("no edit was planned");
  }
  count(state, 1, text.size());
}
BENCHMARK(plan_and_verify)->Arg(10)->Arg(100)->Arg(1000);

void prefilter(benchmark::State& state) {
  const auto text = make_source(static_cast<int>(state.range(0)), false);
  for (auto _ : state) {
    if (passes_prefilter(rule(), text)) stop("the prefilter let a file pass");
  }
  count(state, 1, text.size());
}
BENCHMARK(prefilter)->Arg(10)->Arg(100)->Arg(1000);

/// A whole folder: listing, reading, prefilter, and parsing of what passed it; range(0) threads.
void scan_folder(benchmark::State& state) {
  const auto tree = must(open_work_tree(Scratch::get().tree()));
  const ScanOptions options{.use_prefilter = state.range(1) != 0,
                            .threads = static_cast<unsigned>(state.range(0))};
  for (auto _ : state) {
    FileStore store(tree);
    if (must(scan_tree(tree, {&rule()}, options, store)).sites[0].size() != 1)
      stop("the scan lost the site");
  }
  count(state, Scratch::kFiles, Scratch::get().tree_bytes());
}
BENCHMARK(scan_folder)
    ->ArgNames({"threads", "prefilter"})
    ->Args({1, 1})
    ->Args({2, 1})
    ->Args({2, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void load_pack_folder(benchmark::State& state) {
  const auto path = Scratch::get().pack();
  for (auto _ : state) benchmark::DoNotOptimize(must(load_pack(path)));
  count(state, 2, kRule.size());
}
BENCHMARK(load_pack_folder);

void hash_pack_folder(benchmark::State& state) {
  const auto path = Scratch::get().pack();
  for (auto _ : state) benchmark::DoNotOptimize(must(read_pack_files(path)));
  count(state, 2, kRule.size());
}
BENCHMARK(hash_pack_folder);

void read_lock(benchmark::State& state) {
  PackLock lock;
  for (int i = 0; i < 100; ++i) {
    lock.rules[fmt::format("python/rule-{}", i)] = {{.commit = std::string(40, 'a'),
                                                     .path = "package/module.py",
                                                     .scope = "Communicator",
                                                     .text = "{\n    9: [4, 6, 8],\n}"}};
  }
  const auto text = write_lock(lock);
  for (auto _ : state) benchmark::DoNotOptimize(must(parse_lock("pack.lock", text)));
  count(state, 1, text.size());
}
BENCHMARK(read_lock);

}  // namespace
}  // namespace portpatch

BENCHMARK_MAIN();
