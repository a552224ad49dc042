import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { elsewhere } from "../../docs/scripts/tree.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const site = `${root}docs/.vitepress/dist/`;

test("the site is built below any path, with every kind of page and no dead link", () => {
  const { status, stderr } = spawnSync(process.execPath, ["docs/build.mjs"], {
    cwd: root,
    env: { ...process.env, DOCS_BASE: "/below/" },
    encoding: "utf8",
  });
  expect(stderr).not.toContain("names a missing heading");
  expect(status, stderr).toBe(0);
  const pages = [
    ...["index.html", "playground.html", "start/index.html", "guide/mcp.html"],
    ...["api/core/server/index.html", "play/index.html", "play/docs/seeds.html"],
    ...Object.values(elsewhere).map((place) => place.replace(/\.md$/, ".html")),
  ];
  expect(pages.filter((page) => !existsSync(site + page))).toEqual([]);
  const dialect = readFileSync(`${site}reference/protocol/gemini.html`, "utf8");
  expect(dialect.match(/<nav[^>]*aria-label="Dialects".*?<\/nav>/s)?.[0]).toMatch(
    /href="\/below\/reference\/protocol\/gemini\.html"[^>]*aria-current="page"/,
  );
  expect(readFileSync(`${site}api/core/server/index.html`, "utf8")).toContain('id="mcpserver"');
}, 600_000);
