import type { Fetch } from "@idewire/http/internal";
import type { Printer } from "../output/print.ts";
import { line } from "../output/printable.ts";
import type { Stop } from "../process/stop.ts";

interface PresenceOptions {
  readonly printer: Printer;
  readonly stop: Stop;
  /** Sends the requests. */
  readonly fetch: Fetch;
}

/** Reports on stderr when the server of `listen` disconnects, and when it is back. */
export class Presence {
  readonly #printer: Printer;
  readonly #signal: AbortSignal;
  readonly #send: Fetch;
  #isWatched = false;
  #isGone = false;

  constructor({ printer, stop, fetch }: PresenceOptions) {
    this.#printer = printer;
    this.#signal = stop.signal;
    this.#send = fetch;
  }

  /** Starts to report; earlier failures are reported by the failed requests. */
  watch(): void {
    this.#isWatched = true;
  }

  gone(): void {
    if (!this.#isWatched || this.#isGone || this.#signal.aborted) return;
    this.#isGone = true;
    this.#printer.fail(line`The server has disconnected; reconnecting.`);
  }

  back(): void {
    if (!this.#isGone) return;
    this.#isGone = false;
    this.#printer.fail(line`The server is back.`);
  }

  /** A `fetch` that detects whether the server answers. */
  readonly fetch: Fetch = async (url, init) => {
    try {
      const response = await this.#send(url, init);
      // A gateway answers instead of the server.
      if (response.status >= 500) this.gone();
      else this.back();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) this.gone();
      throw error;
    }
  };
}
