import type { GenericSchema } from "valibot";
import { IdewireError, RpcError, ToolFailure } from "../../errors.ts";
import type { Params } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { wellFormed } from "../../text/well-formed.ts";
import { checked, WireFault } from "./wire-fault.ts";

/**
 * How many requests may be pending at once: fewer than the editor's peer allows, to leave room for
 * closing diffs.
 */
const MAX_WAITING = 200;

/** The time-out of a request, unless the call has another. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Sends requests to an editor. */
export class RemoteRequests {
  readonly #peer: Peer;
  #gone = false;
  #waiting = 0;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** Whether a request has failed because the connection is closed. */
  get gone(): boolean {
    return this.#gone;
  }

  /**
   * @throws ToolFailure with the editor's message, or when it is disconnected, does not answer or is busy
   * @throws IdewireError `protocol` when it does not support the request, or its answer is invalid
   */
  async ask<T>(
    method: string,
    params: Params,
    result: GenericSchema<unknown, T>,
    timeoutMs: number = REQUEST_TIMEOUT_MS,
  ): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      throw new ToolFailure(`The editor is busy: ${MAX_WAITING} requests are pending`);
    }
    return this.askNow(method, params, result, timeoutMs);
  }

  /** The same without the limit of pending requests. */
  async askNow<T>(
    method: string,
    params: Params,
    result: GenericSchema<unknown, T>,
    timeoutMs: number = REQUEST_TIMEOUT_MS,
  ): Promise<T> {
    this.#waiting += 1;
    const answer = await this.#peer
      .request(method, wellFormed(params), { timeoutMs })
      .catch((error: unknown) => {
        this.#gone ||= error instanceof IdewireError && error.code === "closed";
        throw toFailure(method, error, timeoutMs);
      })
      .finally(() => {
        this.#waiting -= 1;
      });
    try {
      return checked(result, answer, "result");
    } catch (error) {
      if (!(error instanceof WireFault)) throw error;
      throw new IdewireError("protocol", `The editor's answer to ${method}: ${error.message}`);
    }
  }
}

function toFailure(method: string, error: unknown, timeoutMs: number): unknown {
  if (error instanceof RpcError) {
    if (!isReserved(error.code)) return new ToolFailure(error.message);
    const what = `The editor answered ${method} with ${error.code}: ${error.message}`;
    return new IdewireError("protocol", what);
  }
  if (!(error instanceof IdewireError)) return error;
  if (error.code === "closed") return new ToolFailure("The editor has disconnected");
  if (error.code !== "timeout") return error;
  return new ToolFailure(`The editor did not answer ${method} within ${timeoutMs / 1000} s`);
}

/** JSON-RPC's reserved codes mean a bug in the editor, others a failure for the model. */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
