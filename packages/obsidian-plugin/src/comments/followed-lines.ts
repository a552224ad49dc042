import type { Extension } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { linesAfter } from "@idewire/codemirror";
import { editorInfoField, MarkdownView } from "obsidian";
import { editorAround } from "../selection/editor-selection.ts";

/** Lines of a note, 1-based; the end is included. */
export interface CommentedLines {
  readonly line: number;
  readonly endLine?: number | undefined;
}

/** Lines that move with their text. */
export interface FollowedLines {
  readonly now: CommentedLines;
  /** Called when they have moved. */
  onmove: (() => void) | undefined;
  /** Stops tracking them. */
  readonly end: () => void;
}

/** Tracks lines of notes through the edits of all editors. */
export class LineFollower {
  /** Register it with Obsidian, which adds it to every editor. */
  readonly extension: Extension;
  readonly #all = new Set<Followed>();

  constructor() {
    this.extension = EditorView.updateListener.of((update) => {
      if (!update.docChanged || this.#all.size === 0) return;
      const path = wholeNoteIn(update.view);
      for (const each of this.#all) if (each.path === path) each.follow(update);
    });
  }

  follow(path: string, lines: CommentedLines): FollowedLines {
    const followed = new Followed(path, lines, () => this.#all.delete(followed));
    this.#all.add(followed);
    return followed;
  }
}

/** The note in an editor; undefined for one of a card or of a table's cell, whose lines are not the note's. */
function wholeNoteIn(view: EditorView): string | undefined {
  const info = view.state.field(editorInfoField, false);
  if (!(info instanceof MarkdownView) || editorAround(view) !== undefined) return undefined;
  return info.file?.path;
}

class Followed implements FollowedLines {
  readonly path: string;
  readonly end: () => void;
  onmove: (() => void) | undefined;
  #now: CommentedLines;
  /** Each editor of a note reports every edit: only one is used. */
  #view: EditorView | undefined;

  constructor(path: string, lines: CommentedLines, end: () => void) {
    this.path = path;
    this.#now = lines;
    this.end = end;
  }

  get now(): CommentedLines {
    return this.#now;
  }

  follow({ view, startState, changes, state }: ViewUpdate): void {
    if (this.#view?.dom.isConnected !== true) this.#view = view;
    if (this.#view !== view) return;
    const { line, endLine } = this.#now;
    const change = { before: startState.doc, changes, after: state.doc };
    this.#now = linesAfter(this.#now, change);
    if (this.#now.line !== line || this.#now.endLine !== endLine) this.onmove?.();
  }
}
