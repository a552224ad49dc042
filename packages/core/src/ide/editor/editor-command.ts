import { ToolFailure } from "../../errors.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { Range } from "../../text/position.ts";
import type { DiffAnsweredIn } from "../diffs/diff-end.ts";
import type { DiffAnswer } from "../diffs/pending-diffs.ts";
import type { Diagnostic, DiffId, FileDiagnostics, Mention, SaveOutcome } from "../editor-host.ts";
import type { MentionDelivery } from "../mention-delivery.ts";

/** As `edit` of {@link EditorCommandMembers} has them. */
export interface EditOptions {
  readonly over?: string;
  readonly restores?: boolean;
}

/** The parameters of each command. `Path` is `string` where paths are unresolved. */
export interface EditorCommandMembers<Path = PosixPath> {
  /** Opens a document, or brings it to the front. */
  open: { readonly path: Path };
  /** Closes a document; one with unsaved text only with `discard`, which loses the text. */
  close: { readonly path: Path; readonly discard?: boolean };
  /**
   * Sets a document's unsaved text. `over` is the text that was typed over, if known: unsaved text that another
   * frontend has typed since is combined with it, and a change of the file since is noticed. With `restores` it is
   * text that an earlier process had, and is ignored where there is unsaved text: another frontend had it, too.
   */
  edit: { readonly path: Path; readonly text: string } & EditOptions;
  save: { readonly path: Path };
  /** Replaces unsaved text by the text on disk. */
  revert: { readonly path: Path };
  /** Keeps unsaved text although the file has changed on disk. */
  keepUnsaved: { readonly path: Path };
  /** Opens a document and selects a range; the selected text is by default the document's. */
  select: { readonly path: Path; readonly range: Range; readonly text?: string };
  clearSelection: Record<never, never>;
  /** Refers the agents to a file, or to lines of it. */
  mention: {
    readonly path: Path;
    /** First and last line, inclusive; the whole file by default. */
    readonly lines?: { readonly start: number; readonly end: number };
  };
  /** Replaces all diagnostics. */
  setDiagnostics: {
    readonly files: readonly { readonly path: Path; readonly diagnostics: readonly Diagnostic[] }[];
  };
  answerDiff: { readonly id: DiffId; readonly answer: DiffAnswer };
}

/** The name of a command. */
export type EditorVerb = keyof EditorCommandMembers;

/** One command; with `Path` of `string`, one whose paths are unresolved. */
export type EditorCommandOf<V extends EditorVerb, Path = PosixPath> = {
  readonly do: V;
} & EditorCommandMembers<Path>[V];

/**
 * A command of the person to an editor, from any frontend. Positions are 0-based and counted in UTF-16 units;
 * paths are absolute.
 */
export type EditorCommand<Path = PosixPath> = {
  [V in EditorVerb]: EditorCommandOf<V, Path>;
}[EditorVerb];

type MaybePromise<T> = T | Promise<T>;

/**
 * An editor that can be commanded. An absent member is a command that it does not support. Members may
 * throw a ToolFailure with a message for the person.
 */
export interface CommandableEditor {
  readonly name: string;
  open?(path: PosixPath): MaybePromise<void>;
  /** False when the document is not open, or has unsaved text that is not to be discarded. */
  closeDocument?(path: PosixPath, options: { readonly discard: boolean }): MaybePromise<boolean>;
  edit?(path: PosixPath, text: string, options?: EditOptions): MaybePromise<void>;
  save?(path: PosixPath): MaybePromise<SaveOutcome>;
  revert?(path: PosixPath): MaybePromise<void>;
  keepUnsaved?(path: PosixPath): MaybePromise<void>;
  select?(path: PosixPath, range: Range, text?: string): MaybePromise<void>;
  clearSelection?(): MaybePromise<void>;
  /** The agents that receive it, if known. */
  mention?(mention: Mention): MaybePromise<void> | MaybePromise<MentionDelivery>;
  setDiagnostics?(files: readonly FileDiagnostics[]): MaybePromise<void>;
  /** False when the diff is no longer pending. */
  answerDiff?(id: DiffId, answer: DiffAnswer, by?: DiffAnsweredIn): MaybePromise<boolean>;
}

type MemberOf<V extends EditorVerb> = V extends "close" ? "closeDocument" : Exclude<V, "close">;

/** The result of a command. */
export type EditorCommandResult<V extends EditorVerb> = Awaited<
  ReturnType<NonNullable<CommandableEditor[MemberOf<V>]>>
>;

type CommandRunner<V extends EditorVerb> = (
  editor: CommandableEditor,
  command: EditorCommandOf<V>,
  by: DiffAnsweredIn | undefined,
) => MaybePromise<EditorCommandResult<V>>;

const runs: { readonly [V in EditorVerb]: CommandRunner<V> } = {
  open: (editor, { path }) => able(editor, "open")(path),
  close: (editor, { path, discard = false }) =>
    able(editor, "closeDocument", "close")(path, { discard }),
  edit: (editor, { do: _, path, text, ...options }) => able(editor, "edit")(path, text, options),
  save: (editor, { path }) => able(editor, "save")(path),
  revert: (editor, { path }) => able(editor, "revert")(path),
  keepUnsaved: (editor, { path }) => able(editor, "keepUnsaved")(path),
  select: (editor, { path, range, text }) => able(editor, "select")(path, range, text),
  clearSelection: (editor) => able(editor, "clearSelection")(),
  mention: (editor, { do: _, ...mention }) => able(editor, "mention")(mention),
  setDiagnostics: (editor, { files }) => able(editor, "setDiagnostics")(files),
  answerDiff: (editor, { id, answer }, by) => able(editor, "answerDiff")(id, answer, by),
};

/**
 * Runs a command, synchronously if the editor does.
 * @param by where it was given, for an editor that informs its other frontends
 * @throws ToolFailure when the editor does not support the command; what its member throws
 */
export function runCommand<V extends EditorVerb>(
  editor: CommandableEditor,
  command: EditorCommandOf<V>,
  by?: DiffAnsweredIn,
): MaybePromise<EditorCommandResult<V>> {
  return runs[command.do](editor, command, by);
}

function able<M extends MemberOf<EditorVerb>>(
  editor: CommandableEditor,
  member: M,
  verb: string = member,
): NonNullable<CommandableEditor[M]> {
  const run = editor[member];
  if (run !== undefined) return run.bind(editor) as NonNullable<CommandableEditor[M]>;
  const { name } = editor;
  throw new ToolFailure(`${name} does not support the command ${verb}; use ${name} itself`);
}

/** The JSON-RPC method of a command. */
export function commandMethod(verb: EditorVerb): string {
  return `editor/${verb}`;
}

/**
 * The command with its paths resolved.
 * @param read resolves a path; what it throws is thrown
 */
export function locateCommand<Path = PosixPath>(
  command: EditorCommand<string>,
  read: (path: string) => Path,
): EditorCommand<Path> {
  if (command.do === "setDiagnostics") {
    const files = command.files.map((file) => ({ ...file, path: read(file.path) }));
    return { ...command, files };
  }
  return "path" in command ? { ...command, path: read(command.path) } : command;
}
