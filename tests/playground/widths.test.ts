import { join } from "node:path";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { askForChange, openRow, openTab, runCommand } from "./actions.ts";
import {
  connectClient,
  openFile,
  openFixture,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { expectWholeAtAnyWidth, looks } from "./looks.ts";
import { useSite } from "./site.ts";

// Headings, tabs and buttons are whole, within reach and not covered, in a window of any width.

const site = useSite({ mayComplain: true });

/** Shows a pane, which is there beside the others in a wide window. */
async function expectWholePane(page: Page, pane: RegExp, where: string): Promise<void> {
  await page.setViewportSize(looks.phone);
  await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: pane }).click();
  await expectWholeAtAnyWidth(page, where);
}

test("in the simulation: files, comments, a review, the wire, a frame, latencies", async () => {
  const page = await site.connected();
  await page.getByTestId("comments").click();
  await page.getByTestId("comment-add").waitFor();
  await expectWholeAtAnyWidth(page, "comments");
  await page.getByTestId("comments").click();
  await page.setViewportSize(looks.light);
  await askForChange(page);
  await expectWholeAtAnyWidth(page, "a review");
  await page.setViewportSize(looks.light);
  for (const tab of ["Sequence", "Dialects", "Checks", "List"]) {
    await openTab(page, tab);
    await expectWholePane(page, /^Wire/, tab);
    await page.setViewportSize(looks.light);
  }
  await openRow(page, "openDiff");
  await expectWholePane(page, /^Frame/, "a frame");
  await page.setViewportSize(looks.light);
  await runCommand(page, "latency by tool");
  const table = page.getByTestId("latencies");
  await table.getByText("openDiff").waitFor();
  await expectWholeAtAnyWidth(page, "latencies");
  await page.setViewportSize({ width: 320, height: 760 });
  const hidden = () => table.locator("..").evaluate((one) => one.scrollWidth - one.clientWidth);
  await expect.poll(hidden).toBe(0);
});

test("while a tour plays", async () => {
  const page = await site.page({ path: "#tour=comments&play=no" });
  await page.getByTestId("step").click();
  await expectWholeAtAnyWidth(page, "tour");
});

test("in a folder: many open files, the trace, a diff outside of it that is accepted twice", async () => {
  const { place, link } = await openFixture();
  for (const name of ["beds", "watering", "harvest"]) write(place, `${name}.md`, "# A\n");
  const page = await openPage(site, link);
  await untilLive(page);
  for (const name of ["beds.md", "watering.md", "harvest.md", "notes.md"]) {
    await openFile(page, name);
  }
  const client = await connectClient(place);
  await expectWholeAtAnyWidth(page, "a file");
  client.edit(join(place.folder, "..", "outside.md"), "Outside\n");
  await page.setViewportSize(looks.light);
  await page.getByTestId("changes").getByRole("button", { name: "outside.md" }).click();
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await page.getByRole("button", { name: "Accept outside the folder" }).waitFor();
  await expectWholeAtAnyWidth(page, "a diff outside");
});

test("at an MCP server: its tools, a form, an answer", async () => {
  const server = new McpServer({ name: "beds-of-the-garden", version: "1.0.0" });
  const input = v.object({ bed: v.string(), minutes: v.number() });
  const description = "Waters a bed for some minutes, early in the morning or late in the evening";
  server.tool("water_the_beds", { description, input }, ({ bed }) => `Watered ${bed}`);
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins: [site.origin] });
  onTestFinished(() => listening.close());
  const page = await site.connected();
  await runCommand(page, "Inspector");
  await expectWholeAtAnyWidth(page, "the form of a server");
  await page.getByTestId("server-url").fill(listening.url);
  await page.getByTestId("server-url").press("Enter");
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
  await page.getByTestId("entry").locator("button.entry").first().click();
  await page.locator("#field-bed").fill("the north bed");
  await page.locator("#field-minutes").fill("5");
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("Watered the north bed").first().waitFor();
  await expectWholeAtAnyWidth(page, "an answer");
});
