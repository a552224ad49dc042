export type { RedisClient, RedisSubscriber } from "./redis-client.ts";
export { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.ts";
