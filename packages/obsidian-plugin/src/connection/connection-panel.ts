import { setIcon } from "obsidian";
import { texts } from "../texts/index.ts";
import type { DoctorFinding } from "./doctor.ts";

/** The content of the panel, and its actions. */
export interface ConnectionPanelParts {
  /** Runs the doctor. */
  readonly check: () => Promise<readonly DoctorFinding[]>;
  readonly command: () => string;
  readonly copy: (text: string) => void;
  /** Opens a terminal that runs the command. */
  readonly openTerminal: () => void;
  readonly reconnect: () => Promise<void>;
  /** Calls the listener when the connection changes; returns the undo. */
  readonly onChange: (listener: () => void) => () => void;
}

const icons: Readonly<Record<DoctorFinding["kind"], string>> = {
  good: "check",
  hint: "info",
  warning: "triangle-alert",
  problem: "circle-x",
};

/** Shows the findings of the doctor and keeps them up to date until the returned undo is called. */
export function renderConnectionPanel(container: HTMLElement, parts: ConnectionPanelParts) {
  const { check, command, copy, openTerminal, reconnect, onChange } = parts;
  const panel = container.createDiv({ cls: "idewire-connection" });
  const list = panel.createEl("ul", { attr: { "aria-live": "polite" } });
  const row = panel.createDiv({ cls: "idewire-command" });
  row.createEl("code", { text: command() });
  const copyButton = row.createEl("button", { text: texts.connection.copy });
  copyButton.addEventListener("click", () => copy(command()));
  const buttons = panel.createDiv({ cls: "idewire-buttons" });
  const openButton = buttons.createEl("button", { text: texts.connection.open, cls: "mod-cta" });
  openButton.addEventListener("click", () => openTerminal());
  let round = 0;
  const refresh = async () => {
    round += 1;
    const mine = round;
    const findings = await check();
    // Results may arrive out of order.
    if (mine === round) renderFindings(list, findings);
  };
  const checkButton = buttons.createEl("button", { text: texts.connection.check });
  checkButton.addEventListener("click", () => void refresh());
  const reconnectButton = buttons.createEl("button", { text: texts.connection.reconnect });
  reconnectButton.addEventListener("click", () => void reconnect());
  void refresh();
  const stop = onChange(() => void refresh());
  return () => {
    round += 1;
    stop();
  };
}

function renderFindings(list: HTMLElement, findings: readonly DoctorFinding[]): void {
  list.empty();
  for (const { kind, text, advice } of findings) {
    const item = list.createEl("li", { cls: ["idewire-finding", `idewire-${kind}`] });
    setIcon(item.createSpan({ cls: "idewire-finding-icon" }), icons[kind]);
    const words = item.createDiv();
    words.createDiv({ text });
    if (advice !== undefined) words.createDiv({ text: advice, cls: "idewire-advice" });
  }
}
