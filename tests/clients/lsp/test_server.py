"""Folders, switches, progress, diagnostics, cancellation."""

import asyncio

import pytest
from lsprotocol import types as lsp

import conftest
import tree


async def test_only_what_is_on_is_offered(project):
    async with conftest.session(project, arguments=["--disable", "hover,call-hierarchy"], options={"disable": ["search"]}) as editor:
        can = editor.result.capabilities
        assert can.hover_provider is None and can.call_hierarchy_provider is None and can.execute_command_provider is None
        assert can.definition_provider is not None and can.document_symbol_provider is not None
        # Not unless it is asked for: a language's own server does it better.
        assert can.diagnostic_provider is None
        with pytest.raises(Exception, match="switched off"):
            await editor.hover("rust/src/lib.rs", "retry")
    assert editor.result.server_info.name == "seekwell"


async def test_options_that_are_not_understood_are_told(project):
    async with conftest.session(project, options={"disabled": ["hover"], "disable": ["hoover"]}) as editor:
        told = " ".join(message.message for message in editor.client.messages)
        assert "disabled" in told and "hoover" in told and "documentSymbol" in told
        assert editor.result.capabilities.hover_provider is not None


async def test_diagnostics_that_the_client_asks_for(project):
    async with conftest.session(project, arguments=["--enable", "diagnostics"]) as editor:
        editor.open("bad.rs", "rust", "fn a() {\n    let 😀x = (1;\n}\n")
        document = lsp.TextDocumentIdentifier(uri=editor.uri("bad.rs"))
        params = lsp.DocumentDiagnosticParams(text_document=document)
        report = await editor.client.text_document_diagnostic_async(params)
        assert report.kind == "full" and report.items
        assert all(item.source == "seekwell" and item.range.start.line == 1 for item in report.items), report.items
        params.previous_result_id = report.result_id
        assert (await editor.client.text_document_diagnostic_async(params)).kind == "unchanged"
        editor.change("bad.rs", 2, lsp.TextDocumentContentChangeWholeDocument(text="fn a() {}\n"))
        assert list((await editor.client.text_document_diagnostic_async(params)).items) == []


async def test_diagnostics_that_are_sent(project):
    def push_only(capabilities):
        capabilities.text_document.diagnostic = None

    async with conftest.session(project, arguments=["--enable", "diagnostics"], change=push_only) as editor:
        assert editor.result.capabilities.diagnostic_provider is None
        editor.open("bad.py", "python", "def a(:\n    pass\n")
        await editor.client.wait_for_notification("textDocument/publishDiagnostics")
        [*found] = editor.client.diagnostics[editor.uri("bad.py")]
        assert found and found[0].range.start.line == 0
        editor.change("bad.py", 2, lsp.TextDocumentContentChangeWholeDocument(text="def a():\n    pass\n"))
        await editor.client.wait_for_notification("textDocument/publishDiagnostics")
        assert list(editor.client.diagnostics[editor.uri("bad.py")]) == []


async def test_several_folders(project):
    async with conftest.session(project, folders=["rust", "python"]) as editor:
        assert await editor.definition("rust/src/client.rs", "with_retry(2") == [("rust/src/retry.rs", 4, "with_retry")]
        assert await editor.definition("python/sender/main.py", "retry_call(2") == [("python/sender/retries.py", 4, "retry_call")]
        run = {symbol.location.uri for symbol in await editor.workspace_symbols("run")}
        assert run == {editor.uri("rust/src/client.rs"), editor.uri("python/sender/main.py")}
        # One goes, one comes.
        folder = lambda name: lsp.WorkspaceFolder(uri=editor.uri(name), name=name)
        event = lsp.WorkspaceFoldersChangeEvent(added=[folder("go")], removed=[folder("rust")])
        editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event=event))
        run = {symbol.location.uri for symbol in await editor.workspace_symbols("run")}
        assert run == {editor.uri("go/sender/retry.go"), editor.uri("python/sender/main.py")}
        found = {hit["path"] for hit in (await editor.search("retry"))["hits"]}
        assert "sender/retry.go" in found and "sender/retries.py" in found and "src/retry.rs" not in found


async def test_a_folder_inside_of_another(project):
    async with conftest.session(project, folders=["", "rust"]) as editor:
        assert await editor.definition("rust/src/client.rs", "with_retry(2") == [("rust/src/retry.rs", 4, "with_retry")]
        found = await editor.workspace_symbols("with_retry")
        assert len(found) == 1, "each symbol once"


async def test_a_file_outside_of_all_folders(project):
    async with conftest.session(project, folders=["rust"]) as editor:
        path = "python/sender/retries.py"
        with pytest.raises(Exception, match="not open, and in none of the open folders"):
            await editor.symbols(path)
        editor.open(path, "python")
        assert [s.name for s in await editor.symbols(path)] == ["retry_call"]
        assert await editor.definition(path, "left -= 1") == [(path, 6, "left")]
        assert await editor.definition(path, "retry_call") == [(path, 4, "retry_call")]
        assert "Tries again" in await editor.hover(path, "retry_call")


