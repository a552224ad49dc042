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
 * The floor: JSON.parse, a look-up by integer id, JSON.stringify. No checks, no errors, no
 * time-outs, no limits; its only kindness is that bad JSON does not end it.
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
    const listener: RequestListener = (request, response) => {
      readBody(request, (body) => send(response, answer(body, methods), body));
    };
    return listenOn(listener, httpHeaders);
  },

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

/** The tables that all connections share. */
function createMethods({ toolCount }: ServerOptions): Methods {
  const tools = new Map<string, (args: Arguments) => unknown>([
    ["echo", ({ text }) => ({ content: [{ type: "text", text }] })],
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
    const text = answer(frame, methods);
    if (text !== undefined) channel.send(text);
  };
}

function answer(frame: string, methods: Methods): string | undefined {
  const message = parse(frame);
  const method = methods.get(message?.method);
  if (message?.id === undefined || method === undefined) return undefined;
  const result = method(message.params);
  return JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
}

const saved = { type: "text", text: "FILE_SAVED" };

function parse(frame: string): Message | undefined {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

// The same as ours goes over the wire; the floor looks at none of it.
const sessionHeaders = { "mcp-session-id": randomUUID() };
const httpHeaders = { authorization: `Bearer ${randomBytes(32).toString("base64url")}` };

function reply(response: ServerResponse, text: string | undefined): void {
  if (text === undefined) return void response.writeHead(202).end();
  const length = Buffer.byteLength(text);
  response.writeHead(200, {
    ...sessionHeaders,
    "content-type": "application/json",
    "content-length": length,
  });
  response.end(text);
}

/** One event of progress, and the answer. */
function stream(response: ServerResponse, text: string | undefined, body: string): void {
  const token = parse(body)?.id;
  if (text === undefined) return void response.writeHead(202).end();
  const params = { progressToken: token, progress: 1 };
  const progress = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params });
  response.writeHead(200, { ...sessionHeaders, "content-type": "text/event-stream" });
  response.write(`event: message\ndata: ${progress}\n\n`);
  response.end(`event: message\ndata: ${text}\n\n`);
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

/** A lock file as it must be: private, complete when it appears. */
async function publish(folder: string, port: number): Promise<void> {
  const directory = join(folder, "ide");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ pid: process.pid, workspaceFolders: [folder], transport: "ws" });
  const draft = join(directory, `.${port}.draft`);
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, join(directory, `${port}.lock`));
}
