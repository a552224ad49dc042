import { isObject } from "@idewire/core/internal";
import { type ChangeKind, equal, type SurfaceChange } from "./change.ts";
import { compareSchemas } from "./compare-schemas.ts";
import {
  type ServerSurface,
  type SurfaceEntry,
  surfaceKeys,
  surfaceLists,
} from "./server-surface.ts";

const NOUNS = { tools: "tool", prompts: "prompt", resourceTemplates: "resource template" } as const;

/** The differences between what a server offered before and what it offers now, the breaking ones first. */
export function compareSurfaces(before: ServerSurface, after: ServerSurface): SurfaceChange[] {
  const changes = surfaceLists.flatMap((list) => {
    const byKey = (entries: readonly SurfaceEntry[]) =>
      new Map(entries.map((entry) => [String(entry[surfaceKeys[list]]), entry]));
    return compareLists(byKey(before[list]), byKey(after[list]), NOUNS[list]);
  });
  const order: readonly ChangeKind[] = ["breaking", "compatible", "text"];
  return order.flatMap((kind) => changes.filter((change) => change.kind === kind));
}

type Entries = ReadonlyMap<string, SurfaceEntry>;

function compareLists(before: Entries, after: Entries, noun: string): SurfaceChange[] {
  const added = new Map([...after].filter(([name]) => !before.has(name)));
  const changes: SurfaceChange[] = [];
  for (const [name, entry] of before) {
    const what = `${noun} ${name}`;
    const now = after.get(name);
    if (now !== undefined) {
      changes.push(...compareEntries(entry, now).map((change) => ({ ...change, what })));
      continue;
    }
    const renamed = [...added].find(([, other]) => isRenamed(entry, other))?.[0];
    if (renamed !== undefined) added.delete(renamed);
    const detail = renamed === undefined ? "was removed" : `was renamed to ${renamed}`;
    changes.push({ kind: "breaking", what, detail });
  }
  for (const name of added.keys()) {
    changes.push({ kind: "compatible", what: `${noun} ${name}`, detail: "was added" });
  }
  return changes;
}

/** Whether two entries have the same arguments and description. */
function isRenamed(before: SurfaceEntry, after: SurfaceEntry): boolean {
  const members = ["inputSchema", "arguments", "description"] as const;
  const isSame = members.every((name) => equal(before[name], after[name]));
  return isSame && members.some((name) => before[name] !== undefined);
}

type Change = Omit<SurfaceChange, "what">;

const TEXTS: ReadonlySet<string> = new Set(["title", "description", "icons", "annotations.title"]);

function compareEntries(before: SurfaceEntry, after: SurfaceEntry): Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): Change[] => {
    const [old, now] = [before[name], after[name]];
    if (equal(old, now)) return [];
    if (name === "inputSchema") return compareSchemas(old, now, "input");
    if (name === "outputSchema") return compareOutput(old, now);
    if (name === "arguments") return compareArguments(old, now);
    if (TEXTS.has(name)) return [{ kind: "text", detail: `${name} has changed` }];
    return [{ kind: "compatible", detail: `${name} has changed` }];
  });
}

function compareOutput(before: unknown, after: unknown): Change[] {
  if (before === undefined) return [{ kind: "compatible", detail: "outputSchema was added" }];
  if (after === undefined) return [{ kind: "breaking", detail: "outputSchema was removed" }];
  return compareSchemas(before, after, "output");
}

/** The arguments of a prompt. */
function compareArguments(before: unknown, after: unknown): Change[] {
  return compareSchemas(schemaOf(before), schemaOf(after), "input");
}

/** Arguments of a prompt as a schema. */
function schemaOf(list: unknown): object {
  const listed: readonly unknown[] = Array.isArray(list) ? list : [];
  const entries = listed.filter(isObject);
  const properties = entries.map(({ name, title, description }) => {
    return [String(name), { type: "string", title, description }] as const;
  });
  const required = entries.filter((entry) => entry["required"] === true);
  return {
    properties: Object.fromEntries(properties),
    required: required.map((entry) => String(entry["name"])),
  };
}
