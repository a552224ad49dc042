import fc from "fast-check";
import { expect, test } from "vitest";
import { commentIds, isCommentId } from "./ids.ts";

test("no id is given twice, nor one that there is", () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.array(fc.nat()), (taken, times) => {
      const there = taken.map((number) => `c_${number}`);
      const sequence = commentIds(there);
      const all = [...new Set(there), ...times.map((time) => sequence.next(time))];
      return new Set(all).size === all.length && all.every(isCommentId);
    }),
  );
  expect(commentIds(["c_7"]).next(3)).toBe("c_8");
});
