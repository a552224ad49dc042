import { texts } from "../texts/index.ts";

/** A key with its modifiers. */
interface KeyCombination {
  /** As in `KeyboardEvent.key`; letters in lower case. */
  readonly key: string;
  /** Ctrl, or Cmd on a Mac. */
  readonly isMod?: boolean;
  readonly isShift?: boolean;
}

/** The keys of a review; commands can have hotkeys besides. In the order in which they are listed. */
const keys = {
  next: { key: "F7" },
  previous: { key: "F7", isShift: true },
  accept: { key: "Enter", isMod: true },
  reject: { key: "Backspace", isMod: true, isShift: true },
  acceptFile: { key: "Enter", isMod: true, isShift: true },
  undo: { key: "z", isMod: true },
  redo: { key: "z", isMod: true, isShift: true },
} as const satisfies Readonly<Record<string, KeyCombination>>;

/** The action of a key in a review. */
export type ReviewKey = keyof typeof keys;

const names = Object.keys(keys) as ReviewKey[];

/** The action of a pressed key; undefined if it is not a key of the review. */
export function findReviewKey(event: KeyboardEvent): ReviewKey | undefined {
  if (event.altKey) return undefined;
  const isMod = event.ctrlKey || event.metaKey;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return names.find((name) => {
    const wanted: KeyCombination = keys[name];
    const isShift = wanted.isShift === true;
    return (
      pressed === wanted.key && isMod === (wanted.isMod === true) && event.shiftKey === isShift
    );
  });
}

/** A key as displayed: `Ctrl+Shift+Enter`. */
export function printReviewKey(name: ReviewKey, isMac: boolean): string {
  const { key, isMod, isShift }: KeyCombination = keys[name];
  const mod = isMac ? "Cmd" : "Ctrl";
  const last = key.length === 1 ? key.toUpperCase() : key;
  return [isMod && mod, isShift && "Shift", last].filter(Boolean).join("+");
}

/** Every key with its description. */
export function listReviewKeys(
  isMac: boolean,
): readonly { readonly name: ReviewKey; readonly key: string; readonly does: string }[] {
  return names.map((name) => ({
    name,
    key: printReviewKey(name, isMac),
    does: texts.review.key[name],
  }));
}
