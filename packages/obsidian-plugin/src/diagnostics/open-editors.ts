import { forEachDiagnostic, setDiagnosticsEffect } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Diagnostic, DiagnosticSeverity } from "@idewire/core";
import { editorInfoField } from "obsidian";
import { positionAt } from "../selection/editor-selection.ts";

/** Further findings of other plugins in one editor are dropped. */
const MAX_FINDINGS = 100;

const SEVERITIES: Readonly<Record<string, DiagnosticSeverity>> = {
  error: "error",
  warning: "warning",
  info: "information",
  hint: "hint",
};

interface OpenEditor {
  readonly view: EditorView;
  /** When its text last changed, in milliseconds since 1970; 0 when it never did. */
  changedMs: number;
}

/** The open editors, their texts, and the findings that other plugins show in them. */
export class OpenEditors {
  /** Register it with Obsidian, which adds it to every editor. */
  readonly extension: Extension;
  readonly #editors = new Set<OpenEditor>();

  /** @param onChange called with the note whose text or findings of other plugins changed */
  constructor(onChange: (vaultPath: string) => void) {
    this.extension = ViewPlugin.define((view) => {
      const editor: OpenEditor = { view, changedMs: 0 };
      this.#editors.add(editor);
      return {
        update: (update) => {
          if (update.docChanged) editor.changedMs = Date.now();
          const path = pathOf(view);
          if (path !== undefined && concerns(update)) onChange(path);
        },
        destroy: () => this.#editors.delete(editor),
      };
    });
  }

  /** The text of a note in its most recently changed editor, saved or not. */
  textOf(vaultPath: string): { readonly text: string; readonly changedMs: number } | undefined {
    const editor = this.#editorOf(vaultPath);
    return editor && { text: editor.view.state.doc.toString(), changedMs: editor.changedMs };
  }

  /** The findings of other plugins in a note, if an editor has this text. */
  lintOf(vaultPath: string, text: string): readonly Diagnostic[] {
    const state = this.#editorOf(vaultPath)?.view.state;
    const found: Diagnostic[] = [];
    if (state === undefined || state.doc.toString() !== text) return found;
    forEachDiagnostic(state, ({ severity, message, source }, from, to) => {
      if (found.length >= MAX_FINDINGS) return;
      const range = { start: positionAt(state.doc, from), end: positionAt(state.doc, to) };
      const named = source === undefined ? {} : { source };
      found.push({ range, severity: SEVERITIES[severity] ?? "information", message, ...named });
    });
    return found;
  }

  #editorOf(vaultPath: string): OpenEditor | undefined {
    const all = [...this.#editors].filter(({ view }) => pathOf(view) === vaultPath);
    return all.sort((a, b) => b.changedMs - a.changedMs)[0];
  }
}

function pathOf(view: EditorView): string | undefined {
  return view.state.field(editorInfoField, false)?.file?.path;
}

function concerns({ docChanged, transactions }: ViewUpdate): boolean {
  const isLint = () =>
    transactions.some(({ effects }) => effects.some((effect) => effect.is(setDiagnosticsEffect)));
  return docChanged || isLint();
}
