import { expect, test } from "vitest";
import { expectToFit, looks } from "./looks.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite();

test("the lessons lead through select, mention, ask and accept; each shows on the wire [playground:1:first-30-seconds playground:1:editor]", async () => {
  const page = await site.page();
  const guide = page.getByTestId("guide");
  const row = (text: string) => page.getByRole("row", { name: text }).first();
  await row("initialize").waitFor();
  await guide.getByText("Now select some text").waitFor();

  await page.getByLabel("Text of README.md").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await row("selection_changed").waitFor();
  await guide.getByText("press “Mention”").waitFor();

  await page.getByTestId("mention").click();
  await row("at_mentioned").waitFor();
  await guide.getByText("press “Ask for a change”").waitFor();

  await page.getByTestId("ask").click();
  await page.getByTestId("review").waitFor();
  await guide.getByText("The agent waits for your answer").waitFor();
  const frames = page.getByRole("grid", { name: "Frames" });
  await frames.getByText("waiting", { exact: true }).waitFor();

  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await guide.getByText("You have seen the whole protocol").waitFor();
  await page.getByText("Wrote README.md").waitFor();
  await page.getByLabel("Text of README.md").getByText("how much").waitFor();
});

test("the accepted text is that on the screen: hunks rejected and words changed [playground:1:review]", async () => {
  const page = await site.page();
  await page.getByRole("button", { name: "watering.ts" }).click();
  await page.getByTestId("ask").click();
  const review = page.getByTestId("review");
  await review.getByLabel("Proposed text").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// checked by a person");
  await review.getByRole("button", { name: "Accept" }).first().click();
  await page.getByText("as you edited it").waitFor();
  await page.getByLabel("Text of src/watering.ts").getByText("// checked by a person").waitFor();
});

test("an answer in the terminal closes the diff in the editor [playground:1:terminal]", async () => {
  const page = await site.page();
  await page.getByTestId("ask").click();
  await page.getByTestId("review").waitFor();
  await page.getByRole("button", { name: "here in the terminal" }).click();
  await page.getByRole("button", { name: "No", exact: true }).click();
  await page.getByTestId("review").waitFor({ state: "detached" });
  await page.getByText("You rejected the change").waitFor();
});

test("the agent can disconnect and connect again [playground:1:agent]", async () => {
  const page = await site.page();
  const session = page.getByTestId("session");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await session.and(page.locator("[data-status=closed]")).waitFor();
  const before = await framesOf(page);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await session.and(page.locator("[data-status=connected]")).waitFor();
  await expect.poll(() => framesOf(page)).toBeGreaterThan(before);
});

test("on a phone each pane is one tap away, and nothing overflows the screen [playground:built:phone]", async () => {
  const page = await site.page(looks.phone);
  for (const [id, pane] of [
    ["agent", "Agent"],
    ["wire", /^Wire/],
    ["frame", "Frame"],
    ["editor", "Editor"],
  ] as const) {
    await page
      .getByRole("navigation", { name: "Panes" })
      .getByRole("button", { name: pane })
      .click();
    await page.locator(`[data-pane=${id}]`).waitFor();
    await expectToFit(page, id);
  }
});
