import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  askForChange,
  copiedBy,
  openRow,
  openTab,
  openTrace,
  openWithChange,
  runCommand,
  savedBy,
  untilIdle,
} from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite();

test("a frame is shown in words, with its pair, its cause and JSON inside strings decoded [playground:2:words playground:2:pairing playground:2:decoded playground:2:raw]", async () => {
  const page = await openWithChange(site);
  await openRow(page, "result of tools/call getDiagnostics");
  const view = page.getByTestId("frame-view");
  await view.getByText("The editor reports one problem.").waitFor();
  await view.getByText("JSON in string").waitFor();
  await view
    .getByRole("button", { name: /^frame/ })
    .first()
    .click();
  await view.getByText("asks for the diagnostics of README.md").waitFor();
  await view.getByText("the agent wants to change README.md").waitFor();
  await openTab(page, "Raw");
  const raw = () => view.getByRole("textbox").inputValue();
  await expect.poll(raw).toContain("getDiagnostics");
  expect(JSON.parse(await raw())).toMatchObject({ method: "tools/call", jsonrpc: "2.0" });
});

test("the list is navigated by keys, with one tab stop [playground:2:list-keys]", async () => {
  const page = await openWithChange(site);
  const list = page.getByRole("grid", { name: "Frames" });
  await list.focus();
  await page.keyboard.press("Home");
  await list.and(page.locator("[aria-activedescendant]")).waitFor();
  await page.getByRole("row", { name: "lock file", selected: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("row", { name: "the agent starts", selected: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("row", { name: "shows the diff", selected: true }).waitFor();
});

test("the filter selects frames, and names its errors [playground:2:filter]", async () => {
  const page = await openWithChange(site);
  const filter = page.getByTestId("filter");
  await filter.fill("method:tools/call kind:request");
  await page.getByText(/^2 of \d+ frames$/).waitFor();
  await filter.fill("colour:red");
  await page.getByText('unknown key "colour"').waitFor();
  await filter.fill("");
  await page.getByText(/^\d+ events$/).waitFor();
});

test("an edited frame is sent, and answered [playground:2:resend]", async () => {
  const page = await openWithChange(site);
  await page.getByRole("row", { name: "tools/list", exact: false }).first().click();
  await openTab(page, "Raw");
  const raw = page.getByTestId("frame-view").getByRole("textbox");
  await raw.fill('{"jsonrpc":"2.0","id":"mine","method":"no/such"}');
  await page.getByTestId("resend").click();
  await page.getByRole("row", { name: "error of no/such" }).waitFor();
});

test("a moment of the past shows editor, diffs and transcript as they were; a simulation branches from it [playground:5:time-travel playground:5:branch]", async () => {
  const page = await openWithChange(site);
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await page.getByText("Wrote README.md").waitFor();
  const frames = await framesOf(page);
  await openRow(page, "tools/call openDiff");
  await page.getByRole("button", { name: "Go to this moment" }).click();
  await page.getByTestId("past").waitFor();
  await page.getByText("Wrote README.md").waitFor({ state: "detached" });
  await page.getByLabel("Text of README.md").getByText("nobody wrote yet").waitFor();
  await page.getByTestId("branch").click();
  await page.getByTestId("past").waitFor({ state: "detached" });
  await page.getByText("Connected to idewire playground").waitFor();
  await expect.poll(() => framesOf(page)).toBeLessThan(frames);
});

test("a trace goes into a link, redacted, and the same log comes out of it, with the same rows [playground:5:link playground:2:one-log]", async () => {
  const page = await openWithChange(site);
  const rows = (one: Page) => one.locator(".wire-row").allInnerTexts();
  const row = page.getByRole("row", { name: "tools/call openDiff" });
  await row.getByText("+1 -1").waitFor();
  const [frames, shown] = [await framesOf(page), await rows(page)];
  await page.getByTestId("share").click();
  // The simulation uses the home that redaction would insert.
  await page.getByTestId("redactions").getByText("nothing to replace").waitFor();
  const link = await copiedBy(page, () => page.getByTestId("copy-link").click());
  await page.getByText(/^Copied: a link of/).waitFor();
  const other = await site.page({ path: link.slice(link.indexOf("#s=")) });
  await other.getByTestId("guide").getByText("A recorded trace").waitFor();
  await expect.poll(() => framesOf(other)).toBe(frames);
  await expect.poll(() => rows(other)).toEqual(shown);
  await other.getByText("Wants to change README.md. Waiting").waitFor();
});

test("a trace is saved as JSON Lines and opened again [playground:5:jsonl]", async () => {
  const page = await openWithChange(site);
  const frames = await framesOf(page);
  await page.getByTestId("share").click();
  const trace = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  expect(trace.split("\n")[0]).toContain('"idewire":"trace/1"');
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.reload();
  await openTrace(page, "trace.jsonl", trace);
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  await expect.poll(() => framesOf(page)).toBe(frames);
});

const link = (bytes: Buffer): string => `#s=${deflateRawSync(bytes).toString("base64url")}`;
const trace = (raw: string): Buffer =>
  Buffer.from(
    `{"idewire":"trace/1"}\n${JSON.stringify({ t: 0, ev: "frame", ch: "c", dir: "agent>ide", raw })}\n`,
  );

test.each([
  ["a word", "x".repeat(6_000_000)],
  ["a path of many names", "/home/a b".repeat(600_000)],
  ["a name with no end", `/Users/${"a ".repeat(3_000_000)}`],
])("%s of 6 MB blocks neither saving nor the page [playground:5:bounded]", async (_, word) => {
  const page = await openWithChange(site);
  const raw = JSON.stringify({ jsonrpc: "2.0", method: "word", params: { text: word } });
  await openTrace(page, "long.jsonl", trace(raw).toString());
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  await page.getByTestId("share").click();
  const save = page.getByTestId("save-jsonl");
  await expect.poll(() => save.isEnabled()).toBe(true);
  const saved = await savedBy(page, () => save.click());
  expect(saved).toContain('"method\\":\\"word\\"');
});

const faults = (text: string): string => `#f=${encodeURIComponent(text)}`;

test.each([
  ["a bomb", link(Buffer.alloc(64_000_000)), "unpacks to more than 16 MB"],
  ["an incomplete link", link(trace("{}")).slice(0, 63), "damaged"],
  ["a fragment that is not base64url", "#s=***", "not base64url"],
  ["a fragment that is no trace", link(Buffer.from("hello")), "not JSON"],
  ["an incomplete link with faults", faults("{"), "not JSON"],
  [
    "a fault with an unknown filter",
    faults('{"seed":1,"rules":[{"match":"colour:red","fault":{"kind":"drop"}}]}'),
    "unknown key",
  ],
  [
    "a fault of no kind",
    faults('{"seed":1,"rules":[{"match":"","fault":{"kind":"__proto__"}}]}'),
    'in "fault" in item 1',
  ],
  ["a tour that does not exist", "#tour=nothing", "There is no tour called nothing."],
])(
  "%s is refused with a message, and the page works [playground:bad:links playground:5:bounded playground:4:damaged-link playground:bad:unknown-tour]",
  async (_, path, words) => {
    const page = await site.page({ path });
    await page.getByTestId("guide").getByText(words).waitFor();
    await askForChange(page);
  },
);

test("markup, bidi and prototype keys in a trace are shown as text and do nothing [playground:bad:markup]", async () => {
  const hostile = JSON.stringify({
    method: "<img src=x onerror=document.title='owned'>",
    params: { "\u202egpj.exe": "<script>document.title='owned'</script>", __proto__: { a: 1 } },
  });
  const page = await site.page({ path: link(trace(hostile)) });
  await openRow(page, "<img src=x");
  await page.getByTestId("frame-view").getByText("<script>").waitFor();
  expect(await page.title()).toBe("idewire playground");
});

test("the palette finds actions by name [playground:built:palette]", async () => {
  const page = await site.connected();
  await untilIdle(page);
  await runCommand(page, "tour diff rej");
  await page.getByRole("button", { name: "Tour: Diff rejected" }).waitFor();
});
