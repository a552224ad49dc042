import type { Editor, Plugin } from "obsidian";
import { texts } from "../texts/index.ts";
import { type NotePart, type SendMenuParts, selectedLines, sendPart } from "./menus.ts";

export interface CommandParts extends SendMenuParts {
  readonly showConnection: () => void;
  readonly showLastShared: () => void;
  readonly togglePause: () => void;
  readonly copyCommand: () => void;
  readonly openTerminal: () => void;
}

/** Registers the commands of the command palette, without default hotkeys. */
export function registerCommands(plugin: Pick<Plugin, "addCommand">, parts: CommandParts): void {
  const { app, sender } = parts;
  plugin.addCommand({
    id: "send-selection",
    name: texts.send.selection,
    editorCheckCallback: (checking, editor, { file }) => {
      if (file === null || !editor.somethingSelected()) return false;
      if (!checking) {
        void sender.send([{ vaultPath: file.path, lines: selectedLines(editor) }]);
      }
      return true;
    },
  });
  plugin.addCommand({
    id: "send-note",
    name: texts.send.note,
    checkCallback: (checking) => {
      const file = app.workspace.getActiveFile();
      if (file === null) return false;
      if (!checking) void sender.send([{ vaultPath: file.path }]);
      return true;
    },
  });
  for (const part of ["section", "block"] as const) addPartCommand(plugin, part, parts);
  addPlainCommands(plugin, parts);
}

function addPartCommand(
  plugin: Pick<Plugin, "addCommand">,
  part: NotePart,
  parts: CommandParts,
): void {
  plugin.addCommand({
    id: `send-${part}`,
    name: texts.send[part],
    editorCheckCallback: (checking, editor, { file }) => {
      if (file === null) return false;
      if (!checking) void sendPart(part, placeOf(editor), { ...parts, file });
      return true;
    },
  });
}

function placeOf(editor: Editor) {
  return { line: editor.getCursor().line, lastLine: editor.lastLine() };
}

function addPlainCommands(plugin: Pick<Plugin, "addCommand">, parts: CommandParts): void {
  const { showConnection, showLastShared, togglePause, copyCommand, openTerminal } = parts;
  plugin.addCommand({
    id: "connection",
    name: texts.command.connection,
    callback: showConnection,
  });
  plugin.addCommand({ id: "last-shared", name: texts.last.open, callback: showLastShared });
  plugin.addCommand({ id: "pause", name: texts.command.pause, callback: togglePause });
  plugin.addCommand({ id: "copy", name: texts.command.copy, callback: copyCommand });
  plugin.addCommand({ id: "terminal", name: texts.command.terminal, callback: openTerminal });
}
