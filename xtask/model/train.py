"""Makes the static embedding table.

    train.py OUT     reads what text.py and teacher.py wrote, writes OUT/table/{model.safetensors,config.json,tokenizer.json}

A text's vector is the weighted mean of the rows of its pieces, scaled to length 1. In order:

1. The vocabulary: the words of code that BERT's vocabulary has not whole (`config`, `async`) are added to it, and of all that
   the most frequent pieces are kept.
2. Rows begin as the teacher's states of each piece alone, on the first principal axes of its vectors of texts.
3. Regression: texts' vectors are drawn to the teacher's (1 - cosine), by Adam on the rows that a batch touches
   (Kingma and Ba 2015).
4. The same, jointly with InfoNCE (van den Oord et al. 2018) on pairs of description and code, both directions. A batch
   holds runs of neighbours from few packages, so that what is told apart is alike.
5. One scale for all values, int8.

All of it is numpy on one thread with fixed seeds: the same input gives the same bytes on the same machine.
"""
import hashlib
import json
import struct
import sys
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from bags import Pieces, idf, tokenizer_json, weighted, words

SEED = 20_240_611
TOKENS, DIMENSIONS = 16_000, 128
# Words that are added to the vocabulary, and in how many packages they must stand.
NEW_WORDS, IN_PACKAGES = 8_000, 5
REGRESSION_EPOCHS, JOINT_EPOCHS = 5, 6
BATCH, RUN, TEMPERATURE = 1024, 32, 0.05
RATE, JOINT_RATE = 0.02, 0.02
# Weight of the regression's loss beside InfoNCE.
REGRESSION = 5.0
# Rows begin with this root mean square length; Adam's rates are in its proportion.
LENGTH = 4.0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    pairs = [p for p in read(out / "pairs.jsonl") if p["use"] == "train"]
    texts = list(read(out / "texts.jsonl"))
    known = np.load(out / "teacher.npz")
    vocabulary, rows = chosen(out, pairs, known["words"])
    pieces = Pieces(tokenizer_json(vocabulary))
    counts = [pieces.matrix(t) for t in (texts, [p["text"] for p in pairs], [p["code"] for p in pairs])]
    rarity = idf(counts[2])
    texts, left, right = (weighted(c, rarity) for c in counts)
    basis = principal(known["vectors"], DIMENSIONS)
    targets = unit(known["vectors"] @ basis)[0]
    table = start(vocabulary, rows @ basis)
    draw = np.random.default_rng(SEED)
    kept = draw.permutation(len(targets))
    judged, taught = kept[:1000], kept[1000:]
    model = Model(table)
    report = lambda: print(f"cosine with the teacher {1 - model.regress(texts[judged], targets[judged])[0]:.4f}", flush=True)
    report()
    regression(model, texts[taught], targets[taught], draw)
    report()
    joint(model, left, right, pairs, texts[taught], targets[taught], draw)
    report()
    write(out / "table", model.table, vocabulary)


