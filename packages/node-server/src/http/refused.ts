import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { isObject, isRequestId, RpcErrorCode } from "@idewire/core";
import { endUnadmitted, type LastAnswer } from "../admission/end-unadmitted.ts";
import type { HttpHeaders } from "./responder.ts";

/** How long an authenticated client that is refused may go on sending; cut off earlier, it would miss the answer. */
const PATIENCE_MS = 500;

interface RefusedOptions {
  readonly code?: number;
  readonly headers?: HttpHeaders;
  readonly data?: unknown;
}

/** A request that gets an error in place of what it asks for. */
export class Refused extends Error {
  readonly status: number;
  readonly options: RefusedOptions;

  constructor(status: number, message: string, options: RefusedOptions = {}) {
    super(message);
    this.status = status;
    this.options = options;
  }

  /** The error as the answer to a body, whose id it has if that has one. */
  answerTo(body?: unknown): LastAnswer & { readonly body: string } {
    const { code = RpcErrorCode.InvalidRequest, headers = {}, data } = this.options;
    const own = isObject(body) && isRequestId(body["id"]) ? body["id"] : undefined;
    const error = { code, message: this.message, data };
    return {
      status: this.status,
      headers: { ...headers, "content-type": "application/json" },
      // No schema of MCP has an id of null.
      body: JSON.stringify({ jsonrpc: "2.0", id: own, error }),
    };
  }
}

/** What to tell a client of an error: nothing of what is none of its business. */
export function toRefused(error: unknown): Refused {
  const code = RpcErrorCode.InternalError;
  return error instanceof Refused ? error : new Refused(500, "Internal error", { code });
}

/**
 * Answers what is refused before its body was read, and ends its connection: what else is on its way
 * there is thrown away, be it the rest of a body, other requests, or the frames of a protocol that is
 * not spoken here.
 */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.end();
  const { status, headers, body } = toRefused(error).answerTo();
  const size = { connection: "close", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...size }).write(body);
  const timer = setTimeout(() => response.end(), PATIENCE_MS);
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.on("end", () => response.end()).resume();
}

/** Answers an unauthenticated client; nothing else that it sends is read. */
export function refuseUnadmitted(socket: Socket, request: IncomingMessage, refused: Refused): void {
  endUnadmitted(socket, request, refused.answerTo());
}
