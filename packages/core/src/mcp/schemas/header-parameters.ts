import { IdewireError } from "../../errors.ts";
import { isObject } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";

/** A member of a tool's input that clients repeat in a header (MCP 2026-07-28, Streamable HTTP, Custom Headers). */
export interface HeaderParameter {
  /** The part of the header's name after `Mcp-Param-`. */
  readonly name: string;
  /** The keys that lead to the member in the arguments. */
  readonly path: readonly string[];
}

/** A place of the keyword in a schema, valid or not. */
interface Mark {
  readonly name: unknown;
  readonly type: unknown;
  /** Undefined if keywords other than `properties` lead to it. */
  readonly path: readonly string[] | undefined;
  readonly isRepeated: boolean;
}

const KEYWORD = "x-mcp-header";

/** Keywords whose values are not schemas. */
const data = /^(const|enum|default|examples)$/;

/**
 * The members that a tool's input schema marks by `x-mcp-header`; undefined when a mark is invalid, so that
 * clients drop the tool. Each must be a unique token, on a string, integer or boolean that is reached through
 * `properties` only.
 */
export function headerParametersOf(schema: object): readonly HeaderParameter[] | undefined {
  const marks = marksIn(schema);
  return marks.every(isRight) ? (marks as readonly HeaderParameter[]) : undefined;
}

/** The value at a path of own members; undefined when there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** @throws IdewireError `invalid-argument` for a schema for which clients would drop the tool */
export function requireHeaderParameters(schema: object): void {
  const wrong = marksIn(schema).find((mark) => !isRight(mark));
  if (wrong === undefined) return;
  const text = `${KEYWORD}: expected ${ruleBrokenBy(wrong)}, got ${describeValue(wrong.name)}`;
  throw new IdewireError("invalid-argument", text);
}

function ruleBrokenBy(mark: Mark): string {
  if (!hasName(mark)) return "the name of a header";
  if (mark.path === undefined) return "only in members that `properties` lead to";
  return hasType(mark) ? "each name once" : "on a string, integer or boolean";
}

function isRight(mark: Mark): boolean {
  return hasName(mark) && hasType(mark) && mark.path !== undefined && !mark.isRepeated;
}

function hasName({ name }: Mark): boolean {
  return typeof name === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function hasType({ type }: Mark): boolean {
  return type === "string" || type === "integer" || type === "boolean";
}

function marksIn(schema: object): readonly Mark[] {
  const marks: Mark[] = [];
  const names = new Set<unknown>();
  const visit = (part: unknown, path: readonly string[] | undefined) => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries<unknown>(part as Readonly<Record<string, unknown>>)) {
      if (key === KEYWORD) {
        const { type } = part as { readonly type?: unknown };
        const name = typeof value === "string" ? value.toLowerCase() : value;
        marks.push({ name: value, type, path, isRepeated: names.has(name) });
        names.add(name);
      } else if (key === "properties" && isObject(value)) {
        for (const [member, inside] of Object.entries(value)) {
          visit(inside, path && [...path, member]);
        }
      } else if (!data.test(key)) visit(value, undefined);
    }
  };
  visit(schema, []);
  return marks;
}
