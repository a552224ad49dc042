import { expect, test } from "vitest";
import { maskShell } from "./mask-shell.ts";

test.each([
  ["behind other characters", "-!(-*)s)", "-xxxxxs)"],
  ["beside another", "!(-*)@([Zoy]|V*))", "xxxxxxxxxxxxxxxx)"],
  ["around another", "+(a|*(b))", "xxxxxxxxx"],
])("a pattern %s becomes a word", (_, source, masked) => {
  expect(maskShell(source)).toBe(masked);
});

test.each([
  "a+=(b)",
  "$(f a)",
  'echo "who?(" a)',
  "b=?(\n)",
  "f() { a; }",
  `?(${"a".repeat(600)})`,
])("%j is not changed", (source) => {
  expect(maskShell(source)).toBe(source);
});
