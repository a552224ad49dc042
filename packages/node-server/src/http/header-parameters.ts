import { isObject } from "@idewire/core";

/** A header as it is spelled, and as it is looked up. */
export interface HeaderName {
  readonly text: string;
  readonly key: string;
}

export function headerName(text: string): HeaderName {
  return { text, key: text.toLowerCase() };
}

/** An argument of a tool that clients repeat in a header. */
export interface HeaderParameter {
  /** `Mcp-Param-` and the name that the schema gives it. */
  readonly header: HeaderName;
  /** The keys that lead to it in the arguments. */
  readonly path: readonly string[];
}

const known = new WeakMap<object, readonly HeaderParameter[]>();

/** The arguments of a tool with `x-mcp-header`, by the tool's input schema. */
export function headerParametersOf(schema: object): readonly HeaderParameter[] {
  let found = known.get(schema);
  if (found === undefined) {
    found = collect(schema, []);
    known.set(schema, found);
  }
  return found;
}

/** The value at a path of own members. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

function collect(schema: object, path: readonly string[]): readonly HeaderParameter[] {
  const { properties } = schema as { readonly properties?: unknown };
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, property]) => {
    if (!isObject(property)) return [];
    const own = [...path, key];
    const name = property["x-mcp-header"];
    const here =
      typeof name === "string" ? [{ header: headerName(`Mcp-Param-${name}`), path: own }] : [];
    return [...here, ...collect(property, own)];
  });
}
