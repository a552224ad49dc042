import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { expectToFit } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The longest name that vendors accept. */
const LONG_NAME = "get_structured_contents_of_documents_in_workspace_by_query_or_id";

/** A server with thousands of tools, one with a name too long for a line and arguments named like members of Object. */
const server = `
const named = { constructor: { type: "number" }, toString: { type: "string" } };
const inputSchema = (properties) => ({ type: "object", properties });
const tools = [{ name: "x".repeat(200), inputSchema: inputSchema(named) }];
tools.push({ name: "${LONG_NAME}", inputSchema: inputSchema({}) });
for (let n = 2; n < 2_500; n += 1) tools.push({ name: "tool_" + n, inputSchema: inputSchema({}) });
const results = {
  initialize: {
    protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "many", version: "1" },
  },
  "tools/list": { tools },
  "tools/call": { content: [{ type: "text", text: "called" }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = results[method];
  const answer = result === undefined ? { error: { code: -32601, message: "unknown" } } : { result };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;

async function open() {
  const place = openWorkspace("home", "notes");
  const file = join(place.folder, "many.cjs");
  writeFileSync(file, server);
  const run = startInspect(place, ["--web", "--", process.execPath, file]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  await page.getByRole("tab", { name: "Tools 2500" }).waitFor();
  return page;
}

test("of thousands of tools some are drawn, all are searched, and more are shown on demand", async () => {
  const page = await open();
  const entries = page.locator("button.entry");
  await expect.poll(() => entries.count()).toBe(200);
  await page.getByRole("button", { name: "Show 200 more" }).click();
  await expect.poll(() => entries.count()).toBe(400);
  await page.getByTestId("search-entries").fill("tool_2499");
  await expect.poll(() => entries.count()).toBe(1);
  await entries.click();
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("called").waitFor();
});

test("a long name wraps, and fields with names of every object are empty", async () => {
  const page = await open();
  const entry = page.locator("button.entry").first();
  const overflow = () =>
    entry.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(await overflow()).toBe(0);
  await entry.click();
  expect(await page.locator("#field-constructor").inputValue()).toBe("");
  expect(await page.locator("#field-toString").inputValue()).toBe("");
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("called").waitFor();
});

test.each([1440, 320])("each tab of a server is in view in a window of %s px", async (width) => {
  const page = await open();
  await page.setViewportSize({ width, height: 640 });
  const tabs = page.getByRole("tablist", { name: "MCP server" });
  const beyond = () => tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(beyond).toBe(0);
});

test("the row of a call has the whole name of the tool in a window of 320 px", async () => {
  const page = await open();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByTestId("search-entries").fill(LONG_NAME);
  await page.locator("button.entry").first().click();
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("called").waitFor();
  await page.getByRole("button", { name: /^Wire/ }).click();
  const name = page.getByRole("row", { name: LONG_NAME }).first().locator("b");
  const cutBy = () =>
    name.evaluate((one) => {
      const boxes = [one.parentElement, one.closest("[role=row]")];
      const { right, bottom } = one.getBoundingClientRect();
      return Math.max(
        ...boxes.map((box) => right - (box?.getBoundingClientRect().right ?? 0)),
        ...boxes.map((box) => bottom - (box?.getBoundingClientRect().bottom ?? 0)),
      );
    });
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(cutBy, { message: `${width}` }).toBeLessThanOrEqual(0);
  }
});

test("at 400 % zoom the bars leave room for a tool and its form", async () => {
  const page = await open();
  await page.setViewportSize({ width: 320, height: 256 });
  await expectToFit(page, "320 px");
  const pane = page.locator(".inspect-body");
  await expect.poll(() => pane.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(200);
  await page.getByTestId("search-entries").scrollIntoViewIfNeeded();
  await page.getByTestId("search-entries").fill("tool_7");
  await page.locator("button.entry").first().click();
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("called").waitFor();
});
