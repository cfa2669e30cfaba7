"""Fetches the packages of `sources.tsv`, checks each against its hash and its licence, and unpacks them.

    fetch.py OUT            into OUT/sources/KIND/NAME
    fetch.py OUT --record   the same, and write version, licence and hash of rows that have `-` there

`sources.tsv` has a line for each package: kind, name, version, licence as the package declares it, SHA-256 of the file that
the registry gives, and whether it trains the table or is held out to judge it. Everything is fetched by the registry's own
client, as that is configured; no package's code is run.

Kinds: `crate` (by `cargo vendor`, with `crates/Cargo.lock`), `pypi` (pure wheels), `npm`, `debian` (binary packages that
hold sources).
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "sources.tsv"
COLUMNS = ("kind", "name", "version", "licence", "sha256", "use")

PERMITTED = {"MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSD", "ISC",
             "0BSD", "Zlib", "Unicode-3.0", "Unicode-DFS-2016", "PSF-2.0", "CC0-1.0", "Unlicense", "BSL-1.0", "public-domain"}

# The projects that the ranking is judged on, and what is made by the same hands for use with them: a table that has read
# them would be praised for its memory.
JUDGED = """aiohttp fastapi starlette flask werkzeug jinja2 click httpx httpcore httpx2 httpcore2 model2vec requests axios redux
    reselect immer gin chi gson commons-lang guzzle monolog rack rack-test rails actionpack activerecord activesupport activemodel
    tokio mio bytes slab tracing tower h2 http http-body hyper trpc messagepack alamofire zod nlohmann json-c axum newtonsoft newtonsoft.json
    kotlinx-coroutines exposed circe http4s vapor plug ecto abseil absl curl libcurl libuv uv bats bats-core aeson telescope
    lazy nvm pandoc zig-clap""".split()
JUDGED = re.compile(r"(?:@reduxjs/.*|@trpc/.*|(?:%s)(?:[-_.].*)?|.*[-_/](?:tokio|axum|curl|abseil))" % "|".join(map(re.escape, JUDGED)))

# Names that declarations use, by the identifier of SPDX.
SPELLINGS = {
    "MIT License": "MIT", "The MIT License": "MIT", "The MIT License (MIT)": "MIT", "MIT license": "MIT", "Expat": "MIT",
    "Apache": "Apache-2.0", "Apache 2": "Apache-2.0", "Apache 2.0": "Apache-2.0", "Apache License 2.0": "Apache-2.0",
    "Apache-2": "Apache-2.0", "Apache License, Version 2.0": "Apache-2.0", "Apache Software License": "Apache-2.0",
    "Apache Software License 2.0": "Apache-2.0", "Apache License": "Apache-2.0", "Apache License Version 2.0": "Apache-2.0",
    "BSD License": "BSD", "New BSD": "BSD-3-Clause", "BSD 3-Clause": "BSD-3-Clause", "3-Clause BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause", "BSD-3-clause": "BSD-3-Clause", "BSD-2-clause": "BSD-2-Clause", "Simplified BSD": "BSD-2-Clause",
    "New BSD License": "BSD-3-Clause", "BSD-3": "BSD-3-Clause", "ISC License (ISCL)": "ISC", "ISC License": "ISC", "ISC license": "ISC",
    "Python Software Foundation License": "PSF-2.0", "zlib": "Zlib", "The Unlicense (Unlicense)": "Unlicense",
    "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication": "CC0-1.0", "Public Domain": "public-domain", "Ruby-license": "Ruby",
    "2-clause BSD": "BSD-2-Clause", "Apache 2.0 License": "Apache-2.0", "BSD-0-Clause": "0BSD", "BSD-like": "BSD",
}


class Refused(Exception):
    """A package that may not be used, with the reason."""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out, record = Path(sys.argv[1]), "--record" in sys.argv[2:]
    rows = read()
    (out / "downloads").mkdir(parents=True, exist_ok=True)
    (out / "sources").mkdir(parents=True, exist_ok=True)
    kept, faults = [], []
    for kind, fetch in (("crate", crates), ("pypi", pypi), ("npm", npm), ("debian", debian)):
        of_kind = [row for row in rows if row["kind"] == kind]
        found = fetch(of_kind, out) if of_kind else {}
        for row in of_kind:
            try:
                check(row, found, record)
                kept.append(row)
            except Refused as refused:
                faults.append(f"{kind} {row['name']} {row['version']}: {refused}")
        print(f"{kind}: {len(of_kind)} packages", flush=True)
    if record:
        kept.sort(key=lambda row: (row["kind"], row["name"].lower()))
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write("\t".join(COLUMNS) + "\n")
            file.writelines("\t".join(row[c] for c in COLUMNS) + "\n" for row in kept)
    for fault in faults:
        print(f"refused: {fault}", file=sys.stderr)
    if faults and not record:
        sys.exit("sources.tsv and the registries disagree: mend the rows named above, or take them out")


def read():
    """The rows of `sources.tsv`."""
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    assert tuple(lines[0]) == COLUMNS, f"{TABLE}: the first line names the columns {COLUMNS}"
    return [dict(zip(COLUMNS, line, strict=True)) for line in lines[1:]]


def check(row, found, record):
    """Holds a row against what came: (version, declared licence, SHA-256) by name."""
    if JUDGED.fullmatch(row["name"].lower()):
        raise Refused("it, or a project close to it, is what the ranking is judged on")
    if row["name"] not in found:
        raise Refused("the registry's client did not deliver it")
    came = dict(zip(("version", "licence", "sha256"), found[row["name"]]))
    for column, value in came.items():
        if record and row[column] == "-":
            row[column] = value
        elif row[column] != value:
            raise Refused(f"{column} is {value}, listed is {row[column]}")
    if not permitted(row["licence"]):
        raise Refused(f"licence {row['licence']!r}")


def permitted(expression):
    """Whether a licence expression of SPDX leaves us a choice that consists of permitted licences."""
    words = re.findall(r"[()]|[^\s()]+(?: WITH \S+)?", expression.replace("/", " OR "))

    def joined(word, part, decide):
        found = [part()]
        while words[:1] == [word]:
            words.pop(0)
            found.append(part())
        return decide(found)

    def single():
        word = words.pop(0) if words else ""
        if word != "(":
            return word in PERMITTED
        inner = choice()
        return bool(words) and words.pop(0) == ")" and inner

    choice = lambda: joined("OR", lambda: joined("AND", single, all), any)
    return choice() and not words


def spelled(licence):
    """A declared licence, with the identifiers of SPDX."""
    licence = " ".join((licence or "").split())
    return SPELLINGS.get(licence, licence)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(command, **options):
    print("+", " ".join(str(c) for c in command)[:120], flush=True)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed ({done.returncode}):\n{done.stderr[-3000:]}")
    return done.stdout


def crates(rows, out):
    vendored = out / "downloads/crates"
    if not vendored.exists():
        partial = out / "downloads/crates.partial"
        shutil.rmtree(partial, ignore_errors=True)
        run(["cargo", "vendor", "--quiet", "--locked", "--versioned-dirs", "--manifest-path", HERE / "crates/Cargo.toml", partial])
        partial.rename(vendored)
    # Of several versions of a crate the newest is taken, the rest are near copies.
    found, folders = {}, {}
    for folder in vendored.iterdir():
        name, version = re.fullmatch(r"(.+?)-(\d+\.\d+\.\d+.*)", folder.name).groups()
        order = [int(n) for n in re.findall(r"\d+", version)]
        if name not in folders or order > folders[name][0]:
            folders[name] = (order, version, folder)
    for row in rows:
        if row["name"] in folders:
            _, version, folder = folders[row["name"]]
            declared = re.search(r'^license = "(.*)"$', (folder / "Cargo.toml").read_text(encoding="utf-8"), re.M)
            checksum = json.loads((folder / ".cargo-checksum.json").read_text())["package"]
            found[row["name"]] = (version, declared[1] if declared else "none declared", checksum)
            link(folder, out / "sources/crate" / row["name"])
    return found


def link(folder, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.is_symlink():
        target.symlink_to(os.path.relpath(folder, target.parent))


def wanted(row, mark):
    return row["name"] if row["version"] == "-" else f"{row['name']}{mark}{row['version']}"


def pypi(rows, out):
    store = out / "downloads/pypi"
    store.mkdir(exist_ok=True)
    have = {normal(p.name.split("-")[0]): p for p in sorted(store.glob("*.whl"))}
    missing = [row for row in rows if normal(row["name"]) not in have]
    if missing:
        # Wheels for any platform: the same file everywhere.
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform=any",
             "--implementation=py", "--abi=none", "--python-version=3.11", "--dest", store, *(wanted(row, "==") for row in missing)])
        have = {normal(p.name.split("-")[0]): p for p in sorted(store.glob("*.whl"))}
    found = {}
    for row in rows:
        path = have.get(normal(row["name"]))
        if path is None:
            continue
        target = out / "sources/pypi" / row["name"]
        if not target.exists():
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(target)
        metadata = next(target.glob("*.dist-info/METADATA")).read_text(encoding="utf-8", errors="replace")
        found[row["name"]] = (path.name.split("-")[1], wheel_licence(metadata), sha256(path))
    return found


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def wheel_licence(metadata):
    head = metadata.split("\n\n", 1)[0]
    field = lambda name: [v.strip() for v in re.findall(rf"^{name}: (.*)$", head, re.M)]
    expression = field("License-Expression")
    if expression:
        return expression[0]
    classifiers = [spelled(c.split("::")[-1].strip()) for c in field("Classifier") if c.startswith("License :: OSI Approved ::")]
    if classifiers:
        # Several classifiers do not say whether they are a choice: all must be permitted.
        return " AND ".join(sorted(set(classifiers)))
    licence = field("License")
    return spelled(licence[0]) if licence and len(licence[0]) < 60 else "none declared"


def npm(rows, out):
    store = out / "downloads/npm"
    store.mkdir(exist_ok=True)
    found = {}
    missing = [row for row in rows if archive(store, row) is None]
    for at in range(0, len(missing), 20):
        run(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", store, *(wanted(r, "@") for r in missing[at:at + 20])])
    for row in rows:
        path = archive(store, row)
        if path is None:
            continue
        target = out / "sources/npm" / row["name"].replace("/", "+")
        if not target.exists():
            unpack(path, target)
        manifest = json.loads(next(target.glob("*/package.json")).read_text(encoding="utf-8"))
        licence = manifest.get("license") or "none declared"
        licence = licence.get("type", "none declared") if isinstance(licence, dict) else licence
        found[row["name"]] = (manifest["version"], spelled(licence), sha256(path))
    return found


def archive(store, row):
    """The downloaded archive of an npm package: `@scope/name` lies in `scope-name-VERSION.tgz`."""
    stem = row["name"].removeprefix("@").replace("/", "-")
    if row["version"] != "-":
        path = store / f"{stem}-{row['version']}.tgz"
        return path if path.exists() else None
    return next((p for p in sorted(store.glob(f"{stem}-*.tgz")) if re.fullmatch(re.escape(stem) + r"-\d.*", p.stem)), None)


def unpack(path, target):
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    with tarfile.open(path) as tar:
        tar.extractall(partial, filter="data")
    partial.rename(target)


def debian(rows, out):
    store = out / "downloads/debian"
    store.mkdir(exist_ok=True)
    missing = [row for row in rows if not list(store.glob(f"{row['name']}_*.deb"))]
    if missing:
        # As root, apt would drop to a user who may not write here.
        run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *(wanted(row, "=") for row in missing)], cwd=store)
    found = {}
    for row in rows:
        path = next(iter(store.glob(f"{row['name']}_*.deb")), None)
        if path is None:
            continue
        target = out / "sources/debian" / row["name"]
        if not target.exists():
            target.mkdir(parents=True)
            run(["dpkg-deb", "-x", path, target])
        version = run(["dpkg-deb", "-f", path, "Version"]).strip()
        found[row["name"]] = (version, debian_licence(target / "usr/share/doc" / row["name"] / "copyright"), sha256(path))
    return found


def debian_licence(path):
    """All licences of a package by its machine-readable copyright file, but that of Debian's own files."""
    if not path.exists():
        return "none declared"
    licences = set()
    for stanza in path.read_text(encoding="utf-8", errors="replace").split("\n\n"):
        files = re.search(r"^Files:\s*(.*)$", stanza, re.M)
        licence = re.search(r"^License:\s*(.*)$", stanza, re.M)
        if files and licence and not files[1].startswith("debian/"):
            choices = re.split(r"\s+(?:or|and/or)\s+|\s*\|\s*", licence[1].strip())
            choice = " OR ".join(spelled(c) for c in choices)
            licences.add(f"({choice})" if len(choices) > 1 else choice)
    return " AND ".join(sorted(licences)) or "none declared"


if __name__ == "__main__":
    main()
