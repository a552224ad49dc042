import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

interface FollowedLine {
  readonly name: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** A text of the commented line. */
  readonly on: string;
  /** A text of its line afterwards; null for an orphan. */
  readonly want: string | null;
  /** For a comment on several lines: texts of its last line, before and afterwards. */
  readonly end?: string;
  readonly wantEnd?: string;
  /** The status there, if it matters. */
  readonly status?: string;
}

const file = new URL("testing/cases.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as readonly FollowedLine[];

test.each(cases)(
  "a comment is on its line, or is an orphan: $name",
  async ({ file, before, after, on, want, end, wantEnd, status }) => {
    const endLine = end === undefined ? undefined : lineOf(before, end);
    const place = await follow(file, before, after, { line: lineOf(before, on), endLine });
    if (want === null) expect(place.status).toBe("orphaned");
    else expect(place).toMatchObject({ line: lineOf(after, want) });
    if (want !== null) expect(place.status).not.toBe("orphaned");
    if (wantEnd !== undefined) expect(place.endLine).toBe(lineOf(after, wantEnd));
    if (status !== undefined) expect(place.status).toBe(status);
  },
);
