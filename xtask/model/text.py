"""Reads the fetched packages: passages for the teacher, pairs of a description and what it describes.

    text.py OUT     writes OUT/passages.jsonl and OUT/pairs.jsonl

A passage is `{package, text}`: some lines of code, or a section of a document. A pair is `{package, use, kind, text, code}`:

| kind | text | code |
| --- | --- | --- |
| `doc` | first paragraph of a documentation comment or docstring | the item below it, without the comment |
| `error` | a message in a string | the item that holds it, without the message |
| `file` | what a file says of itself at its top | the names that it defines |
| `head` | heading of a section | its body |
| `code` | prose of a section | the block of code in it |

No parser: comments and the items below them are told by their lines and indentation, which serves twenty languages alike and
is right often enough to learn from. The order of files is that of a hash of their paths, so a package's quota is spread
over it; the same packages give the same files of output.
"""
import ast
import hashlib
import json
import re
import sys
import warnings
from pathlib import Path

import fetch

# What of a package is read at most: large packages would drown the others.
MOST_PAIRS, MOST_CODE, MOST_PROSE, MOST_FILES = 420, 56, 24, 260
# Characters of a passage; the teacher reads about 500 of code.
PASSAGE = 700
ITEM_LINES, ITEM_CHARS = 60, 1600
LARGEST = 200_000

MARKS = {".py": ("#",), ".rb": ("#",), ".lua": ("---", "--"), ".php": ("//",)}
SLASHES = "c h cc cpp hpp rs go js mjs cjs ts tsx jsx mts java kt swift m mm cs".split()
MARKS.update({"." + e: ("///", "//!", "//") for e in SLASHES})
PROSE = {".md", ".rst", ".markdown"}
SKIPPED = {"test", "tests", "spec", "specs", "__tests__", "fixtures", "node_modules", "vendor", "vendored", "_vendor", "third_party",
           "thirdparty", "deps", "benchmark", "benchmarks", "benches", "locale", "locales", "i18n", "min", "umd", "minified"}
FOREIGN = re.compile(r"General Public Licen[sc]e|\b[AL]?GPL\b|Mozilla Public|\bMPL\b|Creative Commons|CC[ -]BY|Server Side Public|"
                     r"proprietary|confidential", re.I)
GENERATED = re.compile(r"@generated|DO NOT EDIT|automatically generated|auto-?generated", re.I)
NO_ITEM = re.compile(r"(?:return|if|else|for|while|import|use|from|include|require|package|switch|case|break|throw|goto|namespace|using|"
                     r"await|yield|print|end|endif|ifdef|ifndef|pragma|elif|else|extern crate)\b|[#@}\])/*\"'`]")
ATTRIBUTE = re.compile(r"#!?\[|@\w|\[[A-Z]|__attribute__|template\s*<|#\[")
CLOSER = re.compile(r"[}\])]|end\b")
NOT_DOC = re.compile(r"copyright|licen[sc]e|spdx|eslint|istanbul|prettier|clang-format|@ts-|todo|fixme|xxx|noqa|rubocop|sourceMapping|"
                     r"https?://\S+$", re.I)
MESSAGE = re.compile(r"(?<![\w\\])([\"'])((?:(?!\1)[^\\\n]){18,140})\1")
TROUBLE = re.compile(r"\b(error|fail\w*|invalid|cannot|can't|could not|must|expected|unexpected|unknown|unsupported|missing|not|no|too|"
                     r"already|unable|illegal|denied|out of|only)\b", re.I)
NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{2,}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")  # Python warns of escapes in what it parses for us.
    out = Path(sys.argv[1])
    seen, counts = set(), {}
    with open(out / "passages.jsonl", "w", encoding="utf-8") as passages, open(out / "pairs.jsonl", "w", encoding="utf-8") as pairs:
        for row in fetch.read():
            folder = out / "sources" / row["kind"] / row["name"].replace("/", "+")
            name = f"{row['kind']}/{row['name']}"
            found = Package(folder, seen, row["use"] == "held-out")
            for text in found.code + found.prose:
                if row["use"] == "train":
                    passages.write(json.dumps({"package": name, "text": text}, ensure_ascii=False) + "\n")
                    counts["passages"] = counts.get("passages", 0) + 1
            for kind, text, code in found.pairs:
                line = {"package": name, "use": row["use"], "kind": kind, "text": text, "code": code}
                pairs.write(json.dumps(line, ensure_ascii=False) + "\n")
                counts[kind] = counts.get(kind, 0) + 1
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


def digest(text):
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()


