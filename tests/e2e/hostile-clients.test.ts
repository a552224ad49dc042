import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { RawClient } from "../src/raw-client.ts";
import type { ScriptedServe } from "../src/reference-clients/scripted-serve.ts";
import {
  openWorkspace,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { textItems, toObject } from "../src/reference-clients/wire.ts";

const MIB = 1 << 20;

interface Fixture {
  readonly workspace: Workspace;
  readonly serve: ScriptedServe;
  readonly lockFile: string;
  /** A well-behaved client, which must be served whatever the others do. */
  readonly otherClient: RawClient;
}

async function openFixture(): Promise<Fixture> {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "a.json"), "{}\n");
  // Fixes the size of the young generation, which grows with the load: garbage does not count as growth.
  const env = { ...workspace.env, NODE_OPTIONS: "--max-semi-space-size=1" };
  const serve = startServe(workspace, { env });
  const lockFile = String((await serve.event("listening"))["lockFile"]);
  const otherClient = await RawClient.ready(lockFile);
  return { workspace, serve, lockFile, otherClient };
}

async function expectServed({ otherClient }: Fixture): Promise<void> {
  expect(await otherClient.request("ping")).toMatchObject({ result: {} });
}

/** Resident memory of the server, in bytes. */
function memoryOf(serve: ScriptedServe): number {
  const status = readFileSync(`/proc/${serve.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** The peak growth of memory during an operation. */
async function growthWhile(serve: ScriptedServe, act: () => Promise<void>): Promise<number> {
  const before = memoryOf(serve);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(serve));
  }, 20);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return Math.max(most, memoryOf(serve)) - before;
}

function openDiffCall(id: number, title = `t${id}`) {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: "openDiff",
      arguments: {
        old_file_path: "/nowhere/a.txt",
        new_file_path: "/nowhere/a.txt",
        new_file_contents: "new",
        tab_name: title,
      },
    },
  };
}

describe("a greedy client", () => {
  test("that never reads is closed, and costs a bounded amount", async () => {
    const stand = await openFixture();
    const greedy = await RawClient.ready(stand.lockFile);
    greedy.socket.pause();
    const growth = await growthWhile(stand.serve, async () => {
      const frame = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      for (let round = 0; round < 60; round += 1) {
        for (let count = 0; count < 1_000; count += 1) greedy.send(frame);
        await expectServed(stand);
      }
      await stand.serve.event("disconnected", { code: 1008 });
    });
    expect(growth).toBeLessThan(64 * MIB);
  });

  test("that never reads has only the newest selection buffered", async () => {
    const stand = await openFixture();
    const text = "x".repeat(90_000);
    const path = join(stand.workspace.folder, "a.json");
    const { serve } = stand;
    const done = () => serve.events.filter(({ event }) => event === "done").length;
    const selectTimes = async (times: number) => {
      const before = done();
      for (let count = 0; count < times; count += 1) {
        const end = { line: 0, character: count % 2 };
        const selection = { start: { line: 0, character: 0 }, end };
        serve.type({ do: "select", path, text: `${count} ${text}`, range: selection });
        if (count % 10 === 9) await until("ten selections", () => done() - before > count);
      }
    };
    const stalled = await RawClient.ready(stand.lockFile);
    // A program stopped by Ctrl-Z: without a pid, a client that answers no ping for a minute is closed.
    stalled.send({ jsonrpc: "2.0", method: "ide_connected", params: { pid: process.pid } });
    await stalled.request("ping");
    // Warms up the heap to its working size, so that later growth is retained memory.
    await selectTimes(300);
    stalled.socket.pause();
    const growth = await growthWhile(stand.serve, () => selectTimes(1_000));
    expect(growth).toBeLessThan(64 * MIB);
    await expectServed(stand);
    stalled.socket.resume();
    const newest = await stalled.answer(({ method, params }) => {
      return method === "selection_changed" && String(toObject(params)["text"]).startsWith("999 ");
    });
    expect(newest.method).toBe("selection_changed");
    expect(stalled.received.length).toBeLessThan(500);
  });

  test("with 10,000 requests at once is closed with the reason", async () => {
    const stand = await openFixture();
    const flood = await RawClient.ready(stand.lockFile);
    const growth = await growthWhile(stand.serve, async () => {
      for (let id = 0; id < 10_000; id += 1) flood.send(openDiffCall(id));
      const { code, reason } = await flood.closed;
      // A client too busy to complete the close handshake within a second is terminated, and receives no reason.
      expect(["1008 More than 256 requests in flight", "1006 "]).toContain(`${code} ${reason}`);
      await stand.serve.event("disconnected", { code: 1008 });
    });
    expect(growth).toBeLessThan(64 * MIB);
    await expectServed(stand);
  });

  test("is refused beyond the limit of connections, with 1,000 of them", async () => {
    const stand = await openFixture();
    const port = /(\d+)\.lock$/.exec(stand.lockFile)?.[1];
    const { authToken } = JSON.parse(readFileSync(stand.lockFile, "utf8"));
    const headers = { "X-Claude-Code-Ide-Authorization": String(authToken) };
    const sockets: WebSocket[] = [];
    const statuses: number[] = [];
    const growth = await growthWhile(stand.serve, async () => {
      await Promise.all(
        Array.from({ length: 1_000 }, () => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}`, ["mcp"], { headers });
          sockets.push(socket);
          socket.on("error", () => undefined);
          return new Promise<void>((resolve) => {
            socket.once("open", () => resolve());
            socket.once("close", () => resolve());
            socket.once("unexpected-response", (request, response) => {
              statuses.push(response.statusCode ?? 0);
              request.destroy();
              resolve();
            });
          });
        }),
      );
    });
    const open = sockets.filter((socket) => socket.readyState === WebSocket.OPEN);
    for (const socket of sockets) socket.terminate();
    expect(open.length).toBe(255);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(growth).toBeLessThan(64 * MIB);
    await expectServed(stand);
  });
});