async def test_no_folder_at_all(project):
    async with conftest.session(project, folders=[]) as editor:
        path = "rust/src/client.rs"
        editor.open(path, "rust")
        assert await editor.definition(path, "&request", "request") == [(path, 26, "request")]
        assert await editor.definition(path, "request = WebRequest", "WebRequest") == [(path, 7, "WebRequest")]
        assert [s.name for s in await editor.workspace_symbols("WeReq")] == ["WebRequest"]
        [item] = await editor.calls(path, "fn run", "run")
        assert await editor.incoming(item) == []
        with pytest.raises(Exception, match="no folder is open"):
            await editor.search("retry")


async def test_a_buffer_that_was_never_saved(project):
    async with conftest.session(project, folders=["rust"]) as editor:
        text = "def one():\n    return two()\n\n\ndef two():\n    return 2\n"
        uri = "untitled:Untitled-1"
        item = lsp.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
        document = lsp.TextDocumentIdentifier(uri=uri)
        symbols = await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
        assert [s.name for s in symbols] == ["one", "two"]
        params = lsp.DefinitionParams(text_document=document, position=lsp.Position(1, 11))
        [link] = await editor.client.text_document_definition_async(params)
        assert (link.target_uri, link.target_selection_range.start) == (uri, lsp.Position(4, 4))


async def test_everything_is_no_project(project, tmp_path):
    async with conftest.session(project, folders=["/"]) as editor:
        assert any("open the folder of a project" in message.message for message in editor.client.messages)
        editor.open("rust/src/retry.rs", "rust")
        assert [s.name for s in await editor.symbols("rust/src/retry.rs")] == ["with_retry"]


async def test_progress_says_how_it_ended(project):
    async with conftest.session(project) as editor:
        await editor.workspace_symbols("run")
        for _ in range(100):
            ends = [r for reports in editor.client.progress_reports.values() for r in reports if r.kind == "end"]
            if ends:
                break
            await asyncio.sleep(0.1)
        [end] = ends
        assert f"{len(tree.ALL)} files" in end.message, end
        begun = next(iter(editor.client.progress_reports.values()))[0]
        assert begun.title == "seekwell: project"


async def test_progress_on_a_token_of_the_client(editor):
    editor.client.progress_reports["mine"] = []
    params = lsp.WorkspaceSymbolParams(query="run", work_done_token="mine")
    await editor.client.workspace_symbol_async(params)
    kinds = [report.kind for report in editor.client.progress_reports["mine"]]
    assert kinds[0] == "begin" and kinds[-1] == "end"


async def test_older_clients_get_flat_symbols_and_locations(project):
    def old(capabilities):
        capabilities.text_document.document_symbol.hierarchical_document_symbol_support = False
        capabilities.text_document.definition.link_support = False
        capabilities.text_document.hover.content_format = ["plaintext"]

    async with conftest.session(project, change=old) as editor:
        found = await editor.symbols("python/sender/transport.py")
        assert {(s.name, s.container_name) for s in found if s.name == "send"} == {
            ("send", "Transport"), ("send", "WebTransport"), ("send", "OfflineTransport"),
        }
        assert await editor.definition("rust/src/client.rs", "with_retry(2") == [("rust/src/retry.rs", 4, "with_retry")]
        assert "```" not in await editor.hover("rust/src/client.rs", "with_retry(2")


@pytest.mark.parametrize("client", ["neovim", "emacs", "visual_studio_code"])
async def test_as_these_editors_say_what_they_can(project, client):
    async with conftest.session(project, client=client) as editor:
        editor.open("rust/src/client.rs", "rust")
        assert await editor.definition("rust/src/client.rs", "with_retry(2") == [("rust/src/retry.rs", 4, "with_retry")]
        assert "with_retry" in await editor.hover("rust/src/client.rs", "with_retry(2")
        assert len(await editor.references("rust/src/client.rs", "with_retry(2")) == 3
        assert await editor.symbols("rust/src/client.rs")


async def test_many_requests_at_once(editor):
    place = ("rust/src/client.rs", "with_retry(2", "with_retry")
    answers = await asyncio.gather(
        *[editor.definition(*place) for _ in range(20)],
        *[editor.hover(*place) for _ in range(20)],
        *[editor.symbols("go/sender/retry.go") for _ in range(20)],
        *[editor.references(*place) for _ in range(20)],
    )
    assert all(answer == [("rust/src/retry.rs", 4, "with_retry")] for answer in answers[:20])
    assert len({str(answer) for answer in answers[20:40]}) == 1
    assert all(len(answer) == 3 for answer in answers[60:])
