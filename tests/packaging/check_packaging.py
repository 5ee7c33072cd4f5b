#!/usr/bin/env python3
"""Installs what stands in BUILD, asks the manual and the completions, makes the Debian packages and reads them:
check_packaging.py BUILD. What a machine has no program for is named as skipped.
"""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program_check import expect, finish, must, run

BUILD = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[2]
HAS_READER = (BUILD / "portpatch-cc").exists()
DOCUMENTS = "share/doc/portpatch/"
FILES = {"bin/portpatch", "share/man/man1/portpatch.1.gz", "share/bash-completion/completions/portpatch",
         "share/zsh/vendor-completions/_portpatch", "share/fish/vendor_completions.d/portpatch.fish",
         "share/portpatch/rules/sm120/pack.toml", "share/portpatch/rules/sm120/pack.lock"} | {DOCUMENTS + name for name in (
             "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "changelog.gz", "copyright", "rules/README.md", "matchers/README.md",
             "tool/report/report.schema.json", "tool/base/limits.h", "LICENSE", ".pre-commit-hooks.yaml", "grammars/cmake/grammar.cc",
             *(str(path.relative_to(ROOT)) for name in ("samples/fleet", "samples/bot", "rules/languages") for path in (ROOT / name).rglob("*")
               if path.is_file() and "__pycache__" not in path.parts))}
READER_FILES = {"bin/portpatch-cc", "share/doc/portpatch-cc/changelog.gz", "share/doc/portpatch-cc/copyright"}
# Asked by each shell: the words behind `portpatch`, what must be offered, what the shell must add.
LINES = [(["ap"], {"apply"}, ""),
         (["undo", "--"], {"--list", "--force", "--format", "--help"}, ""),
         (["--format", "j"], {"json", "junit"}, ""),
         (["-C", "here", "hook", "un"], {"uninstall"}, ""),
         (["rev"], {"review"}, ""),
         (["review", "--"], {"--base", "--head", "--cc", "--syntax-only", "--cuda-path", "--format", "--help"}, ""),
         (["review", "--format", "rd"], {"rdjson"}, ""),
         (["apply", ""], set(), "packs")]


def has(program, what):
    if not shutil.which(program):
        print(f"skipped: {what}, since {program} is not installed")
    return shutil.which(program)


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def compare_files(found, wanted, where):
    packs = {name for name in found if name.startswith("share/portpatch/rules/")}
    expect(wanted <= found and found - packs <= wanted,
           f"{where}: missing {sorted(wanted - found)}, not expected {sorted(found - packs - wanted)}")
    expect(not any(name.startswith("share/portpatch/rules/languages/") for name in found), f"{where}: what is built in is there again")


def check_install(prefix):
    must("cmake", "--install", BUILD, "--prefix", prefix, "--component", "portpatch")
    compare_files(files_below(prefix), FILES, "installed")
    if HAS_READER:
        must("cmake", "--install", BUILD, "--prefix", prefix, "--component", "portpatch-cc")
        compare_files(files_below(prefix), FILES | READER_FILES, "installed with portpatch-cc")
    environment = {**os.environ, "PATH": "/usr/bin:/bin"}
    environment.pop("PORTPATCH_CC", None)
    version = must(prefix / "bin/portpatch", "--version", env=environment)
    expect(not HAS_READER or f"portpatch-cc  {prefix}/bin/portpatch-cc\n" in version, f"portpatch-cc is not found beside portpatch: {version}")
    tested = run(prefix / "bin/portpatch", "test", prefix / "share/portpatch/rules/sm120")
    expect(tested.returncode == 0, f"the installed pack's own tests fail: {tested.stdout}{tested.stderr}")


def check_links(prefix):
    documents = prefix / DOCUMENTS
    seen = 0
    for page in documents.rglob("*.md"):
        for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", page.read_text()):
            if "://" not in target:
                seen += 1
                expect((page.parent / target).exists(), f"{page.relative_to(documents)} links to {target}, which is not installed")
    expect(seen > 20, f"only {seen} links were found in the documents")
    expect((documents / "rules/sm120").is_symlink(), "the pack is there twice")


def check_manual(prefix):
    page = gzip.decompress((prefix / "share/man/man1/portpatch.1.gz").read_bytes()).decode()
    if has("groff", "the manual's rendering"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=page, capture_output=True, text=True)
        expect(done.returncode == 0 and not done.stderr, f"groff warns: {done.stderr}")
        text = " ".join(done.stdout.split())
        expect("portpatch timeline PACK..." in text and "portpatch review PACK..." in text and '(#eq? @name "SIZES")' in text, "the manual lacks a command or an example")
    if has("mandoc", "mandoc's opinion of the manual"):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=page, capture_output=True, text=True)
        rest = [line for line in done.stdout.splitlines() if "missing date" not in line]  # there is none, so that builds can be repeated
        expect(not rest, f"mandoc warns: {rest}")


BASH = """
compopt() { for word; do [ "$word" = -o ] || printf 'option %s\\n' "$word"; done; }
source "$1"; program=$2; shift 2
COMP_WORDS=(portpatch "$@"); COMP_CWORD=$#
_portpatch "$program"
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { : }
_describe() { local one; for one in ${(P)2}; print -r -- ${one%%:*} }
_files() { print -r -- "files $*" }
source "$1"; program=$2; shift 2
words=($program "$@"); CURRENT=$#words; PREFIX=$words[-1]
_portpatch
"""
FISH = 'source $argv[1]; complete -C "$argv[2]" | string replace -r "\\t.*" ""; true'
BASH_FILES = {"": set(), "packs": {"option filenames", "option plusdirs"}}
ZSH_FILES = {"": set(), "packs": {"files -g *.scm(-.)"}}


