#!/usr/bin/env python3
"""Fits the weights of the ranking on signals that the engine has dumped, and says how well they do.

    ./x eval … --dump root.jsonl          (once a scope)
    docs/fit.py root.jsonl repo.jsonl [--folds 5] [--write engine/core/src/weights.rs]

Each line holds one question: its candidates' signals (row after row), their paths, the paths that answer it. The model is
the engine's own: one weight a signal, one set for identifiers and one for all other questions. The loss is softmax
cross-entropy over a question's candidates (the answers share the mass), on standardised signals, with a ridge, and with
the sign that each signal must have: evidence never counts against a file, a penalty never for it. Needs numpy and scipy.

Figures are cross-validated by repository: no weight is fitted on the repository that it ranks.
"""
import argparse
import json
import math
from collections import defaultdict

import numpy as np
from scipy.optimize import minimize

FREE = {"prior.types", "prior.index", "prior.main-language"}
# Set by hand. The dumps hold no scans, and text that stands in a file outweighs a good name. They hold hardly any vendored
# file, and of identical files the one that is not a copy is to be shown.
# An identifier that is mentioned whole goes before one whose parts are scattered.
FIXED = {"words.whole": (None, 2.0), "text.literal": (8.0, 4.0), "prior.vendored": (-2.0, -1.0)}


def load(paths):
    questions, names = [], None
    for scope, path in enumerate(paths):
        for line in open(path, encoding="utf-8"):
            q = json.loads(line)
            names = names or q["signals"]
            assert names == q["signals"], "dumps of different engines"
            values = np.array(q["values"], dtype=np.float64).reshape(-1, len(names))
            targets = {t["path"] for t in q["targets"]}
            hit = np.array([p in targets for p in q["paths"]], dtype=bool)
            questions.append(dict(scope=scope, repo=q["repo"], symbol=q["symbol"], category=q["category"],
                                  language=q["language"], x=values, hit=hit, n=len(targets), query=q["query"],
                                  paths=q["paths"]))
    return questions, names


def ndcg(q, order, k=10):
    gains = q["hit"][order[:k]]
    dcg = sum(1 / math.log2(i + 2) for i, g in enumerate(gains) if g)
    return dcg / sum(1 / math.log2(i + 2) for i in range(min(k, q["n"])))


def fit(questions, names, ridge):
    """Weights on raw signals."""
    questions = [q for q in questions if q["hit"].any() and len(q["hit"]) > 1]
    stacked = np.concatenate([q["x"] for q in questions])
    scale = stacked.std(axis=0)
    scale[scale < 1e-9] = 1.0
    starts = np.cumsum([0] + [len(q["x"]) for q in questions])
    x = stacked / scale
    y = np.concatenate([q["hit"] / q["hit"].sum() for q in questions])
    owner = np.repeat(np.arange(len(questions)), np.diff(starts))

    def loss(w):
        s = x @ w
        top = np.maximum.reduceat(s, starts[:-1])
        e = np.exp(s - top[owner])
        z = np.add.reduceat(e, starts[:-1])
        p = e / z[owner]
        value = (np.log(z) + top).sum() - (y * s).sum()
        grad = x.T @ (p - y)
        n = len(questions)
        return value / n + ridge * (w @ w), grad / n + 2 * ridge * w

    bounds = []
    for name in names:
        if name in FREE:
            bounds.append((None, None))
        elif name.startswith("prior."):
            bounds.append((None, 0))
        else:
            bounds.append((0, None))
    w = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds, options=dict(maxiter=400)).x
    return w / scale


def fit_both(questions, names, ridges):
    natural = [q for q in questions if not q["symbol"]]
    symbol = [q for q in questions if q["symbol"]]
    return (fit(natural, names, ridges[0]), fit(symbol, names, ridges[1]) if symbol else np.zeros(len(names)))


def score(questions, weights):
    for q in questions:
        s = q["x"] @ weights[int(q["symbol"])]
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
    for f in range(count):
        train = [q for q in questions if folds[q["repo"]] != f]
        score([q for q in questions if folds[q["repo"]] == f], fit_both(train, names, ridges))


def write(path, names, weights):
    with open(path, "w", encoding="utf-8") as out:
        out.write("//! The weights of the score: natural language and everything else, then identifiers. In the order of the "
                  "signals.\n//!\n//! Fitted by `docs/fit.py`; what was tried is in `docs/ranking-log.md`.\n\n"
                  "/// `(natural, symbol)` by signal.\n#[rustfmt::skip]\n"
                  f"pub const WEIGHTS: [(f32, f32); {len(names)}] = [\n")
        for name, a, b in zip(names, *weights):
            fixed = FIXED.get(name, (None, None))
            a, b = (f if f is not None else w for f, w in zip(fixed, (a, b)))
            out.write(f"    ({a + 0:.2f}, {b + 0:.2f}), // {name}\n")
        out.write("];\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dumps", nargs="+")
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--seeds", type=int, default=1)
    ap.add_argument("--ridge", type=float, nargs=2, default=(0.01, 0.05), metavar=("NATURAL", "SYMBOL"))
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
    weights = fit_both(questions, names, a.ridge)
    score(questions, weights)
    print("fitted on everything")
    report(questions, a.dumps)
    if a.write:
        write(a.write, names, [np.round(w, 2) for w in weights])


if __name__ == "__main__":
    main()
