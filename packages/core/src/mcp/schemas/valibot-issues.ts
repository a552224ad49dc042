import type { GenericSchema, InferIssue } from "valibot";
import { describeValue } from "../../text/describe-value.ts";

/** The members of valibot's schemas of objects, lists and optional members that their types lack. */
export interface ValibotSchema {
  readonly type: string;
  readonly expects?: string | null;
  readonly entries?: Readonly<Record<string, ValibotSchema>>;
  readonly item?: ValibotSchema;
  readonly wrapped?: ValibotSchema;
  readonly pipe?: readonly ValibotSchema[];
  readonly description?: string;
}

/**
 * The first three issues in words: each names the member, the value seen and what was expected.
 * @param whole the name of the value itself, such as `params`
 */
export function describeIssues(
  schema: GenericSchema,
  issues: readonly InferIssue<GenericSchema>[],
  whole: string,
): string {
  const words = issues.slice(0, 3).map((issue) => describeIssue(schema, issue, whole));
  return words.join("; ");
}

function describeIssue(
  schema: GenericSchema,
  { input, expected, message, type, path }: InferIssue<GenericSchema>,
  whole: string,
): string {
  const keys = path?.map(({ key }) => String(key)) ?? [];
  const words = input === undefined ? expectedAt(schema, keys) : (expected ?? message);
  const named = words.replace(/^(Object|Array)$/, (word) => word.toLowerCase());
  const length = type.endsWith("_length") ? "a length of " : "";
  return `${keys.join(".") || whole}: expected ${length}${named}, got ${describeValue(input)}`;
}

/** For a missing member valibot's issue has only its key. */
function expectedAt(schema: GenericSchema, keys: readonly string[]): string {
  let part = schema as ValibotSchema | undefined;
  for (const key of keys) {
    const inner: ValibotSchema | undefined = part?.wrapped ?? part;
    part = inner?.entries?.[key] ?? inner?.item;
  }
  return part?.expects ?? "a value";
}
