#!/usr/bin/env python3
"""The packages that the questions in tests/truth are asked of, and two plain arms to compare a run with.

    docs/truth.py fetch DIR
    docs/truth.py check DIR tests/truth/chunks.jsonl tests/truth/own.jsonl
    docs/truth.py arms DIR tests/truth/own.jsonl --out-grep grep.run --out-bm25 bm25.run

`fetch` lays the packages of tests/truth/packages.jsonl out as DIR/NAME. Each comes through its own registry's client
(cargo, pip, npm, apt-get), as this machine has it set up, and its archive's SHA-256 must be the one of the list. What
is there already, with the same sum, stays. `check` holds the questions against the trees: paths exist, lines lie within
their files. `arms` writes runs in the form that docs/score.py reads. It needs ripgrep (`rg`); nothing needs more than
the standard library of Python 3.12, or of 3.11.4.
"""
import argparse
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

PACKAGES = Path(__file__).resolve().parent.parent / "tests/truth/packages.jsonl"

# The arms.
# The usual values: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
K1, B = 1.2, 0.75
WINDOW = 40  # lines
HITS = 10
LARGEST = 4_000_000  # bytes; a larger file is data
WORD = re.compile(r"\w+")
# Words that say nothing of what is asked for. Only the grep arm drops them: BM25 weighs them down by itself.
STOP = set("a an and are as at be by can do does for from how i if in is it its of on or so that the then there this "
           "to was we what when where which who why with you your".split())


class Failure(Exception):
    """What went wrong, and what to do."""


def read_lines(path):
    lines = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip():
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise Failure(f"{path}, line {number}: not JSON: {error}") from error
    return lines


# --- fetch