def read(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def chosen(out, pairs, known):
    """The vocabulary, {text: id}, and the teacher's state of each piece."""
    model = zipfile.ZipFile(next((out / "teacher").glob("all_minilm_l6_v2/model.zip")))
    bert = json.loads(model.read("tokenizer.json"))["model"]["vocab"]
    total, packages = Counter(), defaultdict(set)
    for line in [*read(out / "passages.jsonl"), *({"package": p["package"], "text": p["code"]} for p in pairs)]:
        found = words(line["text"])
        total.update(found)
        for word in found:
            packages[word].add(line["package"])
    fit = lambda w: w.isascii() and w[0].isalpha() and 2 <= len(w) <= 20 and w not in bert
    new = sorted((w for w in packages if fit(w) and len(packages[w]) >= IN_PACKAGES), key=lambda w: (-len(packages[w]), -total[w], w))
    old = Pieces(tokenizer_json({"[PAD]": 0, "[UNK]": 1} | {t: i + 2 for i, t in enumerate(t for t in bert if not t.startswith("["))}))
    texts_of = {id: text for text, id in old.tokenizer.get_vocab().items()}
    state = lambda text: known[bert[text]]
    added = {w: np.sum([state(texts_of[p]) for p in old.of(w)], axis=0) for w in new[:NEW_WORDS] if old.of(w)}
    entries = [t for t in bert if not t.startswith("[") or t == "["] + list(added)
    # Counted as they will be cut, with the new words in place.
    cut = Pieces(tokenizer_json({"[PAD]": 0, "[UNK]": 1} | {t: i + 2 for i, t in enumerate(entries)}))
    frequency = Counter()
    for word, count in total.items():
        for piece in cut.of(word):
            frequency[entries[piece - 2]] += count
    # Single characters stay whatever they count: without them words with one would be unknown.
    single = lambda t: len(t.removeprefix("##")) == 1
    ranked = sorted(range(len(entries)), key=lambda i: (not single(entries[i]), -frequency[entries[i]], i))
    kept = [entries[i] for i in sorted(ranked[:TOKENS - 2])]
    rows = np.stack([added[t] if t in added else state(t) for t in kept])
    print(f"{len(kept)} pieces, {sum(t in added for t in kept)} new, {sum(map(single, kept))} single characters; "
          f"the rarest kept occurs {min(frequency[t] for t in kept if not single(t))} times", flush=True)
    return {"[PAD]": 0, "[UNK]": 1} | {t: i + 2 for i, t in enumerate(kept)}, np.vstack([np.zeros((2, rows.shape[1]), np.float32), rows])


def principal(vectors, count):
    """The axes, as columns, that hold most of the vectors' lengths. Not centred: cosines are to stay."""
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return axes[:, ::-1][:, :count].astype(np.float32)


def start(vocabulary, rows):
    """First rows: what all pieces have in common taken away, and nothing where there is no letter or digit."""
    spoken = np.array([any(c.isalnum() for c in text) and id > 1 for text, id in vocabulary.items()])
    rows = (rows - rows[spoken].mean(axis=0)) * spoken[:, None]
    length = np.sqrt((rows[spoken] ** 2).sum(axis=1).mean())
    return (rows * (LENGTH / length)).astype(np.float32)


def unit(vectors):
    """Vectors of length 1, and the lengths they had."""
    length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-8)
    return vectors / length, length


class Model:
    """The table, and Adam's moments of its rows."""

    def __init__(self, table):
        self.table = table
        self.first, self.second = np.zeros_like(table), np.zeros_like(table)
        self.steps = np.zeros(len(table), np.float32)

    def embed(self, texts):
        vectors = texts @ self.table
        return unit(vectors)

    def regress(self, texts, targets):
        """Mean of 1 - cosine, and the gradient by the texts' raw vectors."""
        vectors, length = self.embed(texts)
        cosine = (vectors * targets).sum(axis=1, keepdims=True)
        return float(1 - cosine.mean()), (cosine * vectors - targets) / length / len(targets)

    def contrast(self, left, right, apart):
        """InfoNCE over two sides of a batch, and its gradients by the raw vectors. `apart` is false where two texts are the same."""
        (a, a_length), (b, b_length) = self.embed(left), self.embed(right)
        scores = (a @ b.T) / TEMPERATURE
        scores[~apart] = -1e4
        loss, slope = 0.0, np.zeros_like(scores)
        for axis in (0, 1):
            odds = np.exp(scores - scores.max(axis=axis, keepdims=True))
            odds /= odds.sum(axis=axis, keepdims=True)
            loss -= float(np.log(np.maximum(odds.diagonal(), 1e-12)).mean()) / 2
            slope += odds
        slope[np.diag_indices(len(slope))] -= 2
        slope /= 2 * TEMPERATURE * len(slope)
        inward = lambda gradient, vectors, length: (gradient - (gradient * vectors).sum(axis=1, keepdims=True) * vectors) / length
        return loss, inward(slope @ b, a, a_length), inward(slope.T @ a, b, b_length)

    def step(self, parts, rate):
        """One step of Adam on the rows that the texts touch; `parts` are texts and the gradients by their vectors."""
        touched = np.unique(np.concatenate([texts.indices for texts, _ in parts]))
        place = np.zeros(len(self.table), np.int32)
        place[touched] = np.arange(len(touched))
        gradient = 0
        for texts, slope in parts:
            narrow = csr_matrix((texts.data, place[texts.indices], texts.indptr), shape=(texts.shape[0], len(touched)))
            gradient = gradient + narrow.T @ slope.astype(np.float32)
        self.steps[touched] += 1
        steps = self.steps[touched][:, None]
        first = self.first[touched] = 0.9 * self.first[touched] + 0.1 * gradient
        second = self.second[touched] = 0.999 * self.second[touched] + 0.001 * gradient ** 2
        self.table[touched] -= rate * (first / (1 - 0.9 ** steps)) / (np.sqrt(second / (1 - 0.999 ** steps)) + 1e-8)


