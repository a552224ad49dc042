import type { HiddenChanges } from "@idewire/core/internal/hunks";
import { texts } from "../../texts/index.ts";
import { kindOfChange, type Review } from "../review.ts";
import type { Badge } from "./toolbar.ts";

/** The special properties of a proposal, in a few words each. */
export function badgesOf(review: Review, { endings, bom }: HiddenChanges): readonly Badge[] {
  const badges: Badge[] = [];
  const kind = kindOfChange(review);
  if (kind !== "change") {
    badges.push({ text: texts.review.badge[kind], isWarning: kind === "empty" });
  }
  if (endings !== undefined) badges.push({ text: describeEndings(endings) });
  if (bom !== undefined) badges.push({ text: texts.review.badge.bom[bom] });
  if (!review.draft.result.doc.eq(review.untouched)) {
    badges.push({ text: texts.review.badge.edited });
  }
  return badges;
}

function describeEndings({ from, to, lines }: NonNullable<HiddenChanges["endings"]>): string {
  const change = texts.review.badge.endings({ from, to });
  return lines === 0 ? change : `${change} ${texts.review.badge.endingsIn(lines)}`;
}
