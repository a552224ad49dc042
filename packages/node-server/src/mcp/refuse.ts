import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import type { HttpHeaders } from "@idewire/http";
import { encodeHeaders, type Refused, toRefused } from "@idewire/http/internal";
import { endUnadmitted } from "../admission/end-unadmitted.ts";

/** How long an authenticated client that is refused may go on sending; cut off earlier, it would miss the answer. */
const PATIENCE_MS = 500;

/**
 * Answers what is refused before its body was read, and ends its connection: what else is on its way
 * there is thrown away, be it the rest of a body, other requests, or the frames of a protocol that is
 * not spoken here.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  more?: HttpHeaders,
): void {
  if (response.headersSent) return void response.end();
  const { status, headers, body } = toRefused(error).answerTo();
  const size = { connection: "close", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...encodeHeaders({ ...more, ...headers }), ...size }).write(body);
  const timer = setTimeout(() => response.end(), PATIENCE_MS);
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.on("end", () => response.end()).resume();
}

/** Answers an unauthenticated client; nothing else that it sends is read. */
export function refuseUnadmitted(
  socket: Socket,
  request: IncomingMessage,
  refused: Refused,
  more?: HttpHeaders,
): void {
  const { status, headers, body } = refused.answerTo();
  endUnadmitted(socket, request, { status, headers: { ...more, ...headers }, body });
}
