import { type GenericSchema, safeParse } from "valibot";
import { describeIssues } from "../../mcp/schemas/valibot-issues.ts";
import { type Platform, type PosixPath, toPosixPath } from "../../paths/posix-path.ts";
import { describeValue } from "../../text/describe-value.ts";

/** An invalid message; the text names the field, the value and what was expected. */
export class WireFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WireFault";
  }
}

/**
 * Validates a value from the wire.
 * @param whole the name of the value itself, such as `params`
 * @throws WireFault with each field, the value seen and what was expected
 */
export function checked<T>(schema: GenericSchema<unknown, T>, value: unknown, whole: string): T {
  const result = safeParse(schema, value);
  if (result.success) return result.output;
  throw new WireFault(describeIssues(schema, result.issues, whole));
}

/** @throws WireFault with the field when the path is not absolute */
export function checkedPath(field: string, text: string, platform: Platform): PosixPath {
  const path = toPosixPath(text, platform);
  if (path.ok) return path.value;
  throw new WireFault(
    `${field}: expected an absolute ${platform} path, got ${describeValue(text)}`,
  );
}
