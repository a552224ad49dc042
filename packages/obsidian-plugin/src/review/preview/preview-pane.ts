import { type Draft, textOfDraft } from "@idewire/codemirror";
import { diffSequences } from "@idewire/core/internal/hunks";
import { type App, Component, MarkdownRenderer } from "obsidian";
import { texts } from "../../texts/index.ts";
import { makeInert, splitBlocks } from "./safe-markdown.ts";

/** Typing is followed when it pauses. */
const QUIET_MS = 300;
/** Rendering takes a while: only this many blocks of a long proposal are shown. */
const MAX_BLOCKS = 200;

export interface PreviewPaneParts {
  readonly app: App;
  /** The text that the proposal is compared with. */
  readonly before: () => string;
  /** Path in the vault, by which links are resolved. */
  readonly path: string;
}

interface Block {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** The changes of a proposal, rendered as in reading mode. Nothing in it is loaded or run. */
export class PreviewPane {
  readonly #dom: HTMLElement;
  readonly #parts: PreviewPaneParts;
  #component: Component | undefined;
  #timer: number | undefined;

  constructor(parent: HTMLElement, draft: Draft, parts: PreviewPaneParts) {
    this.#parts = parts;
    this.#dom = parent.createDiv({
      cls: "idewire-preview markdown-rendered",
      attr: { tabindex: "0", role: "region", "aria-label": texts.review.preview.title },
    });
    this.#render(draft);
  }

  /** The person has edited or decided something. */
  update(draft: Draft): void {
    const { win } = this.#dom;
    win.clearTimeout(this.#timer);
    this.#timer = win.setTimeout(() => this.#render(draft), QUIET_MS);
  }

  destroy(): void {
    this.#dom.win.clearTimeout(this.#timer);
    this.#component?.unload();
    this.#dom.remove();
  }

  #render(draft: Draft): void {
    const { before } = this.#parts;
    this.#component?.unload();
    this.#dom.empty();
    const component = new Component();
    component.load();
    this.#component = component;
    const blocks = changedBlocks(before(), textOfDraft(draft));
    this.#dom.createEl("p", { cls: "idewire-preview-note", text: texts.review.preview.note });
    if (blocks.length === 0) {
      this.#dom.createEl("p", { text: texts.review.preview.none });
    }
    for (const block of blocks.slice(0, MAX_BLOCKS)) this.#add(block, component);
    if (blocks.length > MAX_BLOCKS) {
      this.#dom.createEl("p", { text: texts.review.preview.cut(MAX_BLOCKS) });
    }
  }

  #add({ kind, text }: Block, component: Component): void {
    const { app, path } = this.#parts;
    const element = this.#dom.createDiv({ cls: `idewire-preview-block is-${kind}` });
    if (kind !== "same") element.setAttr("aria-label", texts.review.preview[kind]);
    void MarkdownRenderer.render(app, makeInert(text), element, path, component);
  }
}

/** The blocks that differ, each with the one before it. */
function changedBlocks(before: string, after: string): readonly Block[] {
  const [ours, theirs] = [splitBlocks(before), splitBlocks(after)];
  const blocks: Block[] = [];
  let shown = 0;
  for (const { fromA, toA, fromB, toB } of diffSequences(ours, theirs)) {
    const context = theirs[fromB - 1];
    if (context !== undefined && fromB > shown) blocks.push({ kind: "same", text: context });
    for (const text of ours.slice(fromA, toA)) blocks.push({ kind: "removed", text });
    for (const text of theirs.slice(fromB, toB)) blocks.push({ kind: "added", text });
    shown = toB;
  }
  return blocks;
}
