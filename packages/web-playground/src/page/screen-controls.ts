import type { Command } from "./commands.ts";

/** More would be links of one long list. */
const MAX_CONTROLS = 300;
const CONTROLS = "button, select, input[type=checkbox]";

/** Every control on the screen as a command: what the page can do, the palette can do. */
export function listControls(): readonly Command[] {
  const all = document.querySelectorAll<HTMLButtonElement | HTMLSelectElement | HTMLInputElement>(
    `#app :is(${CONTROLS}):not(:disabled, dialog *)`,
  );
  return [...all].slice(0, MAX_CONTROLS).flatMap((control) => {
    if (control instanceof HTMLSelectElement) return optionsOf(control);
    const key = control.querySelector("kbd")?.textContent;
    const name = withPlace(control, nameOf(control));
    return { name, run: () => control.click(), ...(key && { key }) };
  });
}

function optionsOf(control: HTMLSelectElement): readonly Command[] {
  const label = nameOf(control);
  return [...control.options]
    .filter(({ selected, disabled }) => !selected && !disabled)
    .map(({ value, text }) => ({
      name: `${label}: ${text}`,
      run() {
        control.value = value;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      },
    }));
}

function nameOf(control: HTMLButtonElement | HTMLSelectElement | HTMLInputElement): string {
  if (control.ariaLabel !== null) return control.ariaLabel;
  const labelled = control instanceof HTMLButtonElement ? control : control.labels?.[0];
  const copy = labelled?.cloneNode(true) as HTMLElement | undefined;
  for (const part of copy?.querySelectorAll("kbd, select, [role=img]") ?? []) part.remove();
  return copy?.textContent.trim() ?? "";
}

/** The same button may be in several panes. */
function withPlace(control: HTMLElement, name: string): string {
  const place = control.parentElement?.closest("[aria-label]")?.ariaLabel;
  return place == null ? name : `${place}: ${name}`;
}
