import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { parseJson } from "../rpc/costly-json.ts";
import { isObject } from "../rpc/message.ts";
import { describeValue } from "../text/describe-value.ts";
import type { ServerFile } from "./discovery-format.ts";

/** The port in a file name, before `extension`; undefined if it is not a port. */
function portOfFileName(name: string, extension: string): number | undefined {
  const port = Number(/^[1-9]\d{0,4}$/.exec(name.slice(0, -extension.length))?.[0]);
  return port <= 65_535 ? port : undefined;
}

/** Matches a name of a port and an extension; a name that is not a port marks a faulty file. */
export function matchPort(name: string, extension: string): { readonly port?: number } | undefined {
  if (!name.endsWith(extension)) return undefined;
  const port = portOfFileName(name, extension);
  return port === undefined ? {} : { port };
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

/** The writer of a file, if the file names it; members of a wrong type are ignored. */
export function readAuthor({
  pid,
  generator,
  generatorPid,
  started,
}: Readonly<Record<string, unknown>>): Pick<
  ServerFile,
  "generator" | "pid" | "generatorPid" | "started"
> {
  return {
    ...(typeof pid === "number" && { pid }),
    ...(typeof generator === "string" && { generator }),
    ...(typeof generatorPid === "number" && { generatorPid }),
    ...(typeof started === "string" && { started }),
  };
}
