import { Notice } from "obsidian";
import { texts } from "../texts/index.ts";

/** The ways to connect an agent. */
export interface FirstStepsParts {
  readonly openTerminal: () => void;
  readonly copyCommand: () => void;
}

/** Shows how to connect an agent in three steps; stays until dismissed or hidden by its caller. */
export function showFirstSteps({ openTerminal, copyCommand }: FirstStepsParts): Notice {
  const content = createFragment((fragment) => {
    fragment.createEl("strong", { text: texts.first.title });
    const steps = fragment.createEl("ol", { cls: "idewire-first-steps" });
    steps.createEl("li", { text: texts.first.one });
    steps.createEl("li", { text: texts.first.two });
    steps.createEl("li", { text: texts.first.three });
    fragment.createEl("p", { text: texts.first.privacy, cls: "idewire-advice" });
  });
  const notice = new Notice(content, 0);
  const buttons = notice.messageEl.createDiv({ cls: "idewire-buttons" });
  const add = (text: string, cls: string, run: () => void) => {
    buttons.createEl("button", { text, cls }).addEventListener("click", (event) => {
      // A click anywhere else dismisses the notice.
      event.stopPropagation();
      run();
    });
  };
  add(texts.connection.open, "mod-cta", openTerminal);
  add(texts.first.copy, "", copyCommand);
  buttons.createEl("button", { text: texts.first.done });
  return notice;
}
