import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

async function serve() {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  const output = { type: "object", properties: { celsius: { type: "number" } } } as const;
  const annotations = { readOnlyHint: true };
  server.tool("forecast", { output, annotations, description: "The weather" }, () => ({
    celsius: 20,
  }));
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  return listener.url;
}

/** An HTTP server with one handler. */
async function answer(
  handler: (request: IncomingMessage, response: ServerResponse, body: string) => void,
) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    handler(request, response, body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open() {
  const fixture = openFixture();
  const check = async (...args: readonly string[]) => {
    const run = new CliRun(fixture, { args: ["check", ...args] });
    return { code: await run.exited, output: run.output, errors: run.errors };
  };
  const json = async (...args: readonly string[]) => {
    const { code, output } = await check("--json", ...args);
    const { results } = JSON.parse(output) as {
      readonly results: readonly {
        readonly id: string;
        readonly verdict: string;
        readonly detail: string;
      }[];
    };
    const details = results.map(({ id, verdict, detail }) => [id, `${verdict}: ${detail}`]);
    return { code, of: Object.fromEntries(details) as Readonly<Record<string, string>>, results };
  };
  return { fixture, check, json };
}

test("our own server over HTTP breaks no rule, and the reports are written", async () => {
  const { fixture, check } = open();
  const files = ["--junit", "report.xml", "--sarif", "report.sarif"];
  const { code, output, errors } = await check(...files, await serve());
  expect([code, errors]).toEqual([0, ""]);
  expect(output).not.toMatch(/failed/);
  expect(output).toMatch(/✓ HTTP +14 passed, 1 skipped\n/);
  expect(output).toMatch(/✓ MCP 2026-07-28 +\d passed/);
  const read = (name: string) => readFileSync(join(fixture.workspace, name), "utf8");
  expect(read("report.xml")).toMatch(/name="MCP-WEB-001: A server on this machine refuses/);
  expect(JSON.parse(read("report.sarif")).runs[0].results).toEqual([]);
});

test("a program that writes other lines to stdout fails, and its stderr explains one that ends", async () => {
  const { fixture, json } = open();
  writeFileSync(
    join(fixture.workspace, "noisy.mjs"),
    `console.log("Server running");
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.split("\\n").filter(Boolean)) {
    let request;
    try { request = JSON.parse(line); } catch { continue; }
    const { id, method, params } = request;
    if (id === undefined) continue;
    const serverInfo = { name: "noisy", version: "1" };
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
    const error = { code: -32601, message: "Method not found" };
    const answer = method === "initialize" ? { result } : method === "ping" ? { result: {} } : { error };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }
});
`,
  );
  const { code, of } = await json("--", process.execPath, "noisy.mjs");
  expect(code).toBe(1);
  expect(of["MCP-FRAME-002"]).toBe('fail: it wrote "Server running"');
  expect(of["MCP-STDIO-001"]).toBe("pass: exit code 0");
  const dead = await json(
    "--",
    process.execPath,
    "-e",
    "console.error('No API key'); process.exit(1)",
  );
  expect(dead.code).toBe(1);
  expect(dead.of["MCP-INIT-001"]).toMatch(/^fail: .*exit code 1.*stderr: No API key/);
});

test("a server that requires a token is checked up to the way to one", async () => {
  const { json } = open();
  const url = await answer((request, response) => {
    const origin = `http://${request.headers.host}`;
    if (request.url === "/metadata") {
      response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [origin] }));
      return;
    }
    if (request.url === "/.well-known/oauth-authorization-server") {
      response.end(JSON.stringify({ issuer: origin }));
      return;
    }
    const challenge = `Bearer resource_metadata="${origin}/metadata"`;
    response.writeHead(401, { "www-authenticate": challenge }).end();
  });
  const { code, of } = await json(`${url}/mcp`);
  expect(code).toBe(1);
  for (const id of ["001", "002", "003", "004"]) expect(of[`MCP-AUTH-${id}`]).toMatch(/^pass: /);
  expect(of["MCP-AUTH-005"]).toMatch(/^fail: code_challenge_methods_supported is/);
  expect(of["MCP-INIT-001"]).toMatch(/^fail: .*wants you to log in\. Log in first: [^;]*$/);
});

test("a server over HTTP that ignores headers and sessions fails by its status codes", async () => {
  const { json } = open();
  const url = await answer((request, response, body) => {
    const id: unknown = JSON.parse(/"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? "0");
    if (request.method !== "POST") return response.writeHead(200).end("Hello");
    const serverInfo = { name: "lax", version: "1" };
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
    const headers = { "content-type": "application/json", "mcp-session-id": "a" };
    return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const { code, of } = await json(url);
  expect(code).toBe(1);
  const broken = ["001", "004", "005", "006", "007", "008", "009", "010", "011"];
  const failed = Object.keys(of).filter((id) => id.includes("-WEB-") && of[id]?.startsWith("fail"));
  expect(failed).toEqual(broken.map((number) => `MCP-WEB-${number}`));
});

test("options of an editor are refused for a server, and those of a server for an editor", async () => {
  const { check } = open();
  const wrong = [
    ["--lock", "a.lock", "https://example.com/mcp"],
    ["--scope", "a"],
    ["--update"],
    ["--skip", "MCP-RPC-1", "https://example.com/mcp"],
  ];
  for (const args of wrong) expect((await check(...args)).code, args.join(" ")).toBe(2);
});
