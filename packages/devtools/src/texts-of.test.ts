import { expect, test } from "vitest";
import { textsOf } from "./texts-of.ts";

const said = { type: "text", text: "FILE_SAVED" };

test.each<[unknown, readonly unknown[]]>([
  [undefined, []],
  ["FILE_SAVED", []],
  [{ 0: said, length: 1 }, []],
  [[], []],
  [[said], ["FILE_SAVED"]],
  [
    [null, "x", { type: "text" }, { type: "text", text: 1 }, [said], said],
    [undefined, undefined, undefined, undefined, undefined, "FILE_SAVED"],
  ],
])("each text keeps its place: %j", (content, texts) => {
  expect(textsOf(content)).toEqual(texts);
});
