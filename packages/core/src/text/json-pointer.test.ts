import { expect, test } from "vitest";
import { namesOfPointer, pointerTo } from "./json-pointer.ts";

test("a pointer leads back to its names, whatever characters they have", () => {
  const names = ["a", "", "a/b", "m~n", "~1", "~0/", "0"];
  const pointer = names.reduce(pointerTo, "");
  expect(pointer).toBe("/a//a~1b/m~0n/~01/~00~1/0");
  expect(namesOfPointer(pointer)).toEqual(names);
  expect(namesOfPointer("")).toEqual([]);
});
