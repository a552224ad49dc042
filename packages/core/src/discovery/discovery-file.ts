import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { parseJson } from "../rpc/costly-json.ts";
import { describeValue, isObject } from "../rpc/message.ts";

/** The port in a file name, before `extension`; undefined if it is not a port. */
export function portOfFileName(name: string, extension: string): number | undefined {
  if (!name.endsWith(extension)) return undefined;
  const port = Number(/^[1-9]\d{0,4}$/.exec(name.slice(0, -extension.length))?.[0]);
  return port <= 65_535 ? port : undefined;
}

/** Parses the JSON object in a discovery file. */
export function parseObject(text: string): ParseResult<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return refused(text.trim() === "" ? "the file is empty" : "the file is not JSON");
  }
  if (!isObject(value)) return refused(`expected an object, got ${describeValue(value)}`);
  return parsed(value);
}
