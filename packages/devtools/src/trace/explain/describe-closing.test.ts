import { expect, test } from "vitest";
import { describeClosing } from "./describe-closing.ts";

test.each([
  [{ code: 1006, reason: "exit code 3" }, "The server ended with exit code 3"],
  [{ code: 1000, reason: "exit code 0" }, "The server ended with exit code 0"],
  [{ code: 1006, reason: "ended by SIGKILL" }, "The server was ended by SIGKILL"],
  [{ code: 1006, reason: "no answer for 30 s" }, "The connection closed: no answer for 30 s"],
  [{ code: 1008, reason: "Unauthorized" }, "The connection closed: Unauthorized (code 1008)"],
  [{ code: 1006, reason: "" }, "The connection was lost"],
  [{ code: 1000, reason: "" }, "The connection closed (code 1000)"],
])("the person reads how %o came about: %s", (reason, words) => {
  expect(describeClosing(reason)).toBe(words);
});
