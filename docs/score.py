#!/usr/bin/env python3
"""Scores a run against questions with known answers.

    docs/score.py own.run tests/truth/own.jsonl [--vs other.run] [--by category,language,repo] [--worst 30]

A run has a line `{repo, query, results: [{path, start, end}], weak?}` a question, best first. A question has `targets`,
`[{path, start?, end?}]`: all of them are wanted, or, with `any`, one of them. A question that the run lacks scores 0.

Of files (a file's place is that of its first result): NDCG@10 with gain 1 (Järvelin and Kekäläinen, 2002), hit@1,
recall@10, MRR@10. The ideal list has min(10, number of targets) hits, one with `any`. Where all targets have lines,
also of places: `span` is NDCG@10 where a result counts only if it overlaps the lines of a target by half of the shorter
of the two, `place` how often the first result in a target's file does, among the targets whose file was found. Of
questions without an answer: `weak`, the share that the run says so of.

`--vs` gives the mean difference (this run less the other) with 95 % intervals of the paired bootstrap, by drawing
questions and by drawing repositories with all their questions.
"""
import argparse
import json
import sys
from collections import defaultdict

import numpy as np

K = 10
DISCOUNT = 1 / np.log2(np.arange(2, K + 2))
MEASURES = ["ndcg", "hit1", "recall", "mrr", "span", "place", "weak"]
DRAWS = 10_000


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read_run(path):
    return {(line["repo"], line["query"]): line for line in read_lines(path)}


def overlaps(result, target):
    """Whether a result shows a target: the common lines are at least half of the shorter of the two."""
    if result.get("start") is None or result.get("end") is None:
        return False
    common = min(result["end"], target["end"]) - max(result["start"], target["start"]) + 1
    shorter = min(result["end"] - result["start"], target["end"] - target["start"]) + 1
    return 2 * common >= shorter


def ndcg(ranks, wanted):
    """Ranks from 0, one for each target that was found."""
    return sum(DISCOUNT[rank] for rank in ranks if rank < K) / DISCOUNT[:min(K, wanted)].sum()


def score(question, line):
    """The measures of one question; those that do not apply are missing."""
    results, targets = line.get("results", []), question["targets"]
    if not targets:
        return {"weak": float(bool(line.get("weak")))}
    any_will_do = question.get("any", False)
    wanted = 1 if any_will_do else len({target["path"] for target in targets})
    files = list(dict.fromkeys(result["path"] for result in results))
    ranks = sorted(files.index(path) for path in {target["path"] for target in targets} if path in files)
    if any_will_do:
        ranks = ranks[:1]
    out = {
        "ndcg": ndcg(ranks, wanted),
        "hit1": float(ranks[:1] == [0]),
        "recall": sum(rank < K for rank in ranks) / wanted,
        "mrr": 1 / (ranks[0] + 1) if ranks and ranks[0] < K else 0.0,
    }
    if all("start" in target for target in targets):
        places, right = [], []
        for target in targets:
            there = [result for result in results if result["path"] == target["path"]]
            if there:
                right.append(float(overlaps(there[0], target)))
            places += [rank for rank, result in enumerate(results)
                       if result["path"] == target["path"] and overlaps(result, target)][:1]
        wanted = 1 if any_will_do else len(targets)
        out["span"] = min(1.0, ndcg(sorted(places)[:wanted], wanted))
        if right:
            out["place"] = max(right) if any_will_do else float(np.mean(right))
    return out


def mean(rows, measure):
    values = [row[measure] for row in rows if measure in row]
    return np.mean(values) if values else None


def table(rows, by):
    print(f"{'':26}{'n':>5}" + "".join(f"{measure:>8}" for measure in MEASURES))

    def show(name, some):
        cells = (mean(some, measure) for measure in MEASURES)
        shown = ("-" if cell is None else f"{cell:.3f}" for cell in cells)
        print(f"{name[:25]:26}{len(some):>5}" + "".join(f"{cell:>8}" for cell in shown))

    show("all", rows)
    for key in by:
        print(f"-- by {key}")
        groups = defaultdict(list)
        for row in rows:
            groups[row[key]].append(row)
        for name in sorted(groups):
            show(name, groups[name])


def bootstrap(groups):
    """The 2.5th and 97.5th percentile of the mean difference when whole groups are drawn with replacement."""
    sums = np.array([np.sum(group) for group in groups])
    counts = np.array([len(group) for group in groups])
    draws = np.random.default_rng(0).integers(len(groups), size=(DRAWS, len(groups)))
    return np.percentile(sums[draws].sum(axis=1) / counts[draws].sum(axis=1), [2.5, 97.5])


def compare(rows, others, by):
    """Prints the differences of every measure that both runs have for a question."""
    for measure in MEASURES:
        names = {"all": list(range(len(rows)))}
        if "category" in by:
            for index, row in enumerate(rows):
                names.setdefault(row["category"], []).append(index)
        for name, indices in names.items():
            pairs = [(rows[i]["repo"], rows[i][measure] - others[i][measure]) for i in indices
                     if measure in rows[i] and measure in others[i]]
            if not pairs:
                continue
            repos = defaultdict(list)
            for repo, difference in pairs:
                repos[repo].append(difference)
            alone = bootstrap([[difference] for _, difference in pairs])
            whole = bootstrap(list(repos.values()))
            print(f"{measure:8}{name[:20]:22}{len(pairs):>5}  {np.mean([d for _, d in pairs]):+.3f}"
                  f"  questions [{alone[0]:+.3f}, {alone[1]:+.3f}]  repositories [{whole[0]:+.3f}, {whole[1]:+.3f}]")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("questions")
    parser.add_argument("--vs", metavar="RUN2", help="another run, to compare with")
    parser.add_argument("--by", default="category", help="groups to print: category, language, repo, comma separated")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N worst questions")
    a = parser.parse_args()
    questions, run = read_lines(a.questions), read_run(a.run)
    by = [key for key in a.by.split(",") if key]
    wrong = set(by) - {"category", "language", "repo"}
    if wrong:
        parser.error(f"--by {', '.join(sorted(wrong))}: category, language or repo")

    def rows_of(lines):
        about = ("repo", "query", "category", "language")
        return [score(q, lines.get((q["repo"], q["query"]), {})) | {key: q[key] for key in about} for q in questions]

    rows = rows_of(run)
    missing = sum((q["repo"], q["query"]) not in run for q in questions)
    print(f"{a.run}: {len(questions)} questions" + (f", {missing} of them not in the run" if missing else ""))
    table(rows, by)
    if a.vs:
        print(f"-- less {a.vs}")
        compare(rows, rows_of(read_run(a.vs)), by)
    if a.worst:
        print(f"-- the {a.worst} worst")
        worst = sorted((row for row in rows if "ndcg" in row), key=lambda row: (row["ndcg"], row.get("span", 0)))
        for row in worst[:a.worst]:
            print(f"{row['ndcg']:.2f} {row['category']:14} {row['repo']}: {row['query']}")


if __name__ == "__main__":
    sys.exit(main())
