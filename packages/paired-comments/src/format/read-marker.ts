import type { Anchor } from "../anchors/store/anchor.ts";
import { Fields } from "./fields.ts";
import { readAnchor } from "./read-anchor.ts";

/** A marker as read; it may belong to several comments. */
export interface ReadMarker {
  readonly id: string;
  readonly commentIds: readonly string[];
  readonly line: number;
  readonly endLine: number | undefined;
  readonly originalLine: number | undefined;
  readonly anchor: string | undefined;
  readonly anchorType: string | undefined;
  readonly isOrphaned: boolean | undefined;
  readonly tracking: Anchor | undefined;
  readonly unknown: Readonly<Record<string, unknown>>;
  /** The unmodified value. */
  readonly raw: unknown;
}

/** Reads a marker of any dialect. */
export function readMarker(value: unknown, path: string): ReadMarker {
  const fields = new Fields(value, path);
  const anchor = fields.text("anchor");
  const anchorType = fields.text("anchorType");
  const isOrphaned = fields.boolean("isOrphaned");
  const tracking = fields.take("tracking");
  const commentId = fields.text("commentId");
  const shared = (fields.list("commentIds") ?? []).map((id) => {
    if (typeof id === "string" || typeof id === "number") return String(id);
    throw fields.damage("commentIds", "ids", id);
  });
  return {
    id: fields.required(fields.text("id"), "id", "a string"),
    commentIds:
      commentId === undefined || shared.includes(commentId) ? shared : [commentId, ...shared],
    line: fields.required(fields.line("line"), "line", "a line number of 1 or more"),
    endLine: fields.line("endLine"),
    originalLine: fields.line("originalLine"),
    anchor,
    anchorType,
    isOrphaned,
    tracking: tracking === undefined ? undefined : readAnchor(tracking, `${path}.tracking`),
    unknown: fields.rest(),
    raw: value,
  };
}
