import type { Diagnostic } from "@idewire/core";
import { ButtonComponent, ItemView, Keymap, Notice, type WorkspaceLeaf } from "obsidian";
import { texts } from "../texts/index.ts";
import { formatReport, type NoteFindings, type VaultReport } from "./vault-report.ts";

export const REPORT_VIEW = "idewire-report";

/** More frequent updates would be unreadable. */
const PROGRESS_MS = 100;

/** Time to spend on drawing notes in one frame. */
const FILL_MS = 8;

/** The dependencies of the view. */
export interface ReportViewParts {
  readonly run: (
    onProgress: (checked: number, total: number) => void,
    signal: AbortSignal,
  ) => Promise<VaultReport>;
  /** Called when the report is closed: cached results can be dropped. */
  readonly forget: () => void;
  /** Opens the note of a finding at its range. */
  readonly reveal: (path: string, diagnostic: Diagnostic, isNewTab: boolean) => Promise<void>;
}

/** Lists the problems of the vault by note; each line links to its range. */
export class ReportView extends ItemView {
  override icon = "list-checks";
  override navigation = false;
  readonly #parts: ReportViewParts;
  #running: AbortController | undefined;
  #report: VaultReport | undefined;

  constructor(leaf: WorkspaceLeaf, parts: ReportViewParts) {
    super(leaf);
    this.#parts = parts;
  }

  getViewType(): string {
    return REPORT_VIEW;
  }

  getDisplayText(): string {
    return texts.report.title;
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.addClass("idewire-report");
    this.#show();
  }

  protected override async onClose(): Promise<void> {
    this.#running?.abort();
    this.#report = undefined;
    this.#parts.forget();
  }

  /** Checks all notes; aborts a run that is in progress. */
  async start(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const onProgress = this.#showProgress(running);
    const report = await this.#parts.run(onProgress, running.signal);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#report = report;
    this.#show();
  }

  #showProgress(running: AbortController): (checked: number, total: number) => void {
    this.contentEl.empty();
    const box = this.contentEl.createDiv({ cls: "idewire-report-head" });
    const line = box.createDiv({ text: texts.report.running, attr: { role: "status" } });
    const bar = box.createEl("progress", { attr: { "aria-label": texts.report.running } });
    const buttons = box.createDiv({ cls: "idewire-report-buttons" });
    button(buttons, texts.report.stop, () => running.abort());
    let shownMs = 0;
    return (checked, total) => {
      const now = performance.now();
      if (now - shownMs < PROGRESS_MS && checked < total) return;
      shownMs = now;
      bar.max = total;
      bar.value = checked;
      line.setText(texts.report.progress(checked, total));
    };
  }

  #show(): void {
    const { contentEl } = this;
    contentEl.empty();
    const report = this.#report;
    const head = contentEl.createDiv({ cls: "idewire-report-head" });
    head.createDiv({
      text: report === undefined ? texts.report.none : this.#summary(report),
      attr: { role: "status" },
    });
    const buttons = head.createDiv({ cls: "idewire-report-buttons" });
    const again = report === undefined ? texts.report.start : texts.report.again;
    button(buttons, again, () => void this.start()).setCta();
    if (report === undefined) return;
    if (report.found > 0) button(buttons, texts.report.copy, () => void this.#copy(report));
    this.#showNotes(report.notes.values(), report);
  }

  /** Draws some notes per frame: thousands at once would block the window. */
  #showNotes(ahead: Iterator<NoteFindings>, report: VaultReport): void {
    if (this.#report !== report || this.#running !== undefined) return;
    const endMs = performance.now() + FILL_MS;
    while (performance.now() < endMs) {
      const next = ahead.next();
      if (next.done) return;
      this.#showNote(next.value);
    }
    this.contentEl.win.requestAnimationFrame(() => this.#showNotes(ahead, report));
  }

  #summary(report: VaultReport): string {
    const { checked, total, found, listed, counts, isStopped, excluded } = report;
    const kinds = (["error", "warning", "information", "hint"] as const)
      .filter((kind) => counts[kind] > 0)
      .map((kind) => texts.report.counted[kind](counts[kind]));
    return [
      found === 0 ? texts.report.clean(checked) : texts.report.found(checked),
      kinds.length === 0 ? "" : `${kinds.join(", ")}.`,
      isStopped ? texts.report.stopped(checked, total) : "",
      listed < found ? texts.report.cut(listed, found) : "",
      excluded > 0 ? texts.report.excluded(excluded) : "",
    ]
      .filter((part) => part !== "")
      .join(" ");
  }

  #showNote({ path, diagnostics }: NoteFindings): void {
    const note = this.contentEl.createEl("details", { cls: "idewire-report-note" });
    note.open = true;
    const summary = note.createEl("summary");
    summary.createSpan({ cls: "idewire-report-path", text: path.replace(/\.md$/, "") });
    summary.createSpan({ cls: "idewire-report-count", text: String(diagnostics.length) });
    const list = note.createEl("ul");
    for (const diagnostic of diagnostics) this.#showFinding(list, path, diagnostic);
  }

  #showFinding(list: HTMLElement, path: string, diagnostic: Diagnostic): void {
    const { severity, message, range } = diagnostic;
    const { reveal } = this.#parts;
    const link = list.createEl("li").createEl("a", { cls: "idewire-report-finding", href: "#" });
    const kind = texts.report.kind[severity];
    link.createSpan({ cls: `idewire-report-mark mod-${severity}`, attr: { "aria-label": kind } });
    link.createSpan({ cls: "idewire-report-line", text: String(range.start.line + 1) });
    link.createSpan({ text: message });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      void reveal(path, diagnostic, Keymap.isModEvent(event) !== false);
    });
  }

  async #copy(report: VaultReport): Promise<void> {
    await this.contentEl.win.navigator.clipboard.writeText(formatReport(report));
    new Notice(texts.report.copied);
  }
}

function button(parent: HTMLElement, text: string, onClick: () => void): ButtonComponent {
  return new ButtonComponent(parent).setButtonText(text).onClick(onClick);
}
