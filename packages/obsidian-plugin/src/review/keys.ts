import {
  keyOf,
  printKey,
  type ReviewKey,
  reviewKeys,
} from "@idewire/codemirror/internal/review-keys";
import { texts } from "../texts/index.ts";

/** The action of a pressed key; undefined if it is not a key of the review. */
export function findReviewKey(event: KeyboardEvent, isMac: boolean): ReviewKey | undefined {
  const pressed = keyOf(event, isMac);
  return entries(isMac).find(([, keys]) => keys.includes(pressed))?.[0];
}

/** A key as displayed: `Ctrl+Shift+Enter`; the first of those that the action has. */
export function printReviewKey(name: ReviewKey, isMac: boolean): string {
  return printKey(reviewKeys(isMac)[name][0], isMac);
}

/** Every action with its keys as displayed, and its description. */
export function listReviewKeys(isMac: boolean): readonly {
  readonly name: ReviewKey;
  readonly keys: readonly string[];
  readonly does: string;
}[] {
  return entries(isMac).map(([name, keys]) => ({
    name,
    keys: keys.map((key) => printKey(key, isMac)),
    does: texts.review.key[name],
  }));
}

function entries(isMac: boolean) {
  return Object.entries(reviewKeys(isMac)) as [ReviewKey, readonly string[]][];
}
