import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCode, gemini } from "@idewire/core";
import { InMemoryEditor, posixPath } from "@idewire/core/testing";
import { connectIde, type IdeConnection, listenIde } from "@idewire/node-server";
import { WebSocket, WebSocketServer } from "ws";
import type { Figures } from "../row.ts";

/** Half of the agents are reached by WebSocket, half over HTTP. */
const HALF = 16;
const SAMPLES = 30;
/** Longer than the least time between two states, so that each selection is sent by itself. */
const REST_MS = 80;

/** Selects a text, and resolves when all clients have received it. */
type SelectForAll = (text: string) => Promise<void>;

/**
 * The time from a selection until the last of 32 agents has received it, in ms: the median. Ends of both kinds are
 * in one process. The floor sends the same frames with `ws` and by `node:http`, at once; the states for HTTP are
 * at least 50 ms apart with us.
 */
export async function manyAgentsFigure(): Promise<Figures> {
  return { floor: [await measure(openFloor)], idewire: [await measure(openIdewire)] };
}

interface Opened {
  readonly select: SelectForAll;
  readonly close: () => Promise<void>;
}

async function measure(open: () => Promise<Opened>): Promise<number> {
  const { select, close } = await open();
  const samples: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const began = performance.now();
    await select(`text ${index}`);
    samples.push(performance.now() - began);
  }
  await close();
  return samples.sort((left, right) => left - right)[SAMPLES / 2] ?? Number.NaN;
}

/** Counts the clients that have received a text. */
class Arrivals {
  #wanted = "";
  #left = 0;
  #done: () => void = () => {};

  wait(text: string): Promise<void> {
    this.#wanted = JSON.stringify(text);
    this.#left = 2 * HALF;
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  received(frame: string): void {
    if (!frame.includes(this.#wanted)) return;
    this.#left -= 1;
    if (this.#left === 0) this.#done();
  }
}

async function openIdewire(): Promise<Opened> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-agents-")));
  const env = { HOME: root, TMPDIR: root };
  const [folder, path] = [posixPath(root), posixPath(join(root, "a.md"))];
  const info = { name: "Bench Editor", version: "1" };
  const editor = new InMemoryEditor({ ...info, folder: { path: folder, name: "work" } });
  const listener = await listenIde(editor, { dialects: [claudeCode, gemini], env, resume: false });
  const arrivals = new Arrivals();
  const agents: IdeConnection[] = [];
  for (const dialect of [claudeCode, gemini]) {
    for (let index = 0; index < HALF; index += 1) {
      const agent = await connectIde({ name: "agent", version: "1", cwd: root, env, dialect });
      agent.on("notification", (_, params) => arrivals.received(JSON.stringify(params)));
      agents.push(agent);
    }
  }
  const isReady = () => [...listener.sessions].every(({ ready }) => ready);
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    select(text) {
      const arrived = arrivals.wait(text);
      const end = { line: 0, character: text.length };
      const range = { start: { line: 0, character: 0 }, end, text };
      editor.setSelection({ path, ranges: [range], primary: 0 });
      return arrived;
    },
    async close() {
      await Promise.all(agents.map((agent) => agent.close()));
      await listener.close();
      rmSync(root, { recursive: true });
    },
  };
}

async function openFloor(): Promise<Opened> {
  const streams: ServerResponse[] = [];
  const http = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    streams.push(response);
  }).listen(0, "127.0.0.1");
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  await once(http, "listening");
  const at = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const arrivals = new Arrivals();
  const leaving = new AbortController();
  const clients: WebSocket[] = [];
  for (let index = 0; index < HALF; index += 1) {
    const client = new WebSocket(`ws://${at}`, { perMessageDeflate: false });
    client.on("message", (data) => arrivals.received(String(data)));
    await once(client, "open");
    clients.push(client);
    void readEvents(await fetch(`http://${at}`, { signal: leaving.signal }), arrivals);
  }
  return {
    select(text) {
      const arrived = arrivals.wait(text);
      const frame = JSON.stringify({
        jsonrpc: "2.0",
        method: "selection_changed",
        params: { text },
      });
      for (const client of sockets.clients) client.send(frame);
      for (const stream of streams) stream.write(`data: ${frame}\n\n`);
      return arrived;
    },
    async close() {
      for (const client of clients) client.terminate();
      leaving.abort();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function readEvents({ body }: Response, arrivals: Arrivals): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) arrivals.received(decoder.decode(piece));
  } catch {
    // The measurement is over.
  }
}
