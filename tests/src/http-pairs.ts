import { readFileSync } from "node:fs";
import { type Dialect, gemini, type IdeSession } from "@idewire/core";
import { isObject, systemClock } from "@idewire/core/internal";
import type { CloseReason, Transport } from "@idewire/core/rpc";
import { fakeEditorHost, posixPath, type TransportPair } from "@idewire/core/testing";
import { createHttpTransport } from "@idewire/http";
import { listenIde } from "@idewire/node-server";
import { Fixture } from "./reference-clients/fixture.ts";

const METHOD = "test/text";

/** Over HTTP a frame is a message: the text is in a notification. */
function messageOf(text: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: METHOD, params: { text } });
}

function textOf(params: unknown): string | undefined {
  const text = isObject(params) ? params["text"] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** The editor's end of the one session of an endpoint. */
class EditorEnd implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly bufferedAmount = 0;
  #session: IdeSession | undefined;
  /** A family of agents over HTTP that sends texts both ways. */
  readonly dialect: Dialect = {
    ...gemini,
    readyDelayMs: 0,
    follows: [],
    encodeState: () => undefined,
    receive: (session, method, params) => {
      const text = method === METHOD ? textOf(params) : undefined;
      if (text !== undefined && session === this.#session) this.onframe?.(text);
    },
  };

  attach(session: IdeSession): void {
    this.#session = session;
  }

  send(text: string): void {
    this.#session?.connection.notify(METHOD, { text });
  }

  /** An editor cannot end one session. */
  close(): void {}
}

/** The agent's end: the texts in the messages of a transport. */
class AgentEnd implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #transport: Transport;
  #answered: (() => void) | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onframe = (frame) => this.#receive(frame);
    transport.onclose = (reason) => this.onclose?.(reason);
    transport.ondrain = () => this.ondrain?.();
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  async begin(): Promise<void> {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await this.#ask("initialize", params);
    this.#transport.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    await this.#ask("tools/list", {});
  }

  send(text: string): void {
    this.#transport.send(messageOf(text));
  }

  close(code?: number, reason?: string): void {
    this.#transport.close(code, reason);
  }

  #ask(method: string, params: object): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    this.#transport.send(JSON.stringify({ jsonrpc: "2.0", id: method, method, params }));
    return answered;
  }

  #receive(frame: string): void {
    const { id, method, params } = JSON.parse(frame) as Record<string, unknown>;
    if (id !== undefined) this.#answered?.();
    const text = method === METHOD ? textOf(params) : undefined;
    if (text !== undefined) this.onframe?.(text);
  }
}

/** Sends requests whose event streams break off after each event. */
async function cutEachEvent(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, init);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (init?.method !== "GET" || !isStream || response.body === null) return response;
  return new Response(cutAfterEvent(response.body), response);
}

function cutAfterEvent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isInEvent = false;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      const text = decoder.decode(value, { stream: true });
      const from = isInEvent ? 0 : text.indexOf("data:");
      isInEvent ||= from >= 0;
      const end = isInEvent ? text.indexOf("\n\n", from) : -1;
      if (end < 0) return controller.enqueue(value);
      controller.enqueue(new TextEncoder().encode(text.slice(0, end + 2)));
      controller.close();
      await reader.cancel();
    },
    cancel: () => reader.cancel(),
  });
}

/** Waits a thousandth of the time. */
const fastClock = {
  ...systemClock,
  setTimeout: (call: () => void, ms: number) => systemClock.setTimeout(call, ms / 1_000),
};

/** An endpoint for agents over HTTP, on the left, and an agent's transport, which is connected to it. */
export async function httpPair({ isCut = false } = {}): Promise<TransportPair> {
  const fixture = new Fixture();
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath(fixture.workspace), name: "work" }];
  const editor = new EditorEnd();
  const listener = await listenIde(host, {
    dialects: [editor.dialect],
    env: fixture.env,
    resume: false,
  });
  const { port = 0, lockFile = "" } = listener.endpoints[0] ?? {};
  const token = gemini.endpoint.discovery?.read(readFileSync(lockFile, "utf8"));
  const authorization = `Bearer ${token?.ok === true ? token.value.authToken : ""}`;
  listener.on("connected", (session) => editor.attach(session));
  listener.on("disconnected", (_, reason) => editor.onclose?.(reason));
  const agent = new AgentEnd(
    createHttpTransport(`http://127.0.0.1:${port}/mcp`, {
      headers: { authorization },
      ...(isCut && { fetch: cutEachEvent, clock: fastClock }),
    }),
  );
  await agent.begin();
  return {
    left: editor,
    right: agent,
    async dispose() {
      await listener.close();
      await fixture.close();
    },
  };
}

/** The same, seen from the agent. */
export async function agentHttpPair(): Promise<TransportPair> {
  const { left, right, ...pair } = await httpPair();
  return { ...pair, left: right, right: left };
}
