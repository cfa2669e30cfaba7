#!/usr/bin/env python3
"""Fits the weights of the ranking on signals that the engine has dumped, and says how well they do.

    ./x eval … --dump root.jsonl          (once a scope)
    docs/fit.py root.jsonl repo.jsonl [--folds 5] [--write engine/core/src/weights.rs]

Each line holds one question: its candidates' signals (row after row), their paths, the paths that answer it. The model is
the engine's own: one weight a signal, a set for identifiers, one for printed messages and one for all other questions. The loss is softmax
cross-entropy over a question's candidates (the answers share the mass), on standardised signals, with a ridge, and with
the sign that each signal must have: evidence never counts against a file, a penalty never for it. Needs numpy and scipy.

Figures are cross-validated by repository: no weight is fitted on the repository that it ranks.
"""
import argparse
import json
import math
import re
from collections import defaultdict

import numpy as np
from scipy.optimize import minimize

FREE = {"passage.callable", "passage.type", "passage.part", "passage.loose", "passage.length", "prior.types", "prior.index", "prior.main-language", "prior.main-package",
        "docs.how", "docs.fact", "docs.length", "config.how", "config.fact", "config.length"}
# Added to fitted weights. Many questions are answered by code and by a document alike, and the sets know one answer each:
# where they balance is a choice. This one lets code lead unless the question leans to a document.
SHIFTS = {"prior.docs": -0.75, "prior.config": -0.75}
# Set by hand. The dumps hold no scans, and text that stands in a file outweighs a good name. They hold hardly any vendored
# file, and of identical files the one that is not a copy is to be shown.
# An identifier that is mentioned whole goes before one whose parts are scattered.
FIXED = {"words.whole": (None, 2.0, None), "define.export": (1.0, 4.0, 0.0), "text.literal": (8.0, 4.0, 8.0),
         "prior.vendored": (-2.0, -1.0, -2.0)}
# The sets of weights, each with its ridge. Messages are few, and those that the engine does not recognise as such are as good
# to learn from.
SETS = ("natural", "symbol", "message")
RIDGES = (0.01, 0.05, 0.03)


def load(paths):
    questions, names = [], None
    for scope, path in enumerate(paths):
        for line in open(path, encoding="utf-8"):
            q = json.loads(line)
            names = names or q["signals"]
            assert names == q["signals"], "dumps of different engines"
            values = np.array(q["values"], dtype=np.float64).reshape(-1, len(names))
            targets = {t["path"] for t in q["targets"]}
            if not targets:
                continue
            hit = np.array([answers(p, q["targets"]) for p in q["paths"]], dtype=bool)
            questions.append(dict(scope=scope, repo=q["repo"], set=SETS.index(q["weights"]), category=q["category"],
                                  language=q["language"], x=values, hit=hit, n=1 if q.get("any") else len(targets), query=q["query"],
                                  paths=q["paths"]))
    return questions, names


def answers(row, targets):
    """Whether a path is a target's, or a place `path:first-last` overlaps one by half of the shorter of the two."""
    path, _, lines = row.rpartition(":")
    first, _, last = lines.partition("-")
    if not (path and first.isdigit() and last.isdigit()):
        return any(row == t["path"] for t in targets)
    first, last = int(first), int(last)

    def overlaps(t):
        common = min(last, t["end"]) - max(first, t["start"]) + 1
        return 2 * common >= min(last - first, t["end"] - t["start"]) + 1

    return any(path == t["path"] and "start" in t and overlaps(t) for t in targets)


def ndcg(q, order, k=10):
    ranks = [i for i, g in enumerate(q["hit"][order[:k]]) if g][: q["n"]]
    dcg = sum(1 / math.log2(i + 2) for i in ranks)
    return dcg / sum(1 / math.log2(i + 2) for i in range(min(k, q["n"])))


def fit(questions, names, ridge, start=None):
    """Weights on raw signals; `start` are weights to begin from."""
    questions = [q for q in questions if q["hit"].any() and len(q["hit"]) > 1]
    stacked = np.concatenate([q["x"] for q in questions])
    scale = stacked.std(axis=0)
    scale[scale < 1e-9] = 1.0
    starts = np.cumsum([0] + [len(q["x"]) for q in questions])
    x = (stacked / scale).astype(np.float32)
    y = np.concatenate([q["hit"] / q["hit"].sum() for q in questions])
    owner = np.repeat(np.arange(len(questions)), np.diff(starts))

    def loss(w):
        s = (x @ w.astype(np.float32)).astype(np.float64)
        top = np.maximum.reduceat(s, starts[:-1])
        e = np.exp(s - top[owner])
        z = np.add.reduceat(e, starts[:-1])
        p = e / z[owner]
        value = (np.log(z) + top).sum() - (y * s).sum()
        grad = ((p - y).astype(np.float32) @ x).astype(np.float64)
        n = len(questions)
        return value / n + ridge * (w @ w), grad / n + 2 * ridge * w

    bounds = []
    for name in names:
        if name in FREE:
            bounds.append((None, None))
        elif name.startswith("prior.") or name == "passage.test":
            bounds.append((None, 0))
        else:
            bounds.append((0, None))
    first = np.zeros(len(names)) if start is None else start * scale
    options = dict(maxiter=400, ftol=1e-7, gtol=1e-5)
    return minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x / scale


