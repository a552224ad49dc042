import { formatJunit } from "../junit.ts";
import { formatSarif, type SarifLevel } from "../sarif.ts";
import type { ChangeKind, SurfaceChange } from "./change.ts";

/** The differences of a server from its baseline. */
export interface SurfaceReport {
  readonly changes: readonly SurfaceChange[];
  /** The baseline, relative to the repository. */
  readonly file: string;
  /** Whether the differences were accepted, so that none is a fault. */
  readonly isAccepted: boolean;
  readonly ms: number;
}

/** As JUnit XML: a case for each difference, of which the breaking ones fail, or one for none. */
export function formatSurfaceJunit({ changes, file, isAccepted, ms }: SurfaceReport): string {
  const group = "idewire check.baseline";
  const none = { group, name: `as in ${file}`, ms, outcome: { kind: "passed" } } as const;
  const cases = changes.map(({ kind, what, detail }) => {
    const name = `${what}: ${detail}`;
    const body = `${name}\nBaseline: ${file}`;
    const failed = { kind: "failed", message: detail, type: kind, body } as const;
    const isBroken = kind === "breaking" && !isAccepted;
    return { group, name, ms: 0, outcome: isBroken ? failed : none.outcome };
  });
  return formatJunit({ name: "idewire check", ms, cases: cases.length === 0 ? [none] : cases });
}

const rules: Readonly<Record<ChangeKind, { readonly text: string; readonly level: SarifLevel }>> = {
  breaking: { text: "A call that was valid may fail, or a result be unexpected.", level: "error" },
  compatible: { text: "All that was valid still is.", level: "note" },
  text: { text: "Only models and people read what has changed.", level: "note" },
};

/** As SARIF 2.1.0: a result for each difference that was not accepted. */
export function formatSurfaceSarif(
  { changes, file, isAccepted }: SurfaceReport,
  { version }: { readonly version: string },
): string {
  const id = (kind: ChangeKind) => `MCP-BASELINE-${kind}`;
  return formatSarif({
    tool: { name: "idewire check", version },
    rules: Object.entries(rules).map(([kind, { text, level }]) => {
      return { id: id(kind as ChangeKind), text, explanation: text, level };
    }),
    results: (isAccepted ? [] : changes).map(({ kind, what, detail }) => ({
      ruleId: id(kind),
      level: rules[kind].level,
      text: `${what}: ${detail}.`,
      place: { path: file, line: 1 },
      fingerprint: `${what}: ${detail}`,
    })),
  });
}
