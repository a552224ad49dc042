import { type DocumentChange, type Lines, linesAfter } from "@idewire/codemirror";
import { messageOf } from "@idewire/core/internal/base";
import type {
  CommentMethods,
  PageComment,
  PageCommentAct,
  PageCommentTag,
} from "@idewire/devtools/internal";
import { batch, computed, type Signal, signal } from "@preact/signals";
import type { CommentedFile } from "../editor/file-comments.tsx";
import type { CommentSource, LoadedComments } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";
import { DeferredFocus } from "./deferred-focus.ts";
import { headOf, keyOf, type WantedLines, type Written } from "./form-draft.ts";
import { lineAtCursor, linesSelected, showLine, showMarks, textOfLine } from "./gutter.ts";
import { describeLines } from "./texts.ts";

/** A deleted comment that can be restored. */
interface DeletedComment {
  readonly filePath: string;
  readonly deleted: string;
}

/** The delay between a change of the text and the next search for its comments. */
const PAUSE_MS = 60;

/** A longer line is announced by its number only. */
const MAX_QUOTE = 1_000;

/** The comments of the page: shown, selected and typed. */
export class CommentsModel implements LoadedComments {
  readonly shown: Signal<readonly PageComment[]> = signal([]);
  readonly warnings: Signal<readonly string[]> = signal([]);
  readonly isOpen = signal(false);
  /** The search; the comments of the open file when empty. */
  readonly typed = signal("");
  readonly found: Signal<CommentMethods["comments/search"]["result"] | undefined> =
    signal(undefined);
  /** The id of the comment whose actions are shown. */
  readonly chosen: Signal<string | undefined> = signal(undefined);
  /** The lines of the comment that is being written. */
  readonly draft: Signal<WantedLines | undefined> = signal(undefined);
  /** Unsaved form texts by {@link keyOf}; `""` for a new comment. */
  readonly written: Map<string, Written> = new Map();
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly deleted: Signal<DeletedComment | undefined> = signal(undefined);
  /** The last action, for screen readers. */
  readonly announcement = signal("");
  /** The listed comments: the results of the search, else those of the file. */
  readonly listed = computed(() =>
    this.typed.value.trim() === "" ? this.shown.value : (this.found.value?.comments ?? []),
  );
  readonly focus = new DeferredFocus();
  readonly source: CommentSource;
  readonly #model: PageModel;
  /** Whether the comments of the open file have been requested. */
  readonly isThere = signal(false);
  readonly #open: Signal<CommentedFile | undefined> = signal(undefined);
  #path = "";
  #timer: number | undefined;
  /** Incremented to invalidate earlier requests. */
  #wanted = 0;
  #isWaiting = false;
  /** An action that waits for the comments of the file. */
  #waiting: (() => void) | undefined;
  /** A comment to reveal once its file is open. */
  #target: PageComment | undefined;

  constructor(model: PageModel, source: CommentSource) {
    this.#model = model;
    this.source = source;
  }

