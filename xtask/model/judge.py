"""Finds functions by their descriptions: how a table does on the packages that are held out.

    judge.py OUT TABLE...     a line for each folder TABLE in the layout of model2vec

The question is the first sentence of a function's documentation, the candidates are the documented functions of its package,
without their documentation. Pieces are weighted as the engine does it (`bags.py`), with the package's own idf, and vectors are
rounded to int8 as they are in an index. Given are the mean over packages of the reciprocal rank and of how often the right one
comes first.
"""
import json
import re
import struct
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from bags import Pieces, idf, weighted
from train import read, unit

LEAST_FUNCTIONS, MOST_FUNCTIONS = 60, 800
FUNCTION = re.compile(r"\b(def|fn|func|function)\b|^\s*(?!class|interface|struct|enum|type)[\w$<>*&: ]+\(")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    packages = questions(Path(sys.argv[1]))
    print("packages: " + ", ".join(f"{name} {len(q)}" for name, q in packages.items()))
    for folder in map(Path, sys.argv[2:]):
        figures = {name: judged(folder, found) for name, found in packages.items()}
        by_kind = defaultdict(list)
        for name, figure in figures.items():
            by_kind[name.split("/")[0]].append(figure)
        show = lambda figures: "MRR {:.4f} hit@1 {:.4f}".format(*np.mean(figures, axis=0))
        print(f"{folder}: {show(list(figures.values()))}  ({'; '.join(f'{k} {show(v)}' for k, v in by_kind.items())})")


def questions(out):
    """(first sentence, function) of each package that is held out."""
    found = defaultdict(dict)
    for pair in read(out / "pairs.jsonl"):
        sentence = re.split(r"(?<=[.!?])\s", pair["text"])[0]
        if pair["use"] == "held-out" and pair["kind"] == "doc" and FUNCTION.search(pair["code"][:200]) and len(sentence.split()) >= 4:
            # The same sentence for several functions has no one answer.
            found[pair["package"]].setdefault(sentence, []).append(pair["code"])
    single = {name: [(s, codes[0]) for s, codes in pairs.items() if len(codes) == 1] for name, pairs in found.items()}
    return {name: pairs[:MOST_FUNCTIONS] for name, pairs in sorted(single.items()) if len(pairs) >= LEAST_FUNCTIONS}


def judged(folder, pairs):
    table = load(folder)
    pieces = Pieces((folder / "tokenizer.json").read_text(encoding="utf-8"))
    asked, code = (pieces.matrix([pair[side] for pair in pairs]) for side in (0, 1))
    rarity = idf(code)
    rounded = lambda vectors: np.rint(vectors * (127 / np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)))
    a, b = (unit(rounded(unit(weighted(m, rarity) @ table)[0]))[0] for m in (asked, code))
    scores = a @ b.T
    # Ties count against us.
    rank = (scores >= scores.diagonal()[:, None]).sum(axis=1)
    return (1 / rank).mean(), (rank == 1).mean()


def load(folder):
    data = (folder / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    shape = json.loads(data[8:8 + length])["embeddings"]["shape"]
    return np.frombuffer(data, np.int8, offset=8 + length).reshape(shape).astype(np.float32)


if __name__ == "__main__":
    main()
