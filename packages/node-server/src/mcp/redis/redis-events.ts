import type { Unsubscribe } from "@idewire/core";
import type {
  EventStore,
  FollowedStream,
  NewEvent,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "@idewire/core/internal";
import type { RedisChannels } from "./redis-channels.ts";
import type { RedisCommands } from "./redis-commands.ts";
import { toMs } from "./redis-records.ts";

/** How many events of a stream are kept, and how many bytes of them; the newest one is always kept. */
const MAX_EVENTS = "256";
const MAX_EVENT_BYTES = String(1 << 20);
/** How many bytes of events are kept for all streams of a session, and of a principal. */
const MAX_SESSION_BYTES = String(1 << 20);
const MAX_PRINCIPAL_BYTES = String(1 << 24);
/** The overhead of Redis for a stream, and for each of its events, which is counted together with the text. */
const STREAM_BYTES = "2000";
const EVENT_BYTES = "100";

// A stream is a hash: `info`, `last` and `first` (the numbers of its newest and oldest event), `size`,
// `over`, and its events by their numbers. An event is "1", for the last one of its stream, or "0", and
// then its frame. A published message is an event after its number and a colon, or empty for the end.

// What the streams of a session, and of a principal, take is in a hash by stream, the sum by no name, and their
// order, by the time at which each expires unless it was extended, in a sorted set. Only its beginning is read: a
// script stops all clients of Redis.

const BUDGET = `
local function forget(prefix, scope, stream)
  local sizes = prefix .. "kept:" .. scope
  local size = redis.call("HGET", sizes, stream)
  if size then redis.call("HINCRBY", sizes, "", -size) end
  redis.call("HDEL", sizes, stream)
  redis.call("ZREM", prefix .. "kept-order:" .. scope, stream)
end
local function scopesOf(stream, info)
  local principal = cjson.decode(info).principal
  if type(principal) ~= "string" then return {} end
  return { (string.gsub(stream, ":[^:]*$", "")), "=" .. principal }
end
local function clear(prefix, stream)
  local key = prefix .. "events:" .. stream
  local known = redis.call("HMGET", key, "info", "last", "first", "over")
  if not known[1] then return end
  for _, scope in ipairs(scopesOf(stream, known[1])) do forget(prefix, scope, stream) end
  if known[4] then redis.call("DEL", key) return end
  local last = tonumber(known[2] or 0)
  for number = tonumber(known[3] or 1), last do redis.call("HDEL", key, number) end
  redis.call("HSET", key, "first", last + 1, "size", 0)
end
local function bound(prefix, scope, stream, size, ttl, most)
  local sizes, order = prefix .. "kept:" .. scope, prefix .. "kept-order:" .. scope
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("HINCRBY", sizes, "", size - (redis.call("HGET", sizes, stream) or 0))
  redis.call("HSET", sizes, stream, size)
  redis.call("ZADD", order, now + ttl, stream)
  for _, key in ipairs({ sizes, order }) do
    if redis.call("PTTL", key) < tonumber(ttl) then redis.call("PEXPIRE", key, ttl) end
  end
  local changes
  repeat
    changes = 0
    local some = redis.call("ZRANGE", order, 0, 31, "WITHSCORES")
    for index = 1, #some, 2 do
      if tonumber(redis.call("HGET", sizes, "")) <= most then return end
      local other, left = some[index], redis.call("PTTL", prefix .. "events:" .. some[index])
      local isExtended = now + left > tonumber(some[index + 1]) + 1000
      if left < 0 then forget(prefix, scope, other)
      elseif isExtended then redis.call("ZADD", order, now + left, other)
      elseif other ~= stream then clear(prefix, other) end
      if left < 0 or isExtended or other ~= stream then changes = changes + 1 end
    end
  until changes == 0
end`;

const OPEN = `
redis.call("HSETNX", KEYS[1], "info", ARGV[1])
return redis.call("PEXPIRE", KEYS[1], ARGV[2])`;

const APPEND = `${BUDGET}
local event, ttl, channel, most, mostBytes = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local streamBytes, eventBytes = tonumber(ARGV[10]), tonumber(ARGV[11])
local known = redis.call("HMGET", KEYS[1], "info", "over", "first", "size")
if not known[1] or known[2] then return 0 end
local last = redis.call("HINCRBY", KEYS[1], "last", 1)
local first, size = tonumber(known[3] or 1), tonumber(known[4] or 0) + #event + eventBytes
while first < last and (last - first >= most or size > mostBytes) do
  size = size - redis.call("HSTRLEN", KEYS[1], first) - eventBytes
  redis.call("HDEL", KEYS[1], first)
  first = first + 1
end
redis.call("HSET", KEYS[1], last, event, "first", first, "size", size)
if string.sub(event, 1, 1) == "1" then redis.call("HSET", KEYS[1], "over", 1) end
redis.call("PEXPIRE", KEYS[1], ttl)
local prefix, stream, budgets = ARGV[6], ARGV[7], { tonumber(ARGV[8]), tonumber(ARGV[9]) }
for index, scope in ipairs(scopesOf(stream, known[1])) do
  bound(prefix, scope, stream, size + streamBytes, ttl, budgets[index])
end
redis.call("PUBLISH", channel, last .. ":" .. event)
return last`;

const READ = `
local known = redis.call("HMGET", KEYS[1], "info", "last", "first")
if not known[1] then return false end
local last, first = tonumber(known[2] or 0), tonumber(known[3] or 1)
local after = tonumber(ARGV[1]) or first - 1
if after > last or after + 1 < first then return false end
local told = { known[1], tostring(after) }
for number = after + 1, last do told[#told + 1] = redis.call("HGET", KEYS[1], number) end
return told`;

const DELETE = `${BUDGET}
redis.call("PUBLISH", ARGV[1], "")
clear(ARGV[2], ARGV[3])
return redis.call("DEL", KEYS[1])`;

interface StoredPart {
  readonly info: StreamInfo;
  readonly after: number;
  readonly events: readonly string[];
}

/** The state of a stream, and its events after a number, or all; undefined if some of them are missing. */
type Read = (after: number | undefined) => Promise<StoredPart | undefined>;

/** The events of streams, one key each. */
export class RedisEvents implements EventStore {
  readonly #commands: RedisCommands;
  readonly #channels: RedisChannels;

  constructor(commands: RedisCommands, channels: RedisChannels) {
    this.#commands = commands;
    this.#channels = channels;
  }

  async open(stream: string, info: StreamInfo, ttlMs: number): Promise<void> {
    await this.#commands.run(OPEN, keyOf(stream), JSON.stringify(info), toMs(ttlMs));
  }

  async append(
    stream: string,
    { frame, ends = false }: NewEvent,
    ttlMs: number,
  ): Promise<number | undefined> {
    const event = `${ends ? "1" : "0"}${frame}`;
    const { prefix } = this.#commands;
    const args = [event, toMs(ttlMs), this.#channelOf(stream), MAX_EVENTS, MAX_EVENT_BYTES];
    const budgets = [prefix, stream, MAX_SESSION_BYTES, MAX_PRINCIPAL_BYTES];
    const costs = [STREAM_BYTES, EVENT_BYTES];
    const number = await this.#commands.run(APPEND, keyOf(stream), ...args, ...budgets, ...costs);
    return typeof number === "number" && number > 0 ? number : undefined;
  }

  async follow(
    stream: string,
    after: number | undefined,
    listener: StreamListener,
  ): Promise<FollowedStream | undefined> {
    const follower = new Follower((from) => this.#read(stream, from), listener);
    const subscribed = this.#channels.listen(this.#channelOf(stream), (message) =>
      follower.receive(message),
    );
    try {
      follower.ends.push(await this.#commands.within(subscribed));
      follower.ends.push(this.#channels.onReconnected(() => follower.retry()));
      const begun = await follower.catchUp(after);
      if (begun === undefined) follower.stop();
      return begun && { info: begun.info, after: begun.after, stop: () => follower.stop() };
    } catch (error) {
      follower.stop();
      // The subscription may still succeed.
      subscribed.then(
        (stop) => stop(),
        () => undefined,
      );
      throw error;
    }
  }

  async delete(stream: string): Promise<void> {
    const { prefix } = this.#commands;
    await this.#commands.run(DELETE, keyOf(stream), this.#channelOf(stream), prefix, stream);
  }

  async #read(stream: string, after: number | undefined): ReturnType<Read> {
    const reply = await this.#commands.run(READ, keyOf(stream), String(after ?? ""));
    if (!Array.isArray(reply)) return undefined;
    const [info = "", from, ...events] = reply as readonly string[];
    return { info: JSON.parse(info) as StreamInfo, after: Number(from), events };
  }

  #channelOf(stream: string): string {
    return `${this.#commands.prefix}${keyOf(stream)}`;
  }
}

/** Delivers each event to a listener once, in order, even if published messages were missed. */
class Follower {
  /** Called when it ends. */
  readonly ends: Unsubscribe[] = [];
  readonly #read: Read;
  readonly #listener: StreamListener;
  /** The numbers of the newest delivered event, and of the newest existing one. */
  #delivered = 0;
  #newest = 0;
  #isReading = true;
  #isOver = false;

  constructor(read: Read, listener: StreamListener) {
    this.#read = read;
    this.#listener = listener;
  }

  /** Receives a published message. */
  receive(message: string): void {
    if (message === "") this.#lose();
    const colon = message.indexOf(":");
    const number = Number(message.slice(0, colon));
    this.#newest = Math.max(this.#newest, number);
    if (this.#isReading) return;
    if (number === this.#delivered + 1) this.#deliver(message.slice(colon + 1));
    else if (number > this.#delivered) this.retry();
  }

  /** Delivers missed events; after a failure it is repeated once the connection is restored. */
  retry(): void {
    if (this.#isReading || this.#isOver) return;
    this.catchUp(this.#delivered).then(
      (found) => found ?? this.#lose(),
      () => undefined,
    );
  }

  /** Delivers the stored events after a number, or all, and those that are appended meanwhile. */
  async catchUp(after: number | undefined): Promise<StoredPart | undefined> {
    this.#isReading = true;
    try {
      const begun = await this.#readOn(after);
      let found = begun;
      while (found !== undefined && this.#delivered < this.#newest) {
        found = await this.#readOn(this.#delivered);
      }
      return found && begun;
    } finally {
      this.#isReading = false;
    }
  }

  stop(): void {
    this.#isOver = true;
    for (const end of this.ends.splice(0)) end();
  }

  async #readOn(after: number | undefined): Promise<StoredPart | undefined> {
    const found = await this.#read(after);
    if (found !== undefined) this.#delivered = found.after;
    for (const event of found?.events ?? []) this.#deliver(event);
    return found;
  }

  #deliver(event: string): void {
    this.#delivered += 1;
    if (this.#isOver) return;
    const stored: StoredEvent = {
      number: this.#delivered,
      frame: event.slice(1),
      ends: event.startsWith("1"),
    };
    this.#listener.onevent(stored);
  }

  #lose(): void {
    if (this.#isOver) return;
    this.stop();
    this.#listener.onlost();
  }
}

function keyOf(stream: string): string {
  return `events:${stream}`;
}
