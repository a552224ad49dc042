import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addFault, openRow, runCommand } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite();

/** A simulation that holds frames matching a filter. */
async function holding(filter: string): Promise<Page> {
  const page = await site.connected();
  await runCommand(page, "breakpoint");
  await page.getByTestId("break-filter").fill(filter);
  await page.getByTestId("break-set").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return page;
}

test("a held call waits in transit, and reaches the editor as it was edited", async () => {
  const page = await holding("tool:openDiff kind:request");
  await page.getByTestId("ask").click();
  await page.getByTestId("held").getByText("1 frame held").waitFor();
  await page.getByRole("row", { name: /tools\/call openDiff.*held/ }).waitFor();
  expect(await page.getByTestId("review").count()).toBe(0);
  const text = page.getByTestId("held-text");
  const sent = JSON.parse(await text.inputValue());
  sent.params.arguments.new_file_contents = "edited in transit\n";
  await text.fill(JSON.stringify(sent));
  await page.getByRole("button", { name: "Release as edited" }).click();
  const review = page.getByTestId("review");
  await review.getByLabel("Proposed text").getByText("edited in transit").waitFor();
  expect(await page.getByTestId("held").count()).toBe(0);
});

test("an answer is held and dropped, and the frames behind it go on", async () => {
  const page = await holding("tool:openDiff kind:result");
  await page.getByTestId("ask").click();
  await page.getByRole("button", { name: "Accept" }).first().click();
  await page.getByTestId("held").getByText("1 frame held").waitFor();
  const before = await framesOf(page);
  await page.getByTestId("mention").click();
  await page.getByTestId("held").getByText("1 frame held, 1 behind").waitFor();
  await page.getByTestId("drop-frame").click();
  await page.getByTestId("held").waitFor({ state: "detached" });
  await expect.poll(() => framesOf(page)).toBe(before + 2);
  expect(await page.getByText("Wrote README.md").count()).toBe(0);
});

test("removing the breakpoint releases all frames, and a closed connection drops its frames", async () => {
  const page = await holding("method:tools/call");
  await page.getByTestId("ask").click();
  await page.getByTestId("held").waitFor();
  await page.getByTestId("remove-breakpoint").click();
  await page.getByTestId("review").waitFor();
  await page.getByTestId("held").waitFor({ state: "detached" });
  await runCommand(page, "restart simulation");
  await page.getByText("Connected to").waitFor();
  await runCommand(page, "breakpoint");
  await page.getByTestId("break-filter").waitFor();
  expect(await page.getByText("Held now").count()).toBe(0);
  await page.getByTestId("break-filter").fill("method:tools/call");
  await page.getByTestId("break-set").click();
  await page.getByTestId("ask").click();
  await page.getByTestId("held").waitFor();
  await runCommand(page, "agent: disconnect");
  await page.getByTestId("held").waitFor({ state: "detached" });
});

test("faults still apply to the frames that a breakpoint releases", async () => {
  const page = await holding("tool:openDiff kind:request");
  await page.getByTestId("faults").click();
  await addFault(page, "duplicate", "tool:openDiff kind:request");
  await page.keyboard.press("Escape");
  await page.getByTestId("ask").click();
  await page.getByTestId("let-go").click();
  const copies = page.getByRole("row", { name: /tools\/call openDiff.*duplicate/ });
  await expect.poll(() => copies.count()).toBe(2);
});

test("a breakpoint begins with the selected frame or a method, and reports the fault of a filter", async () => {
  const page = await site.connected();
  await openRow(page, /^\d+ .*tools\/list/);
  await runCommand(page, "breakpoint");
  expect(await page.getByTestId("break-filter").inputValue()).toBe(
    "method:tools/list kind:request",
  );
  await page.getByTestId("break-method").selectOption("method:ide_connected");
  expect(await page.getByTestId("break-filter").inputValue()).toBe("method:ide_connected");
  await page.getByTestId("break-filter").fill("kind:nonsense");
  await page.getByTestId("break-set").click();
  await page.getByRole("alert").waitFor();
});

test("held frames fit every width, and axe finds no fault", async () => {
  const page = await holding("method:tools/call");
  await page.getByTestId("ask").click();
  await page.getByTestId("held").waitFor();
  for (const name of ["light", "narrow", "phone"] as const) {
    await lookAs(page, looks[name]);
    if (name.startsWith("phone")) await runCommand(page, "go to the wire");
    await expectGoodLook(page, name);
  }
});
