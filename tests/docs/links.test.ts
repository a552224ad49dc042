import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countLinks, findBrokenLinks, markdownFiles } from "../src/markdown-links.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Sample workspaces, whose broken links are intended. */
const samples = ["examples/vault/", "packages/web-playground/sample/"];

const pages = markdownFiles(root).filter(
  (page) => !samples.some((sample) => relative(root, page).startsWith(sample)),
);

test("every relative link of every page leads to an existing file and heading", () => {
  expect(pages.flatMap((page) => findBrokenLinks(page, root))).toEqual([]);
});

test.each(["neovim", "emacs"])("each picture of a review in %s is in its README", (editor) => {
  const folder = join(root, "editors", editor);
  const text = readFileSync(join(folder, "README.md"), "utf8");
  const shown = [...text.matchAll(/!\[[^\]]+\]\(images\/([^)]+)\)/g)].map(([, name]) => name);
  expect(shown.sort()).toEqual(readdirSync(join(folder, "images")).sort());
});

test("there are links to check", () => {
  expect(pages.map((page) => relative(root, page))).toContain("docs/reference/protocol/README.md");
  expect(pages.reduce((sum, page) => sum + countLinks(page), 0)).toBeGreaterThan(100);
});

test("broken links are found, and nothing else", () => {
  const folder = temporaryFolder("idewire-links-");
  const page = join(folder, "page.md");
  const good = [
    "# One `two`, three!",
    "## Again\n## Again",
    "[a](#one-two-three) [b](page.md#again-1) [c](https://example.org/x) [d](./) `[e](none.md)`",
    "```md\n[f](none.md)\n# Not a heading\n```",
  ];
  writeFileSync(page, good.join("\n\n"));
  expect(findBrokenLinks(page, folder)).toEqual([]);
  const bad = [
    "[a](none.md)",
    "[b](#not-a-heading)",
    "[c](page.md#again-2)",
    "[d](http://example.org)",
    "[e](https://localhost)",
    '<a href="gone/">f</a>',
    "[g]: none/else.md",
  ];
  writeFileSync(page, [...good, ...bad].join("\n\n"));
  expect(findBrokenLinks(page, folder).length).toBe(bad.length);
});
