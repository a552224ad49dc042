interface TooltipOptions {
  readonly placement?: string;
  readonly classes?: readonly string[];
}

export function setTooltip(el: HTMLElement, tooltip: string, options: TooltipOptions = {}): void {
  if (tooltip === "") el.removeAttribute("aria-label");
  else el.setAttribute("aria-label", tooltip);
  if (options.placement !== undefined) el.dataset["tooltipPosition"] = options.placement;
}

export function displayTooltip(
  el: HTMLElement,
  content: string | DocumentFragment,
  options: TooltipOptions = {},
): void {
  el.doc.querySelector("body > .tooltip")?.remove();
  const tooltip = el.doc.body.createDiv({ cls: ["tooltip", ...(options.classes ?? [])] });
  tooltip.setText(content);
  const { left, bottom } = el.getBoundingClientRect();
  tooltip.setCssStyles({ left: `${left}px`, top: `${bottom + 4}px` });
  el.addEventListener("mouseleave", () => tooltip.remove(), { once: true });
}
