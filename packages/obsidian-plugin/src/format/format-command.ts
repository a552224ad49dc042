import { type App, MarkdownView, Notice, type Plugin } from "obsidian";
import type { Texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import type { FormatNote } from "./note-formatter.ts";

export interface FormatCommandParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly paths: VaultPaths;
  readonly texts: Texts;
  readonly format: FormatNote;
}

/** Lets the person format the active note as agents can. */
export function registerFormatCommand(parts: FormatCommandParts): void {
  const { app, plugin, paths, texts, format } = parts;
  plugin.addCommand({
    id: "format-note",
    name: texts("format.command"),
    checkCallback: (isAsked) => {
      const file = app.workspace.getActiveViewOfType(MarkdownView)?.file;
      if (!file) return false;
      if (isAsked) return true;
      format(paths.toAbsolute(file.path)).catch((error: unknown) => {
        new Notice(texts("format.failed", { reason: (error as Error).message }));
      });
      return true;
    },
  });
}
