import { createHash } from "node:crypto";
import type {
  BeginOptions,
  RequestId,
  SessionChange,
  SessionStore,
  SessionUse,
  StoredSession,
  UsedSession,
} from "@idewire/core/internal";
import type { RedisCommands } from "./redis-commands.ts";
import { RedisLeases, toMs } from "./redis-records.ts";

// A session is a hash: `value` is its JSON, `principal` is in that, too, and `call:` with a request's id tells the
// lease of who runs that. All sessions are in one sorted set, by the time until which each is in use, or when it
// was last used. Those that have expired are removed when the limit is reached.

const NOW = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function keep(ttl)
  redis.call("PEXPIRE", KEYS[1], ttl)
  if redis.call("PTTL", KEYS[2]) < tonumber(ttl) then redis.call("PEXPIRE", KEYS[2], ttl) end
end`;

// The same rule as `findSurplus` of core, which shares sessions out among principals.
const BEGIN = `${NOW}
local id, value, principal, ttl, busy, most, prefix = unpack(ARGV)
local surplus = redis.call("ZCARD", KEYS[2]) + 1 - most
local all, held, ended = {}, {}, {}
if surplus > 0 then all = redis.call("ZRANGE", KEYS[2], 0, -1, "WITHSCORES") end
local owners = {}
for index = 1, #all, 2 do
  local owner = redis.call("HGET", prefix .. all[index], "principal")
  if owner then
    owners[index] = owner
    held[owner] = (held[owner] or 0) + 1
  else
    redis.call("ZREM", KEYS[2], all[index])
    surplus = surplus - 1
  end
