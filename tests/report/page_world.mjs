// A small upstream with a history, and packs beside it: rules with every outcome, a companion, gates and kernels,
// and hostile names, subjects and sources.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const kHostile = `<script>alert(1)</script></style>" onmouseover="alert(2)' \u202Egnp.exe \u001b[31m`;

/// Below `folder`: tree/, a repository with the tag `start` and the branch `main`, and pack/, recorded at `start`.
export function makeWorld(folder, portpatch) {
  const write = (path, text, encoding = "utf8") => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, encoding);
  };
  let day = 4;
  const git = (...words) => {
    const date = `2026-01-${String(day).padStart(2, "0")}T12:00:00Z`;
    execFileSync("git", ["-C", join(folder, "tree"), "-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  };
  const commit = (subject) => {
    day += 3;
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", subject);
  };
  mkdirSync(join(folder, "tree"), { recursive: true });
  const table = (name, directive) => `((assignment left: (identifier) @name right: (_) @table)\n (#eq? @name "${name}")\n (${directive}))\n`;
  const rules = {
    "python/limits": "; SM120 over PCIe: larger messages pay off.\n; Delete this rule once upstream has measured SM120.\n" + table("SIZES", `#ensure-entry! @table "12" "{2: 256 * MiB, 4: 256 * MiB}"`),
    "python/gone": "; The kernel list must have ours.\n" + table("KERNELS", `#ensure-element! @table "\\"sm120\\""`),
    "python/waiting": "; Our cards take larger batches.\n" + table("BATCH", `#ensure-entry! @table "12" "64"`),
    "python/taken": "; Upstream has it by now.\n" + table("ARCHS", `#ensure-element! @table "120"`),
    "python/twice": "; Two of one name.\n" + table("TWICE", `#ensure-entry! @table "12" "1"`),
    "cpp/kernel": "; The kernel must know SM120.\n((init_declarator declarator: (array_declarator declarator: (identifier) @name) value: (initializer_list) @list)\n (#eq? @name \"kArchs\")\n (#ensure-element! @list \"120\"))\n",
  };
  write("pack/pack.toml", `format = 1
upstream = "main"
[rules."python/limits"]
owner = "A & B <ab@example.org>"
[rules."python/waiting"]
after-edit = "restart the server"
[[companion]]
name = "batch sizes"
files = ["csrc/*.h"]
table = "kBatch"
mirrors = "python/waiting"
[[companion]]
files = ["csrc/kernel.cu"]
function = "run"
covers = ["12.0"]
range-ok = true
`);
  for (const [name, text] of Object.entries(rules)) write(`pack/${name}.scm`, text);
  const limits = (more) => `MiB = 1024 * 1024

SIZES = {
    9: {2: 64 * MiB, 4: 32 * MiB},
    10: {2: 64 * MiB},
${more}}
BATCH = {9: 32}
`;
  write("tree/engine/limits.py", limits(""));
  write("tree/engine/kernels.py", `KERNELS = ["sm90", "sm100"]  # ${kHostile}\nARCHS = [90, 100]\nTWICE = {9: 1}\n`);
  write("tree/csrc/kernel.cu", `constexpr int kArchs[] = {90, 100};

void run(int sm_version) {
  if (sm_version == 90) {
    run_sm90();
  } else if (sm_version >= 100) {
    run_sm100();
  }
}
`);
  write("tree/csrc/batch.h", `#include <map>\ninline const std::map<int, int> kBatch = {{9, 16}};\n`);
  git("init", "-q", "-b", "main");
  commit("Begin");
  git("tag", "start");
  execFileSync(portpatch, ["-C", join(folder, "tree"), "refresh", join(folder, "pack")], { stdio: ["ignore", "ignore", "inherit"] });
  write(`tree/<img src=x onerror=alert(3)>.py`, `if get_device_sm() == 90:\n    x = "</script><script>alert(4)</script>"\n`);
  commit("Add a file");
  write("tree/engine/limits.py", limits(`    12: {  # </pre><script>alert(5)</script>\x1b[31m\xff
        2: 128 * MiB,
        4: 256 * MiB,
    },
`), "latin1");
  commit("Measure SM120 on NVLink & elsewhere");
  write("tree/engine/kernels.py", "ARCHS = [90, 100, 120]\nTWICE = {9: 1}\n\nclass Two:\n    TWICE = {9: 2}\n");
  commit(`Drop the kernel list ${kHostile}`);
}
