import { IdewireError } from "@idewire/core/rpc";
import { findEditors } from "@idewire/node-server";
import {
  type EditorAtPort,
  type EditorFile,
  isAtPort,
  readServed,
  toEditor,
} from "@idewire/node-server/internal";
import { type Environment, stateDirectory } from "@idewire/node-server/internal/files";

/** A running editor. */
export interface ServedEditor extends EditorAtPort {
  /** The recorded globs of the excluded files. */
  readonly exclude: readonly string[];
}

/**
 * The editor that already serves a folder; undefined if there is none.
 * @param folder native
 * @param named the process or the port of the requested one
 * @throws IdewireError `no-editor` when the named one does not exist, `invalid-argument` when several serve the
 * folder and none is named
 */
export async function findServed(
  folder: string,
  env: Environment,
  named: number | undefined,
): Promise<ServedEditor | undefined> {
  const { files } = await findEditors({ cwd: folder, env });
  const running = files.filter(({ stale, lock }) => stale === undefined && lock !== undefined);
  if (named !== undefined) return describe(findNamed(running, named), env);
  const serving = running.filter(
    ({ folder: own, lock }) => own !== undefined && lock?.inspects === undefined,
  );
  const nearest = Math.max(...serving.map(({ folder: own = "" }) => own.length));
  const [first, ...others] = serving.filter(({ folder: own = "" }) => own.length === nearest);
  if (first === undefined) return undefined;
  if (others.length === 0) return describe(first, env);
  throw new IdewireError(
    "invalid-argument",
    `${others.length + 1} editors serve ${folder}: ${list([first, ...others])}; name one with --editor <pid or port>`,
  );
}

function findNamed(running: readonly EditorFile[], named: number): EditorFile {
  const found = running.find(({ lock, port }) => lock?.pid === named || port === named);
  if (found !== undefined) return found;
  const known = running.length === 0 ? "none is running" : `running are ${list(running)}`;
  throw new IdewireError("no-editor", `No editor has the process or port ${named}; ${known}`);
}

function list(files: readonly EditorFile[]): string {
  return files
    .map(({ lock, port }) => `${lock?.ideName ?? "IDE"} (process ${lock?.pid}, port ${port})`)
    .join(", ");
}

async function describe(file: EditorFile, env: Environment): Promise<ServedEditor | undefined> {
  const editor = toEditor(file);
  if (editor === undefined || !isAtPort(editor)) return undefined;
  const records = await Promise.all(
    editor.folders.map((folder) => readServed(stateDirectory(env), folder)),
  );
  const own = records.filter((record) => record?.pid === editor.pid);
  return { ...editor, exclude: [...new Set(own.flatMap((record) => record?.exclude ?? []))] };
}
