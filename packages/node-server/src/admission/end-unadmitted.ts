import { createHash } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { encodeHeaders } from "@idewire/http/internal";

/** The most that an unauthenticated client may still send: a short body, a close frame. */
const MAX_REST_BYTES = 1 << 14;
/** How long it may take to disconnect. */
const PATIENCE_MS = 500;

/** RFC 6455, section 1.3. */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const NONCE = /^[+/0-9A-Za-z]{22}==$/;

/** The one answer that an unauthenticated client gets. */
export interface LastAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * Discards what an unauthenticated client still sends, and cuts it off if it goes on for longer than
 * an honest client would.
 */
export function expectNoMore(socket: Socket, patienceMs: number = PATIENCE_MS): void {
  let left = MAX_REST_BYTES;
  socket.on("data", (rest: Buffer) => {
    left -= rest.length;
    if (left < 0) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => clearTimeout(timer));
}

/** Answers, and ends the connection. */
export function sendLast(
  socket: Socket,
  { method }: IncomingMessage,
  { status, headers, body }: LastAnswer,
): void {
  const size = Buffer.byteLength(body);
  const all = { ...encodeHeaders(headers), Connection: "close", "Content-Length": size };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.cork();
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`);
  if (method !== "HEAD") socket.write(body);
  socket.end();
}

/** Answers an unauthenticated client, and ends the connection. */
export function endUnadmitted(socket: Socket, request: IncomingMessage, answer: LastAnswer): void {
  expectNoMore(socket);
  sendLast(socket, request, answer);
}

/**
 * Answers an upgrade and closes the WebSocket at once, so that an agent reads why. No frame is
 * looked at, and none is kept.
 * @returns false, having done nothing, when it is no upgrade to a WebSocket
 */
export function closeUnadmitted(
  request: IncomingMessage,
  socket: Socket,
  close: { readonly code: number; readonly reason: string; readonly protocol?: string },
): boolean {
  const nonce = request.headers["sec-websocket-key"] ?? "";
  const isUpgrade = request.method === "GET" && request.headers["sec-websocket-version"] === "13";
  if (!isUpgrade || !NONCE.test(nonce)) return false;
  const accept = createHash("sha1")
    .update(nonce + ACCEPT_GUID)
    .digest("base64");
  const head = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(close.protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${close.protocol}`]),
  ].join("\r\n");
  const payload = Buffer.from(`\0\0${close.reason}`);
  payload.writeUInt16BE(close.code, 0);
  const frame = Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
  expectNoMore(socket);
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), frame]));
  return true;
}
