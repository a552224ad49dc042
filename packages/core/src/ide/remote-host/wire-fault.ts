import { type GenericSchema, safeParse } from "valibot";
import { describeIssues } from "../../mcp/schemas/valibot-issues.ts";
import { type Platform, type PosixPath, toPosixPath } from "../../paths/posix-path.ts";
import { describeValue } from "../../rpc/message.ts";

/** What the other end sent is wrong, in words that name the field, the value and what was expected. */
export class WireFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WireFault";
  }
}

/**
 * Checks a value from the wire.
 * @param whole what to call the value itself: `params`
 * @throws WireFault naming each field, the value seen and what was expected
 */
export function checked<T>(schema: GenericSchema<unknown, T>, value: unknown, whole: string): T {
  const result = safeParse(schema, value);
  if (result.success) return result.output;
  throw new WireFault(describeIssues(schema, result.issues, whole));
}

/** @throws WireFault naming the field, when it is no absolute path */
export function checkedPath(field: string, text: string, platform: Platform): PosixPath {
  const path = toPosixPath(text, platform);
  if (path.ok) return path.value;
  throw new WireFault(
    `${field}: expected an absolute ${platform} path, got ${describeValue(text)}`,
  );
}
