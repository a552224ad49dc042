import { Notice } from "obsidian";
import { texts } from "../texts/index.ts";

/** Shows how to connect an agent in three steps; stays until dismissed or hidden by its caller. */
export function showFirstSteps(copyCommand: () => void): Notice {
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
  const copy = buttons.createEl("button", { text: texts.first.copy, cls: "mod-cta" });
  copy.addEventListener("click", (event) => {
    // A click anywhere else dismisses the notice.
    event.stopPropagation();
    copyCommand();
  });
  buttons.createEl("button", { text: texts.first.done });
  return notice;
}
