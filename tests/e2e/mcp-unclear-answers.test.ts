import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** Far below the time-out of a request. */
const AT_ONCE = 20_000;

/** A server of the legacy era that sends messages with `write(message)`, which a test replaces. */
const server = (write: string) => `
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "found", inputSchema: {} }] },
};
const print = (text) => process.stdout.write(text);
const line = (message) => print(JSON.stringify(message) + "\\n");
const frame = (message) => {
  const text = JSON.stringify(message);
  print("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
const write = ${write};
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, method } = JSON.parse(text);
  const result = results[method];
  if (id === undefined) return;
  const error = { code: -32601, message: "no" };
  write({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }, method);
});`;

async function run(write: string, ...flags: readonly string[]) {
  const program = ["--", process.execPath, "-e", server(write)];
  const command = new CliRun(openFixture(), { args: ["mcp", "tools", ...flags, ...program] });
  const code = await command.exited;
  return { code, output: command.output, errors: command.errors };
}

describe("a malformed answer whose meaning is clear is accepted", () => {
  test.each([
    ["its id is a string", "({ id, ...rest }) => line({ ...rest, id: String(id) })"],
    [
      "its id has a fraction of zero",
      '(m) => print(JSON.stringify(m).replace(/"id":(\\d+)/, \'"id":$1.0\') + "\\n")',
    ],
    ["a banner is on its line", '(m) => { print("Starting {quick} server: "); line(m); }'],
    ["a byte order mark is before it", '(m) => { print("\\ufeff"); line(m); }'],
    [
      "other text is on its line, and the envelope has another order",
      '({ id, jsonrpc, ...rest }) => { print("[info] "); line({ id, ...rest, jsonrpc }); }',
    ],
    ["it is in a list", "(m) => line([m])"],
    ["it has a header of LSP", "frame"],
    [
      "it has a header of LSP with a type",
      '(m) => { const text = JSON.stringify(m); print("content-length: " + Buffer.byteLength(text) + "\\r\\nContent-Type: application/vscode-jsonrpc; charset=utf-8\\r\\n\\r\\n" + text); }',
    ],
    [
      "its header of LSP comes with the message before",
      '(m) => { frame({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "ü" } }); frame(m); }',
    ],
    [
      "its header of LSP arrives in pieces",
      '(m) => { const text = JSON.stringify(m); print("Content-Length: " + text.length + "\\r\\n"); setTimeout(() => { print("\\r\\n" + text.slice(0, 9)); setTimeout(() => print(text.slice(9)), 50); }, 50); }',
    ],
    [
      "headers of HTTP are printed before it",
      '(m) => { print("HTTP/1.1 200 OK\\nContent-Length: 12\\nServer: x\\n\\n"); line(m); }',
    ],
  ])("%s", { timeout: AT_ONCE }, async (_, write) => {
    expect(await run(write, "--era", "legacy")).toMatchObject({ code: 0, output: "found\n" });
  });
});

describe("an error without an id fails the one request that is unanswered, in the server's words", () => {
  test.each([
    ["null", '{ jsonrpc: "2.0", id: null, error: { code: -32700, message: "cannot parse that" } }'],
    ["no id", '{ jsonrpc: "2.0", error: { code: -32603, message: "cannot parse that" } }'],
    [
      "null, and a code of its own",
      '{ jsonrpc: "2.0", id: null, error: { code: 7, message: "cannot parse that" } }',
    ],
  ])("%s", { timeout: AT_ONCE }, async (_, answer) => {
    const { code, errors } = await run(
      `(m, method) => line(method === "tools/list" ? ${answer} : m)`,
    );
    expect([code, errors]).toEqual([1, expect.stringContaining("cannot parse that")]);
  });
});

test("a refused notification does not fail the request beside it", {
  timeout: AT_ONCE,
}, async () => {
  const refusal = '{ jsonrpc: "2.0", id: null, error: { code: -32601, message: "no" } }';
  const { code, output } = await run(
    `(m, method) => { if (method === "tools/list") line(${refusal}); setTimeout(() => line(m), 100); }`,
  );
  expect([code, output]).toEqual([0, "found\n"]);
});
