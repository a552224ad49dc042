import { setIcon } from "obsidian";

export interface ButtonOptions {
  readonly text?: string;
  readonly icon?: string;
  /** What a screen reader says, and a tooltip; the text when left out. */
  readonly label?: string;
  readonly cls?: string;
  readonly onclick: (button: HTMLButtonElement) => void;
}

/** A real button: reached by Tab, pressed by Enter and Space. */
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

/** A button that is an icon. */
export function addIconButton(
  parent: HTMLElement,
  options: Required<Pick<ButtonOptions, "icon" | "label" | "onclick">>,
): HTMLButtonElement {
  return addButton(parent, { ...options, cls: "clickable-icon" });
}
