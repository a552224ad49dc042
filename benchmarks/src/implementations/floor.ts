import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { SELECTION_METHOD, selectionOf } from "../bench-host.ts";
import {
  type Channel,
  ChannelServer,
  createMemoryChannels,
  LineChannel,
  openChannel,
  spawnChannel,
} from "../channel.ts";
import { FetchClient } from "../fetch-client.ts";
import { listenOn, readBody } from "../http-listening.ts";
import type { Client, Implementation, Listening, ServerOptions } from "../implementation.ts";
import { describeTools } from "../tools.ts";

type Arguments = Readonly<Record<string, string>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name: string; readonly arguments: Arguments };
  readonly result?: unknown;
}

/**
 * The floor: JSON.parse, a look-up by integer id, JSON.stringify. No checks, errors, time-outs or limits,
 * except that malformed JSON does not end it.
 */
export const floor: Implementation = {
  async joinInMemory(options) {
    const [near, far] = createMemoryChannels();
    serve(far, createMethods(options));
    return new FloorClient(near);
  },

  async listen(options) {
    const methods = createMethods(options);
    const server = await ChannelServer.listen((channel) => serve(channel, methods));
    if (options.folder !== undefined) await publish(options.folder, server.port);
    return listening(server);
  },

  listenHttp: (options) => {
    const methods = createMethods(options);
    const send = options.progress === true ? stream : reply;
    const headers = options.modern === true ? {} : sessionHeaders;
    const listener: RequestListener = (request, response) => {
      readBody(request, (body) => {
        const message = parse(body);
        send(response, { headers, id: message?.id, text: answer(message, methods) });
      });
    };
    const { redis } = options;
    const roundTrip = redis && (() => redis.sendCommand(["GET", "bench"]));
    return listenOn(listener, httpHeaders, roundTrip);
  },

  connectHttp: (server, options) => FetchClient.open(server, options),

  connect: async (server) => new FloorClient(await openChannel(server)).initialize(),

  async serveStdio(options) {
    serve(new LineChannel(process.stdin, process.stdout), createMethods(options));
  },

  connectStdio: (command, args) => new FloorClient(spawnChannel(command, args)).initialize(),
};

function listening(server: ChannelServer): Listening {
  return {
    url: server.url,
    headers: {},
    get readyCount() {
      return server.sockets.size;
    },
    broadcast(text) {
      const frame = { jsonrpc: "2.0", method: SELECTION_METHOD, params: selectionOf(text) };
      const bytes = Buffer.from(JSON.stringify(frame));
      for (const socket of server.sockets) socket.send(bytes, { binary: false });
    },
    close: () => server.close(),
  };
}

type Methods = ReadonlyMap<string | undefined, (params: Message["params"]) => unknown>;

/** The tables shared by all connections. */
function createMethods({ toolCount, modern }: ServerOptions): Methods {
  const tools = new Map<string, (args: Arguments) => unknown>([
    ["echo", modern === true ? modernEcho : ({ text }) => ({ content: [{ type: "text", text }] })],
    ["openDiff", ({ new_file_contents: text }) => ({ content: [saved, { type: "text", text }] })],
  ]);
  const descriptions = describeTools(toolCount);
  return new Map<string | undefined, (params: Message["params"]) => unknown>([
    ["tools/call", (params) => params && tools.get(params.name)?.(params.arguments)],
    ["tools/list", () => ({ tools: descriptions })],
    ["initialize", () => ({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} })],
    ["ping", () => ({})],
  ]);
}

function serve(channel: Channel, methods: Methods): void {
  channel.onframe = (frame) => {
    const text = answer(parse(frame), methods);
    if (text !== undefined) channel.send(text);
  };
}

function answer(message: Message | undefined, methods: Methods): string | undefined {
  const method = methods.get(message?.method);
  if (message?.id === undefined || method === undefined) return undefined;
  const result = method(message.params);
  return JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
}

const saved = { type: "text", text: "FILE_SAVED" };
const modernMeta = {
  "io.modelcontextprotocol/serverInfo": { name: "bench", version: "1.0.0" },
};

function modernEcho({ text }: Arguments): unknown {
  return { resultType: "complete", content: [{ type: "text", text }], _meta: modernMeta };
}

function parse(frame: string): Message | undefined {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

// The headers and bodies on the wire are the same as ours; the floor does not check them.
const sessionHeaders = { "mcp-session-id": randomUUID() };
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const httpHeaders = { authorization: `Bearer ${randomBytes(32).toString("base64url")}` };

/** The event stream of an answered request. */
interface Answered {
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a notification. */
  readonly id: number | undefined;
  readonly text: string | undefined;
}

function reply(response: ServerResponse, { headers, text }: Answered): void {
  if (text === undefined) return void response.writeHead(202, headers).end();
  const length = Buffer.byteLength(text);
  response.writeHead(200, {
    ...headers,
    "content-type": "application/json",
    "content-length": length,
  });
  response.end(text);
}

let streamCount = 0;

/** An event that names the stream, one of progress, and the answer. */
function stream(response: ServerResponse, { headers, id, text }: Answered): void {
  if (text === undefined) return void response.writeHead(202, headers).end();
  const name = `bench-id-${streamCount++}`;
  const params = { progressToken: id, progress: 1 };
  const progress = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params });
  response.writeHead(200, { ...headers, ...streamHeaders });
  response.write(`id: ${name}-0\ndata:\n\n`);
  response.write(`event: message\nid: ${name}-1\ndata: ${progress}\n\n`);
  response.end(`event: message\nid: ${name}-2\ndata: ${text}\n\n`);
}

class FloorClient implements Client {
  readonly #channel: Channel;
  readonly #pending = new Map<number, (result: unknown) => void>();
  #lastId = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onframe = (frame) => {
      const { id = 0, result } = JSON.parse(frame) as Message;
      const resolve = this.#pending.get(id);
      this.#pending.delete(id);
      resolve?.(result);
    };
  }

  async initialize(): Promise<this> {
    await this.#request("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    this.#channel.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return this;
  }

  echo(text: string): Promise<unknown> {
    return this.#request("tools/call", { name: "echo", arguments: { text } });
  }

  listTools(): Promise<unknown> {
    return this.#request("tools/list", {});
  }

  openDiff(text: string): Promise<unknown> {
    const args = { old_file_path: "/w/a", new_file_contents: text, tab_name: "a" };
    return this.#request("tools/call", { name: "openDiff", arguments: args });
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #request(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#pending.set(id, resolve);
      this.#channel.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }
}

/** A correct lock file: private, and complete when it appears. */
async function publish(folder: string, port: number): Promise<void> {
  const directory = join(folder, "ide");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ pid: process.pid, workspaceFolders: [folder], transport: "ws" });
  const draft = join(directory, `.${port}.draft`);
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, join(directory, `${port}.lock`));
}
