import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import {
  attacksOn,
  type ClientGroup,
  growthWhile,
  openClientGroup,
  untilCut,
} from "../src/hostile/client-group.ts";
import { startInspect } from "../src/inspect-process.ts";
import { RawClient } from "../src/raw-client.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const MIB = 1 << 20;
const CLIENT_COUNT = 200;
/** 16 kB for each client, and the initial growth of a new process's heap. */
const MAX_GROWTH = CLIENT_COUNT * 16_384 + 45 * MIB;
/** Silent clients are closed after some seconds; the rest allows for a busy machine. */
const CUT_MS = 40_000;

/** A port in a separate process, and its owner, who can connect at any time. */
interface Target {
  readonly pid: number;
  readonly port: number;
  readonly path: string;
  /** Headers of a valid upgrade. */
  readonly headers?: readonly string[];
  /** Connects as the owner, and is answered. */
  enter(): Promise<void>;
}

async function openAgents(): Promise<Target> {
  const serve = startServe(openWorkspace());
  const { lockFile, port } = await serve.event("listening");
  return { pid: serve.pid, port: Number(port), path: "/", enter: () => ping(String(lockFile)) };
}

async function openInspection(): Promise<Target> {
  const workspace = openWorkspace();
  const serve = startServe(workspace);
  await serve.event("listening");
  const run = startInspect(workspace);
  const { lockFile, port } = await run.event("inspecting");
  return { pid: run.pid, port: Number(port), path: "/", enter: () => ping(String(lockFile)) };
}

async function ping(lockFile: string): Promise<void> {
  const client = await RawClient.ready(lockFile);
  expect(await client.request("ping")).toMatchObject({ result: {} });
  client.socket.terminate();
}

async function openPage(): Promise<Target> {
  const serve = startServe(openWorkspace(), { flags: ["--web"] });
  const { page } = await serve.event("listening");
  const { origin, port, hash } = new URL(String(page));
  const names = [`idewire.ticket.${hash.slice(3)}`, `idewire.key.${"k".repeat(43)}`];
  const enter = async () => {
    const url = `ws://127.0.0.1:${port}/live`;
    const socket = new WebSocket(url, ["idewire.v1", ...names], { origin });
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.send('{"jsonrpc":"2.0","id":1,"method":"live/join"}');
    await once(socket, "message");
    socket.terminate();
  };
  const headers = [`Origin: http://127.0.0.1:${port}`, "Sec-WebSocket-Protocol: idewire.v1"];
  return { pid: serve.pid, port: Number(port), path: "/live", headers, enter };
}

const OFFER = `
  import { McpServer } from "@idewire/core/server";
  import { openFolderEndpoint } from "@idewire/node-server/internal";
  const server = new McpServer({ name: "vault", version: "1.0.0" });
  const [folder] = process.argv.slice(1);
  const options = { server, context: undefined, folder, env: { HOME: folder } };
  console.log(JSON.stringify((await openFolderEndpoint(options)).endpoint));
`;

/** Tools over HTTP, like those of a vault that the plugin offers. */
async function openTools(): Promise<Target> {
  const folder = temporaryFolder("idewire-tools-");
  const child: ChildProcess = spawn(
    ...[process.execPath, ["--input-type=module", "-e", OFFER, folder]],
    { cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stdout === null) throw new Error("no output");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, token } = JSON.parse(String(line)) as {
    readonly url: string;
    readonly token: string;
  };
  const enter = async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const answer = await fetch(url, { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ result: {} });
  };
  return { pid: child.pid ?? 0, port: Number(new URL(url).port), path: "/mcp", enter };
}

type Kind = keyof ReturnType<typeof attacksOn>;

/** Attacks that only a time-out ends run together. */
const rounds: readonly (readonly Kind[])[] = [
  ["an upgrade, and frames of 64 MiB"],
  ["an upgrade, and small frames"],
  ["a body of 1 GB"],
  ["thousands of requests at once"],
  ["a head without an end", "a head of many small lines", "nothing at all"],
];

describe.each([
  ["the socket of agents", openAgents],
  ["the page", openPage],
  ["the tools of a folder", openTools],
  ["an inspection", openInspection],
])("before admission nothing is buffered, and no client is blocked: %s", (_, open) => {
  test(`${CLIENT_COUNT} unauthenticated clients at a time: ${rounds.flat().join("; ")}`, async () => {
    const { pid, port, path, headers, enter } = await open();
    // Warms up the heap to its working size.
    for (let round = 0; round < 5; round += 1) await enter();
    const attacks = attacksOn(port, path, headers);
    for (const kinds of rounds) {
      const growth = await growthWhile(pid, async () => {
        const count = Math.ceil(CLIENT_COUNT / kinds.length);
        const groups = kinds.map((kind) => openClientGroup(port, count, attacks[kind]));
        await enter();
        for (const group of groups) await untilCut(group, CUT_MS);
      });
      expect.soft(growth, kinds.join()).toBeLessThan(MAX_GROWTH);
    }
    await enter();
  });

  test("2,000 silent clients are closed before any that has presented a token", async () => {
    const { port, enter } = await open();
    const groups: ClientGroup[] = [];
    for (let round = 0; round < 10; round += 1) {
      const group = openClientGroup(port, 200, { head: "" });
      groups.push(group);
      await Promise.all(group.sockets.map((socket) => once(socket, "connect")));
      await enter();
    }
    await expect.poll(() => groups[0]?.connected()).toBe(0);
  });
});