end
while surplus > 0 do
  local heaviest, count = principal, (held[principal] or 0) + 1
  for owner, number in pairs(held) do
    if number > count then heaviest, count = owner, number end
  end
  local found
  for index = 1, #all, 2 do
    if owners[index] == heaviest then found = index; break end
  end
  if not found or (heaviest == principal and tonumber(all[found + 1]) > now) then return false end
  owners[found] = nil
  held[heaviest] = held[heaviest] - 1
  ended[#ended + 1] = all[found]
  surplus = surplus - 1
end
for _, old in ipairs(ended) do
  redis.call("ZREM", KEYS[2], old)
  redis.call("DEL", prefix .. old)
end
redis.call("HSET", KEYS[1], "value", value, "principal", principal)
redis.call("ZADD", KEYS[2], now + busy, id)
keep(ttl)
return ended`;

// The calls in flight are followed by the holders that are gone, whose number is returned.
const USE = `${NOW}
local id, principal, ttl, busy, holder, gone = unpack(ARGV, 1, 6)
local known = redis.call("HMGET", KEYS[1], "value", "principal")
if not known[1] or (principal ~= "*" and principal ~= known[2]) then return false end
redis.call("ZADD", KEYS[2], "GT", now + busy, id)
keep(ttl)
local isGone, told = {}, { known[1] }
for index = 7, 6 + gone do isGone[ARGV[index]] = true end
for index = 7 + gone, #ARGV do
  local other = redis.call("HGET", KEYS[1], "call:" .. ARGV[index])
  if other and not isGone[other] then
    told[#told + 1] = index - 7 - gone
    told[#told + 1] = other
  end
end
if #told == 1 then
  for index = 7 + gone, #ARGV do redis.call("HSET", KEYS[1], "call:" .. ARGV[index], holder) end
end
return told`;

const REPLACE = `
for index = 4, #ARGV do redis.call("HDEL", KEYS[1], "call:" .. ARGV[index]) end
if redis.call("HGET", KEYS[1], "value") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "value", ARGV[2])
redis.call("PEXPIRE", KEYS[1], ARGV[3])
return 1`;

const DELETE = `
redis.call("ZREM", KEYS[2], ARGV[1])
return redis.call("DEL", KEYS[1])`;

interface Used {
  readonly used: UsedSession;
  /** The holders of the calls that are in flight already. */
  readonly holders: readonly string[];
}

/** The longest name of a call that is stored unchanged. */
const MAX_NAME = 64;

/** The sessions of all instances, one key each, and one key for their order. */
export class RedisSessions implements SessionStore {
  readonly #commands: RedisCommands;
  readonly #leases: RedisLeases;

  constructor(commands: RedisCommands) {
    this.#commands = commands;
    this.#leases = new RedisLeases(commands);
  }

  async begin(
    id: string,
    session: StoredSession,
    { ttlMs, busyMs = 0, maxSessions }: BeginOptions,
  ): Promise<readonly string[] | undefined> {
    const most = String(Math.min(maxSessions, Number.MAX_SAFE_INTEGER));
    const times = [toMs(ttlMs), String(Math.ceil(busyMs))];
    const args = [JSON.stringify(session), ownerOf(session.principal), ...times, most];
    const ended = await this.#run(BEGIN, id, ...args, this.#keyOf(""));
    return Array.isArray(ended) ? (ended as readonly string[]) : undefined;
  }

  async get(id: string): Promise<StoredSession | undefined> {
    const text = await this.#commands.send("HGET", this.#keyOf(id), "value");
    return typeof text === "string" ? (JSON.parse(text) as StoredSession) : undefined;
  }

  async use(id: string, use: SessionUse): Promise<UsedSession | undefined> {
    const first = await this.#use(id, use, []);
    const gone: string[] = [];
    for (const holder of new Set(first?.holders)) {
      if (!(await this.#leases.isHeld(holder))) gone.push(holder);
    }
    return (gone.length === 0 ? first : await this.#use(id, use, gone))?.used;
  }

  async replace(
    id: string,
    { before, session, ttlMs, calls = [] }: SessionChange,
  ): Promise<boolean> {
    const args = [JSON.stringify(before), JSON.stringify(session), toMs(ttlMs)];
    const key = `session:${id}`;
    return (await this.#commands.run(REPLACE, key, ...args, ...calls.map(nameOf))) === 1;
  }

  async release(id: string, calls: readonly RequestId[]): Promise<void> {
    if (calls.length === 0) return;
    const fields = calls.map((call) => `call:${nameOf(call)}`);
    await this.#commands.send("HDEL", this.#keyOf(id), ...fields);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#run(DELETE, id)) === 1;
  }

  /** @param gone the holders whose calls are no longer in flight */
  async #use(id: string, use: SessionUse, gone: readonly string[]): Promise<Used | undefined> {
    const { ttlMs, busyMs = 0, principal, calls = [], holder = "" } = use;
    const owner = principal === undefined ? "*" : ownerOf(principal);
    const times = [toMs(ttlMs), String(Math.ceil(busyMs))];
    const args = [owner, ...times, holder, String(gone.length), ...gone, ...calls.map(nameOf)];
    const reply = await this.#run(USE, id, ...args);
    if (!Array.isArray(reply)) return undefined;
    const [value, ...inFlight] = reply as readonly (string | number)[];
    const session = JSON.parse(String(value)) as StoredSession;
    const [first] = inFlight;
    const twice = typeof first === "number" ? calls[first] : undefined;
    const holders = inFlight.filter((_, index) => index % 2 === 1).map(String);
    return { used: { session, twice }, holders };
  }

  /** Runs a script on a session and the order of all. */
  #run(script: string, id: string, ...args: readonly string[]): Promise<unknown> {
    const order = `${this.#commands.prefix}sessions`;
    return this.#commands.send("EVAL", script, "2", this.#keyOf(id), order, id, ...args);
  }

  #keyOf(id: string): string {
    return `${this.#commands.prefix}session:${id}`;
  }
}

/** A principal as the script compares it: an unknown one differs from all others. */
function ownerOf(principal: string | undefined): string {
  return principal === undefined ? "" : `=${principal}`;
}

/** A short name for the id of a request, which may be of any length. */
function nameOf(call: RequestId): string {
  const text = JSON.stringify(call);
  return text.length <= MAX_NAME ? text : createHash("sha256").update(text).digest("hex");
}
