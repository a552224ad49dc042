// The findings of the doctor's steps, without texts: the command and the plugin each have their own.
import { dirname } from "node:path";
import { shellQuote } from "@idewire/core/internal";
import type { EditorFile } from "../discovery/editor-file.ts";
import { type EditorAtPort, type EditorSearch, isAtPort } from "../discovery/find-editors.ts";

/** The permission bits of everybody except the owner. */
const OTHERS = 0o077;

/** The steps of `idewire doctor`. */
export type DoctorStepId =
  | "folder"
  | "directory"
  | "resume"
  | "files"
  | "match"
  | "process"
  | "only"
  | "port"
  | "upgrade"
  | "handshake"
  | "client"
  | "settings"
  | "opencode"
  | "codex"
  /** A step for the agent of a dialect. */
  | `agent-${string}`;

/** The directory of lock files is open to other users of the machine; `command` fixes that. */
export interface OpenDirectory {
  readonly id: "directory";
  readonly outcome: "warning";
  readonly code: "open";
  readonly directory: string;
  readonly command: string;
}

/** An editor's lock file does not lead agents to it: it is missing, or agents skip it. */
export interface UnusedLockFile {
  readonly id: "process";
  readonly outcome: "failed";
  readonly code: "missing" | "passed-over";
  readonly lockFile: string;
  /** Part of a sentence; empty for one that is missing. */
  readonly why: string;
}

/** Other editors serve the same folder, so that agents connect to none automatically. */
export interface RivalEditors {
  readonly id: "only";
  readonly outcome: "failed";
  readonly code: "several";
  readonly rivals: readonly EditorAtPort[];
}

/** Stale lock files; they do not keep an agent from connecting. */
export interface LeftoverFiles {
  readonly id: "files";
  readonly outcome: "ok";
  readonly code: "leftovers";
  readonly count: number;
}

/** The finding of a step; its text is identified by `id` and `code` together. */
export type DoctorVerdict = OpenDirectory | UnusedLockFile | RivalEditors | LeftoverFiles;

/** An editor that checks whether agents find it. */
export interface ExaminedEditor {
  readonly pid: number;
  readonly endpoints: readonly { readonly port: number; readonly lockFile: string }[];
  /** The editors found by an agent in its folder. */
  readonly search: EditorSearch;
  /** The permissions of the directory of its lock files; undefined on systems without permission bits. */
  readonly directoryMode: number | undefined;
}

/** Runs the steps of the doctor that an editor can check about itself. */
export function examineEditor(editor: ExaminedEditor): readonly DoctorVerdict[] {
  const { pid, endpoints, search, directoryMode } = editor;
  const byPort = new Map(endpoints.map((endpoint) => [endpoint.port, endpoint]));
  const found = [...byPort.values()].flatMap(({ port, lockFile }) => {
    const file = search.files.find((each) => each.port === port);
    return [assessLockFile(lockFile, file), assessDirectory(dirname(lockFile), directoryMode)];
  });
  const others = search.editors.filter(isAtPort);
  const rivals = others.filter((each) => !byPort.has(each.port) && each.pid !== pid);
  const verdicts = [...found, assessRivals(rivals), assessLeftovers(search.files)];
  return verdicts.filter((verdict) => verdict !== undefined);
}

/** @param mode its permissions; undefined on systems without permission bits */
export function assessDirectory(
  directory: string,
  mode: number | undefined,
): OpenDirectory | undefined {
  if (mode === undefined || (mode & OTHERS) === 0) return undefined;
  const command = `chmod 700 ${shellQuote(directory)}`;
  return { id: "directory", outcome: "warning", code: "open", directory, command };
}

/** @param file the file at that path; undefined when it is missing */
export function assessLockFile(
  lockFile: string,
  file: EditorFile | undefined,
): UnusedLockFile | undefined {
  const reason = file?.stale ?? file?.elsewhere;
  if (file !== undefined && reason === undefined) return undefined;
  const code = file === undefined ? "missing" : "passed-over";
  return { id: "process", outcome: "failed", code, lockFile, why: reason?.why ?? "" };
}

/** @param rivals the other editors for the folder */
export function assessRivals(rivals: readonly EditorAtPort[]): RivalEditors | undefined {
  if (rivals.length === 0) return undefined;
  return { id: "only", outcome: "failed", code: "several", rivals };
}

function assessLeftovers(files: readonly EditorFile[]): LeftoverFiles | undefined {
  const count = files.filter(({ stale }) => stale?.code === "dead-process").length;
  return count === 0 ? undefined : { id: "files", outcome: "ok", code: "leftovers", count };
}
