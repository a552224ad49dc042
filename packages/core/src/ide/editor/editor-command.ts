import { ToolFailure } from "../../errors.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { Range } from "../../text/position.ts";
import type { DiffAnsweredIn } from "../diffs/diff-end.ts";
import type { DiffAnswer } from "../diffs/pending-diffs.ts";
import type { Diagnostic, DiffId, FileDiagnostics, Mention, SaveOutcome } from "../editor-host.ts";

/** What each command says beside its verb. `Path` is a text where paths are not read yet. */
export interface EditorCommandMembers<Path = PosixPath> {
  /** Opens a document, or brings it to the front. */
  open: { readonly path: Path };
  /** Closes a document; one with unsaved text only with `discard`, which loses that. */
  close: { readonly path: Path; readonly discard?: boolean };
  /**
   * Gives a document text that is not saved. `over` is the text that was typed over, where that is
   * known, so that a change that has come in between is noticed.
   */
  edit: { readonly path: Path; readonly text: string; readonly over?: string };
  save: { readonly path: Path };
  /** Takes what is on disk in place of unsaved text. */
  revert: { readonly path: Path };
  /** Lets unsaved text win over what is on disk by now. */
  keepUnsaved: { readonly path: Path };
  /** Opens a document and selects a range of it; the text is the document's when left out. */
  select: { readonly path: Path; readonly range: Range; readonly text?: string };
  clearSelection: Record<never, never>;
  /** Sends a file, or lines of it, to the agents. */
  mention: {
    readonly path: Path;
    /** First and last line, both included; the whole file when left out. */
    readonly lines?: { readonly start: number; readonly end: number };
  };
  /** All that is wrong, in place of what was said before. */
  setDiagnostics: {
    readonly files: readonly { readonly path: Path; readonly diagnostics: readonly Diagnostic[] }[];
  };
  answerDiff: { readonly id: DiffId; readonly answer: DiffAnswer };
}

/** The name of a command. */
export type EditorVerb = keyof EditorCommandMembers;

/** One command, or with `Path` of `string` one whose paths are not read yet. */
export type EditorCommandOf<V extends EditorVerb, Path = PosixPath> = {
  readonly do: V;
} & EditorCommandMembers<Path>[V];

/**
 * What a person does in an editor, however it was said. Positions are 0-based and counted in UTF-16
 * units, paths are absolute.
 */
export type EditorCommand<Path = PosixPath> = {
  [V in EditorVerb]: EditorCommandOf<V, Path>;
}[EditorVerb];

type MaybePromise<T> = T | Promise<T>;

/**
 * An editor that takes commands; a member that is absent is a command that it does not take. Each
 * may throw a ToolFailure in words for the person.
 */
export interface CommandableEditor {
  readonly info: { readonly name: string };
  open?(path: PosixPath): MaybePromise<void>;
  /** False when the document is not open, or has unsaved text that is not to be discarded. */
  closeDocument?(path: PosixPath, options: { readonly discard: boolean }): MaybePromise<boolean>;
  edit?(path: PosixPath, text: string, over?: string): MaybePromise<void>;
  save?(path: PosixPath): MaybePromise<SaveOutcome>;
  revert?(path: PosixPath): MaybePromise<void>;
  keepUnsaved?(path: PosixPath): MaybePromise<void>;
  select?(path: PosixPath, range: Range, text?: string): MaybePromise<void>;
  clearSelection?(): MaybePromise<void>;
  mention?(mention: Mention): MaybePromise<void>;
  setDiagnostics?(files: readonly FileDiagnostics[]): MaybePromise<void>;
  /** False when the diff does not wait any more. */
  answerDiff?(id: DiffId, answer: DiffAnswer, by?: DiffAnsweredIn): MaybePromise<boolean>;
}

type MemberOf<V extends EditorVerb> = V extends "close" ? "closeDocument" : Exclude<V, "close">;

/** What a command comes to. */
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
  edit: (editor, { path, text, over }) => able(editor, "edit")(path, text, over),
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
 * Carries out one command, at once where the editor can.
 * @param by where it was given, for an editor that tells its other frontends
 * @throws ToolFailure when the editor does not take the command, and whatever its member throws
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
  const { name } = editor.info;
  throw new ToolFailure(`${name} does not take the command ${verb}; do that in ${name} itself`);
}
