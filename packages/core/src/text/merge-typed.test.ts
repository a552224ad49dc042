import { expect, test } from "vitest";
import { mergeTyped } from "./merge-typed.ts";

const BASE = "one\ntwo\nthree\n";

test.each([
  ["above the other change", "zero\none\ntwo\nthree\n", "one\ntwo\n3\n", "zero\none\ntwo\n3\n"],
  ["below it", "one\ntwo\nthree\nfour\n", "1\ntwo\nthree\n", "1\ntwo\nthree\nfour\n"],
  [
    "at the same place",
    "one\ntwo, mine\nthree\n",
    "one\ntwo: theirs\nthree\n",
    "one\ntwo, mine: theirs\nthree\n",
  ],
  ["in lines that the other deleted", "one\ntw-o\nthree\n", "one\n", "one\n-"],
  [
    "and the same typing continued",
    "one\ntwo, mine\nthree\n",
    "one\ntwo, m\nthree\n",
    "one\ntwo, mine\nthree\n",
  ],
  ["and the same", "one\n", "one\n", "one\n"],
])("a change %s is combined with it: no insertion is lost", (_, own, other, both) => {
  expect(mergeTyped(BASE, own, other)).toBe(both);
});

test("without a change of the other, or of one's own, the newer text remains", () => {
  expect(mergeTyped(BASE, "own", BASE)).toBe("own");
  expect(mergeTyped(BASE, BASE, "other")).toBe("other");
});
