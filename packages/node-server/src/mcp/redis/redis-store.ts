import type { StoredTask } from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import { RedisBus, RedisChannels } from "./redis-channels.ts";
import type { RedisClient } from "./redis-client.ts";
import { RedisCommands } from "./redis-commands.ts";
import { RedisEvents } from "./redis-events.ts";
import { RedisLeases, RedisRecords, RedisReplays } from "./redis-records.ts";
import { RedisSessions } from "./redis-sessions.ts";

export interface RedisStoreOptions {
  /** Owned by the application, which closes it after the store. */
  readonly client: RedisClient;
  /** The prefix of all keys and channels; `idewire:` by default. Each server needs its own. */
  readonly prefix?: string;
  /** The time-out of a command, after which the store counts as unreachable; 2000 by default. */
  readonly timeoutMs?: number;
  /** Called with errors of the store's own connection, which reconnects automatically. */
  readonly onerror?: (error: Error) => void;
}

/** A store in Redis or Valkey. The caller closes it. */
export interface RedisStore extends McpStore {
  /** Ends the store's own connection; the client is not closed. */
  close(): void;
}

/**
 * A store that the instances of a server share, in Redis 6.2 or newer or in Valkey. All keys expire, except tasks
 * without a limit of time.
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
