interface TooltipOptions {
  readonly placement?: string;
  readonly classes?: readonly string[];
}

export function setTooltip(el: HTMLElement, tooltip: string, options: TooltipOptions = {}): void {
  if (tooltip === "") el.removeAttribute("aria-label");
  else el.setAttribute("aria-label", tooltip);
  if (options.placement !== undefined) el.dataset["tooltipPosition"] = options.placement;
}
