import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import type { CliIo } from "../../../process/io.ts";
import { createStop } from "../../../process/stop.ts";
import { InspectLog } from "../inspect-log.ts";
import { type NamedRun, openServers } from "./open-servers.ts";
import { watchProgram } from "./program-watch.ts";

function open(files: Readonly<Record<string, string>>) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "idewire-restarts-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const changes: string[] = [];
  const loops: string[] = [];
  const start = (...args: readonly string[]) => {
    const watch = watchProgram(
      { command: "node", args, cwd },
      {
        onchange: (names) => void changes.push(...names),
        onloop: (name) => void loops.push(name),
      },
    );
    onTestFinished(() => watch?.close());
    return watch;
  };
  return { cwd, write, changes, loops, start };
}

test("a change of the named file, or of a source below its folder, is reported once", async () => {
  const { write, changes, start } = open({
    "dist/server.js": "1",
    "dist/tools/echo.js": "1",
    "dist/node_modules/a/index.js": "1",
    "README.md": "1",
  });
  start("--enable-source-maps", "dist/server.js");
  write("dist/node_modules/a/index.js", "2");
  write("README.md", "2");
  write("dist/server.log", "2");
  // Some compilers rewrite files with the same content.
  write("dist/server.js", "1");
  write("dist/tools/echo.js", "2");
  await expect.poll(() => changes).toEqual([join("dist", "tools", "echo.js")]);
  write("dist/server.js", "2");
  await expect.poll(() => changes).toHaveLength(2);
});

test("a program that names no file of the folder is not watched", () => {
  const { start } = open({ "node_modules/a/server.js": "1" });
  expect(start("-e", "1")).toBe(undefined);
  expect(start("-e", `console.log("${"x".repeat(300)}")`)).toBe(undefined);
  expect(start("node_modules/a/server.js")).toBe(undefined);
  expect(start("..")).toBe(undefined);
});

test("a file that the program writes at each start does not restart it without end", async () => {
  const { write, changes, loops, start } = open({ "server.js": "1", "state.json": "0" });
  const watch = start("server.js");
  for (let count = 1; count <= 3; count += 1) {
    watch?.started();
    write("state.json", String(count));
    await expect.poll(() => changes.length + loops.length).toBe(count);
  }
  expect([changes, loops]).toEqual([["state.json", "state.json"], ["state.json"]]);
  write("state.json", "4");
  write("server.js", "2");
  await expect.poll(() => changes.at(-1)).toBe("server.js");
  expect(changes).toHaveLength(3);
});

function createIo(cwd: string) {
  const io: CliIo = {
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    ...{ cwd, env: { PATH: process.env["PATH"], HOME: cwd } },
    onSignal: () => () => {},
    exit() {},
  };
  const stop = createStop(io);
  onTestFinished(() => stop.close());
  return { io, stop };
}

const SERVER = `
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const line of text.split("\\n").filter(Boolean)) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    const serverInfo = { name: "edited", version: "VERSION" };
    const results = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "from VERSION" }] },
    };
    const error = { code: -32601, message: "Method not found" };
    const result = results[method];
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
  }
});
`;

/** Servers that are inspected, one of them named. */
function inspect(name: string, cwd: string, target: NamedRun["run"]["target"]) {
  const { io, stop } = createIo(cwd);
  const log = new InspectLog();
  const login = { profile: undefined, client: undefined, issuer: undefined, scope: undefined };
  const run: NamedRun["run"] = {
    ...{ cwd: ".", framing: "lines", headers: {}, tls: undefined, filter: undefined },
    ...{ target, era: "legacy" },
    login: {
      ...{ ...login, clientMetadataUrl: undefined, callbackPort: undefined },
      ...{ isUnattended: false, byDevice: false },
    },
  };
  const { servers, close } = openServers([{ name, run }], { io, stop, log });
  onTestFinished(() => close());
  return { server: servers.of(name), log };
}

test("a program is started again when its file changes, and the last call is repeated", async () => {
  const { write, cwd } = open({ "server.mjs": SERVER.replaceAll("VERSION", "one") });
  const target = { command: process.execPath, args: ["server.mjs"] };
  const { server, log } = inspect("edited", cwd, target);
  const versionOf = () => server.facts.info?.version;
  await expect.poll(versionOf).toBe("one");
  const params = { name: "echo", arguments: {} };
  await server.request({ key: "1", method: "tools/call", params, onsent: () => {} });
  write("server.mjs", SERVER.replaceAll("VERSION", "two"));
  await expect.poll(versionOf).toBe("two");
  const textOf = () => JSON.stringify(log.log.events);
  await expect.poll(textOf).toContain("from two");
  expect(textOf()).toContain("edited: server.mjs changed: starting again");
  expect(textOf()).toContain("edited: repeating tools/call");
});

test("a server over HTTP that was gone is used again when it is back", async () => {
  const { cwd } = open({});
  const listen = async (version: string, port = 0) => {
    const made = new McpServer({ name: "far", version });
    made.tool("version", {}, () => `from ${version}`);
    const listener = await listenMcp(made, { access: "anyone", port });
    onTestFinished(() => listener.close());
    return listener;
  };
  const first = await listen("one");
  const { server, log } = inspect("far", cwd, { url: first.url });
  await expect.poll(() => server.facts.state).toBe("open");
  const params = { name: "version", arguments: {} };
  let key = 0;
  const call = () => {
    key += 1;
    const request = { key: String(key), method: "tools/call", params, onsent: () => {} };
    return server.request(request).catch(() => undefined);
  };
  const seen = () => JSON.stringify(log.log.events);
  await call();
  expect(seen()).toContain("from one");
  await first.close();
  await call();
  await listen("two", Number(new URL(first.url).port));
  await expect
    .poll(async () => {
      await call();
      return seen();
    })
    .toContain("from two");
});

test("a server that refuses is not queried again until it was gone", async () => {
  const { cwd } = open({});
  let requestCount = 0;
  const refusing = async (port = 0) => {
    const server = createServer((_, response) => {
      requestCount += 1;
      response.writeHead(403).end("not you");
    }).listen(port, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return server;
  };
  const first = await refusing();
  const { port } = first.address() as AddressInfo;
  const { server } = inspect("far", cwd, { url: `http://127.0.0.1:${port}/mcp` });
  await expect.poll(() => server.facts.state).toBe("closed");
  const before = requestCount;
  await delay(2_500);
  expect(requestCount).toBe(before);
  first.close();
  first.closeAllConnections();
  await once(first, "close");
  await delay(2_500);
  await refusing(port);
  await expect.poll(() => requestCount, { timeout: 20_000 }).toBeGreaterThan(before);
});
