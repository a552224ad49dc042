import { type Draft, textOfDraft } from "@idewire/codemirror";
import { type ChunkDecision, createDraft } from "@idewire/codemirror/review";
import { type CurrentText, isSameText } from "../current-text.ts";
import { textOf } from "../review.ts";
import { type BannerContent, Banners } from "./banner.ts";
import { DiffPane } from "./diff-pane.ts";
import type { Panel } from "./panel.ts";
import type { PastView } from "./past-view.ts";
import { Toolbar, type ToolbarAction } from "./toolbar.ts";

/** A past review: what was proposed, and ways to bring a text back. */
export class PastPanel implements Panel {
  readonly #view: PastView;
  readonly #toolbar: Toolbar;
  readonly #banners: Banners;
  readonly #host: HTMLElement;
  #pane: DiffPane | undefined;
  /** The note as it is, while the person decides what to put into it. */
  #restoring: CurrentText | undefined;
  #draft: Draft | undefined;

  constructor(parent: HTMLElement, view: PastView) {
    this.#view = view;
    this.#toolbar = new Toolbar(parent, view.texts, {
      change: (which) => this.goTo(which),
      file: () => undefined,
    });
    this.#banners = new Banners(parent);
    this.#host = parent.createDiv({ cls: "idewire-diff-host" });
    const { kept } = view;
    if (kept !== undefined) {
      this.#show(createDraft(kept.before ?? "", kept.result ?? kept.proposed), true);
    }
    this.update();
  }

  get title(): string {
    return this.#view.title;
  }

  update(): void {
    const { texts, record } = this.#view;
    const pending = this.#pane?.pending ?? 0;
    this.#toolbar.show({
      title: record?.name ?? this.#view.title,
      subtitle: record === undefined ? "" : this.#view.describe(record),
      badges: [],
      position: undefined,
      status: pending === 0 ? "" : texts.count("review.changes", pending),
      actions: this.#actions(),
    });
    this.#banners.show(this.#bannerContents());
  }

  focus(): void {
    this.#pane?.focus();
  }

  setLayout(): void {
    this.#pane?.setLayout(this.#view.settings.layout);
  }

  setFolded(): void {
    this.#pane?.setFolded(this.#view.isFolded());
  }

  setRoot(root: Document): void {
    this.#pane?.setRoot(root);
  }

  goTo(which: "next" | "previous"): void {
    this.#pane?.goTo(which);
  }

  decide(decision: ChunkDecision): void {
    if (this.#restoring !== undefined) this.#pane?.decideAtCursor(decision);
  }

  decideFile(decision: ChunkDecision): void {
    if (this.#restoring === undefined) return;
    if (decision === "accept") void this.#apply();
    else this.#back();
  }

  destroy(): void {
    this.#pane?.destroy();
  }

  #show(draft: Draft, readOnly: boolean): void {
    const { texts, settings } = this.#view;
    this.#pane?.destroy();
    this.#draft = draft;
    this.#pane = new DiffPane(this.#host, {
      draft,
      layout: settings.layout,
      folded: this.#view.isFolded(),
      readOnly,
      texts,
      label: this.#view.title,
      onchange: (edited) => {
        this.#draft = edited;
        this.update();
      },
    });
  }

  #actions(): readonly ToolbarAction[] {
    const { texts, kept, record } = this.#view;
    if (kept === undefined || record === undefined) return [];
    if (this.#restoring !== undefined) {
      return [
        { text: texts("review.back"), kind: "plain", run: () => this.#back() },
        { text: texts("review.restore.apply"), kind: "primary", run: () => void this.#apply() },
      ];
    }
    const copy = () => void this.#view.copy(kept.result ?? kept.proposed);
    const actions: ToolbarAction[] = [
      { text: texts("review.copy"), icon: "copy", kind: "plain", run: copy },
    ];
    if (!this.#view.canRestore) return actions;
    const { before } = kept;
    if (before !== undefined) {
      const run = () => void this.#startRestore(before);
      actions.push({ text: texts("review.restore.before"), kind: "plain", run });
    }
    const run = () => void this.#startRestore(kept.result ?? kept.proposed);
    return [...actions, { text: texts("review.restore.proposal"), kind: "primary", run }];
  }

  #bannerContents(): readonly BannerContent[] {
    const { texts, record, kept } = this.#view;
    if (this.#restoring !== undefined)
      return [{ kind: "info", text: texts("review.restore.info") }];
    const banners: BannerContent[] = [];
    const isExpired = record === undefined || record.fate === "expired";
    if (isExpired) banners.push({ kind: "warning", text: texts("review.expired") });
    if (record === undefined) banners.push({ kind: "info", text: texts("review.expired.lost") });
    else if (kept === undefined)
      banners.push({ kind: "info", text: texts("review.past.textless") });
    else if (!this.#view.canRestore) {
      banners.push({ kind: "info", text: texts("review.restore.outside") });
    }
    return banners;
  }

  async #startRestore(text: string): Promise<void> {
    const now = await this.#view.readNow();
    this.#restoring = now;
    this.#show(createDraft(textOf(now), text), false);
    this.update();
    this.focus();
  }

  #back(): void {
    const { kept } = this.#view;
    this.#restoring = undefined;
    if (kept !== undefined) {
      this.#show(createDraft(kept.before ?? "", kept.result ?? kept.proposed), true);
    }
    this.update();
  }

  /** The note may have changed since it was compared: then it is compared again first. */
  async #apply(): Promise<void> {
    const draft = this.#draft;
    const compared = this.#restoring;
    if (draft === undefined || compared === undefined) return;
    const text = textOfDraft(draft);
    const now = await this.#view.readNow();
    if (isSameText(now, compared)) return this.#view.put(text);
    return this.#startRestore(text);
  }
}
