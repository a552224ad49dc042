import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setImmediate } from "node:timers";
import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import { type CloseReason, IdewireError, type Transport } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import { SUB_PROTOCOL, TOKEN_HEADER } from "../loopback-server/handshake.ts";
import { codeOf } from "../process/error-code.ts";
import type { OwnConnections } from "../process/own-connections.ts";
import { createNodeWebSocketTransport, FrameCache } from "../web-socket/web-socket-transport.ts";

/** The address of an editor's WebSocket. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

export interface EditorDialOptions {
  /** The time-out of the upgrade. */
  readonly timeoutMs: number;
  /** The size limit of the editor's frames, 16 MiB by default; a larger one closes with 1009. */
  readonly maxFrameBytes?: number | undefined;
  /** Registers the connection as our own. */
  readonly own?: OwnConnections | undefined;
}

/** The outcome of an attempt to open an editor's WebSocket. */
export type EditorDialOutcome =
  | {
      readonly kind: "open";
      readonly transport: Transport;
      readonly headers: IncomingHttpHeaders;
      /** Why it has closed; undefined while it is open. */
      readonly closed: Promise<CloseReason>;
    }
  /** Nothing answered: the system's code, or `timeout`. */
  | { readonly kind: "silent"; readonly code: string }
  /** An HTTP response in place of an upgrade. */
  | { readonly kind: "http"; readonly status: number; readonly headers: IncomingHttpHeaders }
  /** A WebSocket, but not an editor's. */
  | {
      readonly kind: "not-an-editor";
      readonly message: string;
      readonly headers?: IncomingHttpHeaders;
    };

/** How long the other end has to answer our close frame before its connection is terminated. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Opens an editor's WebSocket as an agent does: at `/`, with the token's header, the sub-protocol `mcp` and no
 * Origin, and without a proxy.
 */
export async function tryDial(
  address: Address,
  options: EditorDialOptions,
): Promise<EditorDialOutcome> {
  const { host, port, token } = address;
  // The types of ws lack closeTimeout, so the options must not be a fresh literal.
  const webSocketOptions = {
    headers: token === undefined ? {} : { [TOKEN_HEADER]: token },
    handshakeTimeout: options.timeoutMs,
    maxPayload: options.maxFrameBytes ?? MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...(options.own && { createConnection: options.own.connect }),
  };
  const url = `ws://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  const ws = await import("ws");
  const webSocket = new ws.WebSocket(url, [SUB_PROTOCOL], webSocketOptions);
  return new Promise((resolve) => {
    let upgrade: IncomingMessage | undefined;
    webSocket.once("upgrade", (response) => {
      upgrade = response;
    });
    webSocket.once("unexpected-response", (request, { statusCode = 0, headers }) => {
      resolve({ kind: "http", status: statusCode, headers });
      request.destroy();
    });
    webSocket.on("error", (error) => resolve(toFailure(error, upgrade?.headers)));
    webSocket.once("open", () => {
      if (upgrade !== undefined) resolve(accept(webSocket, upgrade));
    });
  });
}

/**
 * The same; anything but an open WebSocket is thrown as an error.
 * @throws IdewireError `unreachable`, `unauthorized` or `not-an-editor`
 */
export async function dial(
  address: Address,
  options: EditorDialOptions,
): Promise<Extract<EditorDialOutcome, { readonly kind: "open" }>> {
  const outcome = await tryDial(address, options);
  if (outcome.kind === "open") return outcome;
  const where = `port ${address.port} of ${address.host}`;
  if (outcome.kind === "silent") {
    throw new IdewireError("unreachable", `Nothing answers on ${where} (${outcome.code})`);
  }
  if (outcome.kind === "http" && outcome.status === 401) {
    throw new IdewireError("unauthorized", `The editor on ${where} refuses the token (401)`);
  }
  const seen = outcome.kind === "http" ? `HTTP ${outcome.status}` : outcome.message;
  throw new IdewireError("not-an-editor", `No editor answers on ${where}: ${seen}`);
}

function accept(webSocket: WebSocket, { socket, headers }: IncomingMessage): EditorDialOutcome {
  const transport = createNodeWebSocketTransport(webSocket, socket, new FrameCache());
  // Frames that arrive with the upgrade wait until a listener can be added.
  webSocket.pause();
  setImmediate(() => webSocket.resume());
  const closed = new Promise<CloseReason>((resolve) => {
    webSocket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  return { kind: "open", transport, headers, closed };
}

const SILENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EADDRNOTAVAIL",
]);

function toFailure(error: Error, headers: IncomingHttpHeaders | undefined): EditorDialOutcome {
  const code = codeOf(error);
  if (SILENT.has(code)) return { kind: "silent", code };
  // ws has no code for its own time-out.
  if (/timed out/.test(error.message)) return { kind: "silent", code: "timeout" };
  return {
    kind: "not-an-editor",
    message: error.message,
    ...(headers !== undefined && { headers }),
  };
}