def regression(model, texts, targets, draw):
    total, done = REGRESSION_EPOCHS * (len(targets) // BATCH), 0
    for _ in range(REGRESSION_EPOCHS):
        order = draw.permutation(len(targets))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[at:at + BATCH]
            _, slope = model.regress(texts[batch], targets[batch])
            model.step([(texts[batch], slope)], RATE * (1 - done / total))
            done += 1


def joint(model, left, right, pairs, texts, targets, draw):
    # Equal texts are the same pair to the loss, whichever of them is asked for.
    same_left, same_right = ([hash64(p[key]) for p in pairs] for key in ("text", "code"))
    same_left, same_right = np.array(same_left), np.array(same_right)
    of_package = defaultdict(list)
    for i, pair in enumerate(pairs):
        of_package[pair["package"]].append(i)
    whole = np.diff(left.indptr) > 0
    whole &= np.diff(right.indptr) > 0
    total, done = JOINT_EPOCHS * (len(pairs) // BATCH), 0
    for epoch in range(JOINT_EPOCHS):
        losses = []
        for batch in batches(of_package, draw):
            batch = batch[whole[batch]]
            apart = (same_left[batch][:, None] != same_left[batch]) & (same_right[batch][:, None] != same_right[batch])
            apart[np.diag_indices(len(batch))] = True
            loss, by_left, by_right = model.contrast(left[batch], right[batch], apart)
            some = draw.integers(0, len(targets), BATCH // 2)
            _, slope = model.regress(texts[some], targets[some])
            model.step([(left[batch], by_left), (right[batch], by_right), (texts[some], slope * REGRESSION)],
                       JOINT_RATE * max(0.0, 1 - done / total))
            losses.append(loss)
            done += 1
        print(f"epoch {epoch + 1}: InfoNCE {np.mean(losses):.4f}", flush=True)


def hash64(text):
    """The same in every process, which Python's own is not."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little", signed=True)


def batches(of_package, draw):
    """Batches of runs of neighbours, each pair once."""
    runs = []
    for members in of_package.values():
        offset = int(draw.integers(0, RUN))
        cuts = [0, *range(offset or RUN, len(members), RUN), len(members)]
        runs.extend(members[a:b] for a, b in zip(cuts, cuts[1:]))
    flat = [i for at in draw.permutation(len(runs)) for i in runs[at]]
    for at in range(0, len(flat) - BATCH + 1, BATCH):
        yield np.array(flat[at:at + BATCH])


def write(folder, table, vocabulary):
    """The layout of model2vec. Values beyond the 99.99th percentile are cut off: the scale is for the rest."""
    folder.mkdir(exist_ok=True)
    largest = np.quantile(np.abs(table), 0.9999)
    codes = np.clip(np.rint(table * (127 / largest)), -127, 127).astype(np.int8)
    header = json.dumps({"embeddings": {"dtype": "I8", "shape": list(codes.shape), "data_offsets": [0, codes.size]}},
                        separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + codes.tobytes())
    (folder / "tokenizer.json").write_text(tokenizer_json(vocabulary), encoding="utf-8")
    config = {"model_type": "model2vec", "architectures": ["StaticModel"], "hidden_dim": codes.shape[1], "seq_length": 1_000_000,
              "normalize": True, "tokenizer_name": "all-MiniLM-L6-v2 (pruned, words of code added, camelCase split)"}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
