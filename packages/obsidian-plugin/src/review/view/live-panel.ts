import type { Text } from "@codemirror/state";
import { textOfDraft } from "@idewire/codemirror";
import type { HunkDecision } from "@idewire/codemirror/internal";
import { baseName } from "@idewire/core";
import type { ChangeComment } from "@idewire/core/internal";
import type { HiddenChanges } from "@idewire/core/internal/hunks";
import type { App } from "obsidian";
import { texts } from "../../texts/index.ts";
import type { VaultPaths } from "../../vault-paths.ts";
import type { ReviewSettings, ReviewsContext } from "../context.ts";
import { PreviewPane } from "../preview/preview-pane.ts";
import {
  addedHidden,
  answerOf,
  existingText,
  hiddenChanges,
  isRenamed,
  lostBytes,
  type Review,
  stateOf,
  textOf,
} from "../review.ts";
import type { ReviewController } from "../review-controller.ts";
import { badgesOf } from "./badges.ts";
import { type BannerContent, Banners } from "./banner.ts";
import { DiffPane } from "./diff-pane.ts";
import { LineComments } from "./line-comments.ts";
import type { Panel } from "./panel.ts";
import { Toolbar, type ToolbarAction } from "./toolbar.ts";

export interface LivePanelParts {
  readonly controller: ReviewController;
  readonly settings: ReviewSettings;
  readonly isFolded: () => boolean;
  readonly isPreviewed: () => boolean;
  readonly app: App;
  readonly paths: VaultPaths;
  readonly window: Window;
  readonly comment: ReviewsContext["comment"];
}

/** The input of the pane; computed once, as texts may be long. */
interface Comparison {
  readonly current: Review["current"];
  /** The base of the draft before any hunk was accepted. */
  readonly base: Text;
  readonly hidden: HiddenChanges;
  readonly addedHidden: string | undefined;
}

/** A click meant for the previous review must not decide this one. */
const ARMING_MS = 400;

/** A pending review. */
export class LivePanel implements Panel {
  readonly review: Review;
  pane: DiffPane;
  readonly #parts: LivePanelParts;
  readonly #toolbar: Toolbar;
  readonly #banners: Banners;
  readonly #texts: HTMLElement;
  readonly #diffHost: HTMLElement;
  #compared: Comparison;
  #note: BannerContent | undefined;
  #preview: PreviewPane | undefined;
  #isArmed = false;
  /** Whether the person has accepted a file outside the vault, and is asked again. */
  #isConfirming = false;

