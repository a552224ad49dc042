import type { App, Notice, WorkspaceLeaf } from "obsidian";
import { noticeWithAction } from "../notice-with-action.ts";
import { texts } from "../texts/index.ts";
import type { Registrar } from "./context.ts";
import type { ReviewController } from "./review-controller.ts";
import { REVIEW_VIEW, ReviewView, type ReviewViewState } from "./view/review-view.ts";

export interface ReviewTabsParts {
  readonly app: App;
  readonly controller: ReviewController;
  readonly registrar: Registrar;
}

/** The time after a key press during which the person counts as typing and keeps the focus. */
const TYPING_MS = 1500;

/** Shows the pending review in a tab, without taking the focus from a person who is typing. */
export class ReviewTabs {
  readonly #parts: ReviewTabsParts;
  #lastKeyMs = 0;
  #notice: Notice | undefined;
  /** Runs steps one after the other: opening a tab takes a while. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(parts: ReviewTabsParts) {
    this.#parts = parts;
    const { app, controller, registrar } = parts;
    registrar.register(controller.on("current", () => this.#follow()));
    const listen = (doc: Document) =>
      registrar.registerDomEvent(
        doc,
        "keydown",
        ({ target }) => {
          const isHere = (target as Element | null)?.closest?.(".idewire-review");
          if (!isHere) this.#lastKeyMs = Date.now();
        },
        true,
      );
    listen(app.workspace.containerEl.doc);
    registrar.registerEvent(app.workspace.on("window-open", (_, win) => listen(win.document)));
  }

  /** Shows the tab of the pending review. */
  async showCurrent({ focus }: { readonly focus: boolean }): Promise<void> {
    const { workspace } = this.#parts.app;
    const known = this.#liveLeaf();
    const leaf = known ?? workspace.getLeaf("tab");
    if (known === undefined) await this.#open(leaf, { live: true }, focus);
    if (!focus) return;
    this.#notice?.hide();
    await workspace.revealLeaf(leaf);
    workspace.setActiveLeaf(leaf, { focus: true });
    if (leaf.view instanceof ReviewView) leaf.view.focus();
  }

  /** Shows the tab of the pending reviews; if it is in front already, the next of them. */
  async showNext(): Promise<void> {
    const active = this.#parts.app.workspace.getActiveViewOfType(ReviewView);
    if (active?.isLive === true) this.#parts.controller.move(1);
    else await this.showCurrent({ focus: true });
  }

  /** Shows a past review in its own tab. */
  async showPast(record: string): Promise<void> {
    const { workspace } = this.#parts.app;
    const isLive = this.#parts.controller.queue.waiting.some((review) => review.record === record);
    if (isLive) return this.showCurrent({ focus: true });
    const leaf = workspace.getLeaf("tab");
    await this.#open(leaf, { record }, true);
    await workspace.revealLeaf(leaf);
  }

  #open(leaf: WorkspaceLeaf, state: ReviewViewState, active: boolean): Promise<void> {
    return leaf.setViewState({ type: REVIEW_VIEW, active, state: { ...state } });
  }

  #follow(): void {
    this.#steps = this.#steps.then(() => this.#step());
  }

  async #step(): Promise<void> {
    const { current } = this.#parts.controller.queue;
    if (current === undefined) {
      this.#notice?.hide();
      return this.#liveLeaf()?.detach();
    }
    const isNew = this.#liveLeaf() === undefined;
    const isTyping = isNew && Date.now() - this.#lastKeyMs < TYPING_MS;
    await this.showCurrent({ focus: !isTyping });
    if (isTyping) this.#announce(current.agent, current.name);
  }

  #announce(agent: string, name: string): void {
    const run = () => void this.showCurrent({ focus: true });
    const action = { text: texts.review.showNotice, run };
    this.#notice?.hide();
    this.#notice = noticeWithAction(texts.review.notice({ agent, name }), action, 10_000);
  }

  #liveLeaf(): WorkspaceLeaf | undefined {
    return this.#parts.app.workspace
      .getLeavesOfType(REVIEW_VIEW)
      .find(({ view }) => view instanceof ReviewView && view.isLive);
  }
}
