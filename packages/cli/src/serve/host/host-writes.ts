import {
  type DiffRequest,
  type EditorHost,
  Emitter,
  type HostEvents,
  type PosixPath,
  type RemoteHost,
} from "@idewire/core";
import { overrideHost } from "@idewire/core/internal";
import { keyOf, parentOf } from "@idewire/node-server/internal/files";
import { FolderWatcher } from "../../folder-host/folder-watcher.ts";
import { WrittenFiles } from "../../folder-host/written-files.ts";

/** How long after it had unsaved text a write of a document counts as saved by the person. */
const SAVING_MS = 2_000;

/** An editor whose files are watched on disk on its behalf. */
export interface WatchedHost {
  readonly host: EditorHost;
  close(): void;
}

/**
 * Watches for writes by other programs to an editor's open documents, and to files that agents are about to write.
 */
export function watchWrites(editor: RemoteHost): WatchedHost {
  const events = new Emitter<Pick<HostEvents, "written">>();
  const unsaved = new Map<string, number>();
  const expected = new Set<string>();
  const isOthers = (path: PosixPath) => {
    const key = keyOf(path);
    return expected.has(key) || performance.now() - (unsaved.get(key) ?? -SAVING_MS) >= SAVING_MS;
  };
  const written = new WrittenFiles((paths) => {
    const others = paths.filter(isOthers);
    if (others.length > 0) events.emit("written", others);
  });
  const watcher = new FolderWatcher((paths, replaced) => void written.changed(paths, replaced));
  const expect = (path: PosixPath) => {
    expected.add(keyOf(path));
    watcher.watch(parentOf(path));
    return written.expect(path);
  };
  const follow = () => {
    const documents = editor.documents().filter(({ untitled }) => !untitled);
    for (const { path, dirty } of documents) {
      if (dirty || unsaved.get(keyOf(path)) === Infinity) {
        unsaved.set(keyOf(path), dirty ? Infinity : performance.now());
      }
      watcher.watch(parentOf(path), { first: true });
    }
    written.found(
      documents.map(({ path }) => path),
      false,
    );
  };
  follow();
  const forget = editor.on("documents", follow);
  return {
    host: overrideHost(editor, {
      fileVersion: expect,
      on: (event, listener) =>
        event === "written"
          ? events.on("written", listener as HostEvents["written"])
          : editor.on(event, listener),
      ...(editor.openDiff !== undefined && {
        async openDiff(request: DiffRequest, signal: AbortSignal) {
          await expect(request.path);
          return editor.openDiff?.(request, signal) ?? { kind: "cancelled" };
        },
      }),
    }),
    close() {
      forget();
      watcher.close();
      written.close();
    },
  };
}
