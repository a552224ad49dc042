import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { readPageFiles } from "../../packages/cli/src/page-server/page-files.ts";
import { PageServer } from "../../packages/cli/src/page-server/page-server.ts";
import { TicketStore } from "../../packages/cli/src/page-server/ticket-store.ts";
import { startInspect } from "../src/inspect-process.ts";
import { RawClient } from "../src/raw-client.ts";
import { copiedBy } from "./actions.ts";
import { openFixture, openLive, openPage, received, untilLive } from "./live-fixture.ts";
import { dist, framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Copies the link that carries the trace. */
async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  const link = await copiedBy(page, () => page.getByTestId("copy-link").click());
  await page.getByText("It opens the trace in any tab on this machine").waitFor();
  await page.keyboard.press("Escape");
  return link;
}

/** Opens a link whose page requests nothing from its server. */
async function openTrace(link: string): Promise<Page> {
  const page = await openPage(site, link);
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  expect(received.get(page)).toEqual([]);
  return page;
}

test("a link copied from the page of a folder carries its frames, redacted, and opens in another tab [playground:6:trace-link]", async () => {
  const { lockFile, place, token, page } = await openLive(site);
  const agent = await RawClient.ready(lockFile);
  await agent.callTool("getWorkspaceFolders", {});
  await expect.poll(() => framesOf(page)).toBeGreaterThanOrEqual(5);
  const copy = await openTrace(await copyLink(page));
  expect(await framesOf(copy)).toBe(await framesOf(page));
  await copy.getByRole("row", { name: "result of tools/call" }).first().click();
  await copy.getByRole("tab", { name: "Raw" }).click();
  const shown = await copy.locator("body").textContent();
  for (const secret of [token, place.fixture.home]) expect(shown).not.toContain(secret);
  // Reloading the original page returns to the folder.
  await page.reload();
  await untilLive(page);
});

test("so does one of an inspection [playground:6:trace-link]", async () => {
  const { place } = await openFixture();
  const run = startInspect(place, ["--web", "--as-agent"]);
  const page = await openPage(site, String((await run.event("inspecting"))["page"]));
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  const copy = await openTrace(await copyLink(page));
  await copy.getByRole("row", { name: "result of tools/list" }).waitFor();
});

/** The advice on a page that was not admitted. */
async function advice(page: Page, why: string): Promise<string> {
  const guide = page.getByTestId("guide");
  await guide.getByText(why).waitFor();
  return String(await guide.textContent());
}

test("a tab without a link, or with an expired one, shows the command for a new one [playground:6:ticket playground:6:new-link]", async () => {
  let nowMs = 0;
  for (const [kind, way, command] of [
    ["folder", "type page and press Enter", "idewire serve --web"],
    ["inspect", "press Enter", "idewire inspect --web"],
  ] as const) {
    const server = await PageServer.open({
      files: readPageFiles(kind, dist),
      tickets: new TicketStore(() => nowMs),
      onpage: () => expect.unreachable("no page is admitted"),
    });
    onTestFinished(() => server.close());
    const link = server.createLink();
    nowMs += 60_001;
    const late = await advice(await openPage(site, link), "This link is older than 60 s.");
    const bare = await openPage(site, `http://127.0.0.1:${server.port}/`);
    for (const words of [late, await advice(bare, "This tab needs a link of its own.")]) {
      expect(words).toContain(`For a new link, ${way} where`);
      expect(words).toContain(command);
    }
  }
});

test("a page that is reloaded before it was admitted needs no new link [playground:6:reload]", async () => {
  const { link } = await openFixture();
  const page = await openPage(site, "about:blank");
  let isDropping = true;
  let dropped = 0;
  await page.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer();
    // The ticket is used up, but the page never receives the answer.
    server.onMessage((data) => {
      if (isDropping) dropped += 1;
      else socket.send(data);
    });
  });
  await page.goto(link);
  await expect.poll(() => dropped).toBeGreaterThan(0);
  isDropping = false;
  await page.reload();
  await untilLive(page);
});
