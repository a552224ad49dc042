import { clearTimeout, setTimeout } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import type { RedisClient } from "./redis-client.ts";

export interface RedisCommandsOptions {
  readonly client: RedisClient;
  /** The prefix of all keys and channels. */
  readonly prefix: string;
  readonly timeoutMs: number;
}

/** Sends commands with a time-out. */
export class RedisCommands {
  readonly prefix: string;
  readonly #client: RedisClient;
  readonly #timeoutMs: number;

  constructor({ client, prefix, timeoutMs }: RedisCommandsOptions) {
    this.#client = client;
    this.prefix = prefix;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a command.
   * @throws IdewireError `unreachable` without a connection: the client itself would queue the command until
   * it is no longer awaited; `timeout` when no reply comes
   */
  send(...command: readonly string[]): Promise<unknown> {
    if (!this.#client.isReady) {
      return Promise.reject(new IdewireError("unreachable", "Redis is not connected"));
    }
    return this.within(this.#client.sendCommand(command));
  }

  /**
   * Runs a script on one key, atomically.
   * @param key without the prefix
   */
  run(script: string, key: string, ...args: readonly string[]): Promise<unknown> {
    return this.send("EVAL", script, "1", this.prefix + key, ...args);
  }

  /** @throws IdewireError `timeout` when it takes too long */
  within<T>(late: Promise<T>): Promise<T> {
    const text = `Redis has not answered within ${this.#timeoutMs} ms`;
    return new Promise((resolve, reject) => {
      const fail = () => reject(new IdewireError("timeout", text));
      const timer = setTimeout(fail, this.#timeoutMs);
      late.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
