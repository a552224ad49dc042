import { isObject, isRequestId } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { HttpHeaders } from "./responder.ts";

interface RefusalOptions {
  readonly code?: number;
  readonly headers?: HttpHeaders;
  readonly data?: unknown;
  /** The answer in place of an error, readable by everybody. */
  readonly document?: object | undefined;
  /** Whether the answer has no body. */
  readonly isEmpty?: boolean;
}

/** The answer to a request that is refused. */
interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refused request, answered with an error. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly options: RefusalOptions;

  constructor(status: number, message: string, options: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.options = options;
  }

  /** The error as the answer to a body, with the body's id if it has one. */
  answerTo(body?: unknown): RefusalAnswer {
    const { code = RpcErrorCode.InvalidRequest, headers = {}, data, document } = this.options;
    if (this.options.isEmpty === true) return { status: this.status, headers, body: "" };
    const own = isObject(body) && isRequestId(body["id"]) ? body["id"] : undefined;
    const error = { code, message: this.message, data };
    return {
      status: this.status,
      headers: { ...headers, "content-type": "application/json" },
      // MCP's schemas do not allow an id of null.
      body: JSON.stringify(document ?? { jsonrpc: "2.0", id: own, error }),
    };
  }
}

/** The refusal of a request that may be accepted later. */
export function notTaken(message: string): HttpRefusal {
  return new HttpRefusal(503, message, { headers: { "retry-after": "1" } });
}

/** The description of an error for a client, without internal details. */
export function toRefusal(error: unknown): HttpRefusal {
  const code = RpcErrorCode.InternalError;
  return error instanceof HttpRefusal ? error : new HttpRefusal(500, "Internal error", { code });
}
