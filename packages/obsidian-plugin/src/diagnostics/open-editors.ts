import { forEachDiagnostic, setDiagnosticsEffect } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Diagnostic, DiagnosticSeverity } from "@idewire/core";
import { editorInfoField } from "obsidian";
import { positionAt } from "../selection/editor-selection.ts";

/** A note in an editor has at most so many findings of other plugins. */
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

/** The editors that are open, their texts, and what the person's linters show in them. */
export class OpenEditors {
  /** To be registered with Obsidian, which puts it into every editor. */
  readonly extension: Extension;
  readonly #editors = new Set<OpenEditor>();

  /** @param onChange hears of the note whose text or linters' findings changed */
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

  /** The text of a note in an editor, saved or not; of several editors the one changed last. */
  textOf(vaultPath: string): { readonly text: string; readonly changedMs: number } | undefined {
    const editor = this.#editorOf(vaultPath);
    return editor && { text: editor.view.state.doc.toString(), changedMs: editor.changedMs };
  }

  /** What linters show in a note, if it is in an editor with this text. */
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
