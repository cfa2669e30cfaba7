#!/usr/bin/env python3
"""Holds `seekwell affected` against what a coverage run says executes the lines of a commit.

    affected.py --seekwell PROGRAM --tree CLONE [--python PYTHON | --go] [--cache DIR] [--missed] REV...

CLONE is a clone that may be checked out elsewhere: each REV is checked out in it. For each the truth is the tests that
execute a line that REV has and its first parent has not: PYTHON runs pytest with coverage.py and a context a test
(coverage, pytest-cov and what the tree needs are installed beside it; the tree's `src` is on the path), `--go` runs each
test of each package alone with a profile over all packages. What ran at import, before any test, has no test there:
such lines are counted, and told. With --cache a coverage run is kept for the next time. A test is a function here, with
its class if it has one; a parametrised one is one test. PROGRAM is seekwell, or `graph` of its tests, which asks the engine
linked natively.

A line a commit, and one for all of them: lines changed; how many of these no test executes, only an import; tests that
execute one of the others; how many of these PROGRAM lists (recall); how many it lists, and the share of these that the
coverage run knows, too (precision); how many rows it lists of files without named tests, which count for neither.
--missed prints each test that is not listed with the lines that it executes, and what the program said of its answer.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def run(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, **more)


def changed_lines(tree, revision):
    """{path: lines that the revision has and its parent has not, as they are numbered in it}; where lines were only
    taken out, those around the place."""
    diff = run(["git", "diff", "-U0", "--no-renames", "--no-color", f"{revision}^", revision], tree, check=True).stdout
    changed, path = collections.defaultdict(set), None
    for line in diff.split("\n"):
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif path and (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            changed[path] |= set(range(first, first + count)) if count else {max(first, 1), first + 1}
    return changed


def python_coverage(tree, python):
    """{test: {path: lines}}; the test "" is what ran outside of every test."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        # Files of examples have requirements of their own: the tests are those of the tree itself.
        environment = {**os.environ, "COVERAGE_FILE": str(data), "PYTHONPATH": "src" if (Path(tree) / "src").is_dir() else "."}
        ran = run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--cov=.", "--cov-context=test", "--cov-report=",
                   "tests"], tree, env=environment)
        print("  " + (ran.stdout.strip().split("\n") or [""])[-1], file=sys.stderr)
        read = ("import coverage, json, os, sys\n"
                "d = coverage.CoverageData(sys.argv[1]); d.read()\n"
                "print(json.dumps({os.path.relpath(f, sys.argv[2]): d.contexts_by_lineno(f) for f in d.measured_files()}))")
        files = json.loads(run([python, "-c", read, str(data), str(Path(tree).resolve())], tree, check=True).stdout)
    tests = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, lines in files.items():
        for line, contexts in lines.items():
            for name in {re.sub(r"\[.*", "", context.split("|")[0]) for context in contexts}:
                tests[name][path].append(int(line))
    return tests


def go_coverage(tree):
    tests = {}
    module = run(["go", "list", "."], tree).stdout.strip()
    for package in run(["go", "list", "./..."], tree, check=True).stdout.split():
        folder = Path(tree) / package.removeprefix(module).lstrip("/")
        with tempfile.TemporaryDirectory() as built:
            program, profile = Path(built) / "test", Path(built) / "profile"
            compiled = run(["go", "test", "-c", "-vet=off", "-cover", "-coverpkg=./...", "-o", str(program), package], tree)
            if not program.exists():
                if compiled.returncode:
                    print(f"  {package} does not build here: {compiled.stderr.strip()[:200]}", file=sys.stderr)
                continue
            names = [n for n in run([str(program), "-test.list", "."], folder).stdout.split() if re.match("Test|Example", n)]
            where = {}
            for file in folder.glob("*_test.go"):
                for name in re.findall(r"^func ((?:Test|Example)\w*)\(", file.read_text(), re.M):
                    where[name] = str(file.relative_to(tree))
            for name in names:
                run([str(program), f"-test.run=^{name}$", f"-test.coverprofile={profile}"], folder, timeout=120)
                lines = collections.defaultdict(set)
                for row in profile.read_text().split("\n")[1:] if profile.exists() else []:
                    if block := re.match(r"(.*):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)", row):
                        if block[4] != "0":
                            lines[block[1].removeprefix(module).lstrip("/")] |= set(range(int(block[2]), int(block[3]) + 1))
                if name in where:
                    tests[f"{where[name]}::{name}"] = {p: sorted(l) for p, l in lines.items()}
                profile.unlink(missing_ok=True)
    return tests


