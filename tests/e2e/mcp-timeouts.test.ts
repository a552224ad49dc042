import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";
import { TERMINAL } from "../src/terminal-context.ts";

async function open(answer: ScriptedAnswer): Promise<string> {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

test.each([
  ["tools", "tools/list"],
  ["call t", "tools/call"],
  ["read a:b", "resources/read"],
])("--timeout ends mcp %s when the server is silent on %s", async (args, silent) => {
  const url = await open(
    withSessions(({ message: { method } }) => (method === silent ? undefined : false)),
  );
  const words = ["mcp", ...args.split(" "), "--era", "legacy", "--timeout", "0.3", url];
  const command = new CliRun(openFixture(), { args: words });
  expect(await command.exited).toBe(1);
  expect(command.errors).toMatch(/: no answer(?: or progress)? in 300 ms/);
  expect(command.errors).toContain(`idewire: ${silent}: `);
});

test("progress restarts the time-out", async () => {
  const url = await open(
    withSessions(({ message: { id, method, params } }, response) => {
      if (method !== "tools/call") return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const { progressToken } = (params?.["_meta"] ?? {}) as { progressToken?: number };
      let progress = 0;
      const send = (message: object) => {
        response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
      };
      const timer = setInterval(() => {
        progress += 1;
        if (progress < 10) {
          const params = { progressToken, progress };
          return send({ method: "notifications/progress", params });
        }
        clearInterval(timer);
        send({ id, result: { content: [{ type: "text", text: "late" }] } });
        response.end();
      }, 200);
    }),
  );
  const words = ["mcp", "call", "t", "--era", "legacy", "--timeout", "1", url];
  const command = new CliRun(openFixture(), { args: words });
  expect([await command.exited, command.output]).toEqual([0, "late\n"]);
});

test("the time that the person takes to answer does not count, however long it is", async () => {
  const server = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, result } = JSON.parse(line);
      if (method === "initialize") send({ id, result: {
        protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
      if (method === "tools/call") {
        global.call = id;
        const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
        send({ id: 1, method: "elicitation/create", params: { message: "Who?", requestedSchema } });
      }
      if (result) send({ id: call, result: { content: [{ type: "text", text: result.action }] } });
    });`;
  const fixture = openFixture();
  const file = join(fixture.root, "server.cjs");
  writeFileSync(file, server);
  const command = new CliRun(fixture, {
    args: ["mcp", "call", "t", "--era", "legacy", "--timeout", "1", "--", process.execPath, file],
    ...{ terminal: TERMINAL, env: { TERM: "xterm" } },
  });
  await expect.poll(() => command.errors).toContain("name (optional)");
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  command.type("Ann");
  await expect.poll(() => command.errors).toContain("Send this");
  command.type("y");
  expect(await command.exited).toBe(0);
  expect(command.output).toContain("accept");
});

test("a program that reads Content-Length frames alone is reported by its cause within 5 s", async () => {
  const fixture = openFixture();
  const file = join(fixture.root, "server.cjs");
  writeFileSync(
    file,
    `let text = "";
    process.stdin.on("data", (data) => {
      text += data;
      if (/^Content-Length: \\d+\\r\\n\\r\\n/.test(text)) process.stdout.write("Content-Length: 2\\r\\n\\r\\n{}");
    });`,
  );
  const args = ["mcp", "tools", "--", process.execPath, file];
  const command = new CliRun(fixture, { args });
  await expect.poll(() => command.errors).toContain("reads Content-Length frames");
  command.signal("SIGINT");
  expect(await command.exited).toBe(130);
  const limited = new CliRun(fixture, {
    args: ["mcp", "tools", "--timeout", "0.5", ...args.slice(2)],
  });
  expect(await limited.exited).toBe(1);
  expect(limited.errors).toMatch(/no answer in 500 ms\n.*reads Content-Length frames/);
});

/** Accepts only Content-Length frames, like a language server, and sends such. */
const framed = `
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [{ name: "found", inputSchema: {} }] },
  };
  const write = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
  };
  let text = "";
  process.stdin.on("data", (data) => {
    text += data;
    for (;;) {
      const [head, length] = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text) ?? [];
      if (head === undefined || text.length < head.length + Number(length)) return;
      const { id, method } = JSON.parse(text.slice(head.length, head.length + Number(length)));
      text = text.slice(head.length + Number(length));
      const result = results[method];
      if (id !== undefined) write({ id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) });
    }
  });`;

test.each([["auto"], ["legacy"]])(
  "a program that needs Content-Length frames is written to as --framing has it (era %s)",
  async (era) => {
    const program = ["--", process.execPath, "-e", framed];
    const args = ["mcp", "tools", "--era", era, "--framing", "content-length", ...program];
    const command = new CliRun(openFixture(), { args });
    expect(await command.exited).toBe(0);
    expect([command.output, command.errors]).toEqual(["found\n", ""]);
  },
);

test("a program that writes such a frame, and answers no line, is restarted and sent such frames", async () => {
  const hello = 'write({ method: "window/logMessage", params: { type: 3, message: "ready" } });';
  const program = ["--", process.execPath, "-e", framed + hello];
  const command = new CliRun(openFixture(), {
    args: ["mcp", "tools", "--era", "legacy", ...program],
  });
  expect([await command.exited, command.output]).toEqual([0, "found\n"]);
  expect(command.errors).toContain("starting it again with --framing content-length");
});

test("a program that is silent later, or answers in part, is not reported for its framing", async () => {
  const fixture = openFixture();
  const file = join(fixture.root, "server.cjs");
  writeFileSync(
    file,
    `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      if (method === "initialize") process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      if (method === "tools/call") process.stdout.write('{"jsonrpc":"2.0","id":');
    });`,
  );
  for (const action of [["tools"], ["call", "t"]]) {
    const words = ["mcp", ...action, "--era", "legacy", "--timeout", "0.5", "--"];
    const command = new CliRun(fixture, { args: [...words, process.execPath, file] });
    expect(await command.exited).toBe(1);
    expect(command.errors).toContain("no answer");
    expect(command.errors).not.toContain("Content-Length");
  }
});

test.each(["x", "-1", "1e9", ""])("a time-out of %j is refused", async (text) => {
  const url = await open(({ message: { id } }, response) => json(response, result(id, {})));
  const command = new CliRun(openFixture(), { args: ["mcp", "tools", "--timeout", text, url] });
  expect(await command.exited).toBe(2);
  expect(command.errors).toContain("from 0 to 86400");
});
