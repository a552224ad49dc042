import { setIcon } from "obsidian";

export interface ButtonOptions {
  readonly text?: string;
  readonly icon?: string;
  /** For screen readers and the tooltip; defaults to the text. */
  readonly label?: string;
  readonly cls?: string;
  readonly onclick: (button: HTMLButtonElement) => void;
}

/** Adds a button that is reachable by Tab and pressed by Enter and Space. */
export function addButton(parent: HTMLElement, options: ButtonOptions): HTMLButtonElement {
  const { text, icon, label, cls, onclick } = options;
  const button = parent.createEl("button", {
    attr: { type: "button", ...(label !== undefined && { "aria-label": label }) },
    ...(cls !== undefined && { cls }),
  });
  if (icon !== undefined) setIcon(button.createSpan({ cls: "idewire-icon" }), icon);
  if (text !== undefined) button.createSpan({ text });
  button.addEventListener("click", () => onclick(button));
  return button;
}

/** Adds a button that shows only an icon. */
export function addIconButton(
  parent: HTMLElement,
  options: Required<Pick<ButtonOptions, "icon" | "label" | "onclick">>,
): HTMLButtonElement {
  return addButton(parent, { ...options, cls: "clickable-icon" });
}
