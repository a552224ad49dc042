import { type PosixPath, ToolFailure } from "@idewire/core";
import type { App, TFile, WorkspaceLeaf } from "obsidian";
import { editorOf, findFileLeaves } from "../documents/file-leaves.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { allCommands, execute } from "./app-commands.ts";
import { editInPlace } from "./edits.ts";
import { formatEdits, formatMarkdown } from "./format-markdown.ts";

/** In UTF-16 units: formatting a longer note would block Obsidian. */
const MAX_LENGTH = 2_000_000;

/** What formatting notes depends on. */
export interface NoteFormatterParts {
  readonly app: App;
  readonly paths: VaultPaths;
  /** Id of the command of another plugin to use instead; empty for none. */
  readonly otherCommand: () => string;
}

/** Formats one note: in its editor, as one undo step, or in its file if it is not open. */
export type FormatNote = (path: PosixPath) => Promise<void>;

export function createNoteFormatter({ app, paths, otherCommand }: NoteFormatterParts): FormatNote {
  return async (path) => {
    const file = app.vault.getFileByPath(await paths.demandInside(path));
    if (file === null) throw new ToolFailure(`${path} does not exist`);
    if (file.extension !== "md") throw new ToolFailure(`${path} is not a Markdown note`);
    const leaf = editedIn(app, file);
    const command = otherCommand();
    if (command !== "" && leaf !== undefined && runCommand(app, leaf, command)) return;
    const editor = leaf && editorOf(leaf);
    if (editor !== undefined) {
      const edits = formatEdits(demandShort(editor.getValue(), path));
      editInPlace(editor, edits, "idewire.format");
    } else await app.vault.process(file, (text) => formatMarkdown(demandShort(text, path)));
  };
}

/** The tab in which the file is edited; tabs in reading mode show the saved text. */
function editedIn(app: App, file: TFile): WorkspaceLeaf | undefined {
  const found = findFileLeaves(app.workspace, app.vault)
    .filter((open) => open.file === file && editorOf(open.leaf) !== undefined)
    .map(({ leaf }) => leaf);
  const recent = app.workspace.getMostRecentLeaf();
  return found.find((leaf) => leaf === recent) ?? found[0];
}

/** Returns whether the command exists and ran. */
function runCommand(app: App, leaf: WorkspaceLeaf, id: string): boolean {
  if (!allCommands(app).some((command) => command.id === id)) return false;
  // Such commands act on the active note.
  app.workspace.setActiveLeaf(leaf, { focus: true });
  return execute(app, id);
}

function demandShort(text: string, path: PosixPath): string {
  if (text.length <= MAX_LENGTH) return text;
  const seen = `${path} has ${text.length} characters`;
  throw new ToolFailure(`${seen}; notes of up to ${MAX_LENGTH} are formatted`);
}
