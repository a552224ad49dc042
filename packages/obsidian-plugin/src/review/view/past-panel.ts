import { type Draft, textOfDraft } from "@idewire/codemirror";
import { createDraft, type HunkDecision } from "@idewire/codemirror/internal";
import type { ChangeComment } from "@idewire/core/internal";
import { Notice } from "obsidian";
import { texts } from "../../texts/index.ts";
import { formatDayAndTime } from "../../texts/time.ts";
import type { ReviewsContext } from "../context.ts";
import { type CurrentText, isSameText } from "../current-text.ts";
import { type DecidableEdit, EditDecisions } from "../edit-decisions.ts";
import {
  decidedOutcome,
  type PastReview,
  type RecordTexts,
  type ReviewRecord,
  undecidedOf,
} from "../history/record.ts";
import { putIntoNote } from "../restore.ts";
import { existingText, textOf } from "../review.ts";
import { type BannerContent, Banners } from "./banner.ts";
import { DiffPane } from "./diff-pane.ts";
import { LineComments } from "./line-comments.ts";
import type { Panel } from "./panel.ts";
import { Toolbar, type ToolbarAction } from "./toolbar.ts";

/** A past review: the proposal, and ways to restore a text. */
export class PastPanel implements Panel {
  readonly #context: ReviewsContext;
  readonly #decisions: EditDecisions;
  #record: ReviewRecord | undefined;
  /** Undefined where the texts were not kept. */
  #kept: RecordTexts | undefined;
  /** The edits of the turn, while the person is asked whether to undo them all. */
  #turn: readonly PastReview[] = [];
  readonly #toolbar: Toolbar;
  readonly #banners: Banners;
  readonly #host: HTMLElement;
  pane: DiffPane | undefined;
  /** The current text of the note, while the person decides what to put into it. */
  #restoring: CurrentText | undefined;
  #draft: Draft | undefined;

