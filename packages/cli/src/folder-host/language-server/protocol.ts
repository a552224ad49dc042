import type { Diagnostic, DiagnosticSeverity, Range } from "@idewire/core";
import { exactly } from "@idewire/core/internal";
import * as v from "valibot";

// The parts of a server's messages that are read; all others are ignored.

/** The largest line or character: LSP's own `uinteger`. */
const MAX_UINTEGER = 2 ** 31 - 1;

/** A longer message is cut: an agent shows 4,000 characters of all of them. */
const MAX_MESSAGE_LENGTH = 2_000;

const uinteger = v.pipe(
  v.number(),
  v.transform((value) => Math.min(Math.max(Math.trunc(value) || 0, 0), MAX_UINTEGER)),
);
const position = v.object({ line: uinteger, character: uinteger });

const diagnostic = v.object({
  range: v.object({ start: position, end: position }),
  severity: v.optional(v.unknown()),
  code: v.optional(v.unknown()),
  source: v.optional(v.unknown()),
  // LSP 3.18 also allows Markdown.
  message: v.union([v.string(), v.object({ value: v.string() })]),
});

const published = v.object({
  uri: v.string(),
  version: v.optional(v.nullable(v.number())),
  diagnostics: v.array(v.unknown()),
});

/** The params of `textDocument/publishDiagnostics`. */
export interface PublishedDiagnostics {
  readonly uri: string;
  readonly version: number | undefined;
  readonly items: readonly unknown[];
}

export function readPublished(params: unknown): PublishedDiagnostics | undefined {
  const read = v.safeParse(published, params);
  if (!read.success) return undefined;
  const { uri, version, diagnostics } = read.output;
  return { uri, version: version ?? undefined, items: diagnostics };
}

/** The diagnostics of a file, up to a limit; invalid ones are left out. */
export function readDiagnostics(
  items: readonly unknown[],
  { name, max }: { readonly name: string; readonly max: number },
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const item of items) {
    if (found.length >= max) break;
    const read = v.safeParse(diagnostic, item);
    if (read.success) found.push(toDiagnostic(read.output, name));
  }
  return found;
}

function toDiagnostic(item: v.InferOutput<typeof diagnostic>, name: string): Diagnostic {
  const { range, severity, code, source, message } = item;
  const words = typeof message === "string" ? message : message.value;
  return {
    range: inOrder(range),
    severity: SEVERITIES[Number(severity) - 1] ?? "error",
    message: words.slice(0, MAX_MESSAGE_LENGTH),
    source: typeof source === "string" && source !== "" ? source.slice(0, 100) : name,
    ...((typeof code === "string" || typeof code === "number") && { code }),
  };
}

const SEVERITIES: readonly DiagnosticSeverity[] = ["error", "warning", "information", "hint"];

function inOrder({ start, end }: Range): Range {
  const isBackward =
    start.line > end.line || (start.line === end.line && start.character > end.character);
  return isBackward ? { start: end, end: start } : { start, end };
}

/** A server's report on a document. */
export type DocumentReport =
  | { readonly kind: "full"; readonly resultId?: string; readonly items: readonly unknown[] }
  | { readonly kind: "unchanged"; readonly resultId?: string };

const report = exactly<DocumentReport>()(
  v.variant("kind", [
    v.object({
      kind: v.literal("full"),
      resultId: v.exactOptional(v.string()),
      items: v.array(v.unknown()),
    }),
    v.object({ kind: v.literal("unchanged"), resultId: v.exactOptional(v.string()) }),
  ]),
);

const related = v.object({ relatedDocuments: v.optional(v.record(v.string(), v.unknown())) });

/** The answer to `textDocument/diagnostic`, by URI; the document's own first. */
export function readDocumentReport(
  uri: string,
  result: unknown,
): readonly [string, DocumentReport][] {
  const own = v.safeParse(report, result);
  const others = v.safeParse(related, result);
  const documents = others.success ? Object.entries(others.output.relatedDocuments ?? {}) : [];
  return [
    [uri, own.success ? own.output : undefined] as const,
    ...documents.map(parseEntry),
  ].flatMap(([name, found]) => (found === undefined ? [] : [[name, found]]));
}

function parseEntry([uri, value]: readonly [string, unknown]): readonly [
  string,
  DocumentReport | undefined,
] {
  const read = v.safeParse(report, value);
  return [uri, read.success ? read.output : undefined];
}

const workspaceReport = v.object({ items: v.array(v.unknown()) });
const workspaceItem = v.object({ uri: v.string() });

/** The answer to `workspace/diagnostic`. */
export function readWorkspaceReport(result: unknown): readonly [string, DocumentReport][] {
  const read = v.safeParse(workspaceReport, result);
  if (!read.success) return [];
  return read.output.items.flatMap((item): [string, DocumentReport][] => {
    const named = v.safeParse(workspaceItem, item);
    const own = v.safeParse(report, item);
    return named.success && own.success ? [[named.output.uri, own.output]] : [];
  });
}
