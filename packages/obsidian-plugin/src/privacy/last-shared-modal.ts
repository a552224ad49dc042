import { showHidden } from "@idewire/core";
import { type App, Modal } from "obsidian";
import type { Texts } from "../texts/index.ts";
import type { SharedEntry, SharedLog } from "./last-shared.ts";

export interface LastSharedParts {
  readonly log: SharedLog;
  readonly texts: Texts;
  /** What the person calls a file: its path in the vault. */
  readonly nameOf: (path: string) => string;
}

/** Shows to the letter what agents were told, newest first. */
export class LastSharedModal extends Modal {
  readonly #log: SharedLog;
  readonly #texts: Texts;
  readonly #nameOf: LastSharedParts["nameOf"];

  constructor(app: App, { log, texts, nameOf }: LastSharedParts) {
    super(app);
    this.#log = log;
    this.#texts = texts;
    this.#nameOf = nameOf;
  }

  override onOpen(): void {
    const { contentEl } = this;
    this.modalEl.addClass("idewire-last-shared");
    this.setTitle(this.#texts("last.title"));
    const { entries } = this.#log;
    const key = entries.length === 0 ? "last.nothing" : "last.note";
    contentEl.createEl("p", { text: this.#texts(key), cls: "idewire-advice" });
    for (const [index, entry] of entries.entries()) this.#renderEntry(entry, index === 0);
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  #renderEntry(entry: SharedEntry, isNewest: boolean): void {
    const details = this.contentEl.createEl("details", { cls: "idewire-shared-entry" });
    details.open = isNewest;
    const summary = details.createEl("summary");
    const time = new Date(entry.timeMs).toLocaleTimeString();
    summary.createSpan({ text: time, cls: "idewire-time" });
    summary.createSpan({
      text: describeEntry({ ...entry, path: entry.path && this.#nameOf(entry.path) }, this.#texts),
    });
    if (entry.text !== undefined) details.createEl("pre", { text: showHidden(entry.text) });
    if (entry.kind !== "call") this.#renderFrame(details, entry.frame);
  }

  #renderFrame(container: HTMLElement, frame: string): void {
    const more = container.createEl("details");
    more.createEl("summary", { text: this.#texts("last.message") });
    more.createEl("pre", { text: showHidden(frame), cls: "idewire-frame" });
  }
}

/** One line for a list. */
function describeEntry(entry: SharedEntry, texts: Texts): string {
  const { agent, kind, lines } = entry;
  const path = entry.path ?? "";
  switch (kind) {
    case "selection":
      return lines === undefined
        ? texts("last.opened", { agent, path })
        : texts("last.selection", { agent, path, lines: describeLines(lines, texts) });
    case "mention":
      return lines === undefined
        ? texts("last.mention", { agent, path })
        : texts("last.mentionLines", { agent, path, lines: describeLines(lines, texts) });
    case "diagnostics":
      return texts("last.diagnostics", { agent, path });
    case "call":
      return texts("last.call", { agent, path });
    default:
      return texts(`last.${kind}`, { agent });
  }
}

function describeLines(
  { start, end }: { readonly start: number; readonly end: number },
  texts: Texts,
): string {
  return start === end ? texts("last.line", { start }) : texts("last.lines", { start, end });
}
