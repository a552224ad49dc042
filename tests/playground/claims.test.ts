import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copiedBy, openRow, openTab, openWithChange, valuesOf } from "./actions.ts";
import { dist, useSite } from "./site.ts";

const site = useSite();

test("the handshake shows within a second of the page's own time, and five of its work [playground:1:handshake]", async () => {
  const page = await site.page({ stopped: true });
  const session = await page.context().newCDPSession(page);
  // Excludes the load of the machine.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.reload();
  await page.clock.runFor(1_000);
  await page.getByRole("row", { name: "result of initialize" }).waitFor();
  await page.locator("[data-testid=session][data-status=connected]").waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  const workS = metrics.find(({ name }) => name === "TaskDuration")?.value;
  expect(workS).toBeLessThan(5);
});

test("a row of 24 px has time to the millisecond, sender, name in its own case, duration and size [playground:2:rows]", async () => {
  const page = await openWithChange(site);
  const row = page.getByRole("row", { name: "result of tools/call getDiagnostics" });
  await expect.poll(async () => (await row.boundingBox())?.height).toBe(24);
  const cells = await row.locator(":scope > span").allInnerTexts();
  expect(cells.map((text) => text.trim())).toEqual([
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+(\.\d)?$/),
    expect.stringMatching(/^\+\d+(\.\d)?$/),
    expect.stringMatching(/^(\d\d:\d\d:\d\d\.\d{3})?$/),
    "Agent ◄ Editor",
    expect.stringMatching(/^result of tools\/call\s+getDiagnostics\s/),
    expect.stringMatching(/^\d+(\.\d)?$/),
    expect.stringMatching(/^\d+$/),
  ]);
  // Method names are case-sensitive.
  const transform = "getComputedStyle(document.querySelector('.wire-row .what')).textTransform";
  expect(await page.evaluate(transform)).toBe("none");
});

test("a frame is copied as it was sent, and as a line of a trace [playground:2:copy]", async () => {
  const page = await openWithChange(site);
  await openRow(page, "tools/call openDiff");
  const copied = (name: string): Promise<string> =>
    copiedBy(page, () => page.getByRole("button", { name }).click());
  const json = await copied("Copy JSON");
  expect(JSON.parse(json)).toMatchObject({ method: "tools/call", params: { name: "openDiff" } });
  const line = JSON.parse(await copied("Copy as trace line")) as { readonly raw: string };
  expect(line).toMatchObject({ ev: "frame", dir: "agent>ide", raw: json });
});

test("the filter completes keys, and values that occurred, while typing [playground:2:completion-in-page]", async () => {
  const page = await openWithChange(site);
  const filter = page.getByTestId("filter");
  const offered = () => valuesOf(page.locator("#filter-options option"));
  await filter.focus();
  await expect.poll(offered).toContain("method:");
  await filter.fill("dir:in tool:");
  await expect.poll(offered).toEqual(expect.arrayContaining(["dir:in tool:openDiff"]));
  await filter.fill("dir:out method:tools/call status:error duration:>500ms");
  await page.getByText(/^0 of \d+ frames$/).waitFor();
  await page.getByText("No frames match this filter.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText(/^\d+ events$/).waitFor();
});

test("each dialect names its clients, and what they do with unknown events [playground:3:clients]", async () => {
  const page = await site.page();
  await openTab(page, "Dialects");
  await page
    .getByTestId("dialect-claude-code")
    .getByText("Claude Code as it was measured")
    .waitFor();
  await page.getByTestId("dialect-opencode").getByText("calls no tool").waitFor();
  await page
    .getByTestId("dialect-claude-code-spec")
    .getByText("drops every notification that has a null")
    .waitFor();
});

test("the policy allows the page's own files and nothing else, in the folder and in the single file [playground:built:policy playground:built:no-requests]", async () => {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const single = readFileSync(join(dist, "playground.html"), "utf8");
  const policyOf = (text: string): string =>
    /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? "";
  expect(policyOf(html)).toContain("default-src 'none'");
  expect(policyOf(html)).toContain("script-src 'self'; style-src 'self'");
  expect(policyOf(single)).toMatch(/script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'$/);
  for (const text of [html, single]) {
    expect(policyOf(text)).not.toContain("unsafe");
    // The page's own regular expressions run in a worker.
    expect(policyOf(text)).toContain("worker-src 'self' blob:;");
  }
  const page = await site.connected();
  // An injected script does not run.
  const ran = await page.evaluate(`new Promise((resolve) => {
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective));
    const script = document.createElement("script");
    script.textContent = "window.owned = true";
    document.body.append(script);
  })`);
  expect(ran).toBe("script-src-elem");
  expect(await page.evaluate("window.owned")).toBe(undefined);
  // The browser reports exactly the script that it has just blocked.
  await expect.poll(() => site.complaints).toHaveLength(1);
  const received = site.complaints.splice(0);
  expect(received[0]).toContain("script-src");
});
