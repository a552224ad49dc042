import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  holdAnswers,
  openFile,
  openLive,
  openPage,
  otherLink,
  received,
  startWeb,
  untilLive,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/**
 * Opens two pages of a folder on its notes.
 * @param prepare called with the second page before it connects
 */
async function openTwo(prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const fixture = await openLive(site);
  const other = await openPage(site, "about:blank");
  await prepare(other);
  await other.goto(await otherLink(fixture.page));
  await untilLive(other);
  for (const page of [fixture.page, other]) await openFile(page, "notes.md");
  const file = join(fixture.place.folder, "notes.md");
  /** Kills idewire, lets a person act, and restarts it on the same port. */
  const restart = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    fixture.serve.kill("SIGKILL");
    for (const page of [fixture.page, other]) {
      await page.getByTestId("guide").getByText("Not connected; retrying").waitFor();
    }
    await meanwhile();
    await startWeb(fixture.place, ["--web-port", new URL(fixture.origin).port]);
    for (const page of [fixture.page, other]) await untilLive(page);
  };
  return { ...fixture, other, file, restart };
}

async function typeAt(page: Page, key: "Home" | "End", text: string): Promise<void> {
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press(`Control+${key}`);
  await page.keyboard.type(text);
}

/** The text of the notes on a page. */
async function textOf(page: Page): Promise<string> {
  const lines = page.getByLabel("Text of notes.md").locator(".cm-line");
  return (await lines.allTextContents()).join("\n");
}

const NOTES = "# Notes\n\nWater the tomatoes.\nAnd the beans.\n";

test("after a restart, unsaved text of two pages is present once, with what each has typed alone", async () => {
  const { page, other, restart } = await openTwo();
  await typeAt(page, "Home", "Together. ");
  await expect.poll(() => textOf(other)).toBe(`Together. ${NOTES}`);
  await restart(async () => {
    await typeAt(page, "End", "Alone.");
    await typeAt(other, "Home", "Before. ");
  });
  for (const one of [page, other]) {
    await expect.poll(() => textOf(one)).toBe(`Before. Together. ${NOTES}Alone.`);
  }
});

test("text typed in one page while it reconnects after a restart preserves the text of the other", async () => {
  let isHeld = false;
  let answers: (() => void)[] = [];
  const { page, other, restart } = await openTwo(async (second) => {
    ({ answers } = await holdAnswers(second, "editor/open", () => isHeld));
  });
  await typeAt(page, "Home", "Together. ");
  await expect.poll(() => textOf(other)).toBe(`Together. ${NOTES}`);
  isHeld = true;
  await restart(() => typeAt(page, "Home", "Before. "));
  await expect.poll(() => answers.length).toBe(1);
  await typeAt(other, "End", "Alone.");
  answers.pop()?.();
  for (const one of [page, other]) {
    await expect.poll(() => textOf(one)).toBe(`Before. Together. ${NOTES}Alone.`);
  }
});

test("unsaved text of a file that changed while idewire was stopped is saved only by the person's choice", async () => {
  const { page, other, file, restart } = await openTwo();
  await typeAt(page, "Home", "Mine. ");
  await expect.poll(() => received.get(page)?.join("")).toContain("Mine. ");
  await restart(async () => writeFileSync(file, "Theirs.\n"));
  // The first page to reconnect restores the text, for the other one as well.
  for (const one of [page, other]) await one.getByTestId("stale").waitFor();
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+s");
  await page.getByTestId("stale").getByText("Not saved").waitFor();
  expect(readFileSync(file, "utf8")).toBe("Theirs.\n");
});

test("a question about a file that changed on disk goes when another page has answered it", async () => {
  const { page, other, file } = await openTwo();
  await typeAt(page, "Home", "Mine. ");
  await other.getByRole("img", { name: "unsaved" }).waitFor();
  writeFileSync(file, "Theirs.\n");
  for (const one of [page, other]) await one.getByTestId("stale").waitFor();
  await other.getByRole("button", { name: "Overwrite with mine" }).click();
  await page.getByTestId("stale").waitFor({ state: "detached" });
  expect(readFileSync(file, "utf8")).toBe(`Mine. ${NOTES}`);
});

test("a page that is opened later asks about each file that has changed under unsaved text", async () => {
  const { page, place } = await openLive(site);
  const files = ["notes.md", "plan.md"];
  writeFileSync(join(place.folder, "plan.md"), "Plan.\n");
  for (const file of files) {
    await openFile(page, file);
    await page.getByLabel(`Text of ${file}`).click();
    await page.keyboard.type("Mine. ");
    await page.getByRole("img", { name: "unsaved" }).first().waitFor();
    writeFileSync(join(place.folder, file), "Theirs.\n");
    await page.getByTestId("stale").getByText(file).waitFor();
  }
  const later = await openPage(site, await otherLink(page));
  await untilLive(later);
  const question = later.getByTestId("stale");
  for (const file of files.toReversed()) {
    await question.getByText(file).waitFor();
    await question.getByRole("button", { name: "Use the file on disk" }).click();
    await page.getByTestId("stale").getByText(file).waitFor({ state: "detached" });
  }
  await question.waitFor({ state: "detached" });
});
