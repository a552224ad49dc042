import type { PosixPath } from "@idewire/core";
import { showHidden } from "@idewire/core/internal";
import { type App, Modal } from "obsidian";
import { describeLines } from "../commands/note-parts.ts";
import { texts } from "../texts/index.ts";
import { formatTime } from "../texts/time.ts";
import { type SharedEntry, type SharedLog, selectedIn } from "./last-shared.ts";

export interface LastSharedParts {
  readonly log: SharedLog;
  /** The name to show for a file: its path in the vault. */
  readonly nameOf: (path: PosixPath) => string;
}

/** Shows the exact messages to agents, newest first. */
export class LastSharedModal extends Modal {
  readonly #parts: LastSharedParts;

  constructor(app: App, parts: LastSharedParts) {
    super(app);
    this.#parts = parts;
  }

  override onOpen(): void {
    const { contentEl } = this;
    const { log } = this.#parts;
    this.modalEl.addClass("idewire-last-shared");
    this.setTitle(texts.last.title);
    const { entries } = log;
    const text = entries.length === 0 ? texts.last.nothing : texts.last.note;
    contentEl.createEl("p", { text, cls: "idewire-advice" });
    for (const [index, entry] of entries.entries()) this.#renderEntry(entry, index === 0);
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  #renderEntry(entry: SharedEntry, isNewest: boolean): void {
    const details = this.contentEl.createEl("details", { cls: "idewire-shared-entry" });
    details.open = isNewest;
    const summary = details.createEl("summary");
    summary.createSpan({ text: formatTime(entry.timeMs), cls: "idewire-time" });
    summary.createSpan({ text: this.#describe(entry) });
    const text = "fact" in entry ? selectedIn(entry.fact)?.text : entry.answer;
    if (text !== undefined) details.createEl("pre", { text: showHidden(text) });
    if ("frame" in entry) this.#renderFrame(details, entry.frame);
  }

  #renderFrame(container: HTMLElement, frame: string): void {
    const more = container.createEl("details");
    more.createEl("summary", { text: texts.last.message });
    more.createEl("pre", { text: showHidden(frame), cls: "idewire-frame" });
  }

  /** Describes an entry in one line. */
  #describe(entry: SharedEntry): string {
    const { agent } = entry;
    const { nameOf } = this.#parts;
    if ("tool" in entry) return texts.last.call({ agent, tool: entry.tool });
    const { fact } = entry;
    if (fact.kind === "cleared") return texts.last.cleared(agent);
    const path = nameOf(fact.path);
    if (fact.kind === "diagnostics") return texts.last.diagnostics({ agent, path });
    const isMention = fact.kind === "mention";
    const range = isMention ? fact.lines : selectedIn(fact)?.lines;
    if (range === undefined) {
      return isMention ? texts.last.mention({ agent, path }) : texts.last.opened({ agent, path });
    }
    const lines = describeLines(range);
    return isMention
      ? texts.last.mentionLines({ agent, path, lines })
      : texts.last.selection({ agent, path, lines });
  }
}
