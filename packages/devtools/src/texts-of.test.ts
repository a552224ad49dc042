import { expect, test } from "vitest";
import { textsOf } from "./texts-of.ts";

const block = { type: "text", text: "FILE_SAVED" };

test.each<[unknown, readonly unknown[]]>([
  [undefined, []],
  ["FILE_SAVED", []],
  [{ 0: block, length: 1 }, []],
  [[], []],
  [[block], ["FILE_SAVED"]],
  [
    [null, "x", { type: "text" }, { type: "text", text: 1 }, [block], block],
    [undefined, undefined, undefined, undefined, undefined, "FILE_SAVED"],
  ],
])("each text keeps its place: %j", (content, texts) => {
  expect(textsOf(content)).toEqual(texts);
});
