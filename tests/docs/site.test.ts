import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sidebar } from "../../docs/.vitepress/menu.mjs";
import { findDeadPlaces } from "../../docs/scripts/anchors.mjs";
import { addressOf, elsewhere } from "../../docs/scripts/tree.mjs";
import { markdownFiles } from "../src/markdown-links.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

// The site without its build, which tests/docs/site.slow.test.ts runs.

const root = fileURLToPath(new URL("../../", import.meta.url));

test("every page of the site is in its menu, once", () => {
  const linked = Object.values(sidebar())
    .flat()
    .flatMap(({ items = [] }) => items.map(({ link }) => link))
    .sort();
  const own = markdownFiles(join(root, "docs")).map((file) => relative(root, file));
  const files = [...own, ...Object.keys(elsewhere)].map((file) => file.replaceAll("\\", "/"));
  const pages = files.map((file) => addressOf(file, ""));
  expect(new Set(linked).size).toBe(linked.length);
  const unlisted = ["/", "/playground.html"];
  expect(pages.filter((page) => !linked.includes(page)).sort()).toEqual(unlisted);
});

test("the title of each group is a link, since a button must not contain the one that opens the group", () => {
  const groups = Object.values(sidebar()).flat();
  expect(groups.length).toBeGreaterThan(8);
  for (const { text, link, items = [] } of groups) expect(link, text).toBe(items[0]?.link);
});

test("a link leads to the page that shows the file, or else to the file on GitHub", () => {
  const from = "docs/start/README.md";
  expect(addressOf("../guide/mcp.md#logging-in", from)).toBe("/guide/mcp.html#logging-in");
  expect(addressOf("../../packages/core", from)).toBe("/api/core/");
  expect(addressOf("../../packages/cli/README.md#plugins-of-editors", from)).toBe(
    "/api/cli/#plugins-of-editors",
  );
  expect(addressOf("../reference/protocol", from)).toBe("/reference/protocol/");
  expect(addressOf("../../examples/custom-ide/custom-ide.ts", from)).toMatch(
    /^https:\/\/github\.com\/[^/]+\/idewire\/blob\/main\/examples\/custom-ide\/custom-ide\.ts$/,
  );
  expect(addressOf("https://example.com/x.md", from)).toBe("https://example.com/x.md");
  expect(addressOf("#try-it", from)).toBe("#try-it");
});

test("dead links of a built site are found, and nothing else", () => {
  const site = temporaryFolder("idewire-site-");
  mkdirSync(join(site, "guide"));
  writeFileSync(join(site, "icon.svg"), "<svg/>");
  const good = ["/base/", "/base/guide/mcp", "mcp.html#here", "#here", "/base/icon.svg"];
  const bad = ["/base/none.html", "mcp.html#there", "/guide/mcp.html"];
  const links = [...good, ...bad, "https://example.com/"].map((link) => `<a href="${link}">x</a>`);
  writeFileSync(join(site, "index.html"), "");
  writeFileSync(join(site, "guide/mcp.html"), `<h2 id="here">x</h2>${links.join("")}`);
  expect(findDeadPlaces(site, "/base/")).toEqual([
    "guide/mcp.html: /base/none.html is no page",
    "guide/mcp.html: mcp.html#there names a missing heading",
    "guide/mcp.html: /guide/mcp.html is outside the site",
  ]);
});
