"""Drives a server with the official Python client, as a plan says, and prints what came back as one JSON object.

The plan is a JSON file: `command`, `args`, `env`, or `url` and `headers`; `mode` (`legacy` or `modern`); `calls`, each with
`tool` and `arguments`, or `resource`.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def call(client, step):
    progress = []

    async def on_progress(done, total, message):
        progress.append([done, total, message])

    try:
        if "resource" in step:
            return plain(await client.read_resource(step["resource"]))
        result = await client.call_tool(step["tool"], step["arguments"], progress_callback=on_progress)
        return {**plain(result), "progress": progress}
    except MCPError as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}


async def run(plan):
    if "url" in plan:
        server = plan["url"]
    else:
        server = StdioServerParameters(command=plan["command"], args=plan["args"], env=plan["env"])
    mode = "legacy" if plan["mode"] == "legacy" else "auto"
    async with Client(server, mode=mode) as client:
        tools = await client.list_tools()
        return {
            "protocol": client.protocol_version,
            "server": plain(client.server_info),
            "instructions": client.instructions,
            "list": plain(tools),
            "answers": [await call(client, step) for step in plan["calls"]],
        }


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps(asyncio.run(run(json.load(file)))))
