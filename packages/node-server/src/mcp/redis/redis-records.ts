import type { LeaseStore, RecordStore, ReplayStore } from "@idewire/core/internal";
import type { RedisCommands } from "./redis-commands.ts";

const REPLACE = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == "" then redis.call("SET", KEYS[1], ARGV[2])
else redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3]) end
return 1`;

/** Values as JSON, one key each. */
export class RedisRecords<T> implements RecordStore<T> {
  readonly #commands: RedisCommands;
  readonly #kind: string;

  /** @param kind distinguishes these keys from those of other records */
  constructor(commands: RedisCommands, kind: string) {
    this.#commands = commands;
    this.#kind = kind;
  }

  async get(id: string): Promise<T | undefined> {
    const text = await this.#commands.send("GET", this.#commands.prefix + this.#keyOf(id));
    return typeof text === "string" ? (JSON.parse(text) as T) : undefined;
  }

  async set(id: string, value: T, ttlMs?: number): Promise<void> {
    const key = this.#commands.prefix + this.#keyOf(id);
    const expiry = ttlMs === undefined ? [] : ["PX", toMs(ttlMs)];
    await this.#commands.send("SET", key, JSON.stringify(value), ...expiry);
  }

  async replace(id: string, before: T, value: T, ttlMs?: number): Promise<boolean> {
    const texts = [JSON.stringify(before), JSON.stringify(value)];
    const expiry = ttlMs === undefined ? "" : toMs(ttlMs);
    return (await this.#commands.run(REPLACE, this.#keyOf(id), ...texts, expiry)) === 1;
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#commands.send("DEL", this.#commands.prefix + this.#keyOf(id))) === 1;
  }

  #keyOf(id: string): string {
    return `${this.#kind}:${id}`;
  }
}

/** Leases as keys that expire. */
export class RedisLeases implements LeaseStore {
  readonly #commands: RedisCommands;

  constructor(commands: RedisCommands) {
    this.#commands = commands;
  }

  async renew(id: string, ttlMs: number): Promise<void> {
    await this.#commands.send("SET", this.#keyOf(id), "", "PX", toMs(ttlMs));
  }

  async isHeld(id: string): Promise<boolean> {
    return (await this.#commands.send("EXISTS", this.#keyOf(id))) === 1;
  }

  async end(id: string): Promise<void> {
    await this.#commands.send("DEL", this.#keyOf(id));
  }

  #keyOf(id: string): string {
    return `${this.#commands.prefix}lease:${id}`;
  }
}

/** Seen values, as keys that expire. */
export class RedisReplays implements ReplayStore {
  readonly #commands: RedisCommands;

  constructor(commands: RedisCommands) {
    this.#commands = commands;
  }

  async seen(id: string, ttlMs: number): Promise<boolean> {
    const key = `${this.#commands.prefix}seen:${id}`;
    return (await this.#commands.send("SET", key, "", "NX", "PX", toMs(ttlMs))) === null;
  }
}

/** The limit of what Redis can add to the current time. */
const MAX_MS = 2 ** 52;

/** A duration as Redis accepts it: a positive integer. */
export function toMs(ttlMs: number): string {
  return String(Math.min(MAX_MS, Math.max(1, Math.ceil(ttlMs))));
}
