import {
  type DiffOutcome,
  type DiffRequest,
  isInside,
  PendingDiffs,
  type PosixPath,
} from "@idewire/core";
import { asWritten, type DiffId, FILE_CHANGED } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import { parentOf, type WorkspacePaths } from "@idewire/node-server/internal/files";
import type { PendingDiff } from "./folder-host.ts";
import { isDirty, type OpenDocuments } from "./open-documents.ts";
import { prepareDiff } from "./prepare-diff.ts";
import { withoutBom } from "./save-text-file.ts";

export interface FolderDiffsOptions {
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
  readonly watch: (directory: PosixPath) => void;
}

/** The diffs of a folder, compared with the current texts of their files. */
export class FolderDiffs {
  readonly pending: PendingDiffs<PendingDiff>;
  readonly #options: FolderDiffsOptions;
  /** The real paths of the files from which each diff was prepared. */
  readonly #files = new WeakMap<PendingDiff, readonly PosixPath[]>();
  #work: Promise<void> = Promise.resolve();

  constructor(options: FolderDiffsOptions) {
    this.#options = options;
    this.pending = new PendingDiffs({ prepare: (request) => this.#prepare(request) });
    this.pending.events.on("diffClosed", (diff, outcome) => this.#closed(diff, outcome));
  }

  /** Call after changes of these files, or of folders with everything in them. */
  changed(paths: readonly PosixPath[]): void {
    const isAffected = (file: PosixPath) => paths.some((path) => isInside(path, file, platform));
    for (const shown of this.pending.shown) {
      if (!this.#files.get(shown)?.some(isAffected)) continue;
      // Sequential, so that no older text follows a newer one.
      this.#work = this.#work.then(() => this.#compare(shown.request.id)).catch(() => undefined);
    }
  }

  /** The accepted text contains the typed one: once the agent has written it, nothing is unsaved. */
  #closed(diff: PendingDiff, outcome: DiffOutcome): void {
    if (outcome.kind !== "accepted" || diff.current === undefined) return;
    const text = asWritten(diff.current, outcome.text);
    for (const file of this.#files.get(diff) ?? []) {
      const document = this.#options.documents.get(file);
      if (document === undefined || !isDirty(document)) continue;
      document.accepted = { over: withoutBom(diff.current), text: withoutBom(text) };
    }
  }

  async #prepare(request: DiffRequest, notes: readonly string[] = []): Promise<PendingDiff> {
    const files: PosixPath[] = [];
    const onread = (file: PosixPath) => {
      files.push(file);
      this.#options.watch(parentOf(file));
    };
    const prepared = await prepareDiff(request, { ...this.#options, onread });
    const all = [...notes, ...(prepared.notes ?? [])];
    const diff = { ...prepared, ...(all.length > 0 && { notes: all }) };
    this.#files.set(diff, files);
    return diff;
  }

  async #compare(id: DiffId): Promise<void> {
    const shown = this.pending.get(id);
    if (shown === undefined) return;
    const now = await this.#prepare(shown.request, [FILE_CHANGED]);
    const isSame = now.current === shown.current && now.unreadable === shown.unreadable;
    if (isSame || isProposal(now, shown)) return;
    const base = shown.base ?? shown.current;
    const compared = { ...now, ...(base !== undefined && { base }) };
    this.#files.set(compared, this.#files.get(now) ?? []);
    this.pending.update(compared);
  }
}

/** The agent has written its proposal: the person has accepted it in its terminal. */
function isProposal({ current }: PendingDiff, before: PendingDiff): boolean {
  const { proposed } = before.request;
  return current === proposed || current === asWritten(before.current ?? "", proposed);
}
