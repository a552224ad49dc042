import { type JsonLimits, parseJson } from "../../rpc/costly-json.ts";
import { isObject } from "../../rpc/message.ts";

/** An answer's id before its result, and after it; our ids are numbers. */
const ID_FIRST = /^\W*(?:jsonrpc\W*2\.0\W*)?id\W*(\d+)(?!\d|\W*method)/;
const ID_LAST = /[{,]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of the request that an unparsed frame answers; undefined if it has none. */
export function idOfUnread(frame: string): number | undefined {
  const [, id] = ID_FIRST.exec(frame.slice(0, 200)) ?? ID_LAST.exec(frame.slice(-200)) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Where a message may begin. */
const START = /\{\s*"(?:jsonrpc|id|result|error|method|params)"\s*:/g;
/** How many of them are tried in a frame: most text before a message has no braces. */
const MAX_STARTS = 8;

/** A message, and where it begins. */
interface PlacedMessage {
  readonly start: number;
  readonly message: Readonly<Record<string, unknown>>;
}

/**
 * The messages at the end of a frame, in their order: after other text, of a server that prints a banner without a
 * line break before it speaks, or one after the other. None if the frame ends otherwise.
 */
export function messagesAtEnd(frame: string, limits: JsonLimits): readonly PlacedMessage[] {
  const starts = [...firstOf(frame.matchAll(START), MAX_STARTS)].map(({ index }) => index);
  const found: PlacedMessage[] = [];
  // The frame as a whole is not a message.
  let last = lastMessage(frame, starts.slice(starts[0] === 0 ? 1 : 0), limits);
  while (last !== undefined) {
    found.unshift(last);
    last = lastMessage(frame.slice(0, last.start), starts, limits);
  }
  return found;
}

function lastMessage(
  frame: string,
  starts: readonly number[],
  limits: JsonLimits,
): PlacedMessage | undefined {
  for (const start of starts) {
    const value = start < frame.length ? tryParse(frame.slice(start), limits) : undefined;
    if (isObject(value) && value["jsonrpc"] === "2.0") return { start, message: value };
  }
  return undefined;
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (++taken > count) return;
    yield item;
  }
}

function tryParse(text: string, limits: JsonLimits): unknown {
  try {
    return parseJson(text, limits);
  } catch {
    return undefined;
  }
}
