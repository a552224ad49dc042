import { join } from "node:path";
import { expect, test } from "vitest";
import {
  connectClient,
  openFile,
  openFixture,
  openLive,
  openPage,
  untilLive,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const LETTERS = "abcdefghijklmnopqrstuvwxyz".repeat(3).slice(0, 60);

test("a diff that arrives while somebody types waits above the file: no letter is lost", async () => {
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

test("on a Mac a key that types a character answers no diff", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, "about:blank");
  await page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'MacIntel' })",
  );
  await page.goto(link);
  await untilLive(page);
  const client = await connectClient(place);
  const edit = client.edit(join(place.folder, "notes.md"), "# Notes\n");
  const review = page.getByTestId("review");
  await review.getByRole("button", { name: "Accept Ctrl+Option+A" }).waitFor();
  await page.getByLabel("Proposed text of notes.md").click();
  await page.keyboard.press("Alt+a");
  await page.keyboard.press("Alt+r");
  await review.getByRole("button", { name: "Reject Ctrl+Option+R" }).waitFor();
  await page.keyboard.press("Control+Alt+r");
  expect((await edit.result).decision).toBe("rejected");
});
