import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { askForChange, openTrace, runCommand, savedBy } from "./actions.ts";
import { openLive } from "./live-fixture.ts";
import { expectToFit, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const COMMAND = "replay against the editor";

/** A trace of the page: its agent lists the tools, asks for diagnostics, and sends a diff. */
async function recordTrace({ accepts = false } = {}): Promise<string> {
  const page = await site.connected();
  await askForChange(page);
  if (accepts) {
    await page.getByRole("button", { name: "Accept" }).first().click();
    await page.getByText("Wrote README.md").waitFor();
  }
  await page.getByTestId("share").click();
  return savedBy(page, () => page.getByTestId("save-jsonl").click());
}

/** A page with a trace and the dialog that replays it. */
async function openToReplay(trace: string): Promise<Page> {
  const page = await site.page();
  await openTrace(page, "day.jsonl", trace);
  await page.getByTestId("guide").getByText("recorded trace").waitFor();
  await runCommand(page, COMMAND);
  return page;
}

async function replay(page: Page): Promise<string | null> {
  await page.getByTestId("replay").click();
  await page.getByTestId("compared").waitFor();
  return page.getByTestId("compared").textContent();
}

test("a trace replayed against the same editor has no differences, and no diff is sent", async () => {
  const page = await openToReplay(await recordTrace());
  expect(await replay(page)).toBe("They are the same: the handshake, all lists and 4 messages.");
  expect(await page.getByTestId("not-sent").textContent()).toBe(
    "openDiff: the tool may show or change something",
  );
});

test("an answer that differs from the trace is shown by the items that only one of them lists", async () => {
  const trace = await recordTrace();
  const page = await openToReplay(trace.replaceAll("closeAllDiffTabs", "closeTabs"));
  expect(await replay(page)).toContain("The lists of tools differ.");
  const comparison = page.getByTestId("comparison");
  const rows = await comparison.locator(".compared-row").allInnerTexts();
  expect(rows.map((text) => text.replace(/\s+/g, " "))).toEqual(
    expect.arrayContaining(["only A closeTabs", "only B closeAllDiffTabs"]),
  );
});

test("a diff that is sent on request stays unanswered, and its difference leads to its frame", async () => {
  const page = await openToReplay(await recordTrace({ accepts: true }));
  await page
    .getByRole("checkbox", { name: "Also send requests that show or change something" })
    .check();
  await replay(page);
  expect(await page.getByTestId("not-sent").count()).toBe(0);
  const row = page
    .getByTestId("comparison")
    .locator(".compared-row.changed", { hasText: "openDiff" });
  expect(await row.textContent()).toContain("FILE_SAVED");
  await row.getByRole("button", { name: /^A \d+$/ }).click();
  await page.getByRole("heading", { name: /^Frame \d+$/ }).waitFor();
});

test("a trace without a handshake is refused with the reason", async () => {
  const frame = { t: 0, ev: "frame", ch: "c", dir: "agent>ide", raw: "{}" };
  const page = await openToReplay(`{"idewire":"trace/1"}\n${JSON.stringify(frame)}`);
  const dialog = page.getByRole("dialog", { name: "Replay against the editor" });
  await dialog.getByText("no connection that begins with its handshake").waitFor();
  expect(await page.getByTestId("replay").count()).toBe(0);
});

test("a page with an editor behind it shows the command that replays a trace there", async () => {
  const { page } = await openLive(site);
  await runCommand(page, COMMAND);
  const dialog = page.getByRole("dialog", { name: "Replay against the editor" });
  await dialog.getByText("idewire trace replay idewire-trace.jsonl").waitFor();
  expect(await dialog.getByRole("button", { name: /^Copy idewire trace replay/ }).count()).toBe(1);
});

test("axe finds nothing in the differences, and nothing overflows, in both themes and on a phone", async () => {
  const trace = await recordTrace();
  const page = await openToReplay(trace.replaceAll("closeAllDiffTabs", "closeTabs"));
  await replay(page);
  for (const name of ["light", "dark", "phone", "phone, dark"] as const) {
    await lookAs(page, looks[name]);
    await expectToFit(page, name);
    expect(await axeComplaints(page), name).toEqual([]);
  }
});
