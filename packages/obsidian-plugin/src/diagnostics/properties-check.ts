import type { DiagnosticSeverity } from "@idewire/core";
import { texts } from "../texts/index.ts";
import type { Segment } from "./note-scan.ts";

/** A finding at offsets of the text. */
export interface TextFinding extends Segment {
  readonly severity: DiagnosticSeverity;
  readonly code: string;
  readonly message: string;
}

/** Obsidian's own parser of properties. */
export type ParseYaml = (yaml: string) => unknown;

/** Properties that used to accept a single value, and have to be lists now. */
const LISTS: ReadonlySet<string> = new Set(["tags", "aliases", "cssclasses"]);

/** Finds problems in the properties of a note; messages never quote their values. */
export function checkProperties(yaml: string, parse: ParseYaml): readonly TextFinding[] {
  const findings = [...checkLines(yaml)];
  try {
    const properties = parse(yaml);
    return [...findings, ...checkLists(yaml, properties)];
  } catch (error) {
    // A finding above is the reason.
    if (findings.length > 0) return findings;
    const place = placeOf(error, yaml);
    const message = texts.diagnostics["invalid-properties"];
    return [{ severity: "error", code: "invalid-properties", message, ...place }];
  }
}

function* checkLines(yaml: string): Iterable<TextFinding> {
  const keys = new Set<string>();
  let isText = false;
  for (const line of linesOf(yaml)) {
    const content = yaml.slice(line.start, line.end);
    if (/^\S/.test(content)) isText = false;
    const tab = /^ *\t/.exec(content)?.[0];
    if (tab !== undefined && !isText) {
      const end = line.start + tab.length;
      const message = texts.diagnostics["tab-in-properties"];
      yield { severity: "error", code: "tab-in-properties", message, start: end - 1, end };
    }
    const key = /^(?:"([^"]+)"|'([^']+)'|([^\s#\-?:[\]{},&*!|>'"%@`][^:]*?)) ?:(?:\s|$)/.exec(
      content,
    );
    if (/[|>][+-]?\d?\s*$/.test(content)) isText = true;
    const name = key?.[1] ?? key?.[2] ?? key?.[3];
    if (key === null || name === undefined) continue;
    if (keys.has(name)) yield repeated(name, line.start + (key[3] === undefined ? 1 : 0));
    keys.add(name);
  }
}

function repeated(name: string, start: number): TextFinding {
  const message = texts.diagnostics["repeated-property"](name);
  const code = "repeated-property";
  return { severity: "error", code, message, start, end: start + name.length };
}

function* checkLists(yaml: string, properties: unknown): Iterable<TextFinding> {
  if (typeof properties !== "object" || properties === null) return;
  for (const line of linesOf(yaml)) {
    const [, name = ""] = /^(\w+):/.exec(yaml.slice(line.start, line.end)) ?? [];
    const value: unknown = Reflect.get(properties, name);
    if (!LISTS.has(name) || Array.isArray(value) || value === null || value === undefined) continue;
    const message = texts.diagnostics["property-is-no-list"](name);
    const place = { start: line.start, end: line.start + name.length };
    yield { severity: "information", code: "property-is-no-list", message, ...place };
  }
}

function* linesOf(text: string): Iterable<Segment> {
  let start = 0;
  while (start < text.length) {
    const provider = text.indexOf("\n", start);
    const end = provider === -1 ? text.length : provider;
    yield { start, end: text[end - 1] === "\r" ? end - 1 : end };
    start = end + 1;
  }
}

/** The line that the parser reports, otherwise the first. */
function placeOf(error: unknown, yaml: string): Segment {
  const { linePos, mark } = error as {
    readonly linePos?: readonly { readonly line: number }[];
    readonly mark?: { readonly line: number };
  };
  const wanted = linePos?.[0] === undefined ? mark?.line : linePos[0].line - 1;
  const lines = [...linesOf(yaml)];
  return lines[wanted ?? 0] ?? lines.at(-1) ?? { start: 0, end: 0 };
}
