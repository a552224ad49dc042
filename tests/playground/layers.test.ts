import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { copiedBy, openRow, openTab, openWithChange } from "./actions.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite();

const lines = [
  { idewire: "trace/1" },
  { t: 0, ev: "open", ch: "c" },
  { t: 1, ev: "frame", ch: "c", dir: "agent>ide", raw: '{"jsonrpc":"2.0","id":1,"method":"ping"' },
  { t: 2, ev: "frame", ch: "c", dir: "agent>ide", raw: '{"jsonrpc":"2.0","id":2,"method":"ping"}' },
  {
    ...{ t: 3, ev: "frame", ch: "c", dir: "ide>agent" },
    raw: '{"jsonrpc":"2.0","method":"selection_changed","params":{"text":null}}',
  },
];
const damaged = `#s=${deflateRawSync(lines.map((line) => JSON.stringify(line)).join("\n")).toString("base64url")}`;

test("problems are marked in the list, listed with the frame, and lead to their place [playground:2:problems]", async () => {
  const page = await site.page({ path: damaged });
  await openRow(page, /selection_changed .*problems/);
  const problems = page.getByTestId("problems");
  await problems.getByText("state.before-initialized").waitFor();
  await problems.getByRole("button", { name: "/params/text" }).click();
  await page.getByRole("tab", { name: "Tree", selected: true }).waitFor();
  await page.locator(".json .place").getByText("text:").waitFor();
});

test("the filter finds frames by the layer of their problems [playground:2:problem-filter]", async () => {
  const page = await site.page({ path: damaged });
  const filter = page.getByTestId("filter");
  await page.getByText("1 problem", { exact: true }).first().waitFor();
  for (const [value, count] of [
    ["any", 2],
    ["encoding", 1],
    ["dialect", 1],
  ] as const) {
    await filter.fill(`problem:${value}`);
    await page.getByText(`${count} of 3 frames`).waitFor();
  }
});

test("our own frames have no problems, a malformed one has [playground:2:no-problem]", async () => {
  const page = await site.page();
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  await openRow(page, "tools/list");
  await openTab(page, "Raw");
  await page.getByTestId("frame-view").getByRole("textbox").fill("no JSON");
  await page.getByTestId("resend").click();
  // Problems are computed after all preceding frames.
  await page.getByText("1 problem", { exact: true }).first().waitFor();
  await page.getByTestId("filter").fill("problem:any");
  await page.getByText(/^1 of \d+ frames$/).waitFor();
  await page.getByRole("row", { name: "malformed" }).waitFor();
});

test("the schema of a frame names its fields, their types and their source [playground:2:schema playground:2:links-in-page]", async () => {
  const page = await site.page();
  await page.getByTestId("ask").click();
  await openRow(page, "tools/call openDiff");
  await openTab(page, "Schema");
  const view = page.getByTestId("frame-view");
  await view.getByRole("heading", { name: "Arguments of openDiff" }).waitFor();
  await view.getByRole("row", { name: /new_file_contents.*string/ }).waitFor();
  const measured = view.getByRole("link", { name: "diffs: open diff arguments" });
  await measured.waitFor();
  const there = view.getByRole("link", { name: "MCP, Server / Tools" });
  expect(await there.getAttribute("href")).toMatch(/^https:\/\/modelcontextprotocol\.io\//);
  expect(await there.getAttribute("rel")).toBe("noopener noreferrer");
  const [docs] = await Promise.all([page.context().waitForEvent("page"), measured.click()]);
  await docs.locator("#opendiff:target").waitFor();
  expect(await docs.evaluate("window.opener")).toBe(null);
});

test("the sequence shows the same frames as arrows, marks pending requests, and works by keyboard [playground:2:sequence]", async () => {
  const page = await openWithChange(site);
  await openTab(page, "Sequence");
  const list = page.getByRole("listbox", { name: /^Sequence of frames/ });
  await list.getByText(/^waits \d/).waitFor();
  await list.getByText("the agent wants to change README.md").waitFor();
  await list.getByRole("option", { name: "Agent sends tools/call openDiff" }).click();
  await page.getByRole("heading", { name: /^Frame \d/ }).waitFor();
  await list.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await list.getByRole("option", { name: "the agent starts", selected: true }).waitFor();
  await expect.poll(() => framesOf(page)).toBeGreaterThan(6);
});

test("the comparison shows one act in every dialect side by side, and marks differences [playground:3:side-by-side]", async () => {
  const page = await site.page();
  await openTab(page, "Dialects");
  const jetBrains = page.getByTestId("dialect-jetbrains");
  await jetBrains.getByText('"notifications/selection_changed"').waitFor();
  await expect.poll(() => jetBrains.locator(".differs").count()).toBeGreaterThan(0);
  expect(await page.getByTestId("dialect-claude-code").locator(".differs").count()).toBe(0);
  await page.getByTestId("compared-action").selectOption("diff-closed");
  await jetBrains.getByText('"DIFF_REJECTED"').waitFor();
  await page.getByTestId("dialect-opencode").getByText("No frames.").waitFor();
});

test("a frame is copied as a test [playground:2:copy-test]", async () => {
  const page = await site.page({ path: damaged });
  await openRow(page, /selection_changed .*problems/);
  await page.getByTestId("problems").getByText("state.before-initialized").waitFor();
  const copied = await copiedBy(page, () => page.getByTestId("copy-test").click());
  expect(copied).toContain('import { ProblemIndex } from "@idewire/devtools/trace"');
  expect(copied).toContain("dialect.params at /params/text");
});
