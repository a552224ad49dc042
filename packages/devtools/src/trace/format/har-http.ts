import { isObject } from "@idewire/core/internal";
import { type HttpExchange, HttpExchanges } from "../rows/http-exchanges.ts";
import type { HttpHeader, TraceEvent } from "./trace-event.ts";

/** How far back the frame of a request is searched for, in frames of its connection. */
const REACH = 50;

/** An exchange of a trace, with the frames that its request carried. */
interface FoundExchange {
  readonly n: number;
  readonly body: string | undefined;
}

/**
 * The HTTP exchanges of a trace as entries of HAR 1.2, in order. A request has its body, which for JSON-RPC is the frame
 * that it carried; the frames of a response are those of its connection's entry.
 * @param began the start of the trace in milliseconds since 1970
 */
export function* httpEntries(events: readonly TraceEvent[], began: number): Generator<object> {
  const exchanges = new HttpExchanges();
  const found: FoundExchange[] = [];
  const sent = new Map<string, string[]>();
  for (const event of events) {
    exchanges.add(event);
    if (event.ev === "frame" && event.dir === "agent>ide" && event.lost !== true) {
      const frames = sent.get(event.ch) ?? [];
      frames.push(event.raw);
      if (frames.length > REACH) frames.shift();
      sent.set(event.ch, frames);
    }
    if (event.ev !== "http" || event.part !== "request") continue;
    const { n, ch, carries, text } = event;
    const [first] = carries ?? [];
    const isOne = first !== undefined && carries?.length === 1;
    found.push({ n, body: isOne ? frameOf(sent.get(ch) ?? [], first) : text });
  }
  for (const { n, body } of found) {
    const exchange = exchanges.of(n);
    if (exchange !== undefined) yield entryOf(exchange, { body, began });
  }
}

type Carried = NonNullable<HttpExchange["request"]["carries"]>[number];

/** The newest frame that is this message. */
function frameOf(frames: readonly string[], { method, id }: Carried): string | undefined {
  return [...frames].reverse().find((raw) => {
    try {
      const message: unknown = JSON.parse(raw);
      if (!isObject(message)) return false;
      const name = message["method"] ?? "answer";
      return name === method && (id === undefined || message["id"] === id);
    } catch {
      return false;
    }
  });
}

interface EntryContext {
  readonly body: string | undefined;
  readonly began: number;
}

function entryOf(exchange: HttpExchange, { body, began }: EntryContext): object {
  const { request, status = 0, headers = [], text, bytes, problem } = exchange;
  const { waitedMs = 0, durationMs = waitedMs } = exchange;
  const { method = "GET", url = "", headers: requestHeaders = [], ch, t } = request;
  const common = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1 };
  const type = (all: readonly HttpHeader[]) =>
    all.find(([name]) => name === "content-type")?.[1] ?? "x-unknown";
  return {
    startedDateTime: new Date(began + t).toISOString(),
    time: durationMs,
    request: {
      ...{ method, url, ...common, headers: named(requestHeaders), queryString: queryOf(url) },
      bodySize: -1,
      ...(body !== undefined && { postData: { mimeType: type(requestHeaders), text: body } }),
    },
    response: {
      ...{ status, statusText: "", ...common, headers: named(headers) },
      redirectURL: headers.find(([name]) => name === "location")?.[1] ?? "",
      bodySize: bytes ?? -1,
      content: {
        ...{ size: bytes ?? 0, mimeType: type(headers) },
        ...(text !== undefined && { text }),
      },
      // As Chrome reports a request without a response.
      ...(problem !== undefined && { _error: problem }),
    },
    cache: {},
    timings: { send: 0, wait: waitedMs, receive: durationMs - waitedMs },
    comment: ch,
  };
}

function named(headers: readonly HttpHeader[]): readonly object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): readonly object[] {
  const [, query = ""] = url.split("#", 1)[0]?.split("?") ?? [];
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
      return text;
    }
  };
  return query
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name: decode(name), value: decode(value.join("=")) };
    });
}