class Package:
    """What a package gives. `seen` holds what earlier ones gave: the same text is not taken twice."""

    def __init__(self, folder, seen, whole):
        self.code, self.prose, self.pairs = [], [], []
        self.seen, self.most_pairs = seen, 4000 if whole else MOST_PAIRS
        most_files = 4000 if whole else MOST_FILES
        for path in files(folder)[:most_files]:
            if len(self.pairs) >= self.most_pairs and len(self.code) >= MOST_CODE:
                break
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            self.file(path, text.replace("\r\n", "\n"))

    def file(self, path, text):
        head = text[:3000]
        if FOREIGN.search(head) or GENERATED.search(head[:600]) or len(text) > 120 * (text.count("\n") + 1) or not self.new(text[:4000]):
            return
        if path.suffix in PROSE or path.name == "METADATA":
            self.document(text.partition("\n\n")[2] if path.name == "METADATA" else text)
            return
        lines = text.expandtabs(4).split("\n")
        if path.suffix == ".py":
            self.python(text, lines)
        else:
            self.other(lines, MARKS[path.suffix], path.suffix in (".rb", ".lua"))
        chunks = [c for c in packed(lines) if len(c) > 80 and self.new(c)]
        # A few of each file, from all over it.
        step = max(1, len(chunks) // 4)
        self.code.extend(chunks[::step][: max(0, MOST_CODE - len(self.code))])

    def new(self, text):
        key = digest(" ".join(text.split())[:600])
        return key not in self.seen and not self.seen.add(key)

    def pair(self, kind, text, code):
        code = code[:ITEM_CHARS].strip("\n")
        if len(self.pairs) < self.most_pairs and len(code) >= 20 and self.new(kind + text + code[:80]):
            self.pairs.append((kind, text, code))

    def item(self, doc, lines):
        """An item that may have a description: a pair of both, and one for a message in it."""
        code = "\n".join(lines)
        if doc:
            self.pair("doc", doc, code)
        for message in MESSAGE.finditer(code):
            words = message[2].split()
            if len(words) >= 4 and TROUBLE.search(message[2]) and sum(w.isalpha() for w in words) * 2 > len(words):
                self.pair("error", message[2].strip(), code.replace(message[2], ""))
                break

    def python(self, text, lines):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        top = described(ast.get_docstring(tree))
        names = []
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            names.append(node.name)
            body = node.body
            has_doc = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str)
            item = lines[node.lineno - 1:node.end_lineno]
            if has_doc:
                item = lines[node.lineno - 1:body[0].lineno - 1] + lines[body[0].end_lineno:node.end_lineno]
            self.item(described(ast.get_docstring(node)) if has_doc else None, item[:ITEM_LINES])
        if top and len(names) >= 3:
            self.pair("file", top, "\n".join(names[:40]))

    def other(self, lines, marks, plain_header):
        at, names, top = 0, [], None
        while at < len(lines):
            end = comment(lines, at, marks)
            if end == at:
                at += 1
                continue
            doc = described(uncommented(lines[at:end], marks))
            if doc and at < 40 and top is None and (lines[at].startswith(("//!", "/*!")) or not lines[min(end, len(lines) - 1)].strip()):
                top = doc
            start = end
            while start < len(lines) and ATTRIBUTE.match(lines[start].strip()):
                start += 1
            if start < len(lines) and lines[start].strip() and not NO_ITEM.match(lines[start].strip()):
                found = item(lines, start, plain_header)
                if doc:
                    named = NAME.search(re.sub(r"\b(pub|fn|func|function|export|static|const|def|class|struct|enum|type|public|private|async|"
                                               r"default|void|int|let|var|readonly|abstract|final|local|protected|override|impl|trait)\b", "", found[0]))
                    names.append(named[0] if named else "")
                self.item(doc, found)
            at = end
        if top and len(names) >= 3:
            self.pair("file", top, "\n".join(names[:40]))

    def document(self, text):
        for heading, prose, code in sections(text):
            words = prose.split()
            if len(words) >= 20:
                if len(self.prose) < MOST_PROSE and self.new(prose):
                    self.prose.append((heading + "\n" + prose)[:PASSAGE])
                if len(heading.split()) >= 2:
                    self.pair("head", heading, prose)
            if len(words) >= 5 and code.count("\n") >= 2:
                self.pair("code", " ".join(words[-60:]), code)


def files(folder):
    """The files of a package that are read, in the order of a hash of their paths."""
    found = []
    root = folder.resolve()
    for path in root.rglob("*"):
        inside = path.relative_to(root)
        name = path.name.lower()
        known = path.suffix in MARKS or (path.suffix in PROSE and not name.startswith(("license", "licence", "changelog", "history", "changes",
                                                                                          "news", "code_of", "security", "contributing")))
        if not (known or path.name == "METADATA") or path.is_symlink() or not path.is_file():
            continue
        parts = [part.lower() for part in inside.parts[:-1]]
        if any(part in SKIPPED or fetch.JUDGED.fullmatch(part) for part in parts) or re.search(r"[._-](min|test|spec|bundle)\.|_test\.|^test_", name):
            continue
        if 200 < path.stat().st_size < LARGEST:
            found.append((digest(inside.as_posix()), path))
    return [path for _, path in sorted(found)]


