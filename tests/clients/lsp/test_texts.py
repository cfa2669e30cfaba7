"""Positions in three encodings, edits that are not saved, line ends, encodings on disk."""

import pytest
from lsprotocol import types as lsp

import conftest

HARD = """\
# 👩‍👩‍👧 family
def gr\u00fc\u00dfe(n):
    a = "😀 e\u0301 漢"; b = helfer(n); return a, b  # 😀


def helfer(n):
    return n
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_columns(tmp_path, encoding):
    root = tmp_path / "project"
    conftest.write(root, {"a.py": HARD, "b.py": "from a import helfer\nx = '😀😀'; helfer(1)\n"})
    async with conftest.session(root, encodings=[encoding]) as editor:
        assert editor.encoding == encoding
        helper = ("a.py", 6, "helfer")
        assert await editor.definition("a.py", "helfer(n); ") == [helper]
        assert await editor.definition("b.py", "helfer(1)") == [helper]
        uses = [("a.py", 3, "helfer"), helper, ("b.py", 1, "helfer"), ("b.py", 2, "helfer")]
        assert await editor.references("a.py", "def helfer", "helfer") == uses
        # A variable behind the emoji, and the parameter before it.
        assert await editor.definition("a.py", "b  # ") == [("a.py", 3, "b")]
        names = [symbol.name for symbol in await editor.symbols("a.py")]
        assert names == ["grüße", "helfer"]
        first = (await editor.symbols("a.py"))[0]
        assert editor.cut(lsp.Location(editor.uri("a.py"), first.selection_range)) == ("a.py", 2, "grüße")
        last = first.range.end
        line = HARD.split("\n")[last.line]
        assert editor.columns(line, 0, last.character) in line and last.line == 2


async def test_utf_16_where_nothing_is_offered(tmp_path):
    root = tmp_path / "project"
    conftest.write(root, {"a.py": HARD})
    async with conftest.session(root, encodings=[]) as editor:
        assert editor.encoding == "utf-16"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_line_ends(tmp_path, end):
    root = tmp_path / "project"
    text = f"def one():{end}    return 1{end}{end}{end}def two():{end}    return one() # \u2028 no end{end}"
    conftest.write(root, {"a.py": text})
    async with conftest.session(root) as editor:
        found = await editor.symbols("a.py")
        assert [(s.name, s.range.start.line, s.range.end.line) for s in found] == [("one", 0, 1), ("two", 4, 5)]
        document = lsp.TextDocumentIdentifier(uri=editor.uri("a.py"))
        position = lsp.Position(5, 12)
        params = lsp.DefinitionParams(text_document=document, position=position)
        [link] = await editor.client.text_document_definition_async(params)
        assert link.target_selection_range.start == lsp.Position(0, 4)


async def test_files_that_are_not_utf_8(tmp_path):
    root = tmp_path / "project"
    text = "# äöü 😀\ndef vier():\n    return 4\n"
    conftest.write(root, {
        "wide.py": text.encode("utf-16"),
        "mark.py": b"\xef\xbb\xbf" + text.replace("vier", "drei").encode(),
        "latin.py": "# äöü\nx = 'é'; y = 1\ndef fünf():\n    return 5\n".encode("latin-1"),
    })
    async with conftest.session(root) as editor:
        # The comment directly before a function belongs to it.
        for name, first, last in [("vier", 0, 2), ("drei", 0, 2), ("fünf", 2, 3)]:
            [symbol] = await editor.workspace_symbols(name)
            start, end = symbol.location.range.start, symbol.location.range.end
            assert (start.line, start.character, end.line, end.character) == (first, 0, last, 12), name


async def test_an_edit_is_seen_at_once(editor):
    path = "python/sender/retries.py"
    editor.open(path, "python")
    old = editor.text(path)
    # Ten lines before the function, by parts: the places of it move, in this file and as seen from others.
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    editor.change(path, 2, lsp.TextDocumentContentChangePartial(range=top, text="# 😀\n" * 10))
    editor.open_texts[editor.uri(path)] = "# 😀\n" * 10 + old
    call = ("python/sender/main.py", "retry_call(2", "retry_call")
    assert await editor.definition(*call) == [(path, 14, "retry_call")]
    assert [s.range.start.line for s in await editor.symbols(path)] == [13]
    # Two changes in one message, each after the one before: renamed, and a new function that is nowhere on disk.
    at = editor.position(path, "retry_call")
    word = lsp.Range(at, lsp.Position(at.line, at.character + len("retry_call")))
    end = lsp.Range(lsp.Position(99, 0), lsp.Position(99, 0))
    editor.change(
        path, 3,
        lsp.TextDocumentContentChangePartial(range=word, text="call_again"),
        lsp.TextDocumentContentChangePartial(range=end, text="\n\ndef brand_new():\n    return call_again(1, None)\n"),
    )
    text = editor.open_texts[editor.uri(path)].replace("retry_call", "call_again", 1)
    editor.open_texts[editor.uri(path)] = text + "\n\ndef brand_new():\n    return call_again(1, None)\n"
    assert [s.name for s in await editor.symbols(path)] == ["call_again", "brand_new"]
    assert await editor.definition(path, "call_again(1", "call_again") == [(path, 14, "call_again")]
    assert [s.name for s in await editor.workspace_symbols("brand_new")] == ["brand_new"]
    assert await editor.definition(*call) in (None, [])
    # The whole text.
    editor.change(path, 4, lsp.TextDocumentContentChangeWholeDocument(text=old))
    editor.open_texts[editor.uri(path)] = old
    assert await editor.definition(*call) == [(path, 4, "retry_call")]
    # Closed without saving: the disk counts.
    editor.change(path, 5, lsp.TextDocumentContentChangeWholeDocument(text="x = 1\n"))
    assert await editor.definition(*call) in (None, [])
    editor.close(path)
    assert await editor.definition(*call) == [(path, 4, "retry_call")]


async def test_a_file_that_is_not_on_disk_yet(editor):
    path = "python/sender/fresh.py"
    editor.open(path, "python", "from sender.retries import retry_call\n\n\ndef fresh():\n    retry_call(1, None)\n    fresh()\n")
    assert [s.name for s in await editor.symbols(path)] == ["fresh"]
    assert await editor.definition(path, "fresh()\n") == [(path, 4, "fresh")]


async def test_a_change_on_disk_is_seen(editor):
    call = ("rust/src/client.rs", "with_retry(2", "with_retry")
    assert await editor.definition(*call) == [("rust/src/retry.rs", 4, "with_retry")]
    path = editor.root / "rust/src/retry.rs"
    path.write_text("// new\n" + path.read_text())
    change = lsp.FileEvent(uri=path.as_uri(), type=lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[change]))
    assert await editor.definition(*call) == [("rust/src/retry.rs", 5, "with_retry")]


async def test_versions_do_not_go_back(editor):
    path = "python/sender/retries.py"
    editor.open(path, "python")
    editor.change(path, 5, lsp.TextDocumentContentChangeWholeDocument(text="def five(): pass\n"))
    editor.change(path, 4, lsp.TextDocumentContentChangeWholeDocument(text="def four(): pass\n"))
    editor.change("never/opened.py", 1, lsp.TextDocumentContentChangeWholeDocument(text=""))
    assert [s.name for s in await editor.symbols(path)] == ["five"]
    assert len([m for m in editor.client.messages if "not open" in m.message or "version 4" in m.message]) == 2
