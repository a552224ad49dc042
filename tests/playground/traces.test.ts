import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTab, openTrace, savedBy } from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite();

/** The page after all frames of its first session. */
async function openPage(): Promise<Page> {
  const page = await site.page();
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  return page;
}

async function openWith(name: string, content: string): Promise<Page> {
  const page = await openPage();
  await openTrace(page, name, content);
  return page;
}

function traceOf(...raws: readonly string[]): string {
  const frames = raws.map((raw, t) => ({ t, ev: "frame", ch: "c", dir: "agent>ide", raw }));
  return [{ idewire: "trace/1" }, ...frames].map((line) => JSON.stringify(line)).join("\n");
}

test("a session is saved as HAR with its WebSocket messages, and opened again [playground:5:har]", async () => {
  const page = await openPage();
  const frames = await framesOf(page);
  await page.getByTestId("share").click();
  const har = await savedBy(page, () => page.getByRole("button", { name: "Save as HAR" }).click());
  expect(har).toContain("_webSocketMessages");
  const again = await openWith("again.har", har);
  await again.getByTestId("guide").getByText("A recorded trace").waitFor();
  await expect.poll(() => framesOf(again)).toBe(frames);
  await again.getByRole("row", { name: "result of tools/list" }).waitFor();
});

test("before saving, the page lists the replacements; file contents are removed on request [playground:5:redaction playground:5:preview]", async () => {
  const params = { filePath: "/home/ada/plan.md", text: "nobody wrote yet" };
  const frame = JSON.stringify({ jsonrpc: "2.0", method: "selection_changed", params });
  const page = await openWith("ada.jsonl", traceOf(frame));
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  await page.getByTestId("share").click();
  await page
    .getByTestId("redactions")
    .getByText(/^Home directory: \d+ replacements? \(ada\)$/)
    .first()
    .waitFor();
  await page.getByLabel("Remove file contents").check();
  await page.getByTestId("redactions").getByText("File contents: ").first().waitFor();
  const text = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  expect(text).not.toContain("nobody wrote yet");
  expect(text).not.toContain("ada");
  expect(text).toContain("selection_changed");
});

test("JSON that is 100,000 levels deep is listed, checked and opened on demand [playground:bad:deep]", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const inText = JSON.stringify({ jsonrpc: "2.0", method: "x", params: { text: deep } });
  const page = await openWith(
    "deep.jsonl",
    traceOf(deep, `{"jsonrpc":"2.0","method":"m","params":${deep}}`, inText),
  );
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  for (const n of [1, 2, 3]) {
    await page.locator(`#frame-${n}`).click();
    await page.getByRole("heading", { name: `Frame ${n}` }).waitFor();
    for (const tab of ["Tree", "Raw", "Schema", "Summary"]) {
      await openTab(page, tab);
      await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    }
    await page.locator(".sentence").waitFor();
  }
});

test("markup, bidi characters and prototype keys in names of methods, tools and fields stay text [playground:bad:names]", async () => {
  const name = "<img src=x onerror=document.title='owned'>\u202egpj.exe";
  const call = { jsonrpc: "2.0", id: "__proto__", method: "tools/call" };
  const page = await openWith(
    "names.jsonl",
    traceOf(
      JSON.stringify({ ...call, params: { name, arguments: { constructor: name } } }),
      `{"jsonrpc":"2.0","id":"__proto__","result":{"__proto__":{"polluted":true},"content":[]}}`,
      JSON.stringify({ jsonrpc: "2.0", method: "constructor", params: { toString: name } }),
    ),
  );
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  for (const n of [1, 2, 3]) {
    await page.locator(`#frame-${n}`).click();
    for (const tab of ["Tree", "Schema", "Summary"]) {
      await openTab(page, tab);
      await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    }
    await page.locator(".sentence").waitFor();
  }
  await page.locator("#frame-1 b bdi", { hasText: "gpj.exe" }).waitFor();
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect(await page.evaluate("({}).polluted")).toBe(undefined);
  expect(await page.title()).toBe("idewire playground");
  // A bidirectional control in a name does not affect the text after it.
  const size = page.locator("#frame-1 .num").last();
  expect(await size.textContent()).toMatch(/^\d+$/);
});

test("a damaged file is refused with the reason, and the page stays as it was [playground:bad:damaged]", async () => {
  for (const [name, text, words] of [
    ["empty.jsonl", "", "cannot be opened"],
    ["picture.png", "\u0089PNG\r\n\u001a\n\u0000\u0000", "cannot be opened"],
    ["cut.har", '{"log":{"entries":[', "cannot be opened"],
    ["lines.jsonl", '{"idewire":"trace/1"}\n{"t":1,"ev":"frame"}', "cannot be opened"],
  ] as const) {
    const page = await openWith(name, text);
    const output = page.locator(".output");
    await output.getByText(`${name} ${words}`).waitFor();
    expect((await output.textContent())?.length).toBeGreaterThan(`${name} ${words}: `.length);
    await page.keyboard.press("Escape");
    await expect.poll(() => framesOf(page)).toBe(6);
  }
});

test("one bad line of a trace is skipped and reported with its number and reason, while the rest opens", async () => {
  const frame = '{"jsonrpc":"2.0","method":"ping","id":1}';
  const [header, ...lines] = traceOf(frame, frame).split("\n");
  const bad = '{"t":"x","ev":"open","ch":"c"}';
  const page = await openWith("mixed.jsonl", [header, lines[0], bad, lines[1]].join("\n"));
  const skipped = page.getByTestId("skipped");
  await skipped.getByText("1 line was skipped").waitFor();
  await skipped
    .getByText('Line 3: "t" must be a number of milliseconds since the start, saw "x"')
    .waitFor();
  await expect.poll(() => framesOf(page)).toBe(2);
});

test("a recorded time of day is shown, of HAR files as well", async () => {
  const messages = [{ type: "send", time: 1_790_000_000.25, opcode: 1, data: "{}" }];
  const har = { log: { entries: [{ _webSocketMessages: messages }] } };
  const page = await openWith("times.har", JSON.stringify(har));
  await page.locator(".wire-row").last().click();
  await page
    .getByTestId("frame-view")
    .getByText(/^\d\d:\d\d:20\.250$/)
    .waitFor();
});
