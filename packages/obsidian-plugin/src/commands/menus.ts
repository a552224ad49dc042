import { isHeading, parseTree, type SyntaxNode } from "@idewire/core/markdown";
import type { App, Component, Editor, Menu, TFile } from "obsidian";
import { texts } from "../texts/index.ts";
import { blockAt, type LineRange, linesOfSelection, sectionAt } from "./note-parts.ts";
import type { Sender } from "./sender.ts";

export interface SendMenuParts {
  readonly app: App;
  readonly sender: Sender;
  /** Saves the note and waits until Obsidian has indexed its headings and blocks. */
  readonly settle: (file: TFile) => Promise<void>;
}

/** Which part of a note around a line is sent. */
export type NotePart = "section" | "block";

/** Adds items that send notes to the menus of editors, files and links. */
export function registerMenus(component: Component, parts: SendMenuParts): void {
  const { app, sender } = parts;
  component.registerEvent(
    app.workspace.on("editor-menu", (menu, editor, { file }) => {
      if (file !== null) addEditorItems(menu, editor, { ...parts, file });
    }),
  );
  component.registerEvent(
    app.workspace.on("file-menu", (menu, file) => {
      addItem(menu, texts.send.file, () => void sender.send([{ vaultPath: file.path }]));
    }),
  );
  component.registerEvent(
    app.workspace.on("files-menu", (menu, files) => {
      const things = files.map(({ path }) => ({ vaultPath: path }));
      addItem(menu, texts.send.files(files.length), () => void sender.send(things));
    }),
  );
}

export interface SendPartParts extends SendMenuParts {
  readonly file: TFile;
}

function addEditorItems(menu: Menu, editor: Editor, parts: SendPartParts): void {
  const { sender, file } = parts;
  if (editor.somethingSelected()) {
    // Read now: opening the menu may clear the selection.
    const lines = selectedLines(editor);
    addItem(menu, texts.send.selection, () => {
      void sender.send([{ vaultPath: file.path, lines }]);
    });
    return;
  }
  const { line } = editor.getCursor();
  const part: NotePart = isHeadingAt(editor, line) ? "section" : "block";
  addItem(menu, texts.send[part], () => {
    void sendPart(part, { line, lastLine: editor.lastLine() }, parts);
  });
}

/** A line of code may begin like a heading, and a heading may be underlined. */
function isHeadingAt(editor: Editor, line: number): boolean {
  const ch = editor.getLine(line).search(/\S|$/);
  let node: SyntaxNode | null = parseTree(editor.getValue()).resolveInner(
    editor.posToOffset({ line, ch }),
    1,
  );
  while (node !== null && !isHeading(node)) node = node.parent;
  return node !== null;
}

function addItem(menu: Menu, title: string, act: () => void): void {
  menu.addItem((item) => item.setTitle(title).setIcon("bot").setSection("action").onClick(act));
}

/** The selected lines. */
export function selectedLines(editor: Editor): LineRange {
  return linesOfSelection(editor.getCursor("from"), editor.getCursor("to"));
}

/** Sends the section or block around a line; just the line if there is none. */
export async function sendPart(
  part: NotePart,
  { line, lastLine }: { readonly line: number; readonly lastLine: number },
  { app, sender, settle, file }: SendPartParts,
): Promise<boolean> {
  await settle(file);
  const cache = app.metadataCache.getFileCache(file) ?? {};
  const lines = part === "section" ? sectionAt(cache, line, lastLine) : blockAt(cache, line);
  const alone: LineRange = { start: line, end: line };
  return sender.send([{ vaultPath: file.path, lines: lines ?? alone }]);
}
