import { rm } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import type { PosixPath, SaveOutcome } from "@idewire/core";
import type { Change, ChangeTexts, KnownText } from "@idewire/core/internal";
import { KnownTexts, relativeTo } from "@idewire/core/internal";
import { describePath, evictOldest } from "@idewire/core/internal/base";
import {
  ChangeList,
  keepHunk,
  type RestoredText,
  restoreAll,
  restoreHunk,
} from "@idewire/core/internal/hunks";
import { ToolFailure } from "@idewire/core/rpc";
import {
  joinPath,
  keyOf,
  type TextFile,
  toNative,
  type WorkspacePaths,
} from "@idewire/node-server/internal/files";
import { scanFolder } from "./diagnostics/workspace-scan.ts";
import type {
  ChangeDecision,
  DecidedChange,
  FolderChanges,
  UndoneTurn,
  Writer,
} from "./folder-changes.ts";
import type { FolderEditor } from "./folder-editor.ts";
import { isDirty } from "./open-documents.ts";
import { createTextFile, saveTextFile, withBom, withoutBom } from "./save-text-file.ts";
import type { WrittenFiles } from "./written-files.ts";

/** How many files are read when the first agent connects, so that its edits can be compared. */
const MAX_REMEMBERED = 2_000;
/** Longer files are not remembered, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Yields to other work after this many. */
const BATCH = 20;
/** How many writes may still be attributed to an agent. */
const MAX_RECENT = 200;

/** The dependencies of the changes of a folder. */
export interface TrackedChangesParts {
  readonly folder: PosixPath;
  readonly paths: WorkspacePaths;
  readonly editor: FolderEditor;
  readonly written: WrittenFiles;
}

interface SeenWrite {
  readonly path: PosixPath;
  readonly before: KnownText | undefined;
  readonly after: KnownText | undefined;
}

/** The changes of a folder, tracked by the texts of its files before and after each write. */
export class TrackedChanges implements FolderChanges {
  readonly list: ChangeList = new ChangeList(() => Date.now());
  readonly #parts: TrackedChangesParts;
  readonly #known = new KnownTexts();
  /** The writers that were named before the file was read, and the writes that were read before that. */
  readonly #writers = new Map<string, Writer>();
  readonly #recent = new Map<string, SeenWrite>();
  /** Steps run one after the other: each needs the result of the previous one. */
  #steps: Promise<unknown> = Promise.resolve();
  #isRemembering = false;

  constructor(parts: TrackedChangesParts) {
    this.#parts = parts;
  }

  async rememberAll(): Promise<void> {
    if (this.#isRemembering) return;
    this.#isRemembering = true;
    let count = 0;
    for await (const files of scanFolder(this.#parts.folder, () => {})) {
      for (const file of files) {
        count += 1;
        if (count > MAX_REMEMBERED || this.#known.isFull) return;
        await this.remember(file);
        if (count % BATCH === 0) await turn();
      }
    }
  }

  /** Remembers the text of a file that may be written next, unless it is known. */
  remember(real: PosixPath): Promise<void> {
    return this.#step(async () => {
      if (this.#known.get(keyOf(real)) === undefined) this.#know(real, await this.#read(real));
    });
  }

  /** The editor itself has saved this text. */
  async saved(real: PosixPath): Promise<void> {
    await this.#step(async () => this.#know(real, await this.#read(real)));
  }

  /** These files were written on disk; call it before the agents of the writes are named. */
  written(paths: readonly PosixPath[]): void {
    for (const path of paths) void this.#step(() => this.#look(path));
  }

  attribute(writer: Writer): void {
    const key = keyOf(writer.path);
    void this.#step(async () => {
      const seen = this.#recent.get(key);
      if (seen === undefined) this.#writers.set(key, writer);
      else this.#record(seen, writer);
    });
  }