def packed(lines):
    """Runs of lines of about a passage's length, cut at blank lines where they can be."""
    run, size = [], 0
    for line in lines:
        if run and (size > PASSAGE or (size > PASSAGE // 2 and not line.strip())):
            yield "\n".join(run)
            run, size = [], 0
        if line.strip() or run:
            run.append(line.rstrip())
            size += len(line) + 1
    if run:
        yield "\n".join(run)


def comment(lines, at, marks):
    """Where a comment that begins at a line ends; the line itself if none does."""
    first = lines[at].strip()
    if first.startswith(("/*", "--[[")):
        close = "*/" if first.startswith("/*") else "]]"
        for end in range(at, min(at + 120, len(lines))):
            if close in lines[end]:
                return end + 1 if lines[end].strip().endswith(close) else at
        return at
    end = at
    while end < len(lines) and lines[end].strip().startswith(marks) and not ATTRIBUTE.match(lines[end].strip()):
        end += 1
    return end


def uncommented(lines, marks):
    kept = []
    for line in lines:
        line = line.strip()
        if line.startswith(("/*", "*", "--[[")):
            line = re.sub(r"^(?:/\*+!?|\*/|\*|--\[\[)|(?:\*/)$", "", line)
        else:
            line = line.lstrip("".join(set("".join(marks))))
        kept.append(re.sub(r"\*/$|\]\]$", "", line).strip())
    return "\n".join(kept)


def described(text):
    """The first paragraph of a documentation text, as one line; none if it says nothing."""
    if not text:
        return None
    kept = []
    for line in text.strip().split("\n"):
        line = line.strip()
        tag = re.match(r"[@\\](\w+)\s*(.*)", line)
        if tag:
            if tag[1] in ("brief", "description", "desc", "summary") and tag[2]:
                line = tag[2]
            elif kept:
                break
            else:
                continue
        if not line or re.match(r"(#+ |[-=~*]{4,}|Args:|Parameters|Returns:|>>>|```)", line):
            if kept:
                break
            continue
        kept.append(line)
    text = " ".join(" ".join(kept).split())
    text = re.sub(r"\{@\w+ ([^}]*)\}", r"\1", text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r"</?\w+[^>]*>|`|\*\*", "", text)[:500].strip()
    words = text.split()
    letters = sum(c.isalpha() or c == " " for c in text)
    if len(words) < 3 or letters < 0.75 * len(text) or text.endswith((";", "{", "}", ",")) or NOT_DOC.search(text):
        return None
    return text


def item(lines, start, plain_header):
    """The lines of the item that begins at a line, by indentation."""
    indent = lambda line: len(line) - len(line.lstrip())
    base, header, kept = indent(lines[start]), True, []
    for at in range(start, min(start + ITEM_LINES, len(lines))):
        line, bare = lines[at], lines[at].strip()
        if not header and bare and indent(line) <= base and not (CLOSER.match(bare) or bare == "{"):
            break
        kept.append(line)
        if header:
            opened, closed = line.count("{"), line.count("}")
            if plain_header and not opened:
                header = False
                if not re.match(r"(def|class|module|local function|function)\b", bare):
                    break
            elif opened > closed or bare.endswith(("(", "[", "->", "=>")):
                header = False
            elif (opened and opened == closed) or bare.endswith((";", ",")) or len(kept) > 8 or not bare:
                break
        elif bare and indent(line) <= base and CLOSER.match(bare) and not bare.endswith(("{", "(", "->")):
            break
    return kept


def sections(text):
    """Heading, prose and first block of code of each section of Markdown or reStructuredText."""
    heading, prose, code, block, fenced = "", [], [], [], False
    lines = text.split("\n")
    for at, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            if fenced and block and not code:
                code = block
            fenced, block = not fenced, []
            continue
        if fenced or line.startswith("    "):
            block.append(line)
            continue
        if block and not code and len(block) > 2:
            code = block
        block = []
        below = lines[at + 1].strip() if at + 1 < len(lines) else ""
        underlined = bool(bare) and len(below) >= len(bare) > 2 and re.fullmatch(r"=+|-+|~+|\^+|\*+", below)
        if re.match(r"#{1,6} ", bare) or underlined:
            yield cleaned(heading), cleaned(" ".join(prose)), "\n".join(code)[:ITEM_CHARS]
            heading, prose, code = bare.lstrip("# "), [], []
        elif not re.fullmatch(r"[-=~^*|: ]*", bare) and not bare.startswith((".. ", "|", "<!--", "[![", "![", ":")):
            prose.append(bare)
    yield cleaned(heading), cleaned(" ".join(prose)), "\n".join(code)[:ITEM_CHARS]


def cleaned(text):
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r"</?\w[^>]*>|https?://\S+|[`*]|:\w+:", "", text)
    return " ".join(text.split())


if __name__ == "__main__":
    main()
