import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { elsewhere } from "../../docs/scripts/tree.mjs";
import { findChromium } from "../../scripts/chromium.mjs";

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

/** By how much the menu in the header overflows the window. */
const OVERRUN = `Math.max(0, ...[...document.querySelectorAll(".VPNavBar .content-body > *")]
  .map((one) => one.getBoundingClientRect().right - innerWidth))`;

test("the header of the site fits a window of any width", async () => {
  const server = createServer(({ url = "" }, response) => {
    const file = site + url.replace(/^\/below\//, "").replace(/\/$/, "/index.html");
    if (!existsSync(file)) return void response.writeHead(404).end();
    const type = file.endsWith(".css") ? "text/css" : "text/html";
    response
      .writeHead(200, { "content-type": file.endsWith(".js") ? "text/javascript" : type })
      .end(readFileSync(file));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  const browser = await chromium.launch({ executablePath: findChromium() ?? "" });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/below/start/`);
  for (const width of [1440, 1120, 1000, 960, 900, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(OVERRUN), `${width} px`).toBe(0);
  }
}, 120_000);
