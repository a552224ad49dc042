/** An action of the person in a review that has keys. */
export type ReviewKey =
  | "next"
  | "previous"
  | "acceptHunk"
  | "rejectHunk"
  | "accept"
  | "reject"
  | "undo"
  | "redo";

/**
 * The keys of a review in page and plugin, in the order in which they are listed; the first key of an action is the one
 * that is shown. `Ctrl` is Ctrl or Cmd, as in `keyOf`.
 */
export function reviewKeys(
  isMac: boolean,
): Readonly<Record<ReviewKey, readonly [string, ...string[]]>> {
  // A Mac types a character by Option and a letter.
  const answer = isMac ? "Ctrl+Alt" : "Alt";
  return {
    next: ["F7"],
    previous: ["Shift+F7"],
    acceptHunk: ["Ctrl+Enter"],
    rejectHunk: ["Ctrl+Shift+Backspace"],
    accept: [`${answer}+A`, "Ctrl+Shift+Enter"],
    reject: [`${answer}+R`],
    undo: ["Ctrl+Z"],
    redo: ["Ctrl+Shift+Z"],
  };
}

const MAC_KEYS: Readonly<Record<string, string>> = { Enter: "↩", Backspace: "⌫" };

/** A key of {@link keyOf} as labelled on the keyboard of the system: `⇧⌘Z` on a Mac. */
export function printKey(key: string, isMac: boolean): string {
  const modifiers = key.split("+");
  const name = (modifiers.pop() ?? "").replace("Arrow", "");
  if (!isMac) return [...modifiers, name].join("+");
  const has = (modifier: string): boolean => modifiers.includes(modifier);
  // Browsers use Cmd and Option for their own commands.
  const control = has("Ctrl") && has("Alt");
  const signs = [
    ...[control && "⌃", has("Alt") && "⌥", has("Shift") && "⇧"],
    ...[has("Ctrl") && !control && "⌘", MAC_KEYS[name] ?? name],
  ];
  return signs.filter(Boolean).join("");
}

/** A pressed key by its name: `Alt+Shift+F9`, `M`, `?`; `Ctrl` is Ctrl or Cmd. */
export function keyOf(event: KeyboardEvent, isMac: boolean): string {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  // With Option, a Mac makes other characters of letters.
  const base = isMac && altKey ? code.replace("Key", "") : key === " " ? "Space" : key;
  const name = base.length === 1 ? base.toUpperCase() : base;
  const isCtrl = ctrlKey || metaKey;
  // The character itself already depends on Shift.
  const isShift = shiftKey && (name.length > 1 || isCtrl || altKey);
  return [isCtrl && "Ctrl", altKey && "Alt", isShift && "Shift", name].filter(Boolean).join("+");
}