  decide(decision: ChangeDecision): Promise<DecidedChange> {
    return this.#step(async () => {
      const decided = await this.#decide(decision);
      return { ...decided, version: this.list.get(decision.id)?.version ?? decision.version };
    });
  }

  async undoTurn(id: string): Promise<UndoneTurn> {
    const undone = new Set<string>();
    const problems: string[] = [];
    for (const { id: each, path, version } of this.list.turnOf(id)) {
      try {
        const decision = { id: each, version, decision: "undo" } as const;
        const { refused, version: next } = await this.decide(decision);
        if (next !== version) undone.add(path);
        if (refused > 0) problems.push(describeRefused(path, refused));
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        problems.push(`${error.message}.`);
      }
    }
    return { undone: [...undone], problems };
  }

  async #look(path: PosixPath): Promise<void> {
    const key = keyOf(path);
    const before = this.#known.get(key);
    const now = await this.#read(path);
    this.#know(path, now);
    if (before !== undefined && isSame(before, now)) return;
    const seen = { path, before, after: now.kind === "unreadable" ? undefined : now };
    const writer = this.#writers.get(key);
    this.#writers.delete(key);
    if (writer !== undefined) return this.#record(seen, writer);
    this.#recent.set(key, seen);
    evictOldest(this.#recent, MAX_RECENT);
  }

  #record({ path, before, after }: SeenWrite, writer: Writer): void {
    this.#recent.delete(keyOf(path));
    if (writer.isReviewed) return;
    const { agent, session, turn: prompt, isCertain } = writer;
    const isKnown = before !== undefined && after !== undefined;
    this.list.wrote({
      ...{ path: relativeTo(this.#parts.folder, path), agent, turn: prompt, isCertain },
      ...(session !== undefined && { session }),
      texts: isKnown ? { before: textOf(before), after: textOf(after) } : undefined,
    });
  }

  async #decide(taken: ChangeDecision): Promise<Omit<DecidedChange, "version">> {
    const { id, version, decision, hunk } = taken;
    const change = this.list.get(id);
    const texts = this.list.textsOf(id);
    const { undecided } = texts ?? {};
    if (change?.state !== "unreviewed" || texts === undefined || undecided === undefined)
      throw new ToolFailure(`${change?.path ?? "The edit"}: nothing is left to decide`);
    if (change.version !== version)
      throw new ToolFailure(`${change.path} was decided or written meanwhile: look at it again`);
    if (decision === "keep") {
      const before = hunk === undefined ? undecided.written : keepHunk(undecided, hunk);
      this.list.decided(id, { ...undecided, before });
      return { refused: 0, unsaved: false };
    }
    const { restored, unsaved } = await this.#undo(change, texts, (current) =>
      hunk === undefined
        ? restoreAll({ ...undecided, current })
        : restoreHunk({ ...undecided, current }, hunk),
    );
    if (hunk !== undefined && restored.refused > 0)
      throw new ToolFailure(
        `This hunk is not undone: its lines in ${change.path} have changed since they were written`,
      );
    if (restored.written !== undecided.written)
      this.list.decided(id, { ...undecided, written: restored.written });
    return { refused: restored.refused, unsaved };
  }

  /** Writes the restored text where the current one is: into the open document, or into the file. */
  async #undo(
    { path }: Change,
    { before, after }: ChangeTexts,
    restore: (current: string) => RestoredText,
  ): Promise<{ readonly restored: RestoredText; readonly unsaved: boolean }> {
    const { editor, paths, folder } = this.#parts;
    const real = joinPath(folder, path);
    await editor.reload(real);
    const document = editor.documents.get(real);
    if (document !== undefined) {
      const wasDirty = isDirty(document);
      const text = withBom(document);
      const restored = restore(text);
      if (restored.current === text) return { restored, unsaved: wasDirty };
      if (before === undefined && restored.current === "" && !wasDirty) {
        await this.#remove(real);
        return { restored, unsaved: false };
      }
      await editor.edit(real, withoutBom(restored.current));
      if (!wasDirty) demandSaved(await this.#write(real, () => editor.save(real)));
      return { restored, unsaved: wasDirty };
    }
    const file = await paths.readReal(real);
    const restored = restore(this.#demandText(path, file, after));
    await this.#writeFile(real, { file, restored, isNew: before === undefined });
    return { restored, unsaved: false };
  }

  async #writeFile(
    real: PosixPath,
    {
      file,
      restored: { current },
      isNew,
    }: { readonly file: TextFile; readonly restored: RestoredText; readonly isNew: boolean },
  ): Promise<void> {
    const { paths } = this.#parts;
    if (file.kind !== "text") {
      if (current !== "") demandSaved(await this.#write(real, () => createTextFile(real, current)));
      return;
    }
    const { text: expected, bom } = file;
    if (isNew && current === "") return this.#remove(real);
    const text = withoutBom(current);
    const saved = { path: real, text, expected, bom: text !== current };
    if (text !== expected || bom !== saved.bom)
      demandSaved(await this.#write(real, () => saveTextFile(saved, paths)));
  }

  /** Its text stays in the list of changes. */
  async #remove(real: PosixPath): Promise<void> {
    this.#parts.written.lose([real]);
    await rm(toNative(real));
    this.#know(real, { kind: "missing" });
  }

  async #write(real: PosixPath, run: () => Promise<SaveOutcome>): Promise<SaveOutcome> {
    const outcome = await this.#parts.written.save(real, run);
    this.#know(real, await this.#read(real));
    return outcome;
  }

  #demandText(path: string, file: TextFile, written: string | undefined): string {
    if (file.kind === "text") return withBom(file);
    if (file.kind === "refused") throw new ToolFailure(`${describePath(path)} ${file.why}`);
    if (written === undefined) return "";
    throw new ToolFailure(`${path} has been deleted since it was written`);
  }

  async #read(real: PosixPath): Promise<KnownText | { readonly kind: "unreadable" }> {
    const file = await this.#parts.paths.readReal(real, MAX_BYTES).catch(() => undefined);
    if (file?.kind === "missing") return { kind: "missing" };
    if (file?.kind !== "text") return { kind: "unreadable" };
    return { kind: "text", text: withBom(file) };
  }

  #know(real: PosixPath, text: KnownText | { readonly kind: "unreadable" }): void {
    this.#known.set(keyOf(real), text);
  }

  #step<T>(run: () => Promise<T>): Promise<T> {
    const step = this.#steps.then(run);
    this.#steps = step.catch(() => undefined);
    return step;
  }
}

function describeRefused(path: string, refused: number): string {
  const hunks = refused === 1 ? "1 hunk is" : `${refused} hunks are`;
  return `${path}: ${hunks} not undone, because the lines have changed since.`;
}

function demandSaved({ saved, message }: SaveOutcome): void {
  if (!saved) throw new ToolFailure(message ?? "the file was not saved");
}

function textOf(known: KnownText): string | undefined {
  return known.kind === "text" ? known.text : undefined;
}

function isSame(before: KnownText, now: KnownText | { readonly kind: "unreadable" }): boolean {
  if (before.kind !== "text" || now.kind !== "text") return before.kind === now.kind;
  return before.text === now.text;
}