  constructor(parent: HTMLElement, review: Review, parts: LivePanelParts) {
    this.review = review;
    this.#parts = parts;
    this.#toolbar = new Toolbar(parent, {
      change: (which) => this.pane.goTo(which),
      undo: () => this.pane.step("undo"),
      file: (which) => parts.controller.move(which === "next" ? 1 : -1),
    });
    this.#banners = new Banners(parent);
    new LineComments(parent, {
      isWaiting: true,
      selectedLines: () => this.pane.selectedLines,
      send: (comments) => this.#comment(comments),
    });
    this.#texts = parent.createDiv({ cls: "idewire-review-texts" });
    this.#diffHost = this.#texts.createDiv({ cls: "idewire-diff-host" });
    this.#compared = compare(review);
    this.pane = this.#createPane();
    this.update();
    this.#toolbar.setArmed(false);
    parts.window.setTimeout(() => this.#arm(), ARMING_MS);
  }

  get title(): string {
    return texts.review.tab(baseName(this.review.name));
  }

  update(): void {
    const { review } = this;
    if (this.#compared.current !== review.current) {
      this.#compared = compare(review);
      this.#note = undefined;
      this.pane.destroy();
      this.pane = this.#createPane();
      this.#preview?.update(review.draft);
    }
    this.#showPreview();
    this.#showToolbar();
    this.#banners.show(this.#bannerContents());
  }

  destroy(): void {
    this.#preview?.destroy();
    this.pane.destroy();
  }

  decide(decision: HunkDecision): void {
    this.pane.decideAtCursor(decision);
  }

  decideFile(decision: HunkDecision): void {
    const { controller } = this.#parts;
    if (!this.#isArmed) return;
    if (decision === "reject") controller.reject(this.review);
    else if (this.review.isOutside && !this.#isConfirming) this.#confirm(true);
    else void controller.accept(this.review);
  }

  #confirm(isConfirming: boolean): void {
    this.#isConfirming = isConfirming;
    this.update();
  }

  #comment(comments: readonly ChangeComment[]): Promise<boolean> {
    const { review } = this;
    const { comment, controller } = this.#parts;
    const { path, name, current, request } = review;
    const texts = { text: textOfDraft(review.draft), current: existingText(current) };
    const reject = (words: string) => controller.reject(review, words);
    return comment({ path, name, ...texts, session: request.session, reject }, comments);
  }

  #arm(): void {
    this.#isArmed = true;
    this.#toolbar.setArmed(true);
  }

  #showPreview(): void {
    const { app, paths, isPreviewed } = this.#parts;
    if (isPreviewed() === (this.#preview !== undefined)) return;
    this.#preview?.destroy();
    this.#preview = undefined;
    if (!isPreviewed()) return;
    const path = paths.toVault(this.review.path) ?? "";
    const before = () => textOf(this.review.current);
    this.#preview = new PreviewPane(this.#texts, this.review.draft, { app, before, path });
  }

  #createPane(): DiffPane {
    const { settings, isFolded } = this.#parts;
    const { agent, name } = this.review;
    return new DiffPane(this.#diffHost, {
      state: stateOf(this.review),
      layout: settings.layout,
      folded: isFolded(),
      readOnly: false,
      label: texts.review.region({ agent, name }),
      onchange: (state) => {
        this.#parts.controller.edited(this.review, state);
        this.#preview?.update(state.draft);
        this.#showToolbar();
      },
    });
  }

  #showToolbar(): void {
    this.#toolbar.show(this.#content());
    this.#toolbar.setArmed(this.#isArmed);
  }

  #content() {
    const { controller } = this.#parts;
    const { review } = this;
    const { index, total } = controller.queue.positionOf(review.id);
    const { pending, conflicts } = this.pane;
    return {
      title: review.name,
      subtitle: texts.review.by(review.agent),
      badges: badgesOf(review, this.#compared.hidden),
      position: total > 1 ? texts.review.position(index, total) : undefined,
      status: texts.review.left(pending, conflicts),
      canUndo: this.pane.canUndo,
      keys: true,
      actions: this.#actions(),
    };
  }

  #actions(): readonly ToolbarAction[] {
    const accept = this.#isTakenBack() ? texts.review.keep : texts.review.acceptFile;
    return [
      {
        text: texts.review.rejectFile,
        icon: "x",
        kind: "danger",
        run: () => this.decideFile("reject"),
      },
      {
        text: accept,
        isOff: this.review.newer !== undefined,
        icon: "check",
        kind: "primary",
        run: () => this.decideFile("accept"),
      },
    ];
  }

  /** Whether the person has rejected every hunk. Whole texts are compared only if that is possible. */
  #isTakenBack(): boolean {
    const { current, draft } = this.review;
    if (current.kind !== "text" || !draft.result.doc.eq(this.#compared.base)) return false;
    return answerOf(this.review, textOfDraft(draft)).kind === "rejected";
  }

  #bannerContents(): readonly BannerContent[] {
    const banners: BannerContent[] = this.review.isOutside ? [this.#outsideBanner()] : [];
    if (isRenamed(this.review)) {
      const { agent, request } = this.review;
      const values = { agent, old: baseName(request.path) };
      banners.push({ kind: "info", text: texts.review.renamed(values) });
    }
    if (this.review.newer !== undefined) banners.push(this.#newerBanner());
    else if (this.#note !== undefined) banners.push(this.#note);
    const compared = this.review.newer ?? this.review.current;
    const overlaps = compared.kind === "text" ? (compared.overlaps ?? 0) : 0;
    if (overlaps > 0) {
      banners.push({ kind: "warning", text: texts.review.overlaps(overlaps) });
    }
    for (const warning of [this.#compared.addedHidden, lostBytes(this.review)]) {
      if (warning !== undefined) banners.push({ kind: "warning", text: `${warning}.` });
    }
    if (this.review.current.kind === "unreadable") {
      banners.push({ kind: "warning", text: texts.review.unreadable });
    }
    return banners;
  }

  #outsideBanner(): BannerContent {
    const { confirmOutside: labels, outside } = texts.review;
    const text = outside(this.review.name);
    if (!this.#isConfirming) return { kind: "warning", text };
    const actions = [
      { text: labels.accept, run: () => this.decideFile("accept") },
      { text: labels.cancel, run: () => this.#confirm(false) },
    ];
    return { kind: "warning", text: `${text} ${labels.question}`, actions };
  }

  #newerBanner(): BannerContent {
    const { controller } = this.#parts;
    const { review } = this;
    const compare = (text: string) => ({ text, run: () => controller.compare(review) });
    const merge = () => {
      const overlaps = controller.merge(review);
      this.#note =
        overlaps === 0
          ? { kind: "info", text: texts.review.merged }
          : { kind: "warning", text: texts.review.mergedOverlaps(overlaps) };
      this.update();
    };
    if (review.newer?.kind !== "text") {
      const why = review.newer?.kind === "missing" ? "missing" : "unreadable";
      const goOn = compare(texts.review.newer.goOn);
      return { kind: "warning", text: texts.review.newer[why], actions: [goOn] };
    }
    const actions = [
      { text: texts.review.newer.merge, run: merge },
      compare(texts.review.newer.compare),
    ];
    return { kind: "warning", text: texts.review.newer.changed, actions };
  }
}

function compare(review: Review): Comparison {
  const { current, draft, request } = review;
  const hidden = hiddenChanges(current, request.proposed);
  return { current, base: draft.base.doc, hidden, addedHidden: addedHidden(review) };
}
