import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  connectClient,
  openFile,
  openFixture,
  openLive,
  openPage,
  received,
  untilLive,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const LETTERS = "abcdefghijklmnopqrstuvwxyz".repeat(3).slice(0, 60);

test("a diff that arrives while the person types waits above the file: no letter is lost", async () => {
  const { page, place } = await openLive(site);
  const client = await connectClient(place);
  await openFile(page, "notes.md");
  const title = await page.title();
  const text = page.getByLabel("Text of notes.md");
  await text.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type(LETTERS.slice(0, 20));
  const edit = client.edit(join(place.folder, "src/deep.ts"), "export const one = 2;\n");
  const waits = page.getByTestId("reviews-wait");
  for (const letter of LETTERS.slice(20, 40)) await page.keyboard.type(letter);
  await waits.waitFor();
  await page.keyboard.type(LETTERS.slice(40));
  await text.getByText(LETTERS).waitFor();
  expect(await page.title()).toBe(`1 change waiting - ${title}`);
  await waits.getByRole("button").click();
  await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
  expect((await edit.result).decision).toBe("rejected");
  await expect.poll(() => page.title()).toBe(title);
});

test("a diff that arrives does not take the focus from a text, typed or not", async () => {
  const { page, place } = await openLive(site);
  const client = await connectClient(place);
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  client.edit(join(place.folder, "src/deep.ts"), "export const one = 2;\n");
  await page.getByTestId("reviews-wait").waitFor();
  await page.keyboard.type("Mine.");
  await page.getByLabel("Text of notes.md").getByText("Mine.").waitFor();
});

test("a diff that arrives while the page is hidden causes a system notification, once that is allowed", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, "about:blank");
  await page.addInitScript(`
    window.notified = [];
    window.Notification = class extends EventTarget {
      static permission = "default";
      static async requestPermission() { return (this.permission = "granted"); }
      constructor(title, { body }) { super(); window.notified.push(title + ": " + body); }
    };
    Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
  `);
  await page.goto(link);
  await untilLive(page);
  const client = await connectClient(place);
  const ask = async (name: string) => {
    const edit = client.edit(join(place.folder, name), "one\n");
    await page.getByTestId("review").waitFor();
    await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
    await edit.result;
    await page.getByTestId("review").waitFor({ state: "detached" });
    return page.evaluate("notified");
  };
  await page.evaluate("isAway = true");
  expect(await ask("notes.md")).toEqual([]);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByTestId("palette").fill("Notify me");
  await page.keyboard.press("Enter");
  await page.waitForFunction("Notification.permission === 'granted'");
  expect(await ask("notes.md")).toEqual(["1 change waiting: notes.md"]);
  await page.evaluate("isAway = false");
  expect(await ask("notes.md")).toHaveLength(1);
});

test("on a Mac keys are labelled as on its keyboard, and one that types a character answers no diff", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, "about:blank");
  await page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'MacIntel' })",
  );
  await page.goto(link);
  await untilLive(page);
  await page.getByTitle("All commands (⌘K)").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("⇧⌘F").waitFor();
  expect(
    await page
      .getByRole("dialog")
      .getByText(/Ctrl|Cmd|Option/)
      .count(),
  ).toBe(0);
  await page.keyboard.press("Escape");
  const client = await connectClient(place);
  const edit = client.edit(join(place.folder, "notes.md"), "# Notes\n");
  const review = page.getByTestId("review");
  await review.getByRole("button", { name: "Accept ⌃⌥A" }).waitFor();
  await page.getByLabel("Proposed text of notes.md").click();
  await page.keyboard.press("Alt+a");
  await page.keyboard.press("Alt+r");
  await review.getByRole("button", { name: "Reject ⌃⌥R" }).waitFor();
  await page.keyboard.press("Control+Alt+r");
  expect((await edit.result).decision).toBe("rejected");
});

test("a file that is shown again has the newest letters, although the page has not been drawn since", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, "about:blank");
  // While `isBusy`, the page does not render, as if a slow machine never reached its next frame.
  await page.addInitScript(`
    const { setTimeout } = window;
    const now = performance.now.bind(performance);
    let stoppedMs;
    performance.now = () => (window.isBusy ? (stoppedMs ??= now()) : now());
    window.delayed = 0;
    window.setTimeout = (act, ms, ...rest) =>
      window.isBusy && ms > 0 && ms <= 32 ? (window.delayed += 1) : setTimeout(act, ms, ...rest);
  `);
  await page.goto(link);
  await untilLive(page);
  await openFile(page, "notes.md");
  const text = page.getByLabel("Text of notes.md");
  await text.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("a");
  const client = await connectClient(place);
  client.edit(join(place.folder, "src/deep.ts"), "export const one = 2;\n");
  await page.getByTestId("reviews-wait").waitFor();
  await page.evaluate("isBusy = true");
  await page.keyboard.type("b");
  await untilReceived(page, "ab# Notes");
  await page.keyboard.type("c");
  await untilReceived(page, "abc# Notes");
  await page.waitForFunction("delayed > 0");
  await page.getByTestId("reviews-wait").getByRole("button").click();
  await page.getByTestId("review").waitFor();
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await text.getByText("abc# Notes").waitFor();
});

/** Waits until the folder has sent the typed text back, and so has it. */
async function untilReceived(page: Page, text: string): Promise<void> {
  const isText = (frame: string) => frame.includes(JSON.stringify(text).slice(1, -1));
  await expect.poll(() => received.get(page)?.some(isText)).toBe(true);
}