  /** @param past undefined if the history does not have it */
  constructor(parent: HTMLElement, past: PastReview | undefined, context: ReviewsContext) {
    this.#context = context;
    this.#decisions = new EditDecisions(context, (edit) => this.#decided(edit));
    this.#record = past?.record;
    this.#kept = past?.texts;
    this.#toolbar = new Toolbar(parent, {
      change: (which) => this.pane?.goTo(which),
      undo: () => this.pane?.step("undo"),
      file: () => undefined,
    });
    this.#banners = new Banners(parent);
    if (past?.record.outcome === "unreviewed") {
      new LineComments(parent, {
        isWaiting: false,
        selectedLines: () => this.pane?.selectedLines ?? { line: 1, endLine: 1 },
        send: (comments) => this.#comment(past.record, comments),
      });
    }
    this.#host = parent.createDiv({ cls: "idewire-diff-host" });
    this.#back();
  }

  get title(): string {
    const name = this.#record?.name ?? "";
    return name === "" ? texts.review.untitledTab : texts.review.tab(name);
  }

  get #edit(): DecidableEdit | undefined {
    const record = this.#record;
    const kept = this.#kept;
    return record === undefined || kept === undefined ? undefined : { record, kept };
  }

  /** Whether it is a file of this vault. */
  get #canRestore(): boolean {
    return (
      this.#record !== undefined && this.#context.paths.toVault(this.#record.path) !== undefined
    );
  }

  update(): void {
    const pending = this.pane?.pending ?? 0;
    this.#toolbar.show({
      title: this.#record?.name ?? this.title,
      subtitle: this.#describe(),
      badges: [],
      position: undefined,
      status: pending === 0 ? "" : texts.review.hunks(pending),
      canUndo: this.#restoring === undefined ? undefined : (this.pane?.canUndo ?? false),
      keys: this.#restoring !== undefined,
      actions: this.#actions(),
    });
    this.#banners.show(this.#bannerContents());
  }

  destroy(): void {
    this.pane?.destroy();
  }

  decide(decision: HunkDecision): void {
    if (this.#restoring !== undefined) this.pane?.decideAtCursor(decision);
  }

  decideFile(decision: HunkDecision): void {
    if (this.#restoring === undefined) return;
    if (decision === "accept") void this.#apply();
    else this.#back();
  }

  #show(draft: Draft, readOnly: boolean): void {
    const { settings } = this.#context;
    this.pane?.destroy();
    this.#draft = draft;
    this.pane = new DiffPane(this.#host, {
      state: { draft, compared: undefined, undoSteps: undefined },
      layout: settings.layout,
      folded: this.#context.isFolded(),
      readOnly,
      ...(readOnly &&
        this.#record?.outcome === "unreviewed" && {
          ondecide: (decision: HunkDecision, hunk: number) => {
            const edit = this.#edit;
            if (edit !== undefined) void this.#decisions.decideHunk(edit, decision, hunk);
          },
        }),
      label: this.title,
      onchange: ({ draft: edited }) => {
        this.#draft = edited;
        this.update();
      },
    });
  }

  #actions(): readonly ToolbarAction[] {
    const kept = this.#kept;
    if (kept === undefined) return [];
    if (this.#restoring !== undefined) {
      return [
        { text: texts.review.back, kind: "plain", run: () => this.#back() },
        { text: texts.review.restore.apply, kind: "primary", run: () => void this.#apply() },
      ];
    }
    if (this.#record?.outcome === "unreviewed") {
      return this.#unreviewedActions({ record: this.#record, kept });
    }
    const copy = () => void this.#copy(kept.result ?? kept.proposed);
    const actions: ToolbarAction[] = [
      { text: texts.review.copy, icon: "copy", kind: "plain", run: copy },
    ];
    if (!this.#canRestore) return actions;
    const { before } = kept;
    if (before !== undefined) {
      const run = () => void this.#startRestore(before);
      actions.push({ text: texts.review.restore.before, kind: "plain", run });
    }
    const run = () => void this.#startRestore(kept.result ?? kept.proposed);
    const isThere = this.#record?.outcome === "accepted" || this.#record?.outcome === "edited";
    const kind = isThere ? "plain" : "primary";
    return [...actions, { text: texts.review.restore.proposal, kind, run }];
  }

  #unreviewedActions(edit: DecidableEdit): readonly ToolbarAction[] {
    const { before } = edit.kept;
    const { turn } = edit.record;
    const undoTurn: readonly ToolbarAction[] =
      turn === undefined
        ? []
        : [{ text: texts.edits.undoTurn, kind: "plain", run: () => void this.#askTurn(turn) }];
    const undo: ToolbarAction = {
      text: texts.edits.undo,
      icon: "undo-2",
      kind: "primary",
      run: () => void this.#decisions.undo(edit),
    };
    if (before === undefined) return [...undoTurn, undo];
    const run = () => void this.#startRestore(before);
    return [...undoTurn, { text: texts.review.restore.before, kind: "plain", run }, undo];
  }

  #bannerContents(): readonly BannerContent[] {
    const record = this.#record;
    if (this.#restoring !== undefined) return [{ kind: "info", text: texts.review.restore.info }];
    const banners: BannerContent[] = [];
    if (this.#turn.length > 0) {
      banners.push({
        kind: "warning",
        text: texts.edits.askTurn(this.#turn.map((each) => each.record.name).join(", ")),
        actions: [
          { text: texts.edits.undoThem, run: () => void this.#undoTurn() },
          { text: texts.edits.cancel, run: () => this.#showTurn([]) },
        ],
      });
    }
    const isExpired = record === undefined || record.outcome === "expired";
    if (isExpired) banners.push({ kind: "warning", text: texts.review.expired });
    if (record === undefined) banners.push({ kind: "info", text: texts.review.lostProposal });
    else if (this.#kept === undefined) banners.push({ kind: "info", text: texts.review.textless });
    else if (!this.#canRestore) {
      banners.push({ kind: "info", text: texts.review.restore.outside });
    }
    return banners;
  }

  async #comment(
    { path, name }: ReviewRecord,
    comments: readonly ChangeComment[],
  ): Promise<boolean> {
    if (this.#draft === undefined) return false;
    const texts = { text: textOfDraft(this.#draft), current: existingText(await this.#readNow()) };
    return this.#context.comment({ path, name, ...texts }, comments);
  }

  async #startRestore(text: string): Promise<void> {
    const now = await this.#readNow();
    this.#restoring = now;
    this.#show(createDraft(textOf(now), text), false);
    this.update();
    this.pane?.focus();
  }

  #back(): void {
    const kept = this.#kept;
    this.#restoring = undefined;
    if (kept !== undefined) {
      const { before, written } = undecidedOf(kept);
      const isOpen = this.#record?.outcome === "unreviewed";
      const whole = createDraft(kept.before ?? "", kept.result ?? kept.proposed);
      this.#show(isOpen ? createDraft(before, written) : whole, true);
    }
    this.update();
  }

  /** If the note has changed since it was compared, it is compared again first. */
  async #apply(): Promise<void> {
    const draft = this.#draft;
    const compared = this.#restoring;
    if (draft === undefined || compared === undefined) return;
    const text = textOfDraft(draft);
    const now = await this.#readNow();
    if (isSameText(now, compared)) return this.#put(text);
    return this.#startRestore(text);
  }

  #readNow(): Promise<CurrentText> {
    const record = this.#record;
    if (record === undefined) return Promise.resolve({ kind: "missing" });
    return this.#context.read(record.path);
  }

  async #copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    new Notice(texts.review.copied);
  }

  async #put(text: string): Promise<void> {
    if (this.#record === undefined) return;
    const { path, name } = this.#record;
    const isPut = await putIntoNote(path, text, this.#context);
    const { done, failed } = texts.review.restore;
    new Notice(isPut ? done(name) : failed(name));
  }

  /** The decision about the shown edit is shown; of a turn, there are others. */
  #decided({ record, kept }: DecidableEdit): void {
    if (record.id !== this.#record?.id) return;
    this.#kept = kept;
    this.#record = { ...record, outcome: decidedOutcome(kept) };
    this.#back();
  }

  async #askTurn(turn: string): Promise<void> {
    this.#showTurn(await this.#context.history.ofTurn(turn));
  }

  #showTurn(turn: readonly PastReview[]): void {
    this.#turn = turn;
    this.update();
  }

  #undoTurn(): Promise<void> {
    const turn = this.#turn;
    this.#showTurn([]);
    return this.#decisions.undoTurn(turn);
  }

  /** The agent, the outcome and the time. */
  #describe(): string {
    if (this.#record === undefined) return "";
    const { outcome, openedMs, agent } = this.#record;
    const when = formatDayAndTime(openedMs);
    return `${agent} · ${texts.review.past[outcome]}, ${when}`;
  }
}