def coverage(options, revision):
    kept = Path(options.cache) / f"{Path(options.tree).name}-{revision}.json" if options.cache else None
    if kept and kept.exists():
        return json.loads(kept.read_text())
    tests = go_coverage(options.tree) if options.go else python_coverage(options.tree, options.python)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(tests))
    return tests


def listed(options, revision):
    """Tests that the program lists, files that it lists as a whole, and what it says of the answer."""
    command = [options.seekwell, "affected", "--diff", f"{revision}^", "--json", "--no-store", "-C", options.tree]
    if Path(options.seekwell).name == "graph":
        command = [options.seekwell, options.tree, "--affected", f"{revision}^"]
    answer = json.loads(run(command, options.tree).stdout)
    tests, files = set(), set()
    for row in answer["symbols"]:
        if row["kind"] == "file":
            files.add(row["path"])
        else:
            container = row["container"].replace(".", "::")
            tests.add("::".join(part for part in (row["path"], container, row["name"]) if part))
    return tests, files, answer["notes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seekwell", required=True)
    parser.add_argument("--tree", required=True)
    parser.add_argument("--python")
    parser.add_argument("--go", action="store_true")
    parser.add_argument("--cache")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("revisions", nargs="+", metavar="REV")
    options = parser.parse_args()
    options.tree = str(Path(options.tree).resolve())
    print("| commit | lines | at import only | tests by coverage | listed of these | recall | listed | precision | files |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    sums = collections.Counter()
    for revision in options.revisions:
        run(["git", "checkout", "-q", "--detach", revision], options.tree, check=True)
        changed = changed_lines(options.tree, revision)
        ran = coverage(options, revision)
        ran = {test: {path: set(lines) for path, lines in files.items()} for test, files in ran.items()}
        executes = {test: {path: changed[path] & lines for path, lines in files.items() if changed.get(path, set()) & lines}
                    for test, files in ran.items()}
        outside = {(p, l) for p, lines in executes.pop("", {}).items() for l in lines}
        by_coverage = {test for test, files in executes.items() if files}
        inside = {(p, l) for test in by_coverage for p, lines in executes[test].items() for l in lines}
        ours, whole, notes = listed(options, revision)
        # Tests that the run does not know (of examples, or skipped on this machine) cannot be judged.
        known = {test for test in ours if test in ran}
        found = {test for test in by_coverage if test in ours or test.split("::")[0] in whole}
        one = collections.Counter(lines=sum(len(lines) for lines in changed.values()), imported=len(outside - inside),
                                  covered=len(by_coverage), found=len(found), listed=len(known),
                                  right=len(known & by_coverage), files=len(whole))
        sums += one
        row(revision[:8], one)
        if options.missed:
            for note in notes:
                print(f"    says: {note}")
            for test in sorted(by_coverage - found):
                places = [f"{path}:{','.join(map(str, sorted(lines)))}" for path, lines in executes[test].items()]
                print(f"    missed {test}: {' '.join(places)[:300]}")
    row("all", sums)


def row(name, of):
    share = lambda part, whole: f"{part / whole:.3f}" if whole else "-"
    print(f"| {name} | {of['lines']} | {of['imported']} | {of['covered']} | {of['found']} | {share(of['found'], of['covered'])} "
          f"| {of['listed']} | {share(of['right'], of['listed'])} | {of['files']} |", flush=True)


if __name__ == "__main__":
    main()
