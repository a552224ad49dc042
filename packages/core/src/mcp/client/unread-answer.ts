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
/** How many of them are tried: most text before a message has no braces. */
const MAX_STARTS = 8;

/**
 * The message at the end of a frame, after other text: of a server that prints a banner without a line break
 * before it speaks. Undefined if there is none.
 */
export function messageAfterText(
  frame: string,
  limits: JsonLimits,
): Readonly<Record<string, unknown>> | undefined {
  let starts = 0;
  for (const { index } of frame.matchAll(START)) {
    if (++starts > MAX_STARTS) return undefined;
    const value = index === 0 ? undefined : tryParse(frame.slice(index), limits);
    if (isObject(value) && value["jsonrpc"] === "2.0") return value;
  }
  return undefined;
}

function tryParse(text: string, limits: JsonLimits): unknown {
  try {
    return parseJson(text, limits);
  } catch {
    return undefined;
  }
}
