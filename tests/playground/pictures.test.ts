import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toSmallPng } from "../src/small-png.ts";
import { openPlace } from "../src/twins/serve-scene.ts";
import { connectTwin, openPage, openStage, untilLive } from "./live-stage.ts";
import { Site } from "./site.ts";

const page = fileURLToPath(new URL("../../packages/web-playground/", import.meta.url));
const size = { width: 1200, height: 740 };
const themes = ["light", "dark"] as const;

let site: Site;
/** `IDEWIRE_PICTURES=1` writes them where the README has them. */
let folder: string;
beforeAll(async () => {
  const kept = process.env["IDEWIRE_PICTURES"] !== undefined;
  folder = kept ? join(page, "images") : mkdtempSync(join(tmpdir(), "idewire-pictures-"));
  mkdirSync(folder, { recursive: true });
  site = await Site.open();
});
afterAll(async () => {
  await site.close();
  if (process.env["IDEWIRE_PICTURES"] === undefined) rmSync(folder, { recursive: true });
});

async function ask(one: Page): Promise<void> {
  await one.getByTestId("ask").click();
  await one.getByLabel("Proposed text").waitFor();
}

/** What is to be seen on each picture of the README. */
const scenes: Readonly<Record<string, (one: Page) => Promise<void>>> = {
  async simulate(one) {
    await ask(one);
    await one.getByRole("option", { name: "tools/call openDiff" }).first().click();
    await one.locator(".sentence").waitFor();
  },
  async sequence(one) {
    await ask(one);
    await one.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
    await one.getByText("Wrote README.md").waitFor();
    await one.getByRole("tab", { name: "Sequence" }).click();
    await one.getByRole("option", { name: "result of tools/call openDiff" }).click();
    await one.getByRole("tab", { name: "Schema" }).click();
    await one.getByRole("heading", { name: "Answer of openDiff" }).waitFor();
  },
  async lens(one) {
    await one.getByText("Connected to").waitFor();
    for (const [name, press] of [
      ["Width of the editor", "Enter"],
      ["Width of the frame", "Enter"],
    ] as const) {
      await one.getByRole("separator", { name }).press(press);
    }
    await one.getByRole("tab", { name: "Lens" }).click();
    await one.getByTestId("lens-jetbrains").waitFor();
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
};

async function take(one: Page, name: string): Promise<void> {
  await one.mouse.move(0, size.height - 1);
  // A focus ring and a caret are of the moment.
  await one.evaluate("document.activeElement?.blur()");
  const png = toSmallPng(await one.screenshot({ animations: "disabled" }));
  writeFileSync(join(folder, `${name}.png`), png);
  expect(png.byteLength, name).toBeLessThan(90_000);
}

for (const theme of themes) {
  test(`pictures of the page: ${theme}`, { timeout: 90_000 }, async () => {
    for (const [name, scene] of Object.entries(scenes)) {
      const one = await site.page({ ...size, dark: theme === "dark" });
      await scene(one);
      await take(one, `${name}-${theme}`);
      await one.close();
    }
  });
}

test("pictures of a folder that the page is the editor of", { timeout: 90_000 }, async () => {
  const { place, link } = await openStage([], openPlace("config-dir", "garden"));
  const one = await openPage(site, link, size);
  await untilLive(one);
  const twin = await connectTwin(place);
  const file = join(place.folder, "notes.md");
  twin.edit(file, readFileSync(file, "utf8").replace("tomatoes", "tomatoes and the peppers"));
  await one.getByLabel("Proposed text of notes.md").waitFor();
  await one.getByRole("option", { name: "tools/call openDiff" }).first().click();
  await one.locator(".sentence").waitFor();
  for (const theme of themes) {
    await one.emulateMedia({ colorScheme: theme });
    await take(one, `live-${theme}`);
  }
});

test("every picture of the README is one of these, in both themes", () => {
  const readme = readFileSync(join(page, "README.md"), "utf8");
  const named = [...readme.matchAll(/images\/([\w-]+\.png)/g)].map(([, name = ""]) => name);
  const made = [...Object.keys(scenes), "live"].flatMap((name) =>
    themes.map((theme) => `${name}-${theme}.png`),
  );
  expect([...new Set(named)].sort()).toEqual([...made].sort());
  for (const name of made) {
    expect(existsSync(join(page, "images", name)), name).toBe(true);
    expect(statSync(join(page, "images", name)).size, name).toBeLessThan(90_000);
  }
});
