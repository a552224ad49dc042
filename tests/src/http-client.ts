import type { McpServer } from "@idewire/core/server";
import {
  type Authorized,
  createMcpHandler,
  type McpHandlerOptions,
  type RequestHead,
} from "@idewire/http";
import type { HttpLimits, LegacyMode } from "@idewire/http/internal";
import { listenMcp } from "@idewire/node-server";

export type Send = (init: RequestInit) => Promise<Response>;

/** The options of an endpoint, which accepts everybody without `authorize`. */
export interface EndpointOptions {
  readonly server: McpServer<unknown>;
  readonly context?: unknown;
  readonly authorize?: (head: RequestHead) => Authorized<unknown> | Promise<Authorized<unknown>>;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly legacy?: LegacyMode;
  readonly ssePath?: string;
  readonly limits?: Partial<HttpLimits>;
  readonly onerror?: (error: Error) => void;
}

/** The parameters of the creation of an endpoint. */
export function toParameters({
  server,
  ...options
}: EndpointOptions): [McpServer<unknown>, McpHandlerOptions<unknown>] {
  if (options.authorize === undefined) return [server, { access: "anyone", ...options } as never];
  return [server, options as never];
}

/** An endpoint, as a function that sends it a request. */
export interface OpenEndpoint {
  readonly send: Send;
  readonly url: string;
  close(): Promise<void>;
}

/** The two implementations of an endpoint, to which the same laws apply. */
export const carriers: Readonly<
  Record<string, (options: EndpointOptions) => Promise<OpenEndpoint>>
> = {
  async listener(options) {
    const listener = await listenMcp(...toParameters(options));
    const { url } = listener;
    return { url, send: (init) => fetch(url, init), close: () => listener.close() };
  },
  async handler(options) {
    const handler = createMcpHandler(...toParameters(options));
    const url = "http://127.0.0.1:3000/mcp";
    return {
      url,
      send: (init) => handler.fetch(new Request(url, init)),
      close: async () => handler.close(),
    };
  },
};

/** The same over three instances that share a store: each request goes to the next one. */
export async function carriedByThree(options: EndpointOptions): Promise<OpenEndpoint> {
  const handlers = [1, 2, 3].map(() => createMcpHandler(...toParameters(options)));
  const url = "http://127.0.0.1:3000/mcp";
  let turn = 0;
  return {
    url,
    send(init) {
      const handler = handlers[turn++ % handlers.length];
      if (handler === undefined) throw new Error("There is no instance");
      return handler.fetch(new Request(url, init));
    },
    async close() {
      for (const handler of handlers) handler.close();
    },
  };
}

export type Headers = Readonly<Record<string, string>>;

/** The request that posts a message. */
export function posting(
  message: unknown,
  headers: Headers = {},
  signal?: AbortSignal,
): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
    ...(signal && { signal }),
  };
}

export function getting(headers: Headers, signal?: AbortSignal): RequestInit {
  return {
    method: "GET",
    headers: { accept: "text/event-stream", ...headers },
    ...(signal && { signal }),
  };
}

export const request = (id: number | string, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});

export const calling = (id: number | string, name: string, args: object = {}, meta?: object) =>
  request(id, "tools/call", { name, arguments: args, ...(meta && { _meta: meta }) });

const prefix = "io.modelcontextprotocol/";

/** A request of the modern era, with the required `_meta`. */
export function modernRequest(
  id: number | string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision = "2026-07-28",
  capabilities: object = {},
): object {
  const meta = {
    [`${prefix}protocolVersion`]: revision,
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: { name: "test", version: "1" },
    ...(params["_meta"] as object | undefined),
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
}

/** The request that posts a message of the modern era, with the headers that repeat its values. */
export function postingModern(
  message: object,
  headers: Headers = {},
  signal?: AbortSignal,
): RequestInit {
  const { method = "", params = {} } = message as {
    readonly method?: string;
    readonly params?: { readonly name?: string; readonly uri?: string };
  };
  const name = params.name ?? params.uri;
  const repeated = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  const all = Object.entries({ ...repeated, ...headers }).filter(([, value]) => value !== "");
  return posting(message, Object.fromEntries(all), signal);
}

/** Opens a session; resolves to the headers of its later requests. */
export async function openSession(
  send: Send,
  options: {
    readonly revision?: string;
    readonly capabilities?: object;
    readonly headers?: Headers;
  } = {},
): Promise<Headers> {
  const { revision = "2025-11-25", capabilities = {}, headers = {} } = options;
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: revision, capabilities, clientInfo };
  const answer = await send(posting(request("open", "initialize", params), headers));
  const id = answer.headers.get("mcp-session-id");
  if (!answer.ok || id === null) throw new Error(`No session: ${await answer.text()}`);
  await answer.text();
  const session = { ...headers, "mcp-session-id": id, "mcp-protocol-version": revision };
  const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
  await (await send(posting(ready, session))).text();
  return session;
}

export interface SeenEvent {
  readonly id?: string;
  readonly retry?: string;
  /** Parsed; undefined for an event without data. */
  readonly data?: unknown;
}

/** Reads the events of a response one by one; comments are returned as `{}`. */
export async function* eventsOf(response: Response): AsyncGenerator<SeenEvent> {
  if (response.body === null) throw new Error("The response has no body");
  let text = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield toEvent(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

/** The data of the next event with data. */
export async function nextMessage(events: AsyncGenerator<SeenEvent>): Promise<unknown> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return undefined;
    if (value.data !== undefined) return value.data;
  }
}

function toEvent(text: string): SeenEvent {
  const field = (name: string) => new RegExp(`^${name}: ?(.+)$`, "m").exec(text)?.[1];
  const [id, retry, data] = [field("id"), field("retry"), field("data")];
  return {
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry }),
    ...(data !== undefined && { data: JSON.parse(data) }),
  };
}