def check_completions(prefix):
    program, folder = prefix / "bin/portpatch", prefix / "share"
    empty = prefix / "empty"
    empty.mkdir()
    for words, offers, files in LINES:
        asked = " ".join(words)
        if shutil.which("bash"):
            got = set(must("bash", "-c", BASH, "bash", folder / "bash-completion/completions/portpatch", program, *words, cwd=empty).splitlines())
            expect(got == offers | BASH_FILES[files], f"bash offers {got} for `{asked}`")
        if shutil.which("zsh"):
            got = set(must("zsh", "-fc", ZSH, "zsh", folder / "zsh/vendor-completions/_portpatch", program, *words, cwd=empty).splitlines())
            expect(got == offers | ZSH_FILES[files], f"zsh offers {got} for `{asked}`")
        if shutil.which("fish"):
            environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(empty)}
            got = set(must("fish", "-c", FISH, folder / "fish/vendor_completions.d/portpatch.fish", f"portpatch {asked}", cwd=empty, env=environment).split())
            expect({word for word in got if not word.endswith("/")} == offers, f"fish offers {got} for `{asked}`")
    for shell in ("bash", "zsh", "fish"):
        has(shell, f"{shell}'s completion")


def field(deb, name):
    return must("dpkg-deb", "--field", deb, name).strip()


def check_depends(deb, program):
    """Depends names the packages that own the libraries which the program is linked to, no more and no fewer; libgit2 is opened, not linked."""
    needed = re.findall(r"NEEDED.*\[(.+)\]", must("readelf", "--dynamic", program))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", must("ldd", program), re.M))
    owners = {"libgit2-" + re.search(r"libgit2\.so\.([0-9.]+)", must(BUILD / "portpatch", "--version"))[1]} if program.name == "portpatch" else set()
    for name in needed:
        if name.startswith("ld-linux"):
            continue
        # dpkg knows a file by its place before or after /lib became a link into /usr.
        places = {path for path in (found[name], os.path.realpath(found[name])) for path in (path, path.removeprefix("/usr"), "/usr" + path)}
        lines = [line for line in run("dpkg-query", "--search", *sorted(places)).stdout.splitlines() if ": " in line and not line.startswith("diversion ")]
        expect(lines, f"no package owns {name}")
        owners |= {line.split(":")[0] for line in lines}
    named = {one.split()[0] for one in field(deb, "Depends").split(",")}
    expect(named == owners, f"{deb.name}: depends on {sorted(named)}; linked to what {sorted(owners)} hold")


def check_packages(folder):
    if not has("cpack", "the packages") or not has("dpkg-shlibdeps", "the packages") or not has("dpkg-deb", "the packages"):
        return
    components = "portpatch;portpatch-cc" if HAS_READER else "portpatch"
    must("cpack", "--config", BUILD / "CPackConfig.cmake", "-D", f"CPACK_COMPONENTS_ALL={components}", "-B", folder, cwd=BUILD)
    debs = {deb.name.split("_")[0]: deb for deb in folder.glob("*.deb")}
    expect(set(debs) == set(components.split(";")), f"the packages are {sorted(debs)}")
    for name, deb in debs.items():
        unpacked = folder / name
        must("dpkg-deb", "--extract", deb, unpacked)
        compare_files(files_below(unpacked / "usr"), FILES if name == "portpatch" else READER_FILES, f"{deb.name}")
        expect(files_below(unpacked) == {f"usr/{one}" for one in files_below(unpacked / "usr")}, f"{deb.name} has files outside of /usr")
        if name == "portpatch":
            check_links(unpacked / "usr")
        check_depends(deb, unpacked / "usr/bin" / name)
    depends = field(debs["portpatch"], "Depends")
    expect("libc6 (" in depends and "libnettle" in depends and "libstdc++" not in depends, f"portpatch depends on {depends}")
    expect("clang" not in depends and "llvm" not in depends.lower(), f"portpatch depends on {depends}")
    expect((field(debs["portpatch"], "Recommends"), field(debs["portpatch"], "Suggests")) == ("git", "portpatch-cc"), "recommends and suggests")
    expect(debs["portpatch"].stat().st_size < 8 << 20, "portpatch's package is large")
    if HAS_READER:
        expect("libclang-cpp" in field(debs["portpatch-cc"], "Depends"), "portpatch-cc does not depend on Clang's library")


def main():
    if not (BUILD / "portpatch.1.gz").exists():
        raise SystemExit(f"{BUILD} has no portpatch.1.gz: build the target `manual`")
    if not HAS_READER:
        print("skipped: the package portpatch-cc, since it is not built")
    with tempfile.TemporaryDirectory(prefix="portpatch-packaging.") as temp:
        prefix = Path(temp) / "prefix"
        check_install(prefix)
        check_links(prefix)
        check_manual(prefix)
        check_completions(prefix)
        check_packages(Path(temp) / "packages")


if __name__ == "__main__":
    finish(main)
