import type { HunkDecision } from "@idewire/codemirror/internal";
import type { ReviewKey } from "@idewire/codemirror/internal/review-keys";
import { ItemView, Platform, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import { texts } from "../../texts/index.ts";
import type { ReviewsContext } from "../context.ts";
import { findReviewKey } from "../keys.ts";
import type { Review } from "../review.ts";
import { addButton } from "./controls.ts";
import { LivePanel } from "./live-panel.ts";
import type { Panel } from "./panel.ts";
import { PastPanel } from "./past-panel.ts";

export const REVIEW_VIEW = "idewire-review";

/** Keys that count once, however long they are held down. */
const DECIDES: ReadonlySet<ReviewKey> = new Set(["acceptHunk", "rejectHunk", "accept", "reject"]);

/** The state with which a tab is opened. */
export interface ReviewViewState {
  /** It shows pending reviews; never saved. */
  readonly live?: boolean;
  /** Id of the past review in the history; texts are not part of the state. */
  readonly record?: string;
}

/** A tab that shows the pending review or a past one. */
export class ReviewView extends ItemView {
  override navigation = false;
  readonly #context: ReviewsContext;
  readonly #token = Symbol("review tab");
  #panel: Panel | undefined;
  #record: string | undefined;

  constructor(leaf: WorkspaceLeaf, context: ReviewsContext) {
    super(leaf);
    this.#context = context;
  }

  /** Whether this is the tab for pending reviews. */
  get isLive(): boolean {
    return this.#context.viewHolder.holder === this.#token;
  }

  override getViewType(): string {
    return REVIEW_VIEW;
  }

  override getIcon(): string {
    return "file-diff";
  }

  override getDisplayText(): string {
    return this.#panel?.title ?? texts.review.untitledTab;
  }

  override getState(): Record<string, unknown> {
    const record = this.#liveReview()?.record ?? this.#record;
    return record === undefined ? {} : { record };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const { live, record } = (state ?? {}) as ReviewViewState;
    await super.setState(state, result);
    if (live === true) this.#context.viewHolder.holder ??= this.#token;
    else this.#record = typeof record === "string" ? record : undefined;
    await this.#render();
  }

  protected override async onOpen(): Promise<void> {
    const { controller, setFolded, isFolded, openHistory } = this.#context;
    const { isPreviewed, setPreviewed } = this.#context;
    this.contentEl.addClass("idewire-review");
    this.addAction("history", texts.review.history.title, () => openHistory());
    this.addAction("fold-vertical", texts.review.command.fold, () => setFolded(!isFolded()));
    const togglePreview = () => setPreviewed(!isPreviewed());
    this.addAction("book-open", texts.review.command.preview, togglePreview);
    this.addAction("columns-2", texts.review.command.layout, () => this.switchLayout());
    this.register(controller.on("current", () => void this.#render()));
    this.register(controller.on("ended", () => this.#end()));
    this.register(controller.on("review", (review) => this.#update(review)));
    this.register(
      this.containerEl.onWindowMigrated((win) => this.#panel?.pane?.setRoot(win.document)),
    );
    this.registerDomEvent(this.contentEl, "keydown", (event) => this.#onkeydown(event), true);
  }

  protected override onClose(): Promise<void> {
    this.#release();
    return Promise.resolve();
  }

  override onunload(): void {
    this.#release();
    super.onunload();
  }

  focus(): void {
    this.#panel?.pane?.focus();
  }

  goTo(which: "next" | "previous"): void {
    this.#panel?.pane?.goTo(which);
  }

  /** Undoes or redoes the last decision or edit. */
  step(which: "undo" | "redo"): void {
    this.#panel?.pane?.step(which);
  }

  decide(decision: HunkDecision): void {
    this.#panel?.decide(decision);
  }

  decideFile(decision: HunkDecision): void {
    this.#panel?.decideFile(decision);
  }

  switchLayout(): void {
    const { settings } = this.#context;
    settings.setLayout(settings.layout === "unified" ? "side-by-side" : "unified");
    this.#panel?.pane?.setLayout(settings.layout);
  }

  setFolded(): void {
    this.#panel?.pane?.setFolded(this.#context.isFolded());
  }

  updatePanel(): void {
    this.#panel?.update();
  }

  #liveReview(): Review | undefined {
    return this.#panel instanceof LivePanel ? this.#panel.review : undefined;
  }

  #update(review: Review): void {
    if (this.#panel instanceof LivePanel && this.#context.controller.queue.get(review.id)) {
      this.#panel.update();
      this.#showTitle();
    }
  }

  async #render(): Promise<void> {
    const { current, waiting } = this.#context.controller.queue;
    if (!this.isLive) {
      const isWaiting = waiting.some(({ record }) => record === this.#record);
      if (isWaiting) return this.#renderElsewhere();
      if (this.#record !== undefined) return this.#renderPast(this.#record);
    }
    if (current === undefined || !this.isLive) return this.#renderNothing();
    if (this.#liveReview() === current) return this.#panel?.update();
    const parts = { ...this.#context, window: this.containerEl.win };
    this.#replace(() => new LivePanel(this.contentEl, current, parts));
    this.focus();
  }

  async #renderPast(record: string): Promise<void> {
    if (this.#panel instanceof PastPanel) return;
    const past = await this.#context.history.find(record);
    if (this.#record !== record || this.#panel instanceof PastPanel) return;
    this.#replace(() => new PastPanel(this.contentEl, past, this.#context));
  }

  /** The review has expired; the tab stays and shows it after a restart. */
  #end(): void {
    const review = this.#liveReview();
    if (review === undefined) return;
    this.#record = review.record;
    this.#replace(() => undefined);
    this.contentEl.createDiv({ cls: "pane-empty", text: texts.review.expired });
  }

  #renderNothing(): void {
    this.#replace(() => undefined);
    this.contentEl.createDiv({ cls: "pane-empty", text: texts.review.none });
  }

  #renderElsewhere(): void {
    const { showCurrent } = this.#context;
    this.#replace(() => undefined);
    const empty = this.contentEl.createDiv({ cls: "pane-empty" });
    empty.createDiv({ text: texts.review.elsewhere });
    addButton(empty, { text: texts.review.showElsewhere, onclick: showCurrent });
  }

  #replace(create: () => Panel | undefined): void {
    this.#panel?.destroy();
    this.#panel = undefined;
    this.contentEl.empty();
    this.#panel = create();
    this.#showTitle();
    this.app.workspace.requestSaveLayout();
  }

  /** Obsidian has no public API to update the title. */
  #showTitle(): void {
    (this.leaf as { readonly updateHeader?: () => void }).updateHeader?.();
    this.containerEl.find(".view-header-title")?.setText(this.getDisplayText());
  }

  /** The tab was closed: its review is closed with it. */
  #release(): void {
    const review = this.#liveReview();
    this.#panel?.destroy();
    this.#panel = undefined;
    const { viewHolder } = this.#context;
    if (viewHolder.holder === this.#token) viewHolder.holder = undefined;
    if (review !== undefined) this.#context.controller.dismiss(review);
  }

  #onkeydown(event: KeyboardEvent): void {
    const key = findReviewKey(event, Platform.isMacOS);
    // A comment that is being written has keys of its own.
    const isWriting = (event.target as Element | null)?.closest("form") != null;
    if (key === undefined || isWriting) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat || !DECIDES.has(key)) this.#press(key);
  }

  #press(key: ReviewKey): void {
    if (key === "next" || key === "previous") this.goTo(key);
    else if (key === "accept" || key === "reject") this.decideFile(key);
    else if (key === "undo" || key === "redo") this.step(key);
    else this.decide(key === "acceptHunk" ? "accept" : "reject");
  }
}
