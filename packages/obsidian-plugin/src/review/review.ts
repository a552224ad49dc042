import type { Text } from "@codemirror/state";
import { type Draft, joinText, layOut, textOfDraft, withEnding } from "@idewire/codemirror";
import { createDraft, findHiddenChanges, type HiddenChanges } from "@idewire/codemirror/review";
import {
  countAddedHidden,
  type DiffAnswer,
  type DiffRequest,
  describeAddedHidden,
} from "@idewire/core";
import type { CurrentText } from "./current-text.ts";
import { mergeTexts } from "./text/three-way.ts";

/** One proposal that waits for the person. */
export interface Review {
  readonly id: string;
  readonly request: DiffRequest;
  /** Who proposes. */
  readonly agent: string;
  /** In the vault as Obsidian writes it, else absolute. */
  readonly name: string;
  readonly isOutside: boolean;
  /** Its place in the history. */
  readonly record: string;
  /** What it is compared with. */
  current: CurrentText;
  /** What is there now, where that is something else and the person has not dealt with it. */
  newer: CurrentText | undefined;
  /** The proposal before anyone touched it, as an editor has it. */
  readonly untouched: Text;
  /** Its last state; while it is on the screen the editor has a newer one. */
  draft: Draft;
}

/** What a proposal does, seen from the file. */
export type ChangeKind = "create" | "empty" | "change" | "none";

export function textOf(current: CurrentText): string {
  return current.kind === "text" ? current.text : "";
}

export function startDraft(request: DiffRequest, current: CurrentText): Draft {
  return createDraft(textOf(current), request.proposed);
}

export function kindOfChange({ request, current }: Review): ChangeKind {
  if (current.kind === "missing") return "create";
  if (request.proposed === textOf(current)) return "none";
  return request.proposed === "" ? "empty" : "change";
}

/**
 * What it means that the person accepts a text. The text that is there already is no change, unless
 * it is just what the agent proposed.
 */
export function answerOf({ request, current }: Review, text: string): DiffAnswer {
  const isThere = current.kind === "text" && current.text === text;
  return isThere && text !== request.proposed ? { kind: "rejected" } : { kind: "accepted", text };
}

/** A draft on top of the text that is there now. */
export interface Rebased {
  readonly draft: Draft;
  /** How many places both sides changed. */
  readonly overlaps: number;
}

/** Puts what happened in the file meanwhile into the proposal. */
export function mergeNewer(review: Review, newer: CurrentText): Rebased {
  const mine = textOfDraft(review.draft);
  const { bom, ending, odd } = layOut(mine);
  // Line endings that the agent writes its own way are no change of every line.
  const isOneStyle = ending !== undefined && odd.size === 0;
  const plain = (text: string) => {
    const laidOut = { ...layOut(text), bom: false };
    return joinText(isOneStyle ? withEnding(laidOut, ending) : laidOut);
  };
  const [base, now, proposed] = [textOf(review.current), textOf(newer), mine].map(plain);
  const merged = mergeTexts(base ?? "", now ?? "", proposed ?? "");
  const text = (bom ? "\uFEFF" : "") + merged.text;
  return { draft: createDraft(textOf(newer), text), overlaps: merged.overlaps };
}

/** The proposal as it is, compared with what is there now. */
export function compareWithNewer(review: Review, newer: CurrentText): Draft {
  return createDraft(textOf(newer), textOfDraft(review.draft));
}

/** What a proposal changes beside what a diff shows. */
export function hiddenChanges(current: CurrentText, proposed: string): HiddenChanges {
  return current.kind === "text" ? findHiddenChanges(current.text, proposed) : {};
}

/** What a proposal adds that nobody would see, in words; undefined when nothing. */
export function addedHidden({ current, request }: Review): string | undefined {
  return describeAddedHidden(countAddedHidden(textOf(current), request.proposed));
}
