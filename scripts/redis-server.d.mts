/** What to do where no server is found. */
export const advice: string;
/** The path of `redis-server`; `REDIS_SERVER_PATH` names another, such as `valkey-server`. */
export function findRedis(env?: Readonly<Record<string, string | undefined>>): string | undefined;
/** Installs Debian's package when this is Debian and we may. */
export function installRedis(): string | undefined;
