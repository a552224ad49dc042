import { asObject, isObject } from "@idewire/core/internal";
import { type ChangeKind, equal, type SurfaceChange } from "./change.ts";

type Change = Omit<SurfaceChange, "what">;

/** Whether a schema is for what clients send, or for what they receive. */
type Use = "input" | "output";

const TEXTS: ReadonlySet<string> = new Set(["title", "description", "examples", "$comment"]);

/** Keywords without an effect on what is valid. */
const NEUTRAL: ReadonlySet<string> = new Set([
  ...["$schema", "$id", "default", "deprecated", "readOnly", "writeOnly", "x-mcp-header"],
]);

/** Keywords whose greater values admit less; of the others with numbers, smaller values do. */
const LOWER_BOUNDS: ReadonlySet<string> = new Set([
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"],
]);
const UPPER_BOUNDS: ReadonlySet<string> = new Set([
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"],
]);

/**
 * The differences between two JSON Schemas. A change that cannot be compared, such as that of a pattern, is breaking.
 * @param use a narrower schema is breaking for `input`, a wider one for `output`
 * @param path where the schemas are
 */
export function compareSchemas(before: unknown, after: unknown, use: Use, path = ""): Change[] {
  if (equal(before, after)) return [];
  if (!isObject(before) || !isObject(after)) {
    // `true` admits everything, as no schema does, and `false` nothing.
    const isNarrower = after === false || (before !== false && !isObject(before));
    return [changeOf(isNarrower ? "narrower" : "wider", use, at(path, "its schema has changed"))];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): Change[] => {
    const [old, now] = [before[name], after[name]];
    if (equal(old, now)) return [];
    if (TEXTS.has(name)) return [{ kind: "text", detail: at(path, `${name} has changed`) }];
    if (NEUTRAL.has(name)) return [{ kind: "compatible", detail: at(path, `${name} has changed`) }];
    if (name === "properties") return compareProperties(before, after, use, path);
    if (name === "required") return compareRequired(before, after, use, path);
    if (name === "items") return compareSchemas(old ?? true, now ?? true, use, `${path}[]`);
    return compareKeyword(name, old, now, use, path);
  });
}

function compareProperties(before: object, after: object, use: Use, path: string): Change[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].flatMap((name): Change[] => {
    const place = path === "" ? name : `${path}.${name}`;
    if (now[name] === undefined) return [{ kind: "breaking", detail: `${place} was removed` }];
    if (old[name] !== undefined) return compareSchemas(old[name], now[name], use, place);
    // A new required member is reported as one.
    if (requiredOf(after).includes(name)) return [];
    return [{ kind: "compatible", detail: `${place} was added` }];
  });
}

function compareRequired(before: object, after: object, use: Use, path: string): Change[] {
  const [old, now] = [requiredOf(before), requiredOf(after)];
  const known = propertiesOf(before);
  const place = (name: string) => (path === "" ? name : `${path}.${name}`);
  const more = now.filter((name) => !old.includes(name));
  const fewer = old.filter((name) => !now.includes(name) && name in propertiesOf(after));
  return [
    ...more.map((name) => {
      const words = name in known ? "is now required" : "was added and is required";
      return changeOf("narrower", use, `${place(name)} ${words}`);
    }),
    ...fewer.map((name) => changeOf("wider", use, `${place(name)} is no longer required`)),
  ];
}

function compareKeyword(
  name: string,
  old: unknown,
  now: unknown,
  use: Use,
  path: string,
): Change[] {
  const detail = (words: string) => at(path, words);
  if (name === "type" || name === "enum") {
    const [before, after] = name === "type" ? [typesOf(old), typesOf(now)] : [old, now];
    if (Array.isArray(before) && Array.isArray(after))
      return compareSets(name, before, after, use, path);
  }
  const words =
    old === undefined
      ? `${name} ${show(now)} was added`
      : now === undefined
        ? `${name} ${show(old)} was removed`
        : `${name} was ${show(old)}, is ${show(now)}`;
  if (name === "additionalProperties") {
    const isNarrower = now === false || (isObject(now) && old !== false);
    return [changeOf(isNarrower ? "narrower" : "wider", use, detail(words))];
  }
  if (old === undefined) return [changeOf("narrower", use, detail(words))];
  if (now === undefined) return [changeOf("wider", use, detail(words))];
  if (typeof old === "number" && typeof now === "number") {
    const isLower = LOWER_BOUNDS.has(name);
    if (isLower || UPPER_BOUNDS.has(name)) {
      return [changeOf(isLower === now > old ? "narrower" : "wider", use, detail(words))];
    }
  }
  return [{ kind: "breaking", detail: detail(words) }];
}

/** The values that a keyword admits. */
function compareSets(
  name: string,
  old: readonly unknown[],
  now: readonly unknown[],
  use: Use,
  path: string,
): Change[] {
  const admits = (set: readonly unknown[], value: unknown) =>
    set.some(
      (each) => equal(each, value) || (each === "number" && value === "integer" && name === "type"),
    );
  const lost = old.filter((value) => !admits(now, value));
  const won = now.filter((value) => !admits(old, value));
  const list = (values: readonly unknown[]) => values.map(show).join(", ");
  const detail = (words: string) => at(path, `${name} ${words}`);
  return [
    ...(lost.length > 0
      ? [changeOf("narrower", use, detail(`no longer admits ${list(lost)}`))]
      : []),
    ...(won.length > 0 ? [changeOf("wider", use, detail(`also admits ${list(won)}`))] : []),
  ];
}

function changeOf(change: "narrower" | "wider", use: Use, detail: string): Change {
  const isBreaking = (change === "narrower") === (use === "input");
  const kind: ChangeKind = isBreaking ? "breaking" : "compatible";
  return { kind, detail };
}

function at(path: string, words: string): string {
  return path === "" ? words : `${path}: ${words}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function propertiesOf(schema: object): Readonly<Record<string, unknown>> {
  return asObject((schema as Readonly<Record<string, unknown>>)["properties"]);
}

function requiredOf(schema: object): readonly string[] {
  const { required } = schema as { readonly required?: unknown };
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return names.filter((name) => typeof name === "string");
}

function typesOf(type: unknown): readonly unknown[] | undefined {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type : undefined;
}
