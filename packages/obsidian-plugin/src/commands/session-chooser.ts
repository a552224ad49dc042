import type { IdeSession } from "@idewire/core";
import { type App, type FuzzyMatch, FuzzySuggestModal } from "obsidian";
import { agentName } from "../connection/agent-name.ts";
import type { Texts } from "../texts/index.ts";

type Choice = IdeSession | "all";

/** Asks which of several agents is meant; undefined when the person closes the question. */
export function chooseSession(
  app: App,
  sessions: readonly IdeSession[],
  texts: Texts,
): Promise<Choice | undefined> {
  return new Promise((resolve) => {
    const modal = new SessionChooser(app, sessions, { texts, resolve });
    modal.setPlaceholder(texts("send.choose"));
    modal.open();
  });
}

interface Answer {
  readonly texts: Texts;
  readonly resolve: (choice: Choice | undefined) => void;
}

class SessionChooser extends FuzzySuggestModal<Choice> {
  readonly #sessions: readonly IdeSession[];
  readonly #answer: Answer;

  constructor(app: App, sessions: readonly IdeSession[], answer: Answer) {
    super(app);
    this.#sessions = sessions;
    this.#answer = answer;
  }

  override getItems(): Choice[] {
    return [...this.#sessions, "all"];
  }

  override getItemText(choice: Choice): string {
    if (choice === "all") return this.#answer.texts("send.everyone");
    const { pid } = choice;
    return pid === undefined ? agentName(choice) : `${agentName(choice)} (${pid})`;
  }

  override onChooseItem(choice: Choice): void {
    this.#answer.resolve(choice);
  }

  // Obsidian closes it before it tells of the choice.
  override selectSuggestion(value: FuzzyMatch<Choice>, event: MouseEvent | KeyboardEvent): void {
    this.#answer.resolve(value.item);
    super.selectSuggestion(value, event);
  }

  override onClose(): void {
    super.onClose();
    this.#answer.resolve(undefined);
  }
}
