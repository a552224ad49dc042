import type { PosixPath } from "@idewire/core";
import { texts } from "../../texts/index.ts";
import { type CurrentText, readFileTexts } from "../current-text.ts";
import type { ReviewHistory } from "../history/history.ts";
import type { RecordTexts } from "../history/record.ts";
import type { ReviewsParts } from "../index.ts";
import type { ReviewController } from "../review-controller.ts";
import { type UndoneEdit, undoEdit } from "./undo-edit.ts";
import { WriteWatcher } from "./watch-writes.ts";
import { WriteRecorder } from "./write-recorder.ts";

export interface UnreviewedParts extends ReviewsParts {
  readonly history: ReviewHistory;
  readonly controller: ReviewController;
}

/** Edits that agents write without a review. */
export interface Unreviewed {
  announced(path: PosixPath): Promise<void>;
  agentsChanged(names: readonly string[]): void;
  /** @param turn as the agent's connection names it */
  attribute(agent: string | undefined, written: readonly PosixPath[], turn?: string): void;
  forgetExcluded(): void;
  /** Undoes an edit, or one of its undecided hunks. */
  undo(path: PosixPath, texts: RecordTexts, hunk?: number): Promise<UndoneEdit>;
}

/** Records edits without a review from now on. */
export function createUnreviewed(parts: UnreviewedParts): Unreviewed {
  const { app, registrar, paths, history, controller } = parts;
  const read = async (path: PosixPath): Promise<CurrentText> => {
    const { saved } = await readFileTexts(path, () => undefined);
    // Undoing an edit writes UTF-8.
    const isUtf8 = saved.kind !== "text" || saved.lostBytes === undefined;
    return isUtf8 ? saved : { kind: "unreadable" };
  };
  // Turns are counted anew at each start, while the history stays.
  const start = window.crypto.randomUUID();
  const recorder: WriteRecorder = new WriteRecorder({
    read: (path) => read(paths.toAbsolute(path)),
    isExcluded: (path) => parts.isExcluded(paths.toAbsolute(path)),
    shownText: (path) => parts.shownText(paths.toAbsolute(path)),
    isTyped: (path) => watcher.isTyped(path),
    agents() {
      const { agents } = watcher;
      return agents.length === 0 ? undefined : texts.edits.while(agents.join(", "));
    },
    history,
    onwritten: (path) => parts.onWritten(paths.toAbsolute(path)),
    nowMs: () => Date.now(),
    toAbsolute: (path) => paths.toAbsolute(path),
    newId: () => window.crypto.randomUUID(),
  });
  const watcher: WriteWatcher = new WriteWatcher({ app, registrar, recorder });
  registrar.register(
    controller.on("released", ({ path }, text) => {
      const vaultPath = paths.toVault(path);
      if (vaultPath !== undefined) recorder.expect(vaultPath, text);
    }),
  );
  return {
    async announced(path) {
      const vaultPath = paths.toVault(path);
      if (vaultPath !== undefined) await recorder.announced(vaultPath);
    },
    agentsChanged: (names) => watcher.agentsChanged(names),
    attribute(agent, written, turn) {
      recorder.attribute(
        agent,
        written.flatMap((path) => paths.toVault(path) ?? []),
        turn === undefined ? undefined : `${start}, ${turn}`,
      );
    },
    forgetExcluded: () => recorder.forgetExcluded(),
    undo: (path, kept, hunk) =>
      undoEdit(path, kept, hunk, {
        app,
        paths,
        isUnsaved: parts.isUnsaved,
        read,
        expect: (vaultPath, text) => recorder.expect(vaultPath, text),
      }),
  };
}
