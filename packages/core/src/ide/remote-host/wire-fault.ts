import { type GenericSchema, getDotPath, type InferIssue, safeParse } from "valibot";
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
  throw new WireFault(
    result.issues
      .slice(0, 3)
      .map((issue) => describeIssue(schema, issue, whole))
      .join("; "),
  );
}

/** @throws WireFault naming the field, when it is no absolute path */
export function checkedPath(field: string, text: string, platform: Platform): PosixPath {
  const path = toPosixPath(text, platform);
  if (path.ok) return path.value;
  throw new WireFault(
    `${field}: expected an absolute ${platform} path, got ${describeValue(text)}`,
  );
}

function describeIssue(
  schema: GenericSchema,
  issue: InferIssue<GenericSchema>,
  whole: string,
): string {
  const isMissing = issue.input === undefined;
  const keys = issue.path?.map(({ key }) => String(key)) ?? [];
  const words = isMissing ? expectedAt(schema, keys) : (issue.expected ?? issue.message);
  const expected = issue.type.endsWith("_length") ? `a length of ${words}` : words;
  const where = getDotPath(issue) ?? whole;
  return `${where}: expected ${lowerCased(expected)}, got ${describeValue(issue.input)}`;
}

/** What valibot's schemas have, beyond their types. */
interface SchemaParts {
  readonly expects?: string;
  readonly entries?: Readonly<Record<string, SchemaParts>>;
  readonly item?: SchemaParts;
  readonly wrapped?: SchemaParts;
}

/** Of what is missing valibot says the name, and not what it should be. */
function expectedAt(schema: GenericSchema, keys: readonly string[]): string {
  let parts: SchemaParts | undefined = schema;
  for (const key of keys) {
    const inner: SchemaParts | undefined = parts?.wrapped ?? parts;
    parts = inner?.entries?.[key] ?? inner?.item;
  }
  return parts?.expects ?? "a value";
}

/** `Object` and `Array` are `object` and `array` on the wire. */
function lowerCased(expected: string): string {
  return expected.replace(/^(Object|Array)$/, (word) => word.toLowerCase());
}
