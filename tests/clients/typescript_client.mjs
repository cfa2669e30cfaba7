// Drives a server with the official TypeScript client, as a plan says, and prints what came back as one JSON object.
//
// The plan is a JSON file: `command`, `args`, `env`, or `url` and `headers`; `mode` (`legacy` or `modern`); `calls`, each
// with `tool` and `arguments`, or `resource`.

import { readFileSync } from "node:fs";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const transport =
  "url" in plan
    ? new StreamableHTTPClientTransport(new URL(plan.url), { requestInit: { headers: plan.headers ?? {} } })
    : new StdioClientTransport({ command: plan.command, args: plan.args, env: plan.env, stderr: "inherit" });
const client = new Client(
  { name: "test", version: "1.0.0" },
  { versionNegotiation: { mode: plan.mode === "legacy" ? "legacy" : "auto" } },
);
await client.connect(transport);

async function call(step) {
  const progress = [];
  const onprogress = (told) => progress.push([told.progress, told.total ?? null, told.message ?? null]);
  try {
    if ("resource" in step) return await client.readResource({ uri: step.resource });
    const result = await client.callTool({ name: step.tool, arguments: step.arguments }, { onprogress });
    return { ...result, progress };
  } catch (error) {
    return { error: { code: error.code ?? null, message: String(error.message) } };
  }
}

const list = await client.listTools();
const answers = [];
for (const step of plan.calls) answers.push(await call(step));
const told = {
  protocol: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  list,
  answers,
};
process.stdout.write(JSON.stringify(told) + "\n", () => client.close().then(() => process.exit(0)));