  /** Shows the comments of the open file; returns its undo. */
  attach(file: CommentedFile): () => void {
    batch(() => {
      this.#open.value = file;
      this.isThere.value = false;
      if (this.#path === file.path) return;
      this.shown.value = [];
      this.warnings.value = [];
      this.problem.value = undefined;
    });
    this.#path = file.path;
    const target = this.#target;
    if (target?.filePath === file.path) {
      this.#show(target, file);
      this.#target = undefined;
    }
    return () => {
      const draft = this.draft.peek();
      if (draft?.filePath === file.path) {
        this.draft.value = { ...draft, quote: textOfLine(file.view, draft.line) };
      }
      if (this.#file === file) this.#open.value = undefined;
    };
  }

  get #file(): CommentedFile | undefined {
    return this.#open.peek();
  }

  /** Whether comments can be changed; those of a recorded trace or a past moment cannot. */
  get canChange(): boolean {
    return this.#open.value?.live === true && this.#model.isReachable;
  }

  /** The path of the open file. */
  get path(): string | undefined {
    return this.#open.value?.path;
  }

  /** Moves the comments with the text, in which they are located again once it is saved. */
  moveShown(change: DocumentChange): void {
    this.shown.value = this.shown.value.map((comment) => {
      const { endLine: _, ...rest } = comment;
      return comment.status === "orphaned" ? comment : { ...rest, ...linesAfter(comment, change) };
    });
    // The requested text is part of the text before.
    if (this.#isWaiting) this.refreshSoon();
  }

  /** Requests the comments again, after a pause in typing. */
  refreshSoon(): void {
    this.#wanted += 1;
    this.#isWaiting = true;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.refresh(), PAUSE_MS);
  }

  async refresh(): Promise<void> {
    const wanted = ++this.#wanted;
    this.#isWaiting = true;
    const file = this.#file;
    const typed = this.typed.value.trim();
    try {
      const read = file === undefined ? undefined : await this.source.file(file.path);
      const found = typed === "" ? undefined : await this.source.search(typed);
      // The text has changed meanwhile: the marks moved with it, and are requested again.
      if (wanted !== this.#wanted) return;
      this.#isWaiting = false;
      batch(() => {
        this.shown.value = this.#withWritten(read?.comments ?? []);
        this.warnings.value = read?.warnings ?? [];
        this.found.value = found;
        this.problem.value = undefined;
      });
      if (file !== undefined) showMarks(file.view, this.shown.value);
    } catch (error) {
      if (wanted !== this.#wanted) return;
      this.#isWaiting = false;
      this.found.value = undefined;
      this.#fail(error);
    }
    if (file === undefined) return;
    this.isThere.value = true;
    this.#waiting?.();
    this.#waiting = undefined;
  }

  /** A deleted comment stays listed while a reply to it is being written. */
  #withWritten(comments: readonly PageComment[]): readonly PageComment[] {
    const gone = this.shown.peek().filter((one) => {
      return this.written.has(keyOf(one)) && !comments.some(({ id }) => id === one.id);
    });
    return [...comments, ...gone];
  }

  async run(act: PageCommentAct, announcement: string): Promise<boolean> {
    try {
      const { id, deleted, filePath } = await this.source.run(act);
      batch(() => {
        this.announcement.value = announcement;
        this.deleted.value = deleted === undefined ? undefined : { filePath, deleted };
        this.chosen.value = deleted === undefined ? id : undefined;
      });
      await this.refresh();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Like {@link run}, for actions in the list: the focus moves to the remaining entry. */
  async runInList(act: PageCommentAct, announcement: string): Promise<boolean> {
    const isDone = await this.run(act, announcement);
    const { value } = this.chosen;
    if (isDone)
      this.focus.moveTo(value === undefined ? "[data-testid=comment-undo]" : headOf(value));
    return isDone;
  }

  toggle(): void {
    this.isOpen.value = !this.isOpen.value;
    if (!this.isOpen.value) this.#file?.view.focus();
  }

  step(by: 1 | -1): void {
    if (!this.isThere.peek()) {
      this.#waiting = () => this.step(by);
      return;
    }
    const there = this.shown.value.filter(({ status }) => status !== "orphaned");
    const view = this.#file?.view;
    if (there.length === 0 || view === undefined) return;
    const line = lineAtCursor(view);
    const at = there.findIndex(({ id }) => id === this.chosen.value && this.isOpen.value);
    const isHere = there[at]?.line === line;
    const next = isHere
      ? there[at + by]
      : by === 1
        ? there.find((one) => one.line > line)
        : there.findLast((one) => one.line < line);
    const comment = next ?? there.at(by === 1 ? 0 : -1);
    if (comment !== undefined) this.goTo(comment);
  }

  commentHere(): void {
    const file = this.#file;
    if (file === undefined || !this.isThere.peek()) {
      this.#waiting = () => this.commentHere();
      return;
    }
    const line = lineAtCursor(file.view);
    const here = this.shown.value.find((one) => one.line === line && one.status !== "orphaned");
    if (here !== undefined) this.choose(here.id);
    else this.begin();
  }

  find(): void {
    this.isOpen.value = true;
    this.focus.moveTo("[data-testid=comment-search]");
  }

  /** Starts a comment on the selected lines, or on a line. */
  begin(line?: number): void {
    const file = this.#file;
    if (file === undefined || !this.canChange) return;
    const lines = line === undefined ? linesSelected(file.view) : { line };
    if (!this.written.has("")) this.written.set("", { what: "comment", text: "", tag: "TODO" });
    batch(() => {
      this.isOpen.value = true;
      this.typed.value = "";
      this.draft.value = { filePath: file.path, ...lines };
    });
    this.focus.moveTo("[data-testid=comment-text]");
  }

  /** Closes the form of the new comment. */
  endDraft(): void {
    this.written.delete("");
    this.draft.value = undefined;
    this.#file?.view.focus();
  }

  async addDraft(text: string, tag: PageCommentTag): Promise<void> {
    const draft = this.draft.value;
    if (draft === undefined) return;
    const file = this.#file;
    const isHere = file?.path === draft.filePath;
    const quote = isHere ? textOfLine(file.view, draft.line) : draft.quote;
    const { quote: _, ...lines } = draft;
    const isQuoted = quote !== undefined && quote.trim() !== "" && quote.length <= MAX_QUOTE;
    const act = { do: "add", ...lines, tag, text, ...(isQuoted && { quote }) } as const;
    if (!(await this.runInList(act, `Added a comment on ${describeLines(draft)}`))) return;
    this.written.delete("");
    this.draft.value = undefined;
  }

  /** The lines of the new comment have moved. */
  moveDraft(lines: Lines): void {
    const draft = this.draft.value;
    if (draft !== undefined) this.draft.value = { filePath: draft.filePath, ...lines };
  }

  /** Selects a comment in the list. */
  choose(id: string): void {
    batch(() => {
      this.isOpen.value = true;
      this.typed.value = "";
      this.chosen.value = id;
    });
    this.focus.moveTo(headOf(id));
  }

  /** The cursor is on a line with comments, which are selected in the list. */
  follow(ids: readonly string[]): void {
    const [id] = ids;
    if (!this.isOpen.value || this.typed.value.trim() !== "" || id === undefined) return;
    if (ids.includes(this.chosen.value ?? "")) return;
    this.chosen.value = id;
    const head = document.querySelector(headOf(id));
    head?.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** Goes to the line of a comment, in any file. */
  goTo(comment: PageComment): void {
    const { id, filePath, line, tag, author, text } = comment;
    this.chosen.value = id;
    this.announcement.value = `${tag} of ${author} on line ${line}: ${text}`;
    const file = this.#file;
    if (file?.path === filePath) this.#show(comment, file);
    else {
      this.#target = comment;
      this.#model.actions?.open(filePath);
    }
  }

  /** If the list is open, it announces this itself. */
  #show(comment: PageComment, { view }: CommentedFile): void {
    showLine(view, comment.line, this.isOpen.value ? [] : [comment]);
  }

  #fail(error: unknown): void {
    this.problem.value = messageOf(error);
  }
}
