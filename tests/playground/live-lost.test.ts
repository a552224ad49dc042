import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { removeFolder } from "../src/remove-folder.ts";
import { untilOpen } from "./inspector-page.ts";
import {
  connectClient,
  openFile,
  openFixture,
  openLive,
  openPage,
  startWeb,
  untilLive,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });
const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

/** The notes of the fixture, changed in two places. */
const TWO_HUNKS = "# Beds\n\nWater the tomatoes.\nAnd the peas.\n";

/** The page with a pending change and the controls that a person could use. */
async function openReview() {
  const fixture = await openFixture();
  const page = await openPage(site, fixture.link);
  await untilLive(page);
  const client = await connectClient(fixture.place);
  const edit = client.edit(join(fixture.place.folder, "notes.md"), "one\n");
  await page.getByText("1 diff to review").waitFor();
  await untilEnabled(page);
  return { ...fixture, page, client, edit };
}

async function untilLost(page: Page): Promise<void> {
  await page.locator('[data-testid=live][data-status="lost"]').waitFor({ state: "attached" });
  await page.getByTestId("guide").getByText("Not connected; retrying").waitFor();
}

function buttons(page: Page) {
  return page.locator("[data-testid=review] > .actions button");
}

async function areDisabled(page: Page): Promise<boolean[]> {
  const all = await buttons(page).all();
  return Promise.all(all.map((button) => button.isDisabled()));
}

async function untilEnabled(page: Page): Promise<void> {
  await expect.poll(() => areDisabled(page)).toEqual([false, false]);
}

async function untilDisabled(page: Page): Promise<void> {
  await expect.poll(() => areDisabled(page)).toEqual([true, true]);
}

describe("a server that has ended or is suspended is never shown as connected", () => {
  test("suspended: shown within seconds, all buttons disabled, reconnected by itself", async () => {
    const { page, serve, edit, client } = await openReview();
    await page.getByLabel("Proposed text of notes.md").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Mine.");
    serve.kill("SIGSTOP");
    await untilLost(page);
    await untilDisabled(page);
    expect(await page.getByText("1 diff to review").count()).toBe(0);
    expect(await page.getByTestId("session").textContent()).toBe("unknown");
    serve.kill("SIGCONT");
    await untilLive(page);
    await page.getByText("1 diff to review").waitFor();
    // The edited proposal is still there.
    await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
    expect((await edit.result).written).toBe("one\nMine.");
    expect(client.violations).toEqual([]);
  });

  test("suspended beyond every limit: the page connects again and gets the whole log", async () => {
    const { page, serve, edit } = await openReview();
    await page.clock.install();
    await page.clock.resume();
    serve.kill("SIGSTOP");
    await untilLost(page);
    // Time of the page alone: it gives up the connection and tries others, which the server does not accept.
    for (let step = 0; step < 30; step += 1) await page.clock.runFor(2_000);
    await untilDisabled(page);
    serve.kill("SIGCONT");
    await untilLive(page);
    await untilEnabled(page);
    await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
    expect((await edit.result).decision).toBe("rejected");
  });

  test("killed: all buttons disabled; started again without its keys, the page shows how to get a new link", async () => {
    const { page, serve, place, origin } = await openReview();
    serve.kill("SIGKILL");
    await untilLost(page);
    await untilDisabled(page);
    const { port } = new URL(origin);
    await removeFolder(join(place.env.HOME, ".local/state/idewire/pages"));
    await startWeb(place, ["--web-port", port]);
    await page.getByTestId("guide").getByText("This tab's session has expired.").waitFor();
    const command = await page.getByTestId("guide").locator("code").last().textContent();
    expect(command).toMatch(new RegExp(`^cd .* && idewire serve .* --web .*--web-port ${port}$`));
    await untilDisabled(page);
    expect(await page.getByText("1 diff to review").count()).toBe(0);
  });

  test("an open file cannot be saved, closed or mentioned without a connection", async () => {
    const { serve, page } = await openLive(site);
    await openFile(page, "notes.md");
    await page.getByLabel("Text of notes.md").click();
    await page.keyboard.type("x");
    const names = [/Mention/, "Save", "Close"];
    const pane = page.locator("[data-pane=editor]");
    const all = names.map((name) => pane.getByRole("button", { name, exact: true }));
    const states = () => Promise.all(all.map((button) => button.isDisabled()));
    await expect.poll(states).toEqual([false, false, false]);
    serve.kill("SIGKILL");
    await untilLost(page);
    await expect.poll(states).toEqual([true, true, true]);
  });
});

/** Whether these buttons can be pressed. */
async function areEnabled(page: Page, names: readonly string[]): Promise<readonly boolean[]> {
  const all = names.map((name) => page.getByRole("button", { name }).first());
  return Promise.all(all.map((button) => button.isEnabled()));
}

/** The commands that the palette offers for these words. */
async function offered(page: Page, words: string): Promise<readonly string[]> {
  await page.keyboard.press("Control+k");
  const palette = page.getByTestId("palette");
  await palette.fill(words);
  const found = await page.getByRole("dialog").getByRole("option").allTextContents();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  return found;
}

