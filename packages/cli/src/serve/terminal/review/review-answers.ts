import { COMMENT_ANSWER, commentAnswers } from "./change-comments.ts";
import type { HunkReview } from "./hunk-review.ts";

/** The answers, in the order of the help; letters as in `git add -p`. */
export const ANSWERS: readonly (readonly [answer: string, help: string])[] = [
  ["y", "accept this hunk"],
  ["n", "reject this hunk"],
  ["a", "accept this hunk and all after it"],
  ["d", "reject this hunk and all after it"],
  ["e", "edit the whole text in your $EDITOR, and accept the result"],
  ["j, k", "go to the next hunk or the one before; this one stays undecided"],
  ...commentAnswers(" to the agent, and reject the diff"),
  ["u", "undo the last decision"],
  ["g <n>", "go to hunk n"],
  ["/<text>", "go to the next hunk with a changed line that contains a text"],
  ["l", "show it again; type more to continue a long one"],
  ["q", "leave the review: the diff stays pending, and your decisions are dropped"],
  ["?", "this"],
];

/** A line that is an answer rather than a command. */
const ANSWER = /^(?:[ynadejkulq?]|g ?\d*|\/.*)$/s;

export function isAnswer(typed: string): boolean {
  return ANSWER.test(typed) || COMMENT_ANSWER.test(typed);
}

/**
 * The target hunk of `j`, `k`, `g`, `l` and `/`, from a given one.
 * @throws Error with a message when there is none
 */
export function placeOf(review: HunkReview, index: number, typed: string): number {
  const { length } = review.hunks;
  if (typed === "l") return index;
  if (typed === "j") return (index + 1) % length;
  if (typed === "k") return (index + length - 1) % length;
  if (typed.startsWith("/")) return findText(review, index, typed.slice(1));
  const number = Number(typed.slice(1));
  if (number >= 1 && number <= length) return number - 1;
  throw new Error(`Which hunk? From 1 to ${length}, for example: g 1`);
}

/** The next hunk without a verdict, from the first again after the last. */
export function nextUndecided({ hunks }: HunkReview, index: number): number {
  const after = hunks.findIndex(({ verdict }, place) => place > index && verdict === undefined);
  return after < 0 ? hunks.findIndex(({ verdict }) => verdict === undefined) : after;
}

function findText(review: HunkReview, index: number, text: string): number {
  if (text === "") throw new Error("Which text? For example: /TODO");
  const { hunks } = review;
  for (let step = 1; step <= hunks.length; step++) {
    const place = (index + step) % hunks.length;
    const hunk = hunks[place];
    if (hunk !== undefined && review.holds(hunk, text)) return place;
  }
  throw new Error(`No hunk changes a line with ${text}.`);
}
