import type { IdeSession } from "@idewire/core";
import { type App, type FuzzyMatch, FuzzySuggestModal } from "obsidian";
import { agentName } from "../connection/agent-name.ts";
import type { OpenWindow } from "../plugin-windows.ts";
import { texts } from "../texts/index.ts";

type SessionChoice = IdeSession | "all";

/** Asks which of several agents is meant; undefined if the person cancels. */
export function chooseSession(
  app: App,
  sessions: readonly IdeSession[],
  openWindow: OpenWindow,
): Promise<SessionChoice | undefined> {
  return new Promise((resolve) => {
    const modal = new SessionChooser(app, sessions, { resolve });
    modal.setPlaceholder(texts.send.choose);
    openWindow(modal);
  });
}

interface SessionChooserParts {
  readonly resolve: (choice: SessionChoice | undefined) => void;
}

class SessionChooser extends FuzzySuggestModal<SessionChoice> {
  readonly #sessions: readonly IdeSession[];
  readonly #parts: SessionChooserParts;

  constructor(app: App, sessions: readonly IdeSession[], parts: SessionChooserParts) {
    super(app);
    this.#sessions = sessions;
    this.#parts = parts;
  }

  override getItems(): SessionChoice[] {
    return [...this.#sessions, "all"];
  }

  override getItemText(choice: SessionChoice): string {
    if (choice === "all") return texts.send.everyone;
    const { pid } = choice;
    return pid === undefined ? agentName(choice) : `${agentName(choice)} (${pid})`;
  }

  override onChooseItem(choice: SessionChoice): void {
    this.#parts.resolve(choice);
  }

  // Obsidian closes the modal before it calls onChooseItem.
  override selectSuggestion(
    value: FuzzyMatch<SessionChoice>,
    event: MouseEvent | KeyboardEvent,
  ): void {
    this.#parts.resolve(value.item);
    super.selectSuggestion(value, event);
  }

  override onClose(): void {
    super.onClose();
    this.#parts.resolve(undefined);
  }
}
