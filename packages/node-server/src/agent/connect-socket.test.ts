import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { copilot, type Dialect, gemini, qwen } from "@idewire/core";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { listenIde } from "../listen/listen.ts";
import { connectIde } from "./connect.ts";
import type { ConnectIdeOptions } from "./connect-options.ts";

// The agent's side of Copilot CLI (docs/clients/copilot-cli.md): MCP over HTTP at a socket.

const LIMIT = { timeout: 60_000 };

/** A home, a working folder, and editors that serve it at a socket. */
function openPlace() {
  const root = temporaryFolder("idewire-");
  const [work, tmp] = [join(root, "work"), join(root, "tmp")];
  mkdirSync(work);
  mkdirSync(tmp);
  const env = { HOME: root, TMPDIR: tmp };
  return {
    ...{ root, work },
    async serve(dialect: Dialect = copilot) {
      const host = fakeEditorHost();
      host.folders = [{ path: posixPath(work), name: "work" }];
      const listener = await listenIde(host, { env, resume: false, dialects: [dialect] });
      onTestFinished(() => listener.close());
      const [{ lockFile = "", socketPath = "", port } = {}] = listener.endpoints;
      return { host, listener, lockFile, socketPath, port };
    },
    /** A program that publishes itself as an editor does. */
    async pretend(answer: RequestListener) {
      const socketPath = join(tmp, "s.sock");
      const server = createServer(answer).listen(socketPath);
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      await once(server, "listening");
      const folder = join(root, ".copilot", "ide");
      mkdirSync(folder, { recursive: true });
      const file = {
        ...{ socketPath, scheme: "unix", headers: { Authorization: "Nonce secret" } },
        ...{ pid: process.pid, ideName: "Odd", timestamp: 1, workspaceFolders: [work] },
      };
      writeFileSync(join(folder, "odd.lock"), JSON.stringify(file));
    },
    async connect(options: Partial<ConnectIdeOptions> = {}) {
      const agent = await connectIde({
        ...{ name: "test-agent", version: "1", cwd: work, env, dialect: copilot },
        ...options,
      });
      onTestFinished(() => agent.close());
      return agent;
    },
  };
}

function rewrite(file: string, members: object): void {
  const content = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...content, ...members }));
}

test("an agent connects to an editor at its socket, receives its state, and ends its session", async () => {
  const { serve, connect, work } = openPlace();
  const { host, listener, socketPath, lockFile } = await serve();
  const agent = await connect({ pid: process.ppid });
  expect(agent.editor).toMatchObject({ socketPath, lockFile, name: "Fake Editor" });
  expect(agent.editor?.port).toBeUndefined();
  expect(agent.editor?.tools.map(({ name }) => name)).toContain("open_diff");
  const [session] = listener.sessions;
  expect([session?.agent?.name, session?.pid]).toEqual(["copilot-cli", process.ppid]);
  const received: string[] = [];
  agent.on("notification", (method) => received.push(method));
  const path = posixPath(join(work, "a.txt"));
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
  host.setSelection({ path, ranges: [{ ...range, text: "some" }], primary: 0 });
  const expected = { filePath: path, text: "some", selection: range };
  await expect.poll(() => agent.selection, LIMIT).toMatchObject(expected);
  host.setSelection(undefined);
  await expect.poll(() => agent.selection, LIMIT).toBeUndefined();
  host.mention({ path });
  await expect.poll(() => received, LIMIT).toContain("add_file_reference");
  const { content } = await agent.callTool("get_diagnostics");
  expect(content).toEqual([{ type: "text", text: "[]" }]);
  await agent.close();
  await expect.poll(() => listener.sessions.size, LIMIT).toBe(0);
});

test("two agents of one process are two sessions", async () => {
  const { serve, connect } = openPlace();
  const { listener } = await serve();
  await connect();
  await connect();
  expect(listener.sessions.size).toBe(2);
});

test.each([copilot, gemini, qwen])(
  "an editor for $id that returns at another address is found again",
  async (dialect) => {
    const { serve, connect } = openPlace();
    const first = await serve(dialect);
    const agent = await connect({ dialect });
    const back = new Promise((resolve) => {
      agent.on("connected", ({ socketPath, port }) => resolve(socketPath ?? port));
    });
    await first.listener.close();
    const second = await serve(dialect);
    expect(second.lockFile).not.toBe(first.lockFile);
    expect(await back).toBe(second.port ?? second.socketPath);
  },
  LIMIT.timeout,
);

test("a socket without a listener is reported with its path", async () => {
  const { serve, connect, root } = openPlace();
  const { lockFile } = await serve();
  rewrite(lockFile, { socketPath: join(root, "none.sock") });
  const words = expect.stringContaining(join(root, "none.sock"));
  await expect(connect()).rejects.toMatchObject({ code: "unreachable", message: words });
});

test("a wrong token is reported as such, and is not in the message", async () => {
  const { serve, connect } = openPlace();
  const { lockFile, socketPath } = await serve();
  rewrite(lockFile, { headers: { Authorization: `Nonce ${"x".repeat(86)}` } });
  const error = await connect().catch((thrown: Error) => thrown);
  const message = `The editor at ${socketPath} refuses the token (401)`;
  expect(error).toMatchObject({ code: "unauthorized", message });
  expect(String(error)).not.toContain("xxx");
});

test.each<[string, string, RequestListener]>([
  [
    "protocol",
    "a page",
    (_, response) => response.setHeader("content-type", "text/html").end("hi"),
  ],
  [
    "protocol",
    "a frame that is too large",
    (_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(100_000) }));
    },
  ],
  ["lost", "an end", (request) => request.socket.destroy()],
  ["timeout", "no answer", () => {}],
])("connecting to a program that is not an editor fails with %s: %s", async (code, _, answer) => {
  const { pretend, connect } = openPlace();
  await pretend(answer);
  const options = { handshakeTimeoutMs: 1_000, maxFrameBytes: 10_000 };
  const error = await connect(options).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain("secret");
});
