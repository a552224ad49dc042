import type { App } from "../host-app.ts";
import { sectionsOf } from "../metadata/parse.ts";
import { Component } from "../obsidian/component.ts";
import type { TFile } from "../vault/files.ts";
import { sectionHtml, wholeHtml } from "./markdown.ts";
import {
  addProcessor,
  type ProcessorContext,
  process,
  removeProcessor,
  type SectionInfo,
} from "./processors.ts";

/** A component that lives as long as what was rendered into its element. */
export class MarkdownRenderChild extends Component {
  containerEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.containerEl = containerEl;
  }
}

interface Section {
  readonly el: HTMLElement;
  readonly html: string;
  lineStart: number;
  lineEnd: number;
}

interface Owner {
  readonly app: App;
  readonly file: TFile | null;
}

const tags: Readonly<Record<string, string>> = {
  paragraph: "p",
  list: "ul",
  code: "pre",
  table: "table",
  callout: "div",
  blockquote: "blockquote",
  thematicBreak: "hr",
};

export abstract class MarkdownRenderer extends MarkdownRenderChild {
  /** Images and HTML are rendered and so loaded, as in the app; post-processors do not run. */
  static render(_app: App, markdown: string, el: HTMLElement): Promise<void> {
    el.insertAdjacentHTML("beforeend", wholeHtml(markdown));
    return Promise.resolve();
  }
}

/** Reading mode: each section of the note in an element of its own. */
export class MarkdownPreviewView extends MarkdownRenderer {
  readonly #owner: Owner;
  readonly #previewEl: HTMLElement;
  readonly #sizerEl: HTMLElement;
  #sections: Section[] = [];
  #shown: string | undefined;
  /** Resolves when the latest text is rendered and every post-processor has run. */
  rendered: Promise<void> = Promise.resolve();

  constructor(owner: Owner, containerEl: HTMLElement) {
    super(containerEl);
    this.#owner = owner;
    this.#previewEl = containerEl.createDiv(
      "markdown-preview-view markdown-rendered node-insert-event",
    );
    this.#previewEl.tabIndex = -1;
    this.#sizerEl = this.#previewEl.createDiv("markdown-preview-sizer markdown-preview-section");
  }

  get app(): App {
    return this.#owner.app;
  }

  get file(): TFile | null {
    return this.#owner.file;
  }

  /** Hidden previews are not rendered. */
  set(data: string): void {
    if (this.containerEl.style.display === "none" || data === this.#shown) return;
    this.rendered = this.rendered.then(() => this.#render(data));
  }

  async #render(text: string): Promise<void> {
    if (text === this.#shown) return;
    this.#shown = text;
    const old = new Map(this.#sections.map((section) => [section.html, section]));
    const fresh: Section[] = [];
    this.#sections = sectionsOf(text).map(({ type, position }) => {
      const source = text.slice(position.start.offset, position.end.offset);
      const html = sectionHtml(type, source);
      const [lineStart, lineEnd] = [position.start.line, position.end.line];
      const kept = old.get(html);
      // An unchanged section stays in the document, though its lines may have moved.
      if (kept !== undefined && old.delete(html))
        return Object.assign(kept, { lineStart, lineEnd });
      const el = createDiv(
        `el-${type === "heading" ? `h${/^#*/.exec(source)?.[0].length ?? 1}` : (tags[type] ?? type)}`,
      );
      el.innerHTML = html;
      const section = { el, html, lineStart, lineEnd };
      fresh.push(section);
      return section;
    });
    this.#sizerEl.replaceChildren(...this.#sections.map(({ el }) => el));
    for (const { el } of fresh) await process(el, this.#context());
  }

  #context(): ProcessorContext {
    const path = this.file?.path ?? "";
    return {
      docId: path,
      sourcePath: path,
      frontmatter: this.file && this.app.metadataCache.getFileCache(this.file)?.frontmatter,
      getSectionInfo: (el) => this.#sectionInfo(el),
    };
  }

  #sectionInfo(el: HTMLElement): SectionInfo | null {
    const section = this.#sections.find((each) => each.el.contains(el));
    if (section === undefined || this.#shown === undefined) return null;
    return { text: this.#shown, lineStart: section.lineStart, lineEnd: section.lineEnd };
  }
}

export const MarkdownPreviewRenderer = {
  registerPostProcessor: addProcessor,
  unregisterPostProcessor: removeProcessor,
};
