import type { Diagnostic, DiagnosticSeverity } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";

/** A report lists this many findings; the others are only counted. */
const MAX_LISTED = 2_000;

/** Length of one slice of work, after which the app gets its turn. */
const SLICE_MS = 10;

/** Number of notes that are read concurrently. */
const LANES = 64;

export interface NoteFindings {
  /** Path in the vault. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The findings of a whole vault. */
export interface VaultReport {
  /** Sorted by path. */
  readonly notes: readonly NoteFindings[];
  readonly counts: Readonly<Record<DiagnosticSeverity, number>>;
  /** How many notes were checked, out of `total`. */
  readonly checked: number;
  readonly total: number;
  /** How many findings are listed, out of `found`. */
  readonly listed: number;
  readonly found: number;
  readonly isStopped: boolean;
  /** How many notes were skipped because they are never shared. */
  readonly excluded: number;
}

/** Runs work at once, or in a later slice if this one is used up. */
export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Progress and cancellation of a report. */
export interface ReportWatch {
  readonly onProgress?: (checked: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface ReportOptions extends ReportWatch {
  /** All notes, by their paths in the vault. */
  readonly paths: readonly string[];
  readonly isExcluded: (path: string) => boolean;
  readonly check: (path: string, inTurn: InTurn) => Promise<readonly Diagnostic[]>;
}

/** Checks all notes in slices that yield to the app. */
export async function createReport(options: ReportOptions): Promise<VaultReport> {
  const { paths, isExcluded, check, onProgress, signal } = options;
  const inTurn = createTurns();
  const wanted: string[] = [];
  for (const path of paths) await inTurn(() => isExcluded(path) || wanted.push(path));
  const total = wanted.length;
  const notes = new SortedNotes();
  const ahead = wanted.values();
  let checked = 0;
  const work = async () => {
    for (let next = ahead.next(); !next.done; next = ahead.next()) {
      const path = next.value;
      // A note that is deleted meanwhile has no findings.
      const diagnostics = await inTurn(() => check(path, inTurn)).catch(() => []);
      if (signal?.aborted) return;
      checked += 1;
      if (diagnostics.length > 0) notes.add({ path, diagnostics });
      onProgress?.(checked, total);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  const isStopped = signal?.aborted === true;
  const excluded = paths.length - total;
  return { ...toReport(notes.list), checked, total, excluded, isStopped };
}

/** Kept sorted: sorting ten thousand at the end would block the window. */
class SortedNotes {
  readonly list: NoteFindings[] = [];
  /** Natural order: note 9 comes before note 10. */
  readonly #byName = new Intl.Collator(undefined, { numeric: true });

  add(note: NoteFindings): void {
    let [low, high] = [0, this.list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBefore = this.#byName.compare(this.list[middle]?.path ?? "", note.path) < 0;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    this.list.splice(low, 0, note);
  }
}

function toReport(
  notes: readonly NoteFindings[],
): Pick<VaultReport, "notes" | "counts" | "listed" | "found"> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  const kept: NoteFindings[] = [];
  let listed = 0;
  let found = 0;
  for (const { path, diagnostics } of notes) {
    for (const { severity } of diagnostics) counts[severity] += 1;
    found += diagnostics.length;
    const room = diagnostics.slice(0, MAX_LISTED - listed);
    listed += room.length;
    if (room.length > 0) kept.push({ path, diagnostics: room });
  }
  return { notes: kept, counts, listed, found };
}

/** All work shares one slice at a time and one pause between slices. */
function createTurns(): InTurn {
  let endMs = performance.now() + SLICE_MS;
  let pause: Promise<void> | undefined;
  return async (work) => {
    while (performance.now() > endMs) {
      pause ??= new Promise<void>((resolve) => window.setTimeout(resolve)).then(() => {
        pause = undefined;
        endMs = performance.now() + SLICE_MS;
      });
      await pause;
    }
    return work();
  };
}

/** As text for agents and notes: `path:line:column severity: message`, 1-based. */
export function formatReport(report: VaultReport): string {
  const lines = report.notes.flatMap(({ path, diagnostics }) =>
    diagnostics.map(({ range: { start }, severity, message }) => {
      return `${path}:${start.line + 1}:${start.character + 1} ${severity}: ${message}`;
    }),
  );
  const { counts, checked, total, found, listed } = report;
  const kinds = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : `${count} ${kind === "information" || count === 1 ? kind : `${kind}s`}`,
  );
  const all = report.isStopped
    ? `${checked} of ${total} notes (stopped)`
    : countOf(checked, "note");
  const head = `${kinds.join(", ") || "Nothing"} found in ${all}.`;
  const cut = listed < found ? ` The first ${listed} of ${found} are listed.` : "";
  const left = report.excluded > 0 ? ` Excluded notes left out: ${report.excluded}.` : "";
  return [`${head}${cut}${left}`, ...lines].join("\n");
}
