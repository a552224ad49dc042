import { Notice } from "obsidian";

/** Shows a notice with a button, which closes it. */
export function noticeWithAction(
  text: string,
  action: { readonly text: string; readonly run: () => void },
  durationMs?: number,
): Notice {
  const content = createFragment((fragment) => {
    fragment.createDiv({ text });
    const row = fragment.createDiv({ cls: "idewire-notice-actions" });
    const button = row.createEl("button", { text: action.text, cls: "mod-cta" });
    button.addEventListener("click", () => action.run());
  });
  return new Notice(content, durationMs);
}
