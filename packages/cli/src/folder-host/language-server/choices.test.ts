import { expect, test } from "vitest";
import { matchesGlob } from "./glob.ts";
import { parseServerCommand } from "./known-servers.ts";
import { StderrTail } from "./stderr-tail.ts";

test.each([
  ["typescript-language-server --stdio", "typescript-language-server", "typescript"],
  ["npx -y yaml-language-server --stdio", "yaml-language-server", "yaml"],
  ["'/opt/my tools/gopls' serve", "gopls", "go"],
  [String.raw`"C:\tools\clangd.exe" --log=error`, "clangd", "c"],
  ["python,cython=pylsp -v", "pylsp", "python"],
  ["my-server", "my-server", undefined],
  ["http_proxy=x my-server", "http_proxy=x", undefined],
])("--lsp %s is %s, for %s", (text, name, language) => {
  const server = parseServerCommand(text);
  expect([server.name, server.languages?.[0]]).toEqual([name, language]);
});

test("named languages take precedence over known ones, and are not part of the command", () => {
  expect(parseServerCommand("vue=npx typescript-language-server --stdio")).toEqual({
    command: "npx typescript-language-server --stdio",
    name: "typescript-language-server",
    languages: ["vue"],
    options: { disableAutomaticTypingAcquisition: true },
  });
});

test.each([
  ["**/*.ts", "/a/b/c.ts", true],
  ["**/*.ts", "/c.ts", true],
  ["*.ts", "/a/c.ts", true],
  ["/a/*.ts", "/a/b/c.ts", false],
  ["/a/**/c.ts", "/a/c.ts", true],
  ["**/*.{yml,yaml}", "/x.yaml", true],
  ["**/*.{yml,yaml}", "/x.yam", false],
  ["**/?.[ch]", "/d/a.c", true],
  ["**/a{b,{c,d}}", "/ad", true],
  ["**/[!a-c].ts", "/d.ts", true],
  ["**/[!a-c].ts", "/b.ts", false],
  ["**", "/.config/x", true],
  ["/my (notes)/a|b+!/*.ts", "/my (notes)/a|b+!/c.ts", true],
  ["/notes(s|z)/*.ts", "/notess/c.ts", false],
])("the pattern %s and %s: %s", (pattern, path, matches) => {
  expect(matchesGlob(pattern, path)).toBe(matches);
});

test("no pattern takes long, however many stars, braces or brackets it has", () => {
  const before = process.cpuUsage();
  const path = `/${"a/".repeat(100)}${"a".repeat(3_000)}b`;
  for (const piece of [
    "**/*a",
    "*a",
    "**/",
    "**a",
    "{a,b}",
    "{*,a*}",
    "[a-z]*",
    "?*",
    "{{",
    "(*)+",
  ]) {
    matchesGlob(piece.repeat(Math.floor(450 / piece.length)), path);
  }
  expect(matchesGlob("**/*a".repeat(90), path)).toBe(false);
  expect(matchesGlob("{a,b}".repeat(90), path)).toBe(false);
  expect(matchesGlob("a".repeat(501), `/${"a".repeat(501)}`)).toBe(false);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
});

test("of a program's last lines, the one with the error is reported", () => {
  const words = new StderrTail();
  for (const line of [
    "starting",
    "Error: no input; use --stdio",
    "    at main (x.js:1:2)",
    "",
    "Node.js",
  ]) {
    words.add(line);
  }
  expect(words.text).toBe("Error: no input; use --stdio");
});
