import { describePlace, type HunkDecision, type HunkPlace } from "@idewire/codemirror/internal";

type Titles = Readonly<Record<HunkDecision, string>>;

/** The buttons of a proposal. */
export const ANSWERS: Titles = { accept: "Accept", reject: "Reject" };

/** Of a text that is written already. */
export const AFTERWARDS: Titles = { accept: "Keep", reject: "Undo" };

/** The column between two texts, which no theme of an editor applies to. */
export function controlColumn(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .cm-mergeView { min-height: 100%; }
    .cm-merge-revert { flex: none; width: 124px; border-inline: 1px solid var(--line); }
    .cm-hunkControls { display: flex; gap: 2px; padding: 0 3px; }
    .cm-hunkControls button {
      flex: 1; font: 12px var(--sans); min-height: 24px; padding: 0 4px; color: var(--text);
      background: var(--pane); border: 1px solid var(--line); border-radius: 4px; cursor: pointer;
    }
    .cm-hunkControls button:disabled { color: var(--muted); cursor: default; }
  `);
  return sheet;
}

/** Enables or disables the buttons of all hunks that are drawn. */
export function enableButtons(root: ShadowRoot, isEnabled: boolean): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[name]")) {
    button.disabled = !isEnabled;
  }
}

/**
 * The buttons of a hunk.
 * @param isEnabled whether one that is drawn now can be pressed
 */
export function createButtons(titles: Titles, isEnabled: () => boolean) {
  return (
    place: HunkPlace,
    onpress: (decision: HunkDecision, button: HTMLElement) => void,
  ): readonly HTMLElement[] =>
    (["accept", "reject"] as const).map((decision) => {
      const button = document.createElement("button");
      const text = titles[decision];
      button.name = decision;
      button.disabled = !isEnabled();
      button.textContent = text;
      button.ariaLabel = `${text} ${describePlace(place)}`;
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => onpress(decision, button));
      return button;
    });
}
