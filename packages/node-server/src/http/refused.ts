import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { RpcErrorCode } from "@idewire/core";
import { endUnadmitted, type LastAnswer } from "../admission/end-unadmitted.ts";

/** How long an authenticated client that is refused may go on sending; cut off earlier, it would miss the answer. */
const PATIENCE_MS = 500;

interface RefusedOptions {
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that is answered without looking at what it says. */
export class Refused extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    { code = RpcErrorCode.InvalidRequest, headers = {} }: RefusedOptions = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Answers what is refused, and ends its connection: what else is on its way there is thrown away,
 * be it the rest of a body, other requests, or the frames of a protocol that is not spoken here.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.end();
  const { status, headers, body } = toAnswer(
    error instanceof Refused ? error : new Refused(500, "Internal error"),
  );
  const size = { connection: "close", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...size }).write(body);
  const timer = setTimeout(() => response.end(), PATIENCE_MS);
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.on("end", () => response.end()).resume();
}

/** Answers an unauthenticated client; nothing else that it sends is read. */
export function refuseUnadmitted(socket: Socket, request: IncomingMessage, refused: Refused): void {
  endUnadmitted(socket, request, toAnswer(refused));
}

function toAnswer({ status, code, message, headers }: Refused): LastAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
}
