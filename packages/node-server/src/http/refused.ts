import type { IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { RpcErrorCode } from "@idewire/core";

/** So long somebody who is refused may go on speaking; who is cut off in the middle hears nothing. */
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
  const { status, message, code, headers } =
    error instanceof Refused ? error : new Refused(500, "Internal error");
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  const told = { connection: "close", "content-type": "application/json" };
  const size = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...told, ...size }).write(body);
  const timer = setTimeout(() => response.end(), PATIENCE_MS);
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.on("end", () => response.end()).resume();
}
