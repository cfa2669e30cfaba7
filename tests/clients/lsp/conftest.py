"""Drives the server as an editor does: with the client of pytest-lsp, which also checks each answer against what the client
said that it can. `SEEKWELL_BINARY` names the server."""

import asyncio
import contextlib
import os
import pathlib

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pytest_lsp import client_capabilities, make_test_lsp_client

import tree


# Nothing takes this long, unless it hangs.
HANGS = 60


class Waiting:
    """The requests of a client, with an end to the waiting."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        method = getattr(self.client, name)
        if not name.endswith("_async"):
            return method
        return lambda *params: asyncio.wait_for(method(*params), HANGS)


class Editor:
    """A client with the texts that it has open."""

    def __init__(self, client, root, encoding="utf-16"):
        self.client = Waiting(client)
        self.root = pathlib.Path(root)
        self.encoding = encoding
        self.open_texts = {}
        self.result = None

    # Places.

    def uri(self, path):
        return (self.root / path).as_uri()

    def text(self, path):
        uri = self.uri(path)
        if uri in self.open_texts:
            return self.open_texts[uri]
        return (self.root / path).read_bytes().decode()

    def position(self, path, needle, inside="", nth=0):
        """Where `inside` begins in the nth place of `needle`."""
        text = self.text(path)
        at = -1
        for _ in range(nth + 1):
            at = text.index(needle, at + 1)
        at += needle.index(inside) if inside else 0
        before = text[:at].split("\n")
        return lsp.Position(len(before) - 1, self.units(before[-1]))

    def units(self, text):
        """How many columns a text is wide."""
        if self.encoding == "utf-8":
            return len(text.encode())
        if self.encoding == "utf-16":
            return len(text.encode("utf-16-le")) // 2
        return len(text)

    def cut(self, location):
        """The text at a location: (path, line from one, text)."""
        uri = getattr(location, "uri", None) or location.target_uri
        span = getattr(location, "range", None) or location.target_selection_range
        path = self.path(uri)
        lines = self.text(path).split("\n")
        assert span.start.line == span.end.line, span
        line = lines[span.start.line]
        return (path, span.start.line + 1, self.columns(line, span.start.character, span.end.character))

    def columns(self, line, start, end):
        width = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
        name, size = width[self.encoding]
        return line.encode(name)[start * size : end * size].decode(name)

    def path(self, uri):
        import urllib.parse

        return str(pathlib.Path(urllib.parse.unquote(uri.removeprefix("file://"))).relative_to(self.root))

    # What an editor does.

    def open(self, path, language="", text=None):
        text = self.text(path) if text is None else text
        uri = self.uri(path)
        self.open_texts[uri] = text
        item = lsp.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    def change(self, path, version, *changes):
        uri = self.uri(path)
        document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(text_document=document, content_changes=list(changes))
        )

    def close(self, path):
        uri = self.uri(path)
        self.open_texts.pop(uri, None)
        document = lsp.TextDocumentIdentifier(uri=uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document))

    # What it asks.

    def where(self, kind, path, needle, inside="", nth=0, **more):
        document = lsp.TextDocumentIdentifier(uri=self.uri(path))
        return kind(text_document=document, position=self.position(path, needle, inside, nth), **more)

    async def definition(self, *place, **more):
        found = await self.client.text_document_definition_async(self.where(lsp.DefinitionParams, *place, **more))
        return None if found is None else [self.cut(location) for location in found]

    async def implementation(self, *place, **more):
        params = self.where(lsp.ImplementationParams, *place, **more)
        found = await self.client.text_document_implementation_async(params)
        return None if found is None else [self.cut(location) for location in found]

    async def references(self, *place, declaration=True, **more):
        context = lsp.ReferenceContext(include_declaration=declaration)
        params = self.where(lsp.ReferenceParams, *place, context=context, **more)
        found = await self.client.text_document_references_async(params)
        return None if found is None else sorted(self.cut(location) for location in found)

    async def hover(self, *place, **more):
        found = await self.client.text_document_hover_async(self.where(lsp.HoverParams, *place, **more))
        return None if found is None else found.contents.value

    async def highlight(self, *place, **more):
        params = self.where(lsp.DocumentHighlightParams, *place, **more)
        found = await self.client.text_document_document_highlight_async(params)
        return None if found is None else [(h.range.start.line + 1, h.kind) for h in found]

    async def symbols(self, path):
        document = lsp.TextDocumentIdentifier(uri=self.uri(path))
        return await self.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))

    async def workspace_symbols(self, query):
        return await self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query=query))

    async def calls(self, *place, **more):
        params = self.where(lsp.CallHierarchyPrepareParams, *place, **more)
        return await self.client.text_document_prepare_call_hierarchy_async(params)

    async def incoming(self, item):
        params = lsp.CallHierarchyIncomingCallsParams(item=item)
        found = await self.client.call_hierarchy_incoming_calls_async(params)
        return [(call.from_.name, [self.cut(lsp.Location(call.from_.uri, r))[1:] for r in call.from_ranges]) for call in found]

    async def outgoing(self, item):
        params = lsp.CallHierarchyOutgoingCallsParams(item=item)
        found = await self.client.call_hierarchy_outgoing_calls_async(params)
        return [(call.to.name, [self.cut(lsp.Location(item.uri, r))[1:] for r in call.from_ranges]) for call in found]

    async def search(self, *arguments):
        params = lsp.ExecuteCommandParams(command="seekwell.search", arguments=list(arguments))
        return await self.client.workspace_execute_command_async(params)


def binary():
    return os.environ["SEEKWELL_BINARY"]


def write(root, files):
    for path, text in files.items():
        full = root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextlib.asynccontextmanager
async def session(root, folders=None, arguments=(), encodings=None, options=None, client="visual_studio_code", change=None):
    """A server for these folders; one for the whole tree if none are named."""
    capabilities = client_capabilities(client)
    if encodings is not None:
        capabilities.general = capabilities.general or lsp.GeneralClientCapabilities()
        capabilities.general.position_encodings = list(encodings)
    if change:
        change(capabilities)
    language_client = make_test_lsp_client()
    environment = {**os.environ, "XDG_CACHE_HOME": str(root.parent / "cache")}
    await language_client.start_io(binary(), "lsp", *arguments, env=environment)
    named = [root] if folders is None else [root / folder for folder in folders]
    params = lsp.InitializeParams(
        capabilities=capabilities,
        initialization_options=options,
        workspace_folders=[lsp.WorkspaceFolder(uri=folder.as_uri(), name=folder.name) for folder in named],
    )
    result = await language_client.initialize_session(params)
    editor = Editor(language_client, root, str(getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding)))
    editor.result = result
    try:
        yield editor
        await language_client.shutdown_session()
        assert language_client._server.returncode == 0
    finally:
        if language_client._server.returncode is None:
            language_client._server.kill()
        await language_client.stop()


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    write(root, tree.ALL)
    return root


@pytest_asyncio.fixture
async def editor(project):
    async with session(project) as editor:
        yield editor
