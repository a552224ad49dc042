import { IdewireError } from "../errors.ts";
import type { JsonSchema } from "../mcp/protocol.ts";
import { isObject } from "../rpc/message.ts";
import { describeValue } from "../text/describe-value.ts";
import { namesOfPointer } from "../text/json-pointer.ts";

const drafts = [
  ["/draft-04/", "4"],
  ["/draft-07/", "7"],
  ["/2019-09/", "2019-09"],
  ["/2020-12/", "2020-12"],
] as const;

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** The address of a schema without `$id`. */
const NO_ID = "https://schema.invalid/";

/**
 * The draft of a schema; one without `$schema` is of 2020-12 (MCP 2025-11-25, Basic / JSON Schema Usage).
 * @throws IdewireError `invalid-argument` for an unknown dialect
 */
export function draftOf({ $schema }: JsonSchema): (typeof drafts)[number][1] {
  if ($schema === undefined) return "2020-12";
  const known = drafts.find(([name]) => typeof $schema === "string" && $schema.includes(name));
  if (known !== undefined) return known[1];
  const seen = describeValue($schema);
  throw new IdewireError("invalid-argument", `Unknown dialect of JSON Schema: ${seen}`);
}

/**
 * Checks, without the library that validates values, that a schema is of a known dialect and refers to
 * nothing but itself.
 * @throws IdewireError `invalid-argument`
 */
export function requireUsableSchema(schema: JsonSchema): void {
  draftOf(schema);
  const found: Found = { targets: new Map(), references: [] };
  collect(schema, NO_ID, found);
  for (const [reference, base] of found.references) {
    if (isResolved(reference, base, found.targets)) continue;
    const text = `$ref ${describeValue(reference)} does not refer to the schema itself`;
    throw new IdewireError("invalid-argument", text);
  }
}

interface Found {
  /** By address, with the fragment of an anchor. */
  readonly targets: Map<string, unknown>;
  readonly references: (readonly [reference: string, base: string])[];
}

function collect(value: unknown, outer: string, found: Found): void {
  if (Array.isArray(value)) for (const item of value) collect(item, outer, found);
  if (!isObject(value)) return;
  const { $id, id, $ref, $anchor } = value;
  const own = typeof $id === "string" ? $id : id;
  const base = typeof own === "string" ? new URL(own, outer).href.replace(/#$/, "") : outer;
  if (base !== outer || outer === NO_ID) found.targets.set(base, found.targets.get(base) ?? value);
  if (typeof $anchor === "string") found.targets.set(`${base}#${$anchor}`, value);
  if (typeof $ref === "string") found.references.push([$ref, base]);
  for (const name in value) if (!DATA.has(name)) collect(value[name], base, found);
}

function isResolved(reference: string, base: string, targets: Found["targets"]): boolean {
  const { href } = new URL(reference, base);
  const [address = "", fragment = ""] = href.split("#");
  if (!fragment.startsWith("/")) return targets.has(fragment === "" ? address : href);
  let part = targets.get(address);
  for (const name of namesOfPointer(decodeURIComponent(fragment))) {
    part = (part as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  return part !== undefined;
}
