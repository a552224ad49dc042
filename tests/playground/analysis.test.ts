import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { askForChange, openRow, openTrace, runCommand, savedBy } from "./actions.ts";
import { lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** A trace of two connections; the second one calls another tool. */
function twoSessions(): string {
  const frames = ["c1", "c2"].flatMap((ch, at) => [
    {
      ev: "frame",
      ch,
      dir: "agent>ide",
      raw: `{"id":1,"method":"tools/call","params":{"name":"t${at}"}}`,
    },
    { ev: "frame", ch, dir: "ide>agent", raw: '{"id":1,"result":{}}' },
  ]);
  const lines = frames.map((frame, t) => ({ t, ...frame }));
  return [{ idewire: "trace/1" }, ...lines].map((line) => JSON.stringify(line)).join("\n");
}

test("two connections of one trace are compared, and a difference leads to its frame", async () => {
  const page = await site.page();
  await openTrace(page, "two.jsonl", twoSessions());
  await page.getByTestId("guide").getByText("recorded trace").waitFor();
  await runCommand(page, "compare sessions");
  await page.getByTestId("compared").getByText("Of 2 messages, 2 differ.").waitFor();
  await page.getByTestId("compare-b").selectOption({ index: 0 });
  await page.getByTestId("compared").getByText("They are the same").waitFor();
  await page.getByTestId("compare-b").selectOption({ index: 1 });
  await page.getByRole("button", { name: "B 3" }).click();
  await page.getByRole("heading", { name: "Frame 3" }).waitFor();
});

test("a single session names the next step to compare it, and so does a broken file", async () => {
  const page = await site.connected();
  await runCommand(page, "compare sessions");
  await page.getByText("This trace has one connection.").waitFor();
  const buffer = Buffer.from("nonsense\n");
  await page
    .getByTestId("compare-file")
    .setInputFiles({ name: "x", mimeType: "text/plain", buffer });
  await page.getByText("x cannot be opened: ").waitFor();
});

test("latencies are listed with the person's apart, and lead to their frames", async () => {
  const page = await site.connected();
  await askForChange(page);
  await page.getByRole("button", { name: "Accept" }).first().click();
  await page.getByText("Wrote README.md").waitFor();
  await runCommand(page, "latency");
  const table = page.getByTestId("latencies");
  expect(await table.textContent()).toMatch(/tools\/list[\s\S]*Waiting for you[\s\S]*openDiff/);
  await table.getByRole("button", { name: "openDiff" }).click();
  await expect.poll(() => page.getByTestId("filter").inputValue()).toBe("tool:openDiff");
});

test("a frame is marked by a key, and gets a note; both are in the saved trace", async () => {
  const page = await site.connected();
  await openRow(page, /^\d+ .*tools\/list/);
  await page.keyboard.press("m");
  await page.getByTestId("note").fill("why so slow?");
  await page.getByTestId("filter").fill("is:marked");
  await expect.poll(() => page.locator(".wire-row").count()).toBe(1);
  await page.getByTestId("share").click();
  const text = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  await page.keyboard.press("Escape");
  expect(text).toContain('"mark":"why so slow?"');
  await openTrace(page, "marked.jsonl", text);
  await page.getByTestId("guide").getByText("recorded trace").waitFor();
  await page.getByRole("row", { name: /tools\/list.*marked/ }).click();
  await expect.poll(() => page.getByTestId("note").inputValue()).toBe("why so slow?");
  await page.getByRole("button", { name: "Remove the mark" }).click();
  await page.getByTestId("mark").waitFor();
});

test.each(["compare sessions", "latency", "save as a scenario"])(
  "%s has no fault that axe finds, in both themes and on a phone",
  async (command) => {
    const page = await site.connected();
    await runCommand(page, command);
    await page.getByRole("dialog").waitFor();
    for (const name of ["light", "dark", "phone"] as const) {
      await lookAs(page, looks[name]);
      expect(await axeComplaints(page, "dialog"), name).toEqual([]);
    }
  },
);

test("the events that a scenario leaves out have the numbers of the list", async () => {
  const page = await site.connected();
  await runCommand(page, "save as a scenario");
  const omissions = page.getByTestId("omissions");
  await omissions.getByText("lock file: the simulated editor has its own (event 1)").waitFor();
});

/** The parts of a dialog that overflow its padding. */
const OVERRUNS = `[...document.querySelectorAll(".dialog-body > :not(.bar)")]
  .filter((part) => part.getBoundingClientRect().right
    > part.parentElement.getBoundingClientRect().right - 14 + 0.5)
  .map((part) => part.className)`;

test.each(["keys", "inspector", "breakpoint", "latency", "save as a scenario"])(
  "no part of the dialog of %s runs over its padding, in a window of any width",
  async (command) => {
    const page = await site.connected();
    await runCommand(page, command);
    await page.getByRole("dialog").waitFor();
    for (const name of ["light", "phone"] as const) {
      await lookAs(page, looks[name]);
      expect(await page.evaluate(OVERRUNS), name).toEqual([]);
    }
  },
);