def learns(q, number):
    """Whether a question is one that a set of weights is fitted on."""
    return q["set"] == number or (SETS[number] == "message" and q["category"] == "error-message")


def fit_all(questions, names, ridges, start=(None, None, None)):
    """The weights of each set."""
    weights = []
    for number, (ridge, first) in enumerate(zip(ridges, start)):
        chosen = [q for q in questions if learns(q, number)]
        weights.append(fit(chosen, names, ridge, first) if chosen else np.zeros(len(names)))
    return weights


def shift(names, number):
    return np.array([0 if SETS[number] == "message" else SHIFTS.get(name, 0) for name in names])


def score(questions, weights, names):
    shifted = [w + shift(names, number) for number, w in enumerate(weights)]
    for q in questions:
        s = q["x"] @ shifted[q["set"]]
        q["ndcg"] = ndcg(q, np.argsort(-s, kind="stable"))


def report(questions, scopes):
    for scope, path in enumerate(scopes):
        qs = [q for q in questions if q["scope"] == scope]
        by = defaultdict(list)
        for q in qs:
            by[q["category"]].append(q["ndcg"])
        recall = np.mean([q["hit"].sum() / q["n"] for q in qs])
        cats = "  ".join(f"{c} {np.mean(v):.4f}" for c, v in sorted(by.items()))
        print(f"{path}: NDCG@10 {np.mean([q['ndcg'] for q in qs]):.4f}  ({cats})  candidates hold {recall:.4f}")


def folds_of(questions, count, seed):
    repos = sorted({q["repo"] for q in questions})
    np.random.default_rng(seed).shuffle(repos)
    return {r: i % count for i, r in enumerate(repos)}


def cross_validate(questions, names, count, seed, ridges):
    folds = folds_of(questions, count, seed)
    weights = (None, None, None)
    for f in range(count):
        train = [q for q in questions if folds[q["repo"]] != f]
        weights = fit_all(train, names, ridges, weights)
        score([q for q in questions if folds[q["repo"]] == f], weights, names)


def write(path, names, weights):
    """Replaces the table of these signals in the Rust file, and leaves the other."""
    passages = names[0].startswith("passage.")
    const, sets = ("PASSAGE_WEIGHTS", 2) if passages else ("WEIGHTS", 3)
    rows = ""
    for at, name in enumerate(names):
        fixed = FIXED.get(name, (None, None, None))
        row = (f if f is not None else w[at] + shift(names, number)[at]
               for number, (f, w) in enumerate(zip(fixed[:sets], weights)))
        rows += f"    ({', '.join(f'{weight + 0:.2f}' for weight in row)}), // {name}\n"
    text = open(path, encoding="utf-8").read()
    table = re.compile(rf"(pub const {const}: \[\(f32(?:, f32)+\); )\d+(\] = \[\n).*?(^\];\n)", re.M | re.S)
    text, count = table.subn(lambda m: f"{m[1]}{len(names)}{m[2]}{rows}{m[3]}", text)
    assert count == 1, f"{path} has no table {const}"
    open(path, "w", encoding="utf-8").write(text)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dumps", nargs="+")
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--seeds", type=int, default=1)
    ap.add_argument("--ridge", type=float, nargs=3, default=RIDGES, metavar=tuple(name.upper() for name in SETS))
    ap.add_argument("--drop", default="", help="signals left out, comma separated")
    ap.add_argument("--write", help="write the weights fitted on everything as Rust")
    ap.add_argument("--worst", type=int, default=0, help="list the worst questions of the first dump")
    a = ap.parse_args()
    questions, names = load(a.dumps)
    for name in filter(None, a.drop.split(",")):
        for q in questions:
            q["x"][:, names.index(name)] = 0.0
    for seed in range(a.seeds):
        cross_validate(questions, names, a.folds, seed, a.ridge)
        print(f"cross-validated, {a.folds} folds by repository, seed {seed}")
        report(questions, a.dumps)
    if a.worst:
        for q in sorted((q for q in questions if q["scope"] == 0), key=lambda q: q["ndcg"])[: a.worst]:
            print(f"{q['ndcg']:.2f} {q['repo']}: {q['query']}")
    weights = fit_all(questions, names, a.ridge)
    score(questions, weights, names)
    print("fitted on everything")
    report(questions, a.dumps)
    if a.write:
        write(a.write, names, [np.round(w, 2) for w in weights])


if __name__ == "__main__":
    main()
