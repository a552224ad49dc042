import { expect, test } from "vitest";
import { maskShell } from "./mask-shell.ts";

test.each([
  ["behind other characters", "-!(-*)s)", "-xxxxxs)"],
  ["beside another", "!(-*)@([Zoy]|V*))", "xxxxxxxxxxxxxxxx)"],
  ["around another", "+(a|*(b))", "xxxxxxxxx"],
])("a pattern %s becomes a word", (_, source, masked) => {
  expect(maskShell(source)).toBe(masked);
});

test("a redirection to read and write becomes another one", () => {
  expect(maskShell("exec 0<>/dev/tty")).toBe("exec 0>>/dev/tty");
});

test.each([
  ["$((0x$a))", "$((  $a))"],
  ["$((16#$a + 0x1f))", "$((   $a + 0x1f))"],
])("the base of an expansion is blank in %s", (source, masked) => {
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