def run(*command, cwd=None, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise Failure(f"{' '.join(map(str, command))} failed ({done.returncode}):\n{tail}")
    return done.stdout


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def inside(member, folder):
    """tarfile's own filter, but a link that leads out of the tree is left out and told, and does not end the matter."""
    try:
        return tarfile.data_filter(member, folder)
    except (tarfile.AbsoluteLinkError, tarfile.LinkOutsideDestinationError):
        print(f"  left out, a link that leads out of the tree: {member.name}", flush=True)
        return None


def unpack(archive, into):
    """Unpacks an archive; the one folder that everything lies in, if there is one, is left out."""
    raw = Path(tempfile.mkdtemp(dir=archive.parent))
    with tarfile.open(archive) as tar:
        tar.extractall(raw, filter=inside)
    top = list(raw.iterdir())
    shutil.move(top[0] if len(top) == 1 and top[0].is_dir() else raw, into)


def only_file(folder, what):
    files = [path for path in folder.iterdir() if path.is_file()]
    if len(files) != 1:
        raise Failure(f"{what}: expected one archive, found {sorted(path.name for path in files)}")
    return files[0]


def from_crates(packages, work):
    """Cargo gives folders. It has checked each archive against the sum that it notes down in there."""
    (work / "src").mkdir()
    (work / "src/lib.rs").touch()
    lines = ["[package]", 'name = "truth"', 'version = "0.0.0"', 'edition = "2021"', "[workspace]", "[dependencies]"]
    lines += [f'{p["package"]} = {{ version = "={p["version"]}", default-features = false }}' for p in packages]
    (work / "Cargo.toml").write_text("\n".join(lines) + "\n")
    run("cargo", "vendor", "--quiet", "vendor", cwd=work)
    for package in packages:
        folder = work / "vendor" / package["package"]
        note = folder / ".cargo-checksum.json"
        total = json.loads(note.read_text())["package"]
        note.unlink()
        yield package, total, lambda into, folder=folder: shutil.move(folder, into)


def from_pypi(packages, work):
    for package in packages:
        folder = work / package["repo"]
        folder.mkdir()
        run(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--no-binary", ":all:", f"{package['package']}=={package['version']}", "--dest", str(folder))
        archive = only_file(folder, package["repo"])
        yield package, sha256(archive), lambda into, archive=archive: unpack(archive, into)


def from_npm(packages, work):
    for package in packages:
        folder = work / package["repo"]
        folder.mkdir()
        run("npm", "pack", "--silent", "--ignore-scripts", f"{package['package']}@{package['version']}", cwd=folder)
        archive = only_file(folder, package["repo"])
        yield package, sha256(archive), lambda into, archive=archive: unpack(archive, into)


def from_debian(packages, work):
    """Upstream's archives of Debian source packages, by lists of their own: the machine's set-up is not changed."""
    targets = run("apt-get", "indextargets", "--format", "$(ORIGIN)\t$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)",
                  "Created-By: Packages")
    keyring = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    signed = f" [signed-by={keyring}]" if keyring.exists() else ""
    known = [line.split("\t") for line in targets.splitlines()]
    sources = sorted({f"deb-src{signed} {uri} {suite} {component}\n" for origin, uri, suite, component in known
                      if origin == "Debian" and component == "main"})
    if not sources:
        raise Failure("apt-get knows no Debian archive; on Debian 12, run `apt-get update` first")
    for folder in ("parts", "lists/partial", "cache/archives/partial"):
        (work / folder).mkdir(parents=True)
    (work / "parts/truth.list").write_text("".join(sources))
    options = [word for name, value in (("SourceList", "/dev/null"), ("SourceParts", work / "parts"))
               for word in ("-o", f"Dir::Etc::{name}={value}")]
    options += ["-o", f"Dir::State::Lists={work / 'lists'}", "-o", f"Dir::Cache={work / 'cache'}"]
    options += ["-o", "APT::Sandbox::User=root"]
    run("apt-get", *options, "update")
    for package in packages:
        folder = work / "got" / package["repo"]
        folder.mkdir(parents=True)
        run("apt-get", *options, "source", "--quiet", "--download-only", "--tar-only", "--only-source",
            package["package"], cwd=folder)
        archive = only_file(folder, package["repo"])
        if f"_{package['version']}.orig." not in archive.name:
            raise Failure(f"{package['repo']}: the list wants version {package['version']}, this Debian has "
                          f"{archive.name}; use a machine with Debian 12")
        yield package, sha256(archive), lambda into, archive=archive: unpack(archive, into)


ROADS = {"crates.io": from_crates, "pypi": from_pypi, "npm": from_npm, "debian": from_debian}


def fetch(folder):
    folder.mkdir(parents=True, exist_ok=True)
    notes = folder / ".fetched"
    notes.mkdir(exist_ok=True)
    wanted, failed = defaultdict(list), []
    for package in read_lines(PACKAGES):
        note = notes / package["repo"]
        if not (note.exists() and note.read_text() == package["sha256"] and (folder / package["repo"]).is_dir()):
            wanted[package["from"]].append(package)
    for road, packages in sorted(wanted.items()):
        with tempfile.TemporaryDirectory(dir=folder, prefix=".work-") as work:
            todo = {package["repo"] for package in packages}
            try:
                for package, total, lay in ROADS[road](packages, Path(work)):
                    name = package["repo"]
                    if total != package["sha256"]:
                        failed.append(f"{name}: the archive's SHA-256 is {total}, not {package['sha256']} as listed")
                        continue
                    shutil.rmtree(folder / name, ignore_errors=True)
                    lay(folder / name)
                    (notes / name).write_text(total)
                    todo.discard(name)
                    print(f"{name}: {package['package']} {package['version']}", flush=True)
            except (Failure, tarfile.TarError, OSError) as failure:
                failed.append(f"{road}: {failure}\n  not laid out: {', '.join(sorted(todo))}")
    if failed:
        raise Failure("\n".join(failed))


# --- check


def check(folder, question_files):
    faults, seen = [], set()
    repos = {package["repo"] for package in read_lines(PACKAGES)}
    for path in question_files:
        for number, question in enumerate(read_lines(path), 1):
            place = f"{path}, question {number}"
            missing = {"repo", "query", "category", "language", "targets"} - question.keys()
            if missing:
                faults.append(f"{place}: without {', '.join(sorted(missing))}")
                continue
            if question["repo"] not in repos:
                faults.append(f"{place}: {question['repo']} is not in {PACKAGES.name}")
                continue
            key = (question["repo"], question["query"])
            if key in seen:
                faults.append(f"{place}: asked twice: {key}")
            seen.add(key)
            if (question["category"] == "unanswerable") != (not question["targets"]):
                faults.append(f"{place}: exactly the unanswerable questions have no targets")
            for target in question["targets"]:
                file = folder / question["repo"] / target["path"]
                if not file.is_file():
                    faults.append(f"{place}: no file {target['path']}")
                elif "start" in target:
                    count = len(file.read_bytes().splitlines())
                    first, last = target["start"], target["end"]
                    if not 1 <= first <= last <= count:
                        faults.append(f"{place}: lines {first}-{last} of {count} in {target['path']}")
    if faults:
        raise Failure("\n".join(faults))
    print(f"{len(seen)} questions, all targets are there")


# --- arms


def texts(tree):
    """(path, lines) of the files of a tree that are text, sorted by path."""
    found = []
    for folder, folders, files in os.walk(tree):
        folders.sort()
        for name in files:
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = path.read_bytes()
            if b"\0" not in data[:8192]:
                found.append((path.relative_to(tree).as_posix(), data.decode("utf-8", "replace").split("\n")))
    return sorted(found)


def grep(tree, query):
    """Files by the number of different words of the question in them, then by matches; the first line that matches."""
    words = {word.lower() for word in WORD.findall(query)}
    words = sorted(words - STOP or words)
    if not words:
        return []
    command = ["rg", "--json", "--ignore-case", "--fixed-strings", "--hidden", "--no-ignore", "--sort", "path"]
    command += [option for word in words for option in ("-e", word)]
    done = subprocess.run([*command, "."], cwd=tree, capture_output=True, check=False)
    if done.returncode == 2 and not done.stdout:
        raise Failure(f"rg: {done.stderr.decode(errors='replace').strip()}")
    files = {}
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["type"] != "match" or "text" not in event["data"]["path"]:
            continue
        data = event["data"]
        path = data["path"]["text"].removeprefix("./")
        file = files.setdefault(path, dict(words=set(), matches=0, line=data["line_number"]))
        for match in data["submatches"]:
            file["words"].add(match["match"].get("text", "").lower())
            file["matches"] += 1
    best = sorted(files.items(), key=lambda item: (-len(item[1]["words"]), -item[1]["matches"], item[0]))
    return [dict(path=path, start=file["line"], end=file["line"]) for path, file in best[:HITS]]


class Bm25:
    """Windows of 40 lines, words in lower case as they stand; a file's place is that of its best window."""

    def __init__(self, tree):
        self.windows, self.postings, self.lengths = [], defaultdict(list), []
        for path, lines in texts(tree):
            for start in range(0, len(lines), WINDOW):
                part = lines[start:start + WINDOW]
                counts = Counter(WORD.findall("\n".join(part).lower()))
                if counts:
                    for word, count in counts.items():
                        self.postings[word].append((len(self.windows), count))
                    self.windows.append((path, start + 1, start + len(part)))
                    self.lengths.append(sum(counts.values()))
        self.mean = sum(self.lengths) / max(1, len(self.lengths))

    def find(self, query):
        scores, total = defaultdict(float), len(self.windows)
        for word in sorted(set(WORD.findall(query.lower()))):
            found = self.postings.get(word, [])
            idf = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            for window, count in found:
                norm = K1 * (1 - B + B * self.lengths[window] / self.mean)
                scores[window] += idf * count * (K1 + 1) / (count + norm)
        hits, seen = [], set()
        for window in sorted(scores, key=lambda window: (-scores[window], window)):
            path, start, end = self.windows[window]
            if path not in seen:
                seen.add(path)
                hits.append(dict(path=path, start=start, end=end))
                if len(hits) == HITS:
                    break
        return hits


def arms(folder, question_file, out_grep, out_bm25):
    by_repo = defaultdict(list)
    for question in read_lines(question_file):
        by_repo[question["repo"]].append(question["query"])
    with open(out_grep, "w", encoding="utf-8") as grep_run, open(out_bm25, "w", encoding="utf-8") as bm25_run:
        for repo, queries in sorted(by_repo.items()):
            tree = folder / repo
            if not tree.is_dir():
                raise Failure(f"{tree} is not there; `docs/truth.py fetch {folder}` lays it out")
            bm25 = Bm25(tree)
            for query in queries:
                for out, results in ((grep_run, grep(tree, query)), (bm25_run, bm25.find(query))):
                    out.write(json.dumps(dict(repo=repo, query=query, results=results), ensure_ascii=False) + "\n")
            print(f"{repo}: {len(queries)} questions, {len(bm25.windows)} windows", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("fetch", help="lay the packages out")
    verb.add_argument("dir", type=Path)
    verb = verbs.add_parser("check", help="hold questions against the trees")
    verb.add_argument("dir", type=Path)
    verb.add_argument("questions", type=Path, nargs="+")
    verb = verbs.add_parser("arms", help="write the runs of grep and of BM25")
    verb.add_argument("dir", type=Path)
    verb.add_argument("questions", type=Path)
    verb.add_argument("--out-grep", type=Path, required=True)
    verb.add_argument("--out-bm25", type=Path, required=True)
    a = parser.parse_args()
    try:
        if a.verb == "fetch":
            fetch(a.dir.resolve())
        elif a.verb == "check":
            check(a.dir, a.questions)
        else:
            arms(a.dir, a.questions, a.out_grep, a.out_bm25)
    except Failure as failure:
        sys.exit(f"truth.py: {failure}")


if __name__ == "__main__":
    main()
