import { randomUUID } from "node:crypto";
import { request } from "node:http";
import type { Dialect } from "@idewire/core";
import {
  type HeaderTransport,
  isObject,
  isRequestId,
  parseJson,
  type RequestId,
} from "@idewire/core/internal";
import { CloseCode, type CloseReason, RpcError, type Transport } from "@idewire/core/rpc";
import type { CheckPort, ConnectAttempt, ConnectOutcome } from "@idewire/devtools/checks";
import { createEditorTransport, platform } from "@idewire/node-server/internal";
import type { FoundTarget } from "./find-target.ts";

const ANSWER_MS = 5_000;
/** A wrong token with the length of a real one. */
export const WRONG_TOKEN: string = "x".repeat(86);

/** Connects to one editor; the caller closes it. */
export interface NodeCheckPort extends CheckPort {
  /** Terminates open connections. */
  close(): void;
}

/** An editor whose agents use MCP over HTTP. */
type HttpTarget = FoundTarget & { readonly dialect: Dialect };

export function isOverHttp(target: FoundTarget): target is HttpTarget {
  return target.dialect !== undefined && target.dialect.endpoint.kind !== "web-socket";
}

/** Connects over HTTP, at a port or at a socket, as the agents of the target's family do. */
export function openHttpCheckPort(target: HttpTarget): NodeCheckPort {
  const { endpoint, agent } = target.dialect;
  const open = new Set<Transport>();
  return {
    platform,
    agent: {
      ...{ id: target.dialect.id, title: agent?.title ?? target.dialect.id },
      folder: target.folders?.[0],
    },
    async connect(attempt) {
      const refusal = isUsual(attempt) ? undefined : await tryOnce(target, attempt);
      if (refusal !== undefined) return refusal;
      const { port, ...editor } = target;
      const found = { ...editor, ...(port !== undefined && { port }), pid: undefined, folders: [] };
      const transport = createEditorTransport(found, endpoint, { pid: process.pid });
      open.add(transport);
      const cut = () => transport.close();
      return { kind: "open", transport: new AnsweredTransport(transport), ping: pong, cut };
    },
    close() {
      for (const transport of open) transport.close(CloseCode.Normal);
    },
  };
}

/** HTTP has no ping frames, and no rule over HTTP needs one. */
async function pong(): Promise<void> {}

function isUsual({ token, origin, host }: ConnectAttempt): boolean {
  return token === undefined && origin === undefined && host === undefined;
}

const BODY = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: {
    ...{ protocolVersion: "2025-06-18", capabilities: {} },
    clientInfo: { name: "idewire-check", version: "0" },
  },
});

/** The refusal of a request with these headers; undefined if it is accepted. */
function tryOnce(
  { host, port, socketPath, token, dialect: { endpoint } }: HttpTarget,
  attempt: ConnectAttempt,
): Promise<ConnectOutcome | undefined> {
  const { scheme = "Bearer", introduce } = endpoint;
  const sent = attempt.token === "wrong" ? WRONG_TOKEN : token;
  const isSent = attempt.token !== "missing" && sent !== undefined;
  const own = port === undefined ? "localhost" : `${host}:${port}`;
  const headers = {
    ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
    ...introduce?.({ session: randomUUID(), pid: process.pid }),
    ...(isSent && { authorization: `${scheme} ${sent}` }),
    ...(attempt.origin !== undefined && { origin: attempt.origin }),
    host: attempt.host ?? own,
  };
  const place = port === undefined ? { socketPath } : { host, port };
  return new Promise((resolve) => {
    const options = { ...place, path: "/mcp", method: "POST", headers, agent: false as const };
    const outgoing = request({ ...options, timeout: ANSWER_MS }, ({ statusCode: status = 0 }) => {
      resolve(status >= 200 && status < 300 ? undefined : { kind: "refused", status });
      outgoing.destroy();
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("nothing was answered")));
    outgoing.on("error", ({ message }) => resolve({ kind: "silent", message }));
    outgoing.end(BODY);
  });
}

/** A transport that passes the error of a refused request on as a frame, as over a WebSocket. */
export class AnsweredTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: Transport["onclose"];
  ondrain: Transport["ondrain"];
  readonly #transport: Transport & Partial<Pick<HeaderTransport, "requests">>;
  readonly #waiting = new Set<RequestId>();
  readonly #explain: ((error: Error) => Promise<string>) | undefined;
  #isClosed = false;

  /** @param explain describes a failure without an answer, which closes the connection; ignored by default */
  constructor(transport: Transport, explain?: (error: Error) => Promise<string>) {
    this.#transport = transport;
    this.#explain = explain;
    this.#transport.requests = {
      awaits: (id) => this.#waiting.has(id),
      fail: (id, error) => this.#fail(id, error),
    };
    transport.onframe = (frame) => this.#receive(frame);
    transport.onclose = (reason) => this.#close(reason);
    transport.ondrain = () => this.ondrain?.();
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  send(frame: string): void {
    const { id, method } = read(frame);
    if (method !== undefined && isRequestId(id)) this.#waiting.add(id);
    this.#transport.send(frame);
  }

  close(code?: number, reason?: string): void {
    this.#transport.close(code, reason);
  }

  #receive(frame: string): void {
    const { id, method } = read(frame);
    if (method === undefined && isRequestId(id)) this.#waiting.delete(id);
    this.onframe?.(frame);
  }

  #fail(id: RequestId, error: Error): void {
    if (!this.#waiting.delete(id)) return;
    if (!(error instanceof RpcError)) {
      void this.#explain?.(error).then((reason) => {
        this.#close({ code: CloseCode.Abnormal, reason });
        this.#transport.close();
      });
      return;
    }
    const { code, message, data } = error;
    const answer = { code, message, ...(data !== undefined && { data }) };
    this.onframe?.(JSON.stringify({ jsonrpc: "2.0", id, error: answer }));
  }

  #close(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.(reason);
  }
}

function read(frame: string): { readonly id?: unknown; readonly method?: unknown } {
  try {
    const value: unknown = parseJson(frame);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
