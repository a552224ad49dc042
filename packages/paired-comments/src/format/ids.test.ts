import fc from "fast-check";
import { expect, test } from "vitest";
import { commentIds, isCommentId } from "./ids.ts";

test("no id is issued twice or equals an existing one, whatever the sequence and the clock", () => {
  const given = new Set<string>();
  let count = 0;
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.array(fc.nat()), (taken, times) => {
      const there = taken.map((number) => `c_${number}`);
      const sequence = commentIds([...there, ...given]);
      const ids = times.map((time) => sequence.next(time));
      for (const id of ids) given.add(id);
      count += ids.length;
      return ids.every((id) => isCommentId(id) && !there.includes(id));
    }),
  );
  expect(given.size).toBe(count);
});

test("ids that stand for names of other programs are stable, and never shared by two", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (names) => {
      const [left, right] = [commentIds([]), commentIds([])];
      const ids = names.map((name) => left.derive(name));
      expect(names.map((name) => right.derive(name))).toEqual(ids);
      return new Set(ids).size === names.length && ids.every(isCommentId);
    }),
  );
  // The time must not be quadratic in their number.
  const sequence = commentIds([]);
  const same = Array.from({ length: 100_000 }, () => sequence.derive("x"));
  expect(new Set(same).size).toBe(100_000);
});