describe("a command that asks idewire cannot run without a connection, in any of its forms", () => {
  test("decisions about a written change, comments on it, and closed files", async () => {
    const { place, page, serve } = await openLive(site);
    const client = await connectClient(place);
    client.permissionMode = "acceptEdits";
    await client.edit(join(place.folder, "notes.md"), TWO_HUNKS).result;
    const change = page.getByTestId("changes").getByRole("button", { name: /notes\.md/ });
    await change.click();
    await page.getByRole("button", { name: "Comment on the selected lines" }).click();
    await page.getByTestId("line-comments").locator("textarea").fill("Why?");
    await page.getByRole("button", { name: "Add the comment" }).click();
    const all = ["Keep all", "Undo all", "Undo everything of this turn", "Send 1 comment"];
    const names = [...all, "Keep hunk 1 of 2", "Undo hunk 1 of 2"];
    const searches = ["Search in files", "Open a file", "Doctor"];
    await expect.poll(() => areEnabled(page, [...names, ...searches])).not.toContain(false);
    expect(await offered(page, "change: undo")).toHaveLength(2);
    serve.kill("SIGKILL");
    await untilLost(page);
    await expect
      .poll(() => areEnabled(page, [...names, ...searches.slice(0, 2)]))
      .not.toContain(true);
    expect(await change.isDisabled()).toBe(true);
    expect(await offered(page, "change: undo")).toEqual([]);
    expect(await offered(page, "open a file")).toEqual([]);
    // A hunk rendered again is disabled, too, and so are its keys.
    await page.getByRole("button", { name: "Side by side" }).click();
    expect(await areEnabled(page, names.slice(-2))).toEqual([false, false]);
    await page.getByLabel("Proposed text of notes.md").press("Control+Shift+Backspace");
    expect(await page.getByTestId("change-words").textContent()).toBe("");
    // Controls that only read still work.
    expect(await areEnabled(page, ["Back", "Next hunk"])).toEqual([true, true]);
  });

  test("calls to an MCP server, its lists and its roots", async () => {
    const run = startInspect(openWorkspace("home", "notes"), [
      ...["--web", "--", process.execPath, everything],
    ]);
    const page = await site.page({ url: "about:blank" });
    await page.goto(String((await run.event("inspecting"))["page"]));
    await untilOpen(page);
    await page.getByRole("button", { name: "get-sum" }).click();
    const names = ["Reconnect", "List again", "Call get-sum"];
    await expect.poll(() => areEnabled(page, names)).toEqual([true, true, true]);
    run.kill("SIGKILL");
    await page.locator('[data-testid=inspect][data-status="lost"]').waitFor();
    await expect.poll(() => areEnabled(page, names)).toEqual([false, false, false]);
    await page.getByRole("tab", { name: /^Roots/ }).click();
    expect(await areEnabled(page, ["Set the roots"])).toEqual([false]);
  });
});

describe("the page reports writes without a review, and requests without an answer", () => {
  test("a file written without a review is a notice, and a line of the transcript after a reload", async () => {
    const { place, page } = await openLive(site);
    await page.getByTestId("start").getByText("Shift+Tab").waitFor();
    const client = await connectClient(place);
    client.permissionMode = "acceptEdits";
    await client.edit(join(place.folder, "notes.md"), "one\n").result;
    const words = "notes.md was written without a review here.";
    await page.getByTestId("notice").getByText(words).waitFor();
    await page.reload();
    await untilLive(page);
    await page.getByLabel("Agent transcript").getByText(words).waitFor();
  });

  test("a request whose connection has closed is not pending: it was never answered", async () => {
    const { page, client } = await openReview();
    const row = page.getByRole("row", { name: /openDiff/ }).first();
    await row.getByText("waiting").waitFor();
    client.connection?.link?.terminate();
    await row.getByText("never answered: the connection closed").waitFor();
    await expect.poll(() => page.getByText("waiting", { exact: true }).count()).toBe(0);
  });
});

describe("a part of the page that is loaded on demand", () => {
  test("loads although the server has ended before", async () => {
    const { page, serve } = await openLive(site);
    // All chunks to prefetch: those of the dialogs import others, which are fetched later.
    const kept = `[...document.querySelectorAll("link[rel=prefetch]")].map(({ href }) => href)`;
    expect(String(await page.evaluate(kept))).toMatch(/\/dialogs-/);
    const left = `${kept}.filter((href) => performance.getEntriesByName(href).length === 0)`;
    await expect.poll(() => page.evaluate(left)).toEqual([]);
    serve.kill("SIGKILL");
    await untilLost(page);
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette").waitFor();
  });

  test("shows a message and the remedy if it cannot be loaded", async () => {
    const page = await site.page({ url: "about:blank" });
    await page.route(/\/dialogs-/, (route) => route.abort());
    await page.goto(site.origin);
    await page.getByText("Connected to").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.unroute(/\/dialogs-/);
    await page.reload();
    await page.getByText("Connected to").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});
