"""Every method that is offered, in four languages, with the right answers."""

import pytest
from lsprotocol import types as lsp

RETRY = {
    "rust": ("rust/src/retry.rs", "with_retry", ("rust/src/client.rs", "with_retry(2", "with_retry"), 4),
    "python": ("python/sender/retries.py", "retry_call", ("python/sender/main.py", "retry_call(2", "retry_call"), 4),
    "typescript": ("web/src/retry.ts", "retryCall", ("web/src/main.ts", "retryCall(2", "retryCall"), 4),
    "go": ("go/sender/retry.go", "RetryCall", ("go/sender/retry.go", "RetryCall(2", "RetryCall"), 4),
}
TRANSPORT = {
    "rust": "rust/src/client.rs",
    "python": "python/sender/transport.py",
    "typescript": "web/src/transport.ts",
    "go": "go/sender/transport.go",
}
LANGUAGES = list(RETRY)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_definition(editor, language):
    path, name, call, line = RETRY[language]
    assert await editor.definition(*call) == [(path, line, name)]
    # At its definition a name means itself, and directly behind a name the cursor still means it.
    assert await editor.definition(path, name + "(") == [(path, line, name)]
    assert await editor.definition(path, name + "(", "(") == [(path, line, name)]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_definition_of_a_type_in_a_signature(editor, language):
    path = RETRY[language][0]
    written = {"rust": "dyn Transport", "python": "transport: Transport", "typescript": "transport: Transport", "go": "transport Transport"}
    found = await editor.definition(path, written[language], "Transport")
    assert [(f[0], f[2]) for f in found] == [(TRANSPORT[language], "Transport")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_definition_of_an_import(editor, language):
    places = {
        "rust": ("rust/src/client.rs", "retry::with_retry", "with_retry"),
        "python": ("python/sender/main.py", "import retry_call", "retry_call"),
        "typescript": ("web/src/main.ts", "{ retryCall }", "retryCall"),
        "go": RETRY["go"][2],
    }
    path, name, _, line = RETRY[language]
    assert await editor.definition(*places[language]) == [(path, line, name)]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_variables_and_parameters(editor, language):
    path = RETRY[language][0]
    declared, used = {
        "rust": (5, 10), "python": (6, 10), "typescript": (5, 5), "go": (5, 5),
    }[language]
    needle = {"rust": "left -= 1", "python": "left -= 1", "typescript": "left -= 1", "go": "left--"}[language]
    assert await editor.definition(path, needle) == [(path, declared, "left")]
    found = await editor.references(path, needle)
    assert {(f[0], f[2]) for f in found} == {(path, "left")}
    assert [f[1] for f in found] == {
        "rust": [5, 6, 10], "python": [6, 7, 10], "typescript": [5, 5, 5], "go": [5, 5, 5],
    }[language]
    # A parameter is found from its use.
    times = await editor.references(path, "times", declaration=False)
    assert [f[1] for f in times] == [declared], times
    assert "declared in line" in await editor.hover(path, needle)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_references(editor, language):
    path, name, call, line = RETRY[language]
    found = await editor.references(path, name + "(")
    assert (path, line, name) in found
    assert {f[2] for f in found} == {name}
    uses = [f for f in found if f != (path, line, name)]
    expected = {
        "rust": [("rust/src/client.rs", 1), ("rust/src/client.rs", 27)],
        "python": [("python/sender/main.py", 1), ("python/sender/main.py", 7)],
        "typescript": [("web/src/main.ts", 1), ("web/src/main.ts", 6)],
        "go": [("go/sender/retry.go", 16)],
    }
    assert [f[:2] for f in uses] == expected[language]
    assert await editor.references(path, name + "(", declaration=False) == uses
    # The same from a use.
    assert await editor.references(*call) == found


@pytest.mark.parametrize("language", LANGUAGES)
async def test_references_of_a_type(editor, language):
    path = TRANSPORT[language]
    needle = {"rust": "trait Transport", "python": "class Transport", "typescript": "interface Transport", "go": "type Transport"}
    found = await editor.references(path, needle[language], "Transport")
    other = RETRY[language][0]
    signature = {"rust": 4, "python": 4, "typescript": 4, "go": 4}[language]
    assert (other, signature, "Transport") in found, found


@pytest.mark.parametrize("language", LANGUAGES)
async def test_hover(editor, language):
    text = await editor.hover(*RETRY[language][2])
    path, name, _, line = RETRY[language]
    assert text.startswith("```") and name in text
    assert "ries again until it works" in text
    assert f"`{path}:{line}`" in text
    assert {"go": "defined in this file"}.get(language, "imported by this file") in text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_implementation_of_an_interface(editor, language):
    path = TRANSPORT[language]
    needle = {"rust": "trait Transport", "python": "class Transport", "typescript": "interface Transport", "go": "type Transport"}
    found = await editor.implementation(path, needle[language], "Transport")
    expected = {
        "rust": ["WebRequest", "Offline"],
        "python": ["WebTransport", "OfflineTransport"],
        "typescript": ["WebTransport", "OfflineTransport"],
        "go": ["WebTransport"],
    }
    assert [f[2] for f in found] == expected[language]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_implementation_of_a_method(editor, language):
    path = TRANSPORT[language]
    needle, name, lines = {
        "rust": ("fn send", "send", [12, 20]),
        "python": ("def send", "send", [9, 14]),
        "typescript": ("  send(", "send", [6, 12]),
        "go": ("	Send(", "Send", [14]),
    }[language]
    found = await editor.implementation(path, needle, name)
    assert found == [(path, line, name) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_call_hierarchy(editor, language):
    path, name, call, line = RETRY[language]
    [item] = await editor.calls(*call)
    assert item.name == name and editor.path(item.uri) == path
    assert item.selection_range.start.line == line - 1
    run, run_line = {"rust": ("run", 27), "python": ("run", 7), "typescript": ("run", 6), "go": ("Run", 16)}[language]
    assert await editor.incoming(item) == [(run, [(run_line, name)])]
    out = await editor.outgoing(item)
    send = "Send" if language == "go" else "send"
    assert send in [name for name, _ in out], out
    ranges = dict(out)[send]
    assert [text for _, text in ranges] == [send]
    [caller] = await editor.calls(call[0], {"rust": "fn run", "python": "def run", "typescript": "function run", "go": "func Run"}[language], run)
    assert name in [called for called, _ in await editor.outgoing(caller)]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_document_symbols(editor, language):
    path = TRANSPORT[language]
    symbols = await editor.symbols(path)
    names = {
        "rust": ["Transport", "WebRequest", "WebRequest", "Offline", "Offline", "run"],
        "python": ["Transport", "WebTransport", "OfflineTransport"],
        "typescript": ["Transport", "WebTransport", "OfflineTransport"],
        "go": ["sender", "Transport", "WebTransport", "Send"],
    }
    assert [s.name for s in symbols] == names[language]

    def check(symbol, inside):
        assert inside is None or contains(inside, symbol.range), symbol
        assert contains(symbol.range, symbol.selection_range), symbol
        cut = editor.cut(lsp.Location(editor.uri(path), symbol.selection_range))
        assert cut[2] == symbol.name
        for child in symbol.children or []:
            check(child, symbol.range)

    for symbol in symbols:
        check(symbol, None)
    interface = next(s for s in symbols if s.name == "Transport")
    assert [c.name for c in interface.children] == ["Send" if language == "go" else "send"]


def contains(outer, inner):
    key = lambda p: (p.line, p.character)
    return key(outer.start) <= key(inner.start) and key(inner.end) <= key(outer.end)


async def test_symbols_of_prose_and_data(editor):
    [top] = await editor.symbols("README.md")
    assert top.name == "Sender" and [c.name for c in top.children] == ["Use"]
    assert top.range.end.line == 7
    [retries] = await editor.symbols("settings/app.json")
    assert retries.name == "retries" and [c.name for c in retries.children] == ["times"]


async def test_documentation_leads_to_the_code(editor):
    assert await editor.definition("README.md", "`with_retry`", "with_retry") == [("rust/src/retry.rs", 4, "with_retry")]
    assert await editor.definition("README.md", "things") is None


async def test_module_of_rust(editor):
    assert await editor.definition("rust/src/lib.rs", "mod retry", "retry") == [("rust/src/retry.rs", 1, "")]


async def test_workspace_symbols(editor):
    async def names(query):
        return [symbol.name for symbol in await editor.workspace_symbols(query)]

    assert await names("with_retry") == ["with_retry"]
    assert set(await names("WR")) == {"with_retry", "WebRequest"}
    assert await names("reca") == ["retry_call", "retryCall", "RetryCall"] or set(await names("reca")) == {"retry_call", "retryCall", "RetryCall"}
    assert (await names("Transport"))[0] == "Transport"
    assert await names("no_such_thing_anywhere") == []
    # Nothing typed: what matters most.
    found = await editor.workspace_symbols("")
    assert len(found) > 10 and "with_retry" in [s.name for s in found]
    for symbol in found:
        text = editor.text(editor.path(symbol.location.uri)).split("\n")
        lines = text[symbol.location.range.start.line : symbol.location.range.end.line + 1]
        assert symbol.name in "\n".join(lines)
        assert symbol.location.range.start != symbol.location.range.end, "the range is all of it"
    qualified = await editor.workspace_symbols("OfflineTransport.send")
    assert [s.container_name for s in qualified] == ["OfflineTransport", "OfflineTransport"]


async def test_highlights(editor):
    write, read = lsp.DocumentHighlightKind.Write, lsp.DocumentHighlightKind.Read
    assert await editor.highlight("rust/src/retry.rs", "left -= 1") == [(5, write), (6, read), (10, write)]
    found = await editor.highlight("rust/src/client.rs", "with_retry(2")
    assert [line for line, _ in found] == [1, 27]
    assert await editor.highlight("README.md", "# Sender", " ") is None


async def test_search(editor):
    answer = await editor.search("try again until it works")
    assert answer["notFound"] is False and answer["partial"] is False
    found = {hit["path"] for hit in answer["hits"]}
    assert {"rust/src/retry.rs", "python/sender/retries.py", "web/src/retry.ts", "go/sender/retry.go"} <= found
    for hit in answer["hits"]:
        span = hit["location"]["range"]
        lines = editor.text(hit["path"]).split("\n")[span["start"]["line"] : span["end"]["line"] + 1]
        assert "\n".join(lines).rstrip("\n") == hit["snippet"].rstrip("\n")
    one = await editor.search({"query": "retry", "limit": 1, "languages": ["go"]})
    assert [hit["path"] for hit in one["hits"]] == ["go/sender/retry.go"]


async def test_search_says_what_is_wrong(editor):
    for arguments, word in [([{"query": "x", "top_k": 1}], "top_k"), ([], "takes one argument"), ([""], "empty")]:
        with pytest.raises(Exception, match=word):
            await editor.search(*arguments)
    params = lsp.ExecuteCommandParams(command="seekwell.nothing")
    with pytest.raises(Exception, match="seekwell.search"):
        await editor.client.workspace_execute_command_async(params)


async def test_odd_paths(editor):
    path = "with blank/é%41#.py"
    assert await editor.definition(path, "odd_name()", nth=1) == [(path, 1, "odd_name")]
    [found] = await editor.workspace_symbols("odd_name")
    assert found.location.uri == editor.uri(path)


async def test_code_inside_of_a_string(editor):
    path = "python/sender/text.py"
    editor.open(path, "python", "def shown(name):\n    return f'{name}: {shown(name)} name'\n")
    assert await editor.definition(path, "{name}", "name") == [(path, 1, "name")]
    assert await editor.definition(path, "{shown", "shown") == [(path, 1, "shown")]
    assert [f[1] for f in await editor.references(path, "name)")] == [1, 2, 2]
    assert await editor.definition(path, "} name", "name") is None


async def test_nothing_where_there_is_nothing(editor):
    path = "rust/src/retry.rs"
    for place in [(path, "Tries again", "again"), (path, '"ping"', "ping"), (path, "{\n", "{")]:
        assert await editor.definition(*place) is None, place
        assert await editor.hover(*place) is None, place
        assert await editor.references(*place) is None, place
    # A member of the language's own types is not taken for one of the tree.
    assert await editor.definition("rust/src/client.rs", "is_empty") is None
