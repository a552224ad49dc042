// Finds or installs the Redis of the tests.
import { findExecutable, installOnDebian } from "./debian.mjs";

const places = [
  "/usr/bin/redis-server",
  "/usr/local/bin/redis-server",
  "/opt/homebrew/bin/redis-server",
];

export const advice =
  "On Debian: apt-get install -y --no-install-recommends redis-server; elsewhere set REDIS_SERVER_PATH";

/** The path of `redis-server`; `REDIS_SERVER_PATH` names another, such as `valkey-server`. */
export function findRedis(env = process.env) {
  const named = env.REDIS_SERVER_PATH;
  return findExecutable(named === undefined ? places : [named]);
}

/** Installs Debian's package on Debian, if permitted. */
export function installRedis() {
  if (process.env.REDIS_SERVER_PATH === undefined) installOnDebian(["redis-server"]);
  return findRedis();
}
