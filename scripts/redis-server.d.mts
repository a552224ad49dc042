/** Advice if no server is found. */
export const advice: string;
/** The path of `redis-server`; `REDIS_SERVER_PATH` names another, such as `valkey-server`. */
export function findRedis(env?: Readonly<Record<string, string | undefined>>): string | undefined;
/** Installs Debian's package on Debian, if permitted. */
export function installRedis(): string | undefined;
