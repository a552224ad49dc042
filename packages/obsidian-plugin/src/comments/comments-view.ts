import type { LocatedFile } from "@idewire/paired-comments";
import type { ListedComment } from "@idewire/paired-comments/internal";
import { debounce, ItemView, Notice, type WorkspaceLeaf } from "obsidian";
import { noticeWithAction } from "../notice-with-action.ts";
import { addIconButton } from "../review/view/controls.ts";
import { texts } from "../texts/index.ts";
import { createCommentForm, setFormLabel } from "./comment-form.ts";
import type { CommentAction } from "./comment-item.ts";
import { drawComments } from "./comment-list.ts";
import { explainError, isDamaged } from "./explain-error.ts";
import { focusKeeper } from "./focus-keeper.ts";
import type { CommentedLines, FollowedLines } from "./followed-lines.ts";
import { FormPlace } from "./form-place.ts";
import { searchComments } from "./search-vault.ts";
import { nameOf, type ShownComments, summaryOf } from "./summary.ts";
import type { VaultComments } from "./vault-comments.ts";

export const COMMENTS_VIEW = "idewire-comments";

export interface CommentsViewParts {
  readonly comments: VaultComments;
  /** The path of the note that the person works on. */
  readonly activeNote: () => string | undefined;
  /** The lines of the cursor or the selection in a note; undefined where no editor has it. */
  readonly linesOf: (path: string) => CommentedLines | undefined;
  /** Tracks lines while their note is edited. */
  readonly follow: (path: string, lines: CommentedLines) => FollowedLines;
  readonly reveal: (path: string, lines: CommentedLines) => Promise<void>;
}

const UNDO_MS = 10_000;
const SEARCH_MS = 200;

/** The comments on the active note, in the order of its text, or those found in all notes. */
export class CommentsView extends ItemView {
  override icon = "message-square";
  override navigation = false;
  readonly #parts: CommentsViewParts;
  #shown: ShownComments = {};
  #query = "";
  #searchEl: HTMLInputElement | undefined;
  readonly #form: FormPlace;
  #listEl: HTMLElement | undefined;
  /** Whether the text of orphans is searched for in other notes, which is too slow for each key press. */
  #isElsewhere = false;
  /** The number of the latest refresh: results of earlier ones are discarded. */
  #turn = 0;

