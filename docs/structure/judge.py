#!/usr/bin/env python3
"""Holds what seekwell resolves against what a compiler says.

    judge.py TREE GRAPH JUDGE [PREFIX] [--wrong] [--unique]

TREE is the folder, GRAPH what `graph TREE` printed (target/release/graph), JUDGE an index in SCIP's format
(rust-analyzer scip, scip-python, scip-typescript) or lines of `go_uses.go` or `JavaUses.java`:
`def PATH LINE NAME KIND`, `use PATH LINE COLUMN DEF-PATH DEF-LINE KIND`, `-` for what is not in the tree.

PREFIX is where in the tree the judge's paths begin, `--wrong` lists what differs, `--unique`
the functions that fail to be found alone where Universal Ctags knows no second one. Lines are one-based, columns one-based bytes. Printed are:
  definitions  recall: functions and types of the judge that are known at their line
  unique       functions whose name one definition in the whole tree has: the share that is found, alone and at its
               place. The judge looks only at what it compiles, for one platform, and has no functions in functions. So
               two more witnesses are asked, over every file of GRAPH: Universal Ctags (`ctags`; without it the figure says
               so), and the text itself, where a line says `function name(` (`fn`, `def`, `func`) or gives a name a function,
               `name = (…) =>`. The figure is printed without them, with the first (names of which it knows a second place
               are left out), and with both
  calls        precision: sites that are resolved to one place (ambiguous ones are none) and that the judge knows too,
               the share that it agrees with; recall: calls of the judge to functions of the tree, the share that is
               resolved to the right place
"""
import collections
import re
import shutil
import subprocess
import sys
from pathlib import Path

