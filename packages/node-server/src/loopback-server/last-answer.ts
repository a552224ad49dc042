import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { encodeHeaders } from "@idewire/http/internal";

/** How much a refused client may still send: a short body, a close frame. */
const MAX_REST_BYTES = 1 << 14;
/** How long a client may take to disconnect; if terminated earlier, it would miss the answer. */
const TIMEOUT_MS = 500;

/** RFC 6455, section 1.3. */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const NONCE = /^[+/0-9A-Za-z]{22}==$/;

/** The only answer to a client that is not admitted. */
export interface LastAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How long the client has to read it; 500 by default. */
  readonly graceMs?: number;
}

/** An upgrade that is closed immediately, so that an agent can read the reason. */
export interface LastClose {
  readonly code: number;
  readonly reason: string;
  readonly protocol?: string;
}

/** Whether a request is the handshake of a WebSocket (RFC 6455 section 4.1). */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  const nonce = headers["sec-websocket-key"] ?? "";
  return method === "GET" && headers["sec-websocket-version"] === "13" && NONCE.test(nonce);
}

/** Answers a client of whose request only the head was read, and ends the connection. */
export function endUnadmitted(
  socket: Socket,
  { method, headers }: IncomingMessage,
  answer: LastAnswer | LastClose,
): void {
  discardRest(socket, "code" in answer ? TIMEOUT_MS : answer.graceMs);
  if ("code" in answer) {
    const nonce = headers["sec-websocket-key"] ?? "";
    socket.end(Buffer.concat([Buffer.from(formatUpgrade(nonce, answer)), formatClose(answer)]));
    return;
  }
  socket.cork();
  socket.write(formatHead(answer));
  if (method !== "HEAD") socket.write(answer.body);
  socket.end();
}

/**
 * Answers a client during its request, and ends the connection: anything else that it sends is discarded, such as
 * the rest of a body, further requests, or frames of an unsupported protocol.
 */
export function endRefused(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, graceMs = TIMEOUT_MS }: LastAnswer,
): void {
  if (response.headersSent) return void response.end();
  const size = { connection: "close", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...encodeHeaders(headers), ...size }).write(body);
  const timer = setTimeout(() => response.end(), graceMs);
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.on("end", () => response.end()).resume();
}

/** A close frame. */
export function formatClose({ code, reason }: LastClose, mask?: Buffer): Buffer {
  const payload = Buffer.from(`\0\0${reason}`);
  payload.writeUInt16BE(code, 0);
  if (mask === undefined) return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] as number));
  return Buffer.concat([Buffer.from([0x88, 0x80 | payload.length]), mask, masked]);
}

/** Terminates a client that continues for longer than an honest one would. */
function discardRest(socket: Socket, graceMs: number = TIMEOUT_MS): void {
  let left = MAX_REST_BYTES;
  socket.on("data", (rest: Buffer) => {
    left -= rest.length;
    if (left < 0) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.on("close", () => clearTimeout(timer));
}

function formatHead({ status, headers, body }: LastAnswer): string {
  const size = Buffer.byteLength(body);
  const all = { ...encodeHeaders(headers), Connection: "close", "Content-Length": size };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
}

function formatUpgrade(nonce: string, { protocol }: LastClose): string {
  const accept = createHash("sha1")
    .update(nonce + ACCEPT_GUID)
    .digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
