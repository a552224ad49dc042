import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { toSmallPng } from "../src/small-png.ts";
import { askForChange } from "./actions.ts";
import { connectClient, openFixture, openGarden, openPage, untilLive } from "./live-fixture.ts";
import { lookAs } from "./looks.ts";
import { useSite } from "./site.ts";

const page = fileURLToPath(new URL("../../packages/web-playground/", import.meta.url));
const size = { width: 1200, height: 740 };
const themes = ["light", "dark"] as const;
/** `IDEWIRE_PICTURES=1` updates the pictures of the README; otherwise the test only proves that they can be taken. */
const images = process.env["IDEWIRE_PICTURES"] === undefined ? undefined : join(page, "images");
const site = useSite({ mayComplain: true });

/** Prepares each picture of the README. */
const contexts: Readonly<Record<string, (one: Page) => Promise<void>>> = {
  async simulate(one) {
    await askForChange(one);
    await one.getByRole("row", { name: "tools/call openDiff" }).first().click();
    await one.locator(".sentence").waitFor();
  },
  async sequence(one) {
    await askForChange(one);
    await one.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
    await one.getByText("Wrote README.md").waitFor();
    await one.getByRole("tab", { name: "Sequence" }).click();
    await one.getByRole("option", { name: "result of tools/call openDiff" }).click();
    await one.getByRole("tab", { name: "Schema" }).click();
    await one.getByRole("heading", { name: "Answer of openDiff" }).waitFor();
  },
  async comparison(one) {
    await one.getByText("Connected to").waitFor();
    for (const [name, press] of [
      ["Width of the editor", "Enter"],
      ["Width of the frame", "Enter"],
    ] as const) {
      await one.getByRole("separator", { name }).press(press);
    }
    await one.getByRole("tab", { name: "Dialects" }).click();
    await one.getByTestId("dialect-jetbrains").waitFor();
  },
  async break(one) {
    await one.getByText("Connected to").waitFor();
    await one.getByTestId("faults").click();
    for (const [kind, match] of [
      ["delay", "dir:out method:tools/call"],
      ["wrong-id", "tool:openDiff kind:result"],
    ] as const) {
      await one.getByTestId("fault-kind").selectOption(kind);
      await one.getByTestId("fault-match").fill(match);
      await one.getByTestId("fault-add").click();
    }
    await one.locator(".rules li").nth(1).waitFor();
  },
  async checks(one) {
    await one.getByText("Connected to").waitFor();
    await one.getByRole("tab", { name: "Checks" }).click();
    await one.getByTestId("run-checks").click();
    await one.locator("[data-testid=check-status][data-status=ok]").waitFor();
    await one.getByRole("option", { name: "IDE-KEEP-001" }).click();
    const proof = one.getByTestId("proof").getByRole("option", { name: /ping/ });
    await proof.first().click();
    await one.getByTestId("frame-view").getByText('"ping"').first().waitFor();
  },
};

/** Takes a picture in each theme. @returns the last one, unprocessed */
async function take(one: Page, name: string): Promise<Buffer> {
  let png: Buffer = Buffer.alloc(0);
  await one.mouse.move(0, size.height - 1);
  // The focus ring and the caret vary with time.
  await one.evaluate("document.activeElement?.blur()");
  for (const theme of themes) {
    await lookAs(one, { ...size, dark: theme === "dark" });
    png = await one.screenshot({ animations: "disabled" });
    expect(png.byteLength, name).toBeGreaterThan(10_000);
    if (images !== undefined) writeFileSync(join(images, `${name}-${theme}.png`), toSmallPng(png));
  }
  return png;
}

test.each(Object.entries(contexts))("pictures of the page: %s", async (name, context) => {
  const one = await site.page(size);
  await context(one);
  await take(one, name);
});

test("pictures of the page as the editor of a folder", async () => {
  const { place, link } = await openFixture([], openGarden(images !== undefined));
  const one = await openPage(site, link, size);
  await untilLive(one);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  client.edit(file, readFileSync(file, "utf8").replace("tomatoes", "tomatoes and the peppers"));
  await one.getByLabel("Proposed text of notes.md").waitFor();
  await one.getByRole("row", { name: "tools/call openDiff" }).first().click();
  await one.locator(".sentence").waitFor();
  const png = await take(one, "live");
  expect(toSmallPng(png).byteLength).toBeLessThan(Math.min(png.byteLength, 90_000));
});

test("every picture of the README is one of these, in both themes", () => {
  const readme = readFileSync(join(page, "README.md"), "utf8");
  const named = [...readme.matchAll(/images\/([\w-]+\.png)/g)].map(([, name = ""]) => name);
  const made = [...Object.keys(contexts), "live"].flatMap((name) =>
    themes.map((theme) => `${name}-${theme}.png`),
  );
  expect([...new Set(named)].sort()).toEqual([...made].sort());
  for (const name of made) {
    expect(statSync(join(page, "images", name)).size, name).toBeLessThan(90_000);
  }
});