# What ctags calls functions in Rust, Python, Go, Java, JavaScript and TypeScript.
FUNCTIONS = {"function", "method", "member", "func", "macro", "generator", "getter", "setter", "singletonMethod"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """Number and content of each field of a protobuf message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        elif key & 7 == 5:
            value, at = data[at:at + 4], at + 4
        else:
            value, at = data[at:at + 8], at + 8
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def scip(path):
    """Definitions {symbol: [(path, line, column)]} and occurrences (path, line, column, symbol) of an index."""
    definitions, occurrences = {}, []
    for number, document in fields(Path(path).read_bytes()):
        if number != 2:
            continue
        parts = list(fields(document))
        name = next(v for n, v in parts if n == 1).decode()
        for n, occurrence in parts:
            if n != 2:
                continue
            place, symbol, roles = None, "", 0
            for m, value in fields(occurrence):
                if m == 1:
                    place = packed(value)
                elif m == 2:
                    symbol = value.decode()
                elif m == 3:
                    roles = value
            if place is None or symbol.startswith("local "):
                continue
            row = (name, place[0] + 1, place[1] + 1, symbol)
            # Package and version are left out: scip-python takes a tree for another version of what is installed.
            symbol = " ".join(symbol.split(" ")[4:]).replace("`src.", "`")
            if roles & 1:
                definitions.setdefault(symbol, []).append(row[:3])
            else:
                occurrences.append((name, place[0] + 1, place[1] + 1, symbol))
    return definitions, occurrences


def judge_of(path, prefix):
    """Definitions [({(path, line)}, name, kind)], overloads as one, and uses [(path, line, column, {(def path, def line)}, kind)]."""
    if not path.endswith(".scip"):
        rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
        defs = [({(r[1], int(r[2]))}, r[3], r[4]) for r in rows if r[0] == "def"]
        uses = [(r[1], int(r[2]), int(r[3]), {(r[4], int(r[5]))} - {("-", 0)}, r[6]) for r in rows if r[0] == "use"]
        return defs, uses
    definitions, occurrences = scip(path)
    kind = lambda symbol: "function" if symbol.endswith("().") else "type" if symbol.endswith("#") else "other"
    last = lambda symbol: re.split(r"[/#.`\[\]]", symbol.rstrip("().#"))[-1]
    defs = [({(prefix + p, line) for p, line, _ in places}, last(s), kind(s)) for s, places in definitions.items()]
    # A constructor is meant by its type's name.
    plain = lambda symbol: re.sub(r"#(`<constructor>`|__init__)\(\)\.$", "#", symbol)
    uses = []
    for p, line, column, symbol in occurrences:
        found = definitions.get(symbol, []) + definitions.get(plain(symbol), [])
        uses.append((prefix + p, line, column, {(prefix + f[0], f[1]) for f in found}, kind(symbol)))
    return defs, uses


def witnesses(tree, text, paths):
    """Whether there is a ctags, and {name: {(path, line)}} of the functions that it shows, and that a line of text shows."""
    found, shown = collections.defaultdict(set), collections.defaultdict(set)
    says = re.compile(r"\b(?:function|fn|def|func)\s+([\w$]+)\s*[(<\[]"
                      r"|([\w$]+)\s*(?::[^=;]*)?=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=;]*)?=>|[\w$]+\s*=>)")
    for path in paths:
        line_of(tree, text, path, 1)
        for number, line in enumerate(text[path], 1):
            for match in says.finditer(line):
                # Prose speaks of functions, too.
                if not line.lstrip().startswith(("//", "#", "*", "/*")):
                    shown[match[1] or match[2]].add((path, number))
    has_ctags = shutil.which("ctags") is not None
    tags = subprocess.run(["ctags", "-x", "--_xformat=%N\t%K\t%n\t%F", "-L", "-"], cwd=tree, text=True, errors="replace",
                          input="\n".join(sorted(paths)), capture_output=True, check=True).stdout if has_ctags else ""
    for row in (line.split("\t") for line in tags.split("\n")):
        if len(row) == 4 and row[1] in FUNCTIONS:
            found[row[0]].add((row[3], int(row[2])))
    return has_ctags, found, shown


def line_of(tree, text, path, line):
    """A line of a file; empty beyond its end. `text` keeps what was read."""
    if path not in text:
        try:
            text[path] = (Path(tree) / path).read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        except OSError:
            text[path] = []
    return text[path][line - 1] if line <= len(text[path]) else ""


def main():
    tree, graph, judge = sys.argv[1:4]
    prefix = sys.argv[4] if len(sys.argv) > 4 and not sys.argv[4].startswith("--") else ""
    ours = [line.rstrip("\n").split("\t") for line in open(graph, encoding="utf-8")]
    known = {(r[1], int(r[2])) for r in ours if r[0] == "def"}
    by_name = collections.defaultdict(set)
    for r in ours:
        # Only where the judge looked, and not what a test says of itself.
        if r[0] == "def" and r[4] in ("function", "method", "constructor", "macro") and r[1].startswith(prefix):
            by_name[r[6]].add((r[1], int(r[2])))
    sites = {}
    for r in ours:
        if r[0] == "use" and r[1] in ("Call", "Value"):
            targets = [] if r[8] == "-" else [(t.rsplit(":", 1)[0], int(t.rsplit(":", 1)[1])) for t in r[8].split(",")]
            sites[(r[3], int(r[4]), int(r[5]))] = (r[2], targets)
    defs, uses = judge_of(judge, prefix)
    named = [d for d in defs if d[2] in ("function", "type") and d[1].isidentifier()]
    missing = [d for d in named if not d[0] & known]
    print(f"definitions  recall {1 - len(missing) / max(len(named), 1):.4f} of {len(named)}")
    count = collections.Counter(d[1] for d in named if d[2] == "function")
    unique = [d for d in named if d[2] == "function" and count[d[1]] == 1]
    text = {}
    has_ctags, tagged, shown = witnesses(tree, text, {r[1] for r in ours})
    by_ctags = [d for d in unique if not tagged[d[1]] - d[0]]
    by_both = [d for d in by_ctags if not shown[d[1]] - d[0]]
    for what, some in [("judge", unique), ("ctags", by_ctags), ("text", by_both)]:
        alone = [d for d in some if not (by_name[d[1]] and by_name[d[1]] <= d[0])]
        print(f"unique       right {1 - len(alone) / max(len(some), 1):.4f} of {len(some)} by {what}"
              + ("" if has_ctags or what == "judge" else " (no ctags)"))
        if "--unique" in sys.argv and what == "ctags":
            for d in alone:
                print("   ", d[1], sorted(d[0]), sorted(by_name[d[1]]))
    def called(path, line, column):
        rest = line_of(tree, text, path, line).encode(errors="surrogateescape")[column - 1:]
        return re.match(rb"[\w$]+\s*!?(::<[^()]*>|<[^()]*>|\[[^()]*\])?\s*\(", rest) is not None
    judged = {(u[0], u[1], u[2]): u for u in uses}
    agreed, wrong = 0, []
    for place, (confidence, targets) in sites.items():
        if confidence in ("ambiguous", "external") or place not in judged:
            continue
        use = judged[place]
        if use[3] & set(targets):
            agreed += 1
        else:
            wrong.append((place, targets, use[3], confidence))
    print(f"calls        precision {agreed / max(agreed + len(wrong), 1):.4f} of {agreed + len(wrong)}")
    wanted = [u for u in uses if u[3] and u[4] == "function" and called(*u[:3])]
    found, lost = 0, collections.Counter()
    examples = []
    for u in wanted:
        confidence, targets = sites.get(u[:3], ("none", []))
        if u[3] & set(targets) and confidence != "ambiguous":
            found += 1
        else:
            lost[confidence] += 1
            examples.append((u, confidence))
    print(f"calls        recall {found / max(len(wanted), 1):.4f} of {len(wanted)}; else {dict(lost)}")
    if "--wrong" in sys.argv:
        for row in wrong[:40]:
            print("wrong", *row)
        for row in examples:
            print("lost", *row)
        for row in missing[:20]:
            print("missing", *row)
        for places, name, _ in alone:
            print("unique", name, sorted(places), sorted(by_name[name]))


if __name__ == "__main__":
    main()
