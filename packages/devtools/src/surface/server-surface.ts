import { answerLimits, isObject, parseJson } from "@idewire/core/internal";

/** What an MCP server offers by name: the part of it that its clients rely on. */
export interface ServerSurface {
  /** Entries as the server lists them, without `_meta`. */
  readonly tools: readonly SurfaceEntry[];
  readonly prompts: readonly SurfaceEntry[];
  readonly resourceTemplates: readonly SurfaceEntry[];
}

export type SurfaceEntry = Readonly<Record<string, unknown>>;

export type SurfaceList = keyof ServerSurface;

/** The member by which an entry of each list is known. */
export const surfaceKeys: Readonly<Record<SurfaceList, string>> = {
  tools: "name",
  prompts: "name",
  resourceTemplates: "uriTemplate",
};

export const surfaceLists: readonly SurfaceList[] = ["tools", "prompts", "resourceTemplates"];

/** The surface as JSON: the same text for the same surface, whatever the order of the server. */
export function formatSurface(surface: ServerSurface): string {
  const sorted = surfaceLists.map((list) => {
    const key = surfaceKeys[list];
    const entries = surface[list].map((entry) => sortMembers(withoutMeta(entry)));
    return [list, entries.sort((a, b) => (textOf(a, key) < textOf(b, key) ? -1 : 1))];
  });
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** Parses what {@link formatSurface} has written; undefined for anything else. */
export function parseSurface(text: string): ServerSurface | undefined {
  let value: unknown;
  try {
    value = parseJson(text, answerLimits);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const lists = surfaceLists.map((list) => value[list]);
  const isSurface = lists.every((list) => Array.isArray(list) && list.every(isObject));
  return isSurface ? (value as unknown as ServerSurface) : undefined;
}

function withoutMeta({ _meta, ...entry }: SurfaceEntry): SurfaceEntry {
  return entry;
}

/** A copy with members in alphabetic order. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

function textOf(entry: unknown, key: string): string {
  return isObject(entry) ? String(entry[key]) : "";
}
