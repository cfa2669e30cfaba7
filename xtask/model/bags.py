"""Texts as the engine sees them: bags of pieces, each weighted by how often it occurs and how rare it is."""
import json
import re
from collections import Counter

import numpy as np
from scipy.sparse import csr_matrix
from tokenizers import Tokenizer

# The two splits of `tokenizer.json`: before a capital after a small letter or digit, before the last capital of an acronym.
HUMPS = (r"(?<=[a-z0-9])(?=[A-Z])", r"(?<=[A-Z])(?=[A-Z][a-z])")
HUMP = re.compile("|".join(HUMPS))
# Runs that the engine gives to the table. It splits at ASCII punctuation, the underscore too, and drops that.
WORD = re.compile(r"[A-Za-z0-9\u0080-\U0010ffff]+")
UNKNOWN = "[UNK]"


def words(text):
    """The words of a text in lower case, with their counts."""
    return Counter(word.lower() for word in WORD.findall(HUMP.sub(" ", text)))


def tokenizer_json(vocabulary):
    """A WordPiece tokenizer for a vocabulary, {text: id}, in the form that `engine/models/build.rs` demands."""
    special = lambda id, text: {"id": id, "content": text, "single_word": False, "lstrip": False, "rstrip": False,
                                "normalized": False, "special": True}
    split = lambda pattern: {"type": "Replace", "pattern": {"Regex": pattern}, "content": " "}
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [special(0, "[PAD]"), special(1, UNKNOWN)],
        "normalizer": {"type": "Sequence", "normalizers": [
            *map(split, HUMPS), {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                                 "lowercase": True}]},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": UNKNOWN, "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                  "vocab": vocabulary}}, ensure_ascii=False, separators=(",", ":"))


class Pieces:
    """Cuts words into pieces, each word once."""

    def __init__(self, tokenizer):
        self.tokenizer, self.known = Tokenizer.from_str(tokenizer), {}
        self.size = self.tokenizer.get_vocab_size()
        self.unknown = self.tokenizer.token_to_id(UNKNOWN)

    def of(self, word):
        found = self.known.get(word)
        if found is None:
            ids = self.tokenizer.encode(word, add_special_tokens=False).ids
            found = self.known[word] = [id for id in ids if id != self.unknown]
        return found

    def bag(self, text):
        """Counts of the pieces of a text."""
        counts = {}
        for word, count in words(text).items():
            for piece in self.of(word):
                counts[piece] = counts.get(piece, 0) + count
        return counts

    def matrix(self, texts):
        """Counts as a matrix, a row a text."""
        columns, values, ends = [], [], [0]
        for text in texts:
            bag = self.bag(text)
            columns.extend(bag.keys())
            values.extend(bag.values())
            ends.append(len(columns))
        return csr_matrix((np.array(values, np.float32), np.array(columns, np.int32), np.array(ends, np.int64)),
                          shape=(len(ends) - 1, self.size))


def idf(counts):
    """Of each piece, over the rows of a matrix: as in `engine/core/src/dense.rs`."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.log(1 + counts.shape[0] / (1 + frequency)).astype(np.float32)


def weighted(counts, idf):
    """Counts damped as the engine damps them, 1 + ln n, times idf; rows sum to 1."""
    found = counts.copy()
    found.data = (1 + np.log(found.data)) * idf[found.indices]
    sums = np.maximum(np.asarray(found.sum(axis=1)).ravel(), 1e-6)
    found.data /= np.repeat(sums, np.diff(found.indptr)).astype(np.float32)
    return found