test("200 clients that connect, crash and leave, leave nothing behind", async () => {
  const stand = await openFixture();
  const round = async () => {
    const clients = await Promise.all(
      Array.from({ length: 200 }, () => RawClient.ready(stand.lockFile)),
    );
    const shown = () => stand.serve.events.filter(({ event }) => event === "diff-opened").length;
    const before = shown();
    clients.forEach((client, index) => {
      client.send(openDiffCall(index));
    });
    await until("all diffs", () => shown() === before + 200);
    clients.forEach((client, index) => {
      if (index % 3 === 0) client.socket.terminate();
      else if (index % 3 === 1) client.socket.close();
      else client.send('{"half":');
    });
    const leaving = clients.filter((_, index) => index % 3 === 1);
    await Promise.all(leaving.map(({ closed }) => closed));
    for (const client of clients) client.socket.terminate();
  };
  await round();
  await round();
  for (let count = 0; count < 400; count += 1) await stand.serve.event("disconnected");
  const closed = stand.serve.events.filter(({ event }) => event === "diff-closed");
  expect(closed.map(({ outcome }) => outcome)).toEqual(Array(400).fill("cancelled"));
  await expectServed(stand);
});

describe("a client that sends malformed messages is answered, and continues", () => {
  const call = { jsonrpc: "2.0", id: 7, method: "ping" };
  const frames = [
    ["no JSON", "{nope", -32700, null],
    ["an empty frame", "", -32700, null],
    ["a bare string", '"ping"', -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["a batch where the revision has none", JSON.stringify([call]), -32600, null],
    ["no jsonrpc", JSON.stringify({ id: 7, method: "ping" }), -32600, 7],
    ["a wrong jsonrpc", JSON.stringify({ ...call, jsonrpc: "1.0" }), -32600, 7],
    ["an object as id", JSON.stringify({ ...call, id: {} }), -32600, null],
    ["null as id", JSON.stringify({ ...call, id: null }), -32600, null],
    ["params that are no object", JSON.stringify({ ...call, params: "x" }), -32602, 7],
    ["an unknown method", JSON.stringify({ ...call, method: "nope" }), -32601, 7],
    ["a second initialize", JSON.stringify({ ...call, method: "initialize" }), -32600, 7],
  ] as const;

  test(`for messages that are not requests: ${frames.map(([what]) => what).join("; ")}`, async () => {
    const stand = await openFixture();
    for (const [what, frame, code, id] of frames) {
      const client = await RawClient.ready(stand.lockFile);
      client.send(frame);
      const answer = await client.answer((message) => message.error !== undefined);
      expect(answer, what).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
      expect(String(toObject(answer.error)["message"]).length, what).toBeGreaterThan(10);
      expect(await client.request("ping"), what).toMatchObject({ result: {} });
    }
    await expectServed(stand);
  });

  test("a stray answer, which alone gets no reply", async () => {
    const stand = await openFixture();
    const before = stand.otherClient.received.length;
    stand.otherClient.send({ jsonrpc: "2.0", id: 1_000_000, result: {} });
    stand.otherClient.send({ jsonrpc: "2.0", id: 5, error: { code: 1, message: "?" } });
    await expectServed(stand);
    expect(stand.otherClient.received.length).toBe(before + 1);
  });

  test("a call before initialize", async () => {
    const stand = await openFixture();
    const early = await RawClient.open(stand.lockFile);
    expect(await early.request("tools/list")).toMatchObject({ error: { code: -32600 } });
    expect(await early.request("ping")).toMatchObject({ result: {} });
  });
});

describe("a path that an agent may not use is refused, and nothing is written", () => {
  async function openGuarded() {
    const stand = await openFixture();
    const { folder, fixture } = stand.workspace;
    const outside = join(fixture.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.json"), "{broken");
    mkdirSync(join(folder, "directory"));
    writeFileSync(join(folder, "binary.json"), Buffer.from([1, 0, 2, 0xff]));
    symlinkSync(outside, join(folder, "way-out"));
    symlinkSync(join(outside, "secret.json"), join(folder, "link.json"));
    return { ...stand, folder, outside };
  }

  test("by getDiagnostics: relative, NUL, directory, binary", async () => {
    const { otherClient, folder } = await openGuarded();
    const refusals: [string, RegExp][] = [
      ["a.json", /uri.*"a\.json".*not absolute/],
      [`file://${folder}/a\0.json`, /NUL/],
      [`file://${folder}/directory`, /directory/],
      [`file://${folder}/binary.json`, /binary|text/],
    ];
    for (const [uri, words] of refusals) {
      const result = await otherClient.callTool("getDiagnostics", { uri });
      expect(result["isError"]).toBe(true);
      expect(textItems(result)[0]).toMatch(words);
    }
  });

  test("by getDiagnostics: any outside path, with the same message whether it exists or not", async () => {
    const { otherClient, folder, outside } = await openGuarded();
    const type = async (path: string) => {
      const result = await otherClient.callTool("getDiagnostics", { uri: `file://${path}` });
      expect(result["isError"]).toBe(true);
      return String(textItems(result)[0]).replaceAll(path, "PATH");
    };
    const words = await type(join(outside, "secret.json"));
    expect(words).toMatch(/outside the workspace/);
    expect(await type(join(outside, "missing.json"))).toBe(words);
    expect(await type("/home/ada/.ssh/id_rsa")).toBe(words);
    const throughLink = await type(join(folder, "link.json"));
    expect(throughLink).toMatch(/outside the workspace/);
    expect(await type(join(folder, "way-out", "secret.json"))).toBe(throughLink);
    expect(await type(join(folder, "way-out", "missing.json"))).toBe(throughLink);
    // With dots it is the same file, so that only the spelling in the answer may differ.
    const dotted = await otherClient.callTool("getDiagnostics", {
      uri: `file://${folder}/../outside/secret.json`,
    });
    expect(textItems(dotted)[0]).toMatch(/outside the workspace/);
  });

  test("by openDiff: relative, NUL, a folder inside; any other path opens a diff", async () => {
    const { otherClient, serve, folder, outside } = await openGuarded();
    const propose = (path: string) =>
      otherClient.callTool("openDiff", {
        old_file_path: path,
        new_file_path: path,
        new_file_contents: "new",
        tab_name: path,
      });
    for (const [path, words] of [
      ["a.json", /old_file_path.*"a\.json".*not absolute/],
      [`${folder}/a\0.json`, /NUL/],
      [`${folder}/directory`, /is a folder; name a file/],
    ] as const) {
      const result = await propose(path);
      expect(result["isError"]).toBe(true);
      expect(textItems(result)[0]).toMatch(words);
    }
    await serve.do({ do: "diff", answer: "reject" });
    const inside = ["binary.json", "missing.json"].map((name) => join(folder, name));
    const beyond = ["secret.json", "missing.json"].map((name) => join(outside, name));
    for (const path of [...inside, ...beyond]) {
      expect(textItems(await propose(path))).toEqual(["DIFF_REJECTED"]);
    }
    expect(readFileSync(join(outside, "secret.json"), "utf8")).toBe("{broken");
  });

  test("and bad arguments name the argument, the value seen and what was expected", async () => {
    const { otherClient } = await openGuarded();
    const bad: [string, unknown, RegExp][] = [
      ["openDiff", {}, /old_file_path: expected .*string.*, got nothing/],
      ["openDiff", { old_file_path: 42 }, /old_file_path: expected string, got 42/],
      ["openDiff", [], /expected .*object.*, got \[\]/i],
      ["openDiff", "x", /expected .*object.*, got "x"/i],
      ["close_tab", { tab_name: { a: 1 } }, /tab_name: expected string, got \{"a":1\}/],
      ["getDiagnostics", { uri: 5 }, /uri: expected .*string.*, got 5/],
      ["getDiagnostics", { uri: "http://x/y" }, /uri/],
    ];
    for (const [tool, args, words] of bad) {
      const result = await otherClient.callTool(tool, args);
      expect(result["isError"]).toBe(true);
      expect(textItems(result)[0]).toMatch(words);
    }
    const unknown = await otherClient.request("tools/call", { name: "__proto__", arguments: {} });
    expect(unknown).toMatchObject({ error: { code: -32602 } });
  });
});
