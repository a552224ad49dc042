import {
  describeValue,
  isObject,
  type ParseResult,
  parsed,
  parseJson,
  refused,
} from "@idewire/core/internal";
import { httpEntries } from "./har-http.ts";
import type { Direction, EventStamp, FrameEvent, TraceEvent } from "./trace-event.ts";
import type { Trace } from "./trace-file.ts";

/** One message of a WebSocket, as Chrome writes it into an entry of a HAR file. */
interface HarMessage {
  /** As seen by the client. */
  readonly type: "send" | "receive";
  /** Seconds since 1970. */
  readonly time: number;
  /** 1 is text, 2 binary (then `data` is base64). */
  readonly opcode: number;
  readonly data: string;
}

/** The contents of one connection's entry. */
interface HarConnection {
  readonly ch: string;
  /** Milliseconds since the trace began. */
  readonly startedMs: number;
  readonly frames: (EventStamp & FrameEvent)[];
}

/**
 * A trace as HAR 1.2, in chunks that make one JSON text: an entry for each connection, its frames in
 * `_webSocketMessages` as Chrome writes them, then one for each HTTP exchange. The agent is the client. Events that are
 * neither, and frames that were lost, are left out.
 */
export function* formatHar({ header, events }: Trace): Generator<string> {
  const began = Date.parse(header.created ?? "") || 0;
  const creator = { name: "idewire", version: "1" };
  const { server } = header;
  const own = server === undefined ? "" : `"_server":${JSON.stringify(server)},`;
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},${own}"pages":[],"entries":[`;
  let separator = "";
  for (const connection of connectionsOf(events)) {
    yield `${separator}\n${JSON.stringify(formatEntry(connection, began)).slice(0, -1)},"_webSocketMessages":[`;
    let comma = "";
    for (const { dir, form, raw, t } of connection.frames) {
      const type = dir === "agent>ide" ? "send" : "receive";
      const opcode = form === "binary" ? 2 : 1;
      const message: HarMessage = { type, time: (began + t) / 1000, opcode, data: raw };
      yield `${comma}\n${JSON.stringify(message)}`;
      comma = ",";
    }
    yield "\n]}";
    separator = ",";
  }
  for (const entry of httpEntries(events, began)) {
    yield `${separator}\n${JSON.stringify(entry)}`;
    separator = ",";
  }
  yield "\n]}}\n";
}

function connectionsOf(events: readonly TraceEvent[]): Iterable<HarConnection> {
  const opened = new Map<string, number>();
  const connections = new Map<string, HarConnection>();
  for (const event of events) {
    if (event.ev === "open") opened.set(event.ch, event.t);
    if (event.ev !== "frame" || event.lost === true) continue;
    const { ch } = event;
    const known = connections.get(ch);
    if (known === undefined) {
      connections.set(ch, { ch, startedMs: opened.get(ch) ?? 0, frames: [event] });
    } else known.frames.push(event);
  }
  return connections.values();
}

/** The entry of a connection, without its messages. */
function formatEntry({ ch, startedMs, frames }: HarConnection, began: number): object {
  const time = Math.max(0, (frames.at(-1)?.t ?? startedMs) - startedMs);
  const common = {
    httpVersion: "HTTP/1.1",
    ...{ cookies: [], headers: [], headersSize: -1, bodySize: -1 },
  };
  return {
    startedDateTime: new Date(began + startedMs).toISOString(),
    time,
    request: { method: "GET", url: "ws://127.0.0.1/", ...common, queryString: [] },
    response: {
      ...{ status: 101, statusText: "Switching Protocols", redirectURL: "" },
      ...common,
      content: { size: 0, mimeType: "x-unknown" },
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: time },
    comment: ch,
    _resourceType: "websocket",
  };
}

/** Whether a text that is JSON looks like a HAR file. */
function isHar(value: unknown): boolean {
  return isObject(value) && isObject(value["log"]) && Array.isArray(value["log"]["entries"]);
}

/**
 * Parses the WebSocket messages of a HAR file, in the order of their times across all connections.
 * The end that sends the first `initialize` is the agent; without one, the client is.
 */
export function parseHar(text: string): ParseResult<Trace> {
  let value: unknown;
  try {
    value = parseJson(text, { maxValues: text.length });
  } catch (error) {
    return refused(`not JSON: ${error instanceof Error ? error.message : describeValue(error)}`);
  }
  if (!isHar(value)) return refused('expected a HAR file, {"log":{"entries":[…]}}');
  const { log } = value as { log: { entries: readonly unknown[]; _server?: unknown } };
  const messages = log.entries.flatMap((entry, index) => messagesOf(entry, `c${index + 1}`));
  if (messages.length === 0) {
    return refused("the HAR file has no WebSocket messages (`_webSocketMessages`)");
  }
  messages.sort((a, b) => a.time - b.time);
  const { header, events } = toTrace(messages);
  const { _server: server } = log;
  return parsed({ header: { ...header, ...(typeof server === "string" && { server }) }, events });
}

type FoundMessage = HarMessage & { readonly ch: string };

function messagesOf(entry: unknown, ch: string): FoundMessage[] {
  const list = isObject(entry) ? entry["_webSocketMessages"] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isMessage).map((message) => ({ ...message, ch }));
}

function isMessage(value: unknown): value is HarMessage {
  return (
    isObject(value) &&
    (value["type"] === "send" || value["type"] === "receive") &&
    typeof value["time"] === "number" &&
    Number.isFinite(value["time"]) &&
    typeof value["data"] === "string" &&
    value["opcode"] !== 2
  );
}

function toTrace(messages: readonly FoundMessage[]): Trace {
  const began = (messages[0]?.time ?? 0) * 1000;
  const seen = new Set<string>();
  const serverAsks = messages.find(({ data }) => data.includes('"initialize"'))?.type === "receive";
  const events: TraceEvent[] = [];
  for (const { ch, type, time, data } of messages) {
    const t = Math.max(0, time * 1000 - began);
    if (!seen.has(ch)) events.push({ n: events.length + 1, t, ev: "open", ch });
    seen.add(ch);
    const dir: Direction = (type === "send") !== serverAsks ? "agent>ide" : "ide>agent";
    events.push({ n: events.length + 1, t, ev: "frame", ch, dir, raw: data });
  }
  return { header: { created: toIso(began) }, events };
}

function toIso(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
