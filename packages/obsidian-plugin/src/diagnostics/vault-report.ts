import type { Diagnostic, DiagnosticSeverity } from "@idewire/core";

/** So many findings a report lists; the others are only counted. */
const MAX_LISTED = 2_000;

/** So long one stretch of work is: the person may be typing. */
const SLICE_MS = 20;

/** So many notes are read side by side: the disk is waited for, not the processor. */
const LANES = 8;

export interface NoteFindings {
  /** In the vault. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is wrong in a whole vault. */
export interface VaultReport {
  /** In the order of their paths. */
  readonly notes: readonly NoteFindings[];
  readonly counts: Readonly<Record<DiagnosticSeverity, number>>;
  /** How many notes were looked at, of how many. */
  readonly checked: number;
  readonly total: number;
  /** How many findings are listed, of all that are counted. */
  readonly listed: number;
  readonly found: number;
  readonly isStopped: boolean;
  /** How many notes were left out, because agents may know nothing of them. */
  readonly excluded: number;
}

export interface ReportOptions {
  /** The notes to look at, by their paths in the vault. */
  readonly paths: readonly string[];
  readonly check: (path: string) => Promise<readonly Diagnostic[]>;
  readonly onProgress?: (checked: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Checks note after note, and lets others work in between. */
export async function createReport(options: ReportOptions): Promise<Omit<VaultReport, "excluded">> {
  const { paths, check, onProgress, signal } = options;
  const notes: NoteFindings[] = [];
  const ahead = paths.values();
  let checked = 0;
  const breathe = createBreaks();
  const work = async () => {
    for (let next = ahead.next(); !next.done; next = ahead.next()) {
      await breathe();
      if (signal?.aborted) return;
      // A note that goes while it is looked at has nothing wrong.
      const diagnostics = await check(next.value).catch(() => []);
      checked += 1;
      if (diagnostics.length > 0) notes.push({ path: next.value, diagnostics });
      onProgress?.(checked, paths.length);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  const isStopped = signal?.aborted === true;
  return { ...toReport(notes), checked, total: paths.length, isStopped };
}

/** As people count: note 9 is before note 10. */
const byName = new Intl.Collator(undefined, { numeric: true });

function toReport(
  notes: readonly NoteFindings[],
): Pick<VaultReport, "notes" | "counts" | "listed" | "found"> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  const kept: NoteFindings[] = [];
  let listed = 0;
  let found = 0;
  for (const { path, diagnostics } of [...notes].sort((a, b) => byName.compare(a.path, b.path))) {
    for (const { severity } of diagnostics) counts[severity] += 1;
    found += diagnostics.length;
    const room = diagnostics.slice(0, MAX_LISTED - listed);
    listed += room.length;
    if (room.length > 0) kept.push({ path, diagnostics: room });
  }
  return { notes: kept, counts, listed, found };
}

/** Waits for others when a stretch of work has been long enough: one break for all lanes. */
function createBreaks(): () => Promise<void> | undefined {
  let endMs = performance.now() + SLICE_MS;
  let pause: Promise<void> | undefined;
  return () => {
    if (pause === undefined && performance.now() > endMs) {
      pause = new Promise<void>((resolve) => window.setTimeout(resolve)).then(() => {
        pause = undefined;
        endMs = performance.now() + SLICE_MS;
      });
    }
    return pause;
  };
}

/** As text, for agents and notes: `path:line:column severity message`, counted from 1. */
export function formatReport(report: VaultReport, maxLines = MAX_LISTED): string {
  const lines = report.notes.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ range: { start }, severity, message }) => {
      return `${path}:${start.line + 1}:${start.character + 1} ${severity}: ${message}`;
    }),
  );
  const shown = lines.slice(0, maxLines);
  const { counts, checked, total, found } = report;
  const kinds = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : `${count} ${kind === "information" || count === 1 ? kind : `${kind}s`}`,
  );
  const all = report.isStopped
    ? `${checked} of ${total} notes (stopped)`
    : `${checked} ${checked === 1 ? "note" : "notes"}`;
  const head = `${kinds.join(", ") || "Nothing"} found in ${all}.`;
  const cut = shown.length < found ? ` The first ${shown.length} of ${found} are listed.` : "";
  const left = report.excluded > 0 ? ` Excluded notes left out: ${report.excluded}.` : "";
  return [`${head}${cut}${left}`, ...shown].join("\n");
}
