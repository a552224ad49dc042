import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { framesOf, Site } from "./site.ts";

let site: Site;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "idewire-traces-"));
  site = await Site.open();
  page = await site.page();
});
afterAll(async () => {
  expect(site.complaints).toEqual([]);
  await site.close();
  rmSync(folder, { recursive: true });
});

async function openFile(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, text);
  await page.goto(`${site.origin}/`);
  await page.getByText("Connected to").waitFor();
  await page.getByTestId("share").click();
  await page.getByTestId("open-file").setInputFiles(path);
}

function traceOf(...raws: readonly string[]): string {
  const frames = raws.map((raw, t) => ({ t, ev: "frame", ch: "c", dir: "agent>ide", raw }));
  return [{ idewire: "trace/1" }, ...frames].map((line) => JSON.stringify(line)).join("\n");
}

verifies(
  "playground:5:har",
  "a session is saved as HAR with its WebSocket messages, and opened again",
  async () => {
    await page.goto(`${site.origin}/`);
    await page.getByText("Connected to").waitFor();
    const frames = await framesOf(page);
    await page.getByTestId("share").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as HAR" }).click(),
    ]);
    const path = join(folder, "kept.har");
    await download.saveAs(path);
    const text = readFileSync(path, "utf8");
    expect(text).toContain("_webSocketMessages");
    await openFile("again.har", text);
    await page.getByTestId("guide").getByText("A recording").waitFor();
    await expect.poll(() => framesOf(page)).toBe(frames);
    await page.getByRole("option", { name: "result of tools/list" }).waitFor();
  },
);

verifies(
  ["playground:5:redaction", "playground:5:preview"],
  "before anything leaves, the page lists what is replaced, and texts of files go when asked to",
  async () => {
    await page.goto(`${site.origin}/`);
    await page.getByText("Connected to").waitFor();
    await page.getByTestId("ask").click();
    await page.getByTestId("review").waitFor();
    await page.getByTestId("share").click();
    await page.getByTestId("redactions").getByText("/home/me").first().waitFor();
    await page.getByLabel("Take out the texts").check();
    await page.getByTestId("redactions").getByText("text").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByTestId("save-jsonl").click(),
    ]);
    const path = join(folder, "redacted.jsonl");
    await download.saveAs(path);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("nobody wrote yet");
    expect(text).toContain('"openDiff\\"');
    await page.keyboard.press("Escape");
  },
);

verifies(
  "playground:bad:deep",
  "JSON that is 100,000 levels deep is listed, judged and opened as far as one asks for it",
  async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const inText = JSON.stringify({ jsonrpc: "2.0", method: "x", params: { text: deep } });
    await openFile(
      "deep.jsonl",
      traceOf(deep, `{"jsonrpc":"2.0","method":"m","params":${deep}}`, inText),
    );
    await page.getByTestId("guide").getByText("A recording").waitFor();
    for (const n of [1, 2, 3]) {
      await page.locator(`#frame-${n}`).click();
      await page.getByRole("heading", { name: `Frame ${n}` }).waitFor();
      for (const tab of ["Tree", "Raw", "Schema", "Summary"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.getByRole("tab", { name: tab, selected: true }).waitFor();
      }
      await page.locator(".sentence").waitFor();
    }
  },
);

verifies(
  "playground:bad:names",
  "markup, bidi characters and prototype keys in names of methods, tools and fields stay text",
  async () => {
    const name = "<img src=x onerror=document.title='owned'>\u202egpj.exe";
    const call = { jsonrpc: "2.0", id: "__proto__", method: "tools/call" };
    await openFile(
      "names.jsonl",
      traceOf(
        JSON.stringify({ ...call, params: { name, arguments: { constructor: name } } }),
        `{"jsonrpc":"2.0","id":"__proto__","result":{"__proto__":{"polluted":true},"content":[]}}`,
        JSON.stringify({ jsonrpc: "2.0", method: "constructor", params: { toString: name } }),
      ),
    );
    await page.getByTestId("guide").getByText("A recording").waitFor();
    for (const n of [1, 2, 3]) {
      await page.locator(`#frame-${n}`).click();
      for (const tab of ["Tree", "Schema", "Summary"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.getByRole("tab", { name: tab, selected: true }).waitFor();
      }
      await page.locator(".sentence").waitFor();
    }
    await page.locator("#frame-1 b bdi", { hasText: "gpj.exe" }).waitFor();
    expect(await page.locator("img[src=x]").count()).toBe(0);
    expect(await page.evaluate("({}).polluted")).toBe(undefined);
    expect(await page.title()).toBe("idewire playground");
    // What comes after a name that turns the direction is not turned.
    const size = page.locator("#frame-1 .num").last();
    expect(await size.textContent()).toMatch(/^\d+$/);
  },
);

verifies(
  "playground:bad:damaged",
  "a damaged file is named with what is wrong and where, and what was there before stays",
  async () => {
    for (const [name, text, words] of [
      ["empty.jsonl", "", "cannot be opened"],
      ["picture.png", "\u0089PNG\r\n\u001a\n\u0000\u0000", "cannot be opened"],
      ["cut.har", '{"log":{"entries":[', "cannot be opened"],
      ["line.jsonl", `${traceOf("{}")}\n{"t":1,"ev":"frame"}`, "cannot be opened"],
    ] as const) {
      await openFile(name, text);
      const said = page.locator(".said");
      await said.getByText(`${name} ${words}`).waitFor();
      expect((await said.textContent())?.length).toBeGreaterThan(`${name} ${words}: `.length);
      await page.keyboard.press("Escape");
      await expect.poll(() => framesOf(page)).toBe(6);
    }
  },
);