  constructor(leaf: WorkspaceLeaf, parts: CommentsViewParts) {
    super(leaf);
    this.#parts = parts;
    this.#form = new FormPlace(this.contentEl, {
      ondraw: () => this.#draw(),
      onrefuse: () => void new Notice(texts.comments.unfinished),
    });
  }

  getViewType(): string {
    return COMMENTS_VIEW;
  }

  getDisplayText(): string {
    return texts.comments.title;
  }

  /** The note whose comments are listed. */
  get path(): string | undefined {
    return this.#shown.path;
  }

  get isSearching(): boolean {
    return this.#query !== "";
  }

  /** The active note may have changed. */
  async followNote(): Promise<void> {
    if (this.#parts.activeNote() !== this.path) await this.refresh();
  }

  protected override async onOpen(): Promise<void> {
    const { contentEl } = this;
    contentEl.addClass("idewire-comments");
    const bar = contentEl.createDiv({ cls: "idewire-comments-bar" });
    const search = debounce(() => void this.refresh(), SEARCH_MS, true);
    this.#searchEl = bar.createEl("input", {
      type: "search",
      placeholder: texts.comments.searchHint,
      attr: { "aria-label": texts.comments.search, enterkeyhint: "search" },
    });
    this.#searchEl.addEventListener("input", () => {
      this.#query = this.#searchEl?.value.trim() ?? "";
      search();
    });
    const label = texts.comments.add;
    addIconButton(bar, { icon: "plus", label, onclick: () => this.#addAtCursor() });
    this.#listEl = contentEl.createDiv({ cls: "idewire-comments-list" });
    await this.refresh();
  }

  protected override async onClose(): Promise<void> {
    this.#turn += 1;
    this.#form.drop();
  }

  /** Reads the comments of the active note again, and finds their places in its text. */
  async refresh(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const { comments, activeNote } = this.#parts;
    const path = activeNote();
    if (path !== this.path) this.#isElsewhere = false;
    let file: LocatedFile | undefined;
    let problem: string | undefined;
    const found =
      this.#query === "" ? undefined : await searchComments(() => comments.all(), this.#query);
    try {
      if (path !== undefined) {
        const isElsewhere = this.#isElsewhere;
        file = await (isElsewhere ? comments.fileWithCandidates(path) : comments.file(path));
      }
    } catch (error) {
      const reason = explainError(error);
      const note = nameOf(path ?? "");
      problem = isDamaged(error) ? texts.comments.damaged({ note, reason }) : reason;
    }
    if (turn !== this.#turn) return;
    this.#shown = { path, file, problem, found };
    this.#draw();
  }

  /** Opens a form for a new comment, whose lines move with their text until it is saved. */
  async startAdding(path: string, lines: CommentedLines): Promise<void> {
    const { comments, follow } = this.#parts;
    this.#query = "";
    if (this.#searchEl !== undefined) this.#searchEl.value = "";
    const followed = follow(path, lines);
    await this.refresh();
    const labelOf = () => texts.comments.on({ line: followed.now.line, note: nameOf(path) });
    const isOpen = this.#form.show({ onclose: followed.end }, (parent) => {
      const form = createCommentForm(parent, {
        ...{ label: labelOf(), tag: "NOTE", cancel: () => this.#form.close() },
        save: (text, tag) =>
          this.#save(() => comments.add({ filePath: path, ...followed.now, text, tag })),
      });
      followed.onmove = () => setFormLabel(form, labelOf());
      return form;
    });
    if (!isOpen) followed.end();
  }

  #addAtCursor(): void {
    const { activeNote, linesOf } = this.#parts;
    const path = activeNote();
    const lines = path === undefined ? undefined : linesOf(path);
    if (path === undefined || lines === undefined) new Notice(texts.comments.noCursor);
    else void this.startAdding(path, lines);
  }

  #draw(): void {
    const list = this.#listEl;
    if (list === undefined) return;
    const keepFocus = focusKeeper(list);
    this.#form.open?.element.remove();
    list.empty();
    const summary = list.createDiv({
      cls: "idewire-comments-summary",
      text: summaryOf(this.#shown),
      attr: { role: "status" },
    });
    drawComments(list, this.#shown, {
      form: this.#form.open,
      reveal: (located, path) => void this.#reveal(path, located.place),
      act: (action, located, path) => this.#act(action, located, path),
      move: (from, to) => void this.#move(from, to).catch(() => {}),
      lookElsewhere: (id) => void this.#lookElsewhere(id),
    });
    const form = this.#form.open?.element;
    // An unfinished form stays, even if another note is shown.
    if (form?.isConnected === false) summary.after(form);
    keepFocus();
  }

  #act(action: CommentAction, { comment }: ListedComment, path: string): void {
    const { comments } = this.#parts;
    const { id, text, tag } = comment;
    if (action === "edit" || action === "reply") {
      const label = texts.comments.actionOn({
        action: texts.comments[action],
        comment: text,
      });
      const shared = { label: label.slice(0, 60), cancel: () => this.#form.close() };
      const form =
        action === "edit"
          ? {
              ...{ ...shared, tag, text },
              save: (to: string, as: typeof tag) =>
                this.#save(() => comments.edit(path, id, { text: to, tag: as })),
            }
          : { ...shared, save: (to: string) => this.#save(() => comments.reply(path, id, to)) };
      this.#form.show({ below: id }, (parent) => createCommentForm(parent, form));
    } else if (action === "delete") void this.#delete(path, id);
    else {
      const status = action === "resolve" ? "resolved" : "open";
      void this.#change(() => comments.edit(path, id, { status })).catch(() => {});
    }
  }

  async #reveal(path: string, { line, endLine }: CommentedLines): Promise<void> {
    try {
      await this.#parts.reveal(path, { line, endLine });
    } catch (error) {
      new Notice((error as Error).message);
    }
  }

  #move(
    { path, id }: { readonly path: string; readonly id: string },
    { filePath = path, line }: { readonly filePath?: string | undefined; readonly line: number },
  ): Promise<void> {
    return this.#change(() => this.#parts.comments.move(path, id, filePath, line));
  }

  async #delete(path: string, id: string): Promise<void> {
    const { comments } = this.#parts;
    let undo: (() => Promise<void>) | undefined;
    try {
      await this.#change(async () => {
        undo = await comments.remove(path, id);
      });
    } catch {
      return;
    }
    const restore = async () => {
      await this.#change(async () => undo?.());
      new Notice(texts.comments.restored);
    };
    const action = { text: texts.comments.undo, run: () => void restore().catch(() => {}) };
    noticeWithAction(texts.comments.deleted, action, UNDO_MS);
  }

  async #lookElsewhere(id: string): Promise<void> {
    this.#isElsewhere = true;
    await this.refresh();
    const found = this.#shown.file?.comments.find(({ comment }) => comment.id === id);
    if (found?.place.candidates.some(({ filePath }) => filePath !== undefined)) return;
    new Notice(texts.comments.nowhere);
  }

  /** Runs an action and shows the result; a failure is shown and rethrown. */
  async #change(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      new Notice(texts.comments.failed(explainError(error)), UNDO_MS);
      throw error;
    }
    await this.refresh();
  }

  /** Submits the form and closes it. */
  async #save(act: () => Promise<unknown>): Promise<void> {
    const form = this.#form.open;
    await this.#change(async () => {
      await act();
      if (this.#form.open === form) this.#form.drop();
    });
  }
}
