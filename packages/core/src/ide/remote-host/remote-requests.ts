import type { GenericSchema } from "valibot";
import { IdewireError, RpcError, ToolFailure } from "../../errors.ts";
import type { Params } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import { checked, WireFault } from "./wire-fault.ts";

/**
 * How many requests may wait for the editor at once: fewer than its peer lets run, with room for
 * those that close diffs.
 */
const MAX_WAITING = 200;

/** Asks an editor over the wire. */
export class RemoteRequests {
  readonly #peer: Peer;
  readonly #timeoutMs: number;
  #gone = false;
  #waiting = 0;

  constructor(peer: Peer, timeoutMs: number) {
    this.#peer = peer;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether it was found to be gone. */
  get gone(): boolean {
    return this.#gone;
  }

  /**
   * @throws ToolFailure with the editor's words, or that it is gone, silent or busy
   * @throws IdewireError `protocol` when it does not know the request, or answers nonsense
   */
  async ask<T>(
    method: string,
    params: Params,
    result: GenericSchema<unknown, T>,
    timeoutMs: number = this.#timeoutMs,
  ): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      throw new ToolFailure(`The editor is busy: ${MAX_WAITING} requests wait for its answer`);
    }
    return this.askNow(method, params, result, timeoutMs);
  }

  /** The same, however much waits already. */
  async askNow<T>(
    method: string,
    params: Params,
    result: GenericSchema<unknown, T>,
    timeoutMs: number = this.#timeoutMs,
  ): Promise<T> {
    this.#waiting += 1;
    const answer = await this.#peer
      .request(method, params, { timeoutMs })
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
  if (error.code === "closed") return new ToolFailure("The editor has gone");
  if (error.code !== "timeout") return error;
  return new ToolFailure(`The editor did not answer ${method} within ${timeoutMs / 1000} s`);
}

/** JSON-RPC's own codes tell of a mistake in the editor, others of what the model should read. */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
