"""portpatch-cc as a program: help, errors, limits, threads, matchers, compile commands.

check_program.py PROGRAM
"""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from findings import place_text, run

PROGRAM = sys.argv[1]
CASES = pathlib.Path(__file__).parent / "cases"
FAILED = []


def call(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def check(what, wanted, found):
    if wanted != found:
        FAILED.append(what)
        print(f"{what}\n  wanted  {wanted!r}\n  found   {found!r}")


def places(*arguments):
    return [place_text(place) for file in run(PROGRAM, *map(str, arguments))["files"] for place in file["places"]]


help_text = call("--help")
check("help", (0, ""), (help_text.returncode, help_text.stderr))
for option in ("--cc", "-p", "-I", "-D", "--cuda-path", "--matcher", "--time-limit", "--memory-limit", "--jobs", "--reads"):
    check(f"help names {option}", True, option in help_text.stdout)
check("version", (0, True), (call("--version").returncode, call("--version").stdout.startswith("portpatch-cc ")))
for arguments, message in (
    ((), "FILE is required"),
    (("--cc", "12", "x.cu"), "`12` is no compute capability"),
    (("--matcher", "ifStmt(", "x.cu"), "the matcher cannot be read"),
    (("-p", "/nowhere", "x.cu"), "/nowhere/compile_commands.json is not there"),
    (("--time-limit", "0", "x.cu"), "--time-limit"),
):
    done = call(*arguments)
    check(f"error of {arguments}", (2, "", True, True), (done.returncode, done.stdout, message in done.stderr, "help: " in done.stderr))

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    missing = run(PROGRAM, str(folder / "missing.cu"))["files"][0]
    check("a missing file is a finding", ("failed", []), (missing["depth"], missing["places"]))

    cases = sorted(map(str, CASES.glob("*.cu")))
    one = call("--cc", "9.0,12.0", "--jobs", "1", *cases)
    many = call("--cc", "9.0,12.0", "--jobs", "4", *reversed(cases))
    check("output does not depend on threads or order", one.stdout, many.stdout)

    # 2^40 tokens: no end within the limits.
    endless = folder / "endless.cu"
    endless.write_text("#define A0 1,\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40)) + "int a[] = {A40};\nint sm; bool b = sm >= 90;\n")
    good = str(CASES / "ladders.cu")
    report = run(PROGRAM, "--time-limit", "1", str(endless), good)["files"]
    late = next(file for file in report if file["path"] == str(endless))
    check("out of time is a finding of that file", ("failed", "out of time: more than 1 s", []), (late["depth"], late.get("reason"), late["places"]))
    check("and the others are looked at", True, any(len(file["places"]) > 5 for file in report))
    report = run(PROGRAM, "--memory-limit", "256", "--time-limit", "60", str(endless), good)["files"]
    large = next(file for file in report if file["path"] == str(endless))
    check("out of memory is a finding of that file", ("failed", "out of memory: more than 256 MB"), (large["depth"], large.get("reason")))
    check("and the others are looked at too", True, any(len(file["places"]) > 5 for file in report))

    source = folder / "a.cu"
    source.write_text("#include <limits.h>\nint f(int sm) { return sm >= LIMIT ? BIG : 1; }\n")
    reads = lambda *options: {os.path.relpath(path, folder): state for path, state in
                              run(PROGRAM, "--reads", *map(str, options), str(source))["files"][0]["reads"].items()}
    check("--reads tells what is not there", "absent", reads().get("include/limits.h"))
    check("no value without the macro", [], places("--cc", "12.0", source))
    check("-D", ["conditional: sm >= LIMIT (9.0, 10x); 12.0 range 7"], places("--cc", "12.0", "-D", "LIMIT=90", "-DBIG=7", source))
    (folder / "include").mkdir()
    (folder / "include" / "limits.h").write_text("#pragma once\n#define LIMIT 120\nconstexpr int BIG = 3;\n")
    wanted = ["conditional: sm >= LIMIT (12.0, 10x); 12.0 range 3"]
    check("headers are found by their path", wanted, places("--cc", "12.0", source))
    sha = hashlib.sha256((folder / "include" / "limits.h").read_bytes()).hexdigest()
    check("--reads tells what is there", sha, reads().get("include/limits.h"))
    (folder / "include").rename(folder / "elsewhere")
    check("-I", wanted, places("--cc", "12.0", "-I", folder / "elsewhere", source))
    commands = [{"directory": str(folder), "file": "a.cu", "command": "nvcc --generate-code=arch=compute_120a,code=[sm_120a] --options-file flags.rsp -c a.cu"}]
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    (folder / "flags.rsp").write_text("-Ielsewhere -O3")
    check("-p", wanted, places("--cc", "12.0", "-p", folder, source))
    check("-p says what is built", ["compute_120a", "sm_120a"], run(PROGRAM, "-p", str(folder), str(source))["files"][0]["architectures"])
    found = reads("-p", folder)
    check("--reads tells what -p reads", [64, 64, sha], [len(found["compile_commands.json"]), len(found["flags.rsp"]), found["elsewhere/limits.h"]])
    odd = folder / "odd"
    odd.mkdir()
    (odd / "compile_commands.json").write_text(json.dumps([5, {"directory": 1, "file": [], "command": 2}, *commands]))
    check("-p passes over what is no command", wanted, places("--cc", "12.0", "-p", odd, source))
    (odd / "compile_commands.json").write_text('[{"directory": "')
    cut = call("-p", odd, source)
    check("-p tells of a list that is cut off", (2, "", True), (cut.returncode, cut.stdout, "is no list of commands" in cut.stderr))
    twin = folder / "twin.cu"
    twin.write_text("int portpatch_function_7777777(int sm) { return sm == 90; }\n"
                    "void gone::Gone<T>::run_the_kernel_now(int sm) const { if (sm == 90) go(); }\n")
    check("a function of the name that ours have", "clang", run(PROGRAM, str(twin))["files"][0]["depth"].split(",")[0])
    matched = run(PROGRAM, "-D", "LIMIT=90", "--matcher", "functionDecl(hasName(\"f\"))", str(source))["files"][0]["places"]
    check("--matcher", [("matcher", 2, 2)], [(place["form"], place["line"], place["end_line"]) for place in matched if place["form"] == "matcher"])

print(f"{len(FAILED)} wrong")
sys.exit(1 if FAILED else 0)
