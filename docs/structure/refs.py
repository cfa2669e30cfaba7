#!/usr/bin/env python3
"""The share of a name's whole words that `seekwell refs` lists: refs.py SEEKWELL TREE NAME...

Held against `rg -w -F -o` over the files that seekwell searches. A word that ripgrep finds and seekwell does not is printed.
"""
import json
import subprocess
import sys

seekwell, tree, names = sys.argv[1], sys.argv[2], sys.argv[3:]
files = subprocess.run([seekwell, "--files", "-0", "."], cwd=tree, capture_output=True, check=True).stdout.split(b"\0")[:-1]
listed = found = 0
for name in names:
    answer = json.loads(subprocess.run([seekwell, "refs", name, "--json"], cwd=tree, capture_output=True).stdout)
    ours = {(r["path"], r["line"]) for r in answer["references"]}
    count = len(answer["references"])
    lines = subprocess.run(["rg", "-w", "-F", "-o", "-n", "-H", "--no-heading", "--no-ignore", "--hidden", "--", name, *files],
                           cwd=tree, capture_output=True, text=True).stdout.splitlines()
    # Binary files have no lines.
    rows = [line.split(":") for line in lines if line.count(":") > 1 and line.split(":")[1].isdigit()]
    theirs = [(row[0].removeprefix("./"), int(row[1])) for row in rows]
    listed += sum(place in ours for place in theirs)
    found += len(theirs)
    for place in theirs:
        if place not in ours:
            print(f"missing {name}: {place[0]}:{place[1]}")
    print(f"{name}: {count} listed, {len(theirs)} words")
print(f"refs covers {listed / max(found, 1):.4f} of {found} words of {len(names)} names")
