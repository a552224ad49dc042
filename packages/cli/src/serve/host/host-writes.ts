import {
  type DiffRequest,
  type EditorHost,
  Emitter,
  type HostEvents,
  type PosixPath,
} from "@idewire/core";
import { overrideHost } from "@idewire/core/internal";
import { keyOf, parentOf } from "@idewire/node-server/internal/files";
import { FolderWatcher } from "../../folder-host/folder-watcher.ts";
import { WrittenFiles } from "../../folder-host/written-files.ts";

/** How long after it had unsaved text a write of a document counts as saved by the person. */
const SAVING_MS = 2_000;
/** How many files that agents are about to write are watched: the newest. */
const MAX_EXPECTED = 100;

/** An editor whose files are watched on disk on its behalf. */
export interface WatchedHost {
  readonly host: EditorHost;
  close(): void;
}

/**
 * Watches for writes by other programs to an editor's open documents, and to files that agents are about to write.
 */
export function watchWrites(editor: EditorHost): WatchedHost {
  const events = new Emitter<Pick<HostEvents, "written">>();
  const files = new WatchedFiles(editor, (paths) => events.emit("written", paths));
  const forget = editor.on("documents", () => files.follow());
  return {
    host: overrideHost(editor, {
      fileVersion: (path) => files.expect(path),
      on: (event, listener) =>
        event === "written"
          ? events.on("written", listener as HostEvents["written"])
          : editor.on(event, listener),
      ...(editor.openDiff !== undefined && {
        async openDiff(request: DiffRequest, signal: AbortSignal) {
          await files.expect(request.path);
          return editor.openDiff?.(request, signal) ?? { kind: "cancelled" };
        },
      }),
    }),
    close() {
      forget();
      files.close();
    },
  };
}

/** The open documents of an editor on disk, and the files that agents are about to write. */
class WatchedFiles {
  readonly #editor: EditorHost;
  readonly #written: WrittenFiles;
  readonly #watcher: FolderWatcher;
  /** When an open document last had unsaved text; Infinity if it has some now. */
  readonly #unsaved = new Map<string, number>();
  /** By key, the newest last. */
  readonly #expected = new Map<string, PosixPath>();
  #open: readonly PosixPath[] = [];
  #directories: ReadonlySet<PosixPath> = new Set();

  constructor(editor: EditorHost, onWritten: (paths: readonly PosixPath[]) => void) {
    this.#editor = editor;
    this.#written = new WrittenFiles((paths) => {
      const others = paths.filter((path) => this.#isOthers(path));
      if (others.length > 0) onWritten(others);
    });
    this.#watcher = new FolderWatcher((paths, replaced) => {
      void this.#written.changed(paths, replaced);
    });
    this.follow();
  }

  /** A file that an agent is about to write: resolves to its version. */
  expect(path: PosixPath): Promise<string | undefined> {
    this.#expected.delete(keyOf(path));
    for (const oldest of this.#expected.keys()) {
      if (this.#expected.size < MAX_EXPECTED) break;
      this.#expected.delete(oldest);
    }
    this.#expected.set(keyOf(path), path);
    this.#watch();
    return this.#written.expect(path);
  }

  /** Watches the documents that are open now. */
  follow(): void {
    const documents = this.#editor.documents().filter(({ untitled }) => !untitled);
    for (const { path, dirty } of documents) {
      if (dirty || this.#unsaved.get(keyOf(path)) === Infinity) {
        this.#unsaved.set(keyOf(path), dirty ? Infinity : performance.now());
      }
    }
    const open = documents.map(({ path }) => path);
    const keys = new Set(open.map(keyOf));
    for (const [key, sinceMs] of this.#unsaved) {
      if (keys.has(key)) continue;
      // An editor may save a document when it closes it.
      if (sinceMs === Infinity) this.#unsaved.set(key, performance.now());
      else if (performance.now() - sinceMs >= SAVING_MS) this.#unsaved.delete(key);
    }
    const isLost = (path: PosixPath) => !keys.has(keyOf(path)) && !this.#expected.has(keyOf(path));
    const lost = this.#open.filter(isLost);
    this.#open = open;
    this.#watch();
    this.#written.lose(lost);
    this.#written.found(open, false);
  }

  close(): void {
    this.#watcher.close();
    this.#written.close();
  }

  #watch(): void {
    const first = new Set(this.#open.map(parentOf));
    const wanted = new Set([...first, ...[...this.#expected.values()].map(parentOf)]);
    for (const directory of this.#directories) {
      if (!wanted.has(directory)) this.#watcher.unwatch(directory);
    }
    this.#directories = wanted;
    for (const directory of wanted) this.#watcher.watch(directory, { first: first.has(directory) });
  }

  #isOthers(path: PosixPath): boolean {
    const key = keyOf(path);
    const sinceMs = this.#unsaved.get(key) ?? -SAVING_MS;
    return this.#expected.has(key) || performance.now() - sinceMs >= SAVING_MS;
  }
}
