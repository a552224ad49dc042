import type { StoredTask } from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import { RedisBus, RedisChannels } from "./redis-channels.ts";
import type { RedisClient } from "./redis-client.ts";
import { RedisCommands } from "./redis-commands.ts";
import { RedisEvents } from "./redis-events.ts";
import { RedisLeases, RedisRecords, RedisReplays } from "./redis-records.ts";
import { RedisSessions } from "./redis-sessions.ts";

export interface RedisStoreOptions {
  /** The application's, which closes it after the store. */
  readonly client: RedisClient;
  /** What the names of all keys and channels begin with; `idewire:` by default. One for each server. */
  readonly prefix?: string;
  /** How long a command may take before the store counts as unreachable; 2000 by default. */
  readonly timeoutMs?: number;
  /** Called with what goes wrong on the store's own connection, which is made again by itself. */
  readonly onerror?: (error: Error) => void;
}

/** A store in Redis or Valkey. The caller closes it. */
export interface RedisStore extends McpStore {
  /** Ends the store's own connection; the client stays as it is. */
  close(): void;
}

/**
 * A store that the instances of a server share, in Redis 6.2 or newer or in Valkey. All keys expire, but
 * for tasks that are kept for ever.
 */
export function redisStore(options: RedisStoreOptions): RedisStore {
  const { client, prefix = "idewire:", timeoutMs = 2000, onerror = () => undefined } = options;
  const commands = new RedisCommands({ client, prefix, timeoutMs });
  const channels = new RedisChannels(client, onerror);
  return {
    sessions: new RedisSessions(commands),
    events: new RedisEvents(commands, channels),
    tasks: new RedisRecords<StoredTask>(commands, "task"),
    leases: new RedisLeases(commands),
    bus: new RedisBus(commands, channels),
    replays: new RedisReplays(commands),
    close: () => channels.close(),
  };
}
