import { type PosixPath, toPosixPath } from "@idewire/core";
import { claudeDiscovery } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { type FindEditorsOptions, findEditors } from "@idewire/node-server";
import type { EditorAtPort, EditorFile, EditorSearch } from "@idewire/node-server/internal";
import {
  isAtPort,
  noEditor,
  platform,
  readEditorFile,
  toEditor,
} from "@idewire/node-server/internal";

/** The requested editor. */
export interface TargetOptions extends FindEditorsOptions {
  /** The editor on this port, whatever its folders are. */
  readonly port?: number | undefined;
  /** The editor of this lock file, which may be anywhere; native and absolute. */
  readonly lockFile?: string | undefined;
}

/** The chosen editor, and the facts about the choice for the person. */
export interface ChosenTarget {
  readonly target: EditorAtPort;
  /** The reason for the choice, as part of a sentence. */
  readonly why: string;
  /** The other candidates. */
  readonly others: readonly EditorAtPort[];
}

/**
 * Chooses the editor as an agent does: the longest folder, then the newest lock file. Inspections are skipped,
 * so that none is the proxy of another.
 * @throws IdewireError `no-editor` naming the skipped editors and why
 */
export async function chooseTarget(options: TargetOptions): Promise<ChosenTarget> {
  const { port, lockFile, ...find } = options;
  if (lockFile !== undefined) return readTarget(lockFile, find);
  const env = find.env ?? process.env;
  const named = port === undefined ? env : { ...env, CLAUDE_CODE_SSE_PORT: String(port) };
  const search = await findEditors({ ...find, env: named });
  const editors = search.editors.filter(isAtPort).filter(({ inspects }) => inspects === undefined);
  const [target, ...others] =
    port === undefined ? editors : editors.filter((editor) => editor.port === port);
  if (target === undefined) throw port === undefined ? noEditor(search) : noneOn(port, search);
  const preferred = port ?? Number(env["CLAUDE_CODE_SSE_PORT"]);
  return { target, why: describeChoice(target, { others, preferred, search }), others };
}

/** Finds the same editor again, by its current lock file or by that of its successor. */
export async function findAgain(
  before: EditorAtPort,
  options: TargetOptions,
): Promise<EditorAtPort | undefined> {
  const { port: _, lockFile: __, ...find } = options;
  const same = await readTarget(before.lockFile, find).catch(ifNone);
  return (same ?? (await chooseTarget(options).catch(ifNone)))?.target;
}

function ifNone(error: unknown): undefined {
  if (error instanceof IdewireError && error.code === "no-editor") return undefined;
  throw error;
}

async function readTarget(lockFile: string, options: FindEditorsOptions): Promise<ChosenTarget> {
  const { env = process.env, pathMap, cwd = process.cwd() } = options;
  const here = toPosixPath(cwd, platform);
  const view = { format: claudeDiscovery, env, pathMap, cwd: here.ok ? here.value : ROOT };
  const file = await readEditorFile(lockFile, view);
  const found = toEditor(file);
  const target = found && isAtPort(found) ? found : undefined;
  if (file.stale !== undefined || target === undefined || target.inspects !== undefined) {
    const why = file.stale?.why ?? "it is a proxy of an editor itself";
    throw new IdewireError("no-editor", `No running editor is behind ${lockFile}: ${why}`);
  }
  return { target, why: "its lock file was named", others: [] };
}

const ROOT = "/" as PosixPath;

function noneOn(port: number, { files }: EditorSearch): IdewireError {
  const file = files.find((one) => one.port === port);
  const why =
    file === undefined ? "no lock file names it" : (reasonOf(file) ?? "it is an inspection");
  const live = files.filter(({ stale }) => stale === undefined).map((one) => one.port);
  const known = live.length === 0 ? "No editor is running" : `Editors run on ${live.join(", ")}`;
  return new IdewireError("no-editor", `No editor is running on port ${port}: ${why}.\n${known}.`);
}

function reasonOf({ stale, elsewhere }: EditorFile): string | undefined {
  return (stale ?? elsewhere)?.why;
}

function describeChoice(
  target: EditorAtPort,
  {
    others,
    preferred,
    search,
  }: {
    readonly others: readonly EditorAtPort[];
    readonly preferred: number;
    readonly search: EditorSearch;
  },
): string {
  if (target.port === preferred) return "its port was requested";
  const folderOf = ({ lockFile }: EditorAtPort): string =>
    search.files.find(({ path }) => path === lockFile)?.folder ?? "";
  const folder = folderOf(target);
  if (folder === "") return "the environment allows any editor";
  const next = others[0];
  if (next === undefined) return `the only one running for ${search.cwd}`;
  const isLonger = folder.length > folderOf(next).length;
  return `of ${others.length + 1} for ${search.cwd}, ${isLonger ? `its folder ${folder} is the longest` : "its lock file is the newest"}`;
}
