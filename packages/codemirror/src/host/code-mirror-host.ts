import { setDiagnosticsEffect } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { PosixPath } from "@idewire/core";
import { requireKnownOptions, requireMembers } from "@idewire/core/internal";
import { PageHost } from "@idewire/core/page";
import { draftOfDocument } from "../draft.ts";
import { editDraft } from "../draft-field.ts";
import {
  type CodeMirrorHost,
  type CodeMirrorHostOptions,
  hostOptionNames,
} from "./host-options.ts";
import { OpenFile } from "./open-file.ts";
import { CodeMirrorReview, type Review } from "./review.ts";

/**
 * Makes the CodeMirror editors of a page available to agents.
 * @throws IdewireError `invalid-argument` for a folder that is not absolute, and for an unknown option
 */
export function createCodeMirrorHost(options: CodeMirrorHostOptions): CodeMirrorHost {
  requireKnownOptions("createCodeMirrorHost", options, hostOptionNames);
  requireMembers("createCodeMirrorHost", options, { expected: "options", functions: ["read"] });
  const editors = new OpenEditors(options);
  const { host } = editors;
  return {
    host: host.asHost(),
    file: (path, text) => editors.file(path, text),
    diffs: host.diffs,
    mention: (view) => editors.mention(view),
    fileChanged: (path, text) => host.fileChanged(path, text),
    close: () => host.close(),
  };
}

class OpenEditors {
  readonly host: PageHost<Review>;
  readonly #files = new Map<PosixPath, OpenFile>();
  readonly #languageOf: CodeMirrorHostOptions["languageOf"];

  constructor({ name = "CodeMirror", version = "0.1.0", ...options }: CodeMirrorHostOptions) {
    this.#languageOf = options.languageOf;
    this.host = new PageHost<Review>({
      ...{ ...options, name, version },
      files: () => this.#files.values(),
      createReview: (context) => new CodeMirrorReview(context),
    });
  }

  /** For an editor whose document is `text`. */
  file(name: string, text: string): Extension {
    const path = this.host.pathOf(name);
    return [
      editDraft(draftOfDocument(text)),
      ViewPlugin.define((view) => {
        this.#add(path, text, view);
        return { destroy: () => this.#remove(path, view) };
      }),
      EditorView.updateListener.of((update) => this.#changed(path, update)),
    ];
  }

  mention(view: EditorView): boolean {
    const file = [...this.#files.values()].find(({ views }) => views.includes(view));
    return file !== undefined && this.host.mention(file.path);
  }

  #add(path: PosixPath, saved: string, view: EditorView): void {
    const languageId = this.#languageOf?.(path) ?? "plaintext";
    const file = this.#files.get(path) ?? new OpenFile(path, { languageId, saved });
    this.#files.set(path, file);
    file.focus(view);
    this.host.focused(path);
  }

  #remove(path: PosixPath, view: EditorView): void {
    const file = this.#files.get(path);
    file?.remove(view);
    if (file?.views.length === 0) {
      this.#files.delete(path);
      this.host.closed(path);
    } else this.#emit("documents", "selection");
  }

  #changed(path: PosixPath, update: ViewUpdate): void {
    const { view, docChanged, focusChanged, selectionSet, transactions } = update;
    if (focusChanged && view.hasFocus) {
      this.#files.get(path)?.focus(view);
      this.host.focused(path);
    } else if (docChanged) this.#emit("documents", "selection");
    else if (selectionSet) this.#emit("selection");
    const effects = transactions.flatMap((transaction) => transaction.effects);
    const isMarked = effects.some((effect) => effect.is(setDiagnosticsEffect));
    if (isMarked) this.host.events.emit("diagnostics", [path]);
  }

  #emit(...events: readonly ("documents" | "selection")[]): void {
    for (const event of events) this.host.events.emit(event);
  }
}
