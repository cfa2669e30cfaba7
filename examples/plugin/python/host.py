"""The engine as a plugin of a Python program: `python host.py seekwell.wasm FOLDER QUERY`, with `pip install wasmtime`.

The component imports nothing, so the linker is empty: the plugin can touch what it is handed, and nothing else.
"""

import sys
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

component, folder, text = sys.argv[1:]
engine = Engine()
store = Store(engine)
plugin = Linker(engine).instantiate(store, Component.from_file(engine, component))


def function(interface, name):
    index = plugin.get_export_index(store, f"seekwell:engine/{interface}@0.1.0")
    called = plugin.get_func(store, plugin.get_export_index(store, name, index))

    def call(*arguments):
        result = called(store, *arguments)
        called.post_return(store)
        return result

    return call


def record(**fields):
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


analyse, find = function("analysis", "analyse"), function("search", "find")
workspace = function("corpus", "[constructor]workspace")(True)
add, commit = function("corpus", "[method]workspace.add"), function("corpus", "[method]workspace.commit")

# Files come in the order of their paths' bytes.
paths = sorted((p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file()), key=str.encode)
for path in paths:
    analysis = analyse(path, Path(folder, path).read_bytes(), record(vectors=True, degrade=None))
    if isinstance(analysis, bytes):  # a file that is no text has no analysis
        add(workspace, path, analysis)
commit(workspace)

query = record(
    text=text, mode="hybrid", limit=10, per_file=1, offset=0, languages=[], globs=[], path_prefix="", kinds=[], scope=None,
    explain=False,
)
answer = find(workspace, query, [])
answer = answer.payload if isinstance(answer, Variant) else answer
for hit in answer.hits:
    print(f"{hit.path}:{hit.lines.start}-{hit.lines.end} {hit.kind} {hit.symbol}")
