import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";
import { runCommand } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The page as an agent of a served folder, with data that the browser has stored before. */
async function openAsAgent(
  kept?: string,
): Promise<{ readonly page: Page; readonly folder: string }> {
  const place = openWorkspace("home", "notes");
  await startServe(place).event("listening");
  const { page: link } = await startInspect(place, ["--web", "--as-agent"]).event("inspecting");
  const page = await site.page({ url: "about:blank" });
  if (kept !== undefined) {
    const value = JSON.stringify(kept);
    await page.addInitScript(`localStorage["idewire.calls"] ??= ${value}`);
  }
  await page.goto(String(link));
  await page.getByTestId("call").waitFor();
  await expect.poll(() => page.getByTestId("tool").locator("option").count()).toBeGreaterThan(5);
  return { page, folder: place.folder };
}

const saved = (page: Page) => page.getByTestId("saved-call").locator("b").allTextContents();

test("a call is saved by name, pinned above others, run by one action, edited and deleted", async () => {
  const { page, folder } = await openAsAgent();
  for (const [name, tool] of [
    ["a first", "getOpenEditors"],
    ["the folders", "getWorkspaceFolders"],
  ] as const) {
    await page.getByTestId("tool").selectOption(tool);
    await page.getByTestId("call-name").fill(name);
    await page.getByTestId("save-call").click();
  }
  await expect.poll(() => saved(page)).toEqual(["a first", "the folders"]);
  await page.getByRole("button", { name: "Pin the folders" }).click();
  await expect.poll(() => saved(page)).toEqual(["the folders", "a first"]);
  await page.reload();
  await page.getByRole("button", { name: "Run the folders" }).click();
  await page.getByTestId("answer").getByText(folder).first().waitFor();

  await page.getByTestId("tool").selectOption("openFile");
  await page.getByTestId("as-json").click();
  await page.getByTestId("arguments").fill('{"filePath":7}');
  await page.getByTestId("call-name").fill("a wrong path");
  await page.getByTestId("call-name").press("Enter");
  await runCommand(page, "run a wrong path");
  await page.locator('[data-testid=answer][data-status="error"]').waitFor();
  await page.getByRole("button", { name: "Edit a wrong path" }).click();
  await page.getByTestId("arguments").fill('{"filePath":8}');
  await page.getByTestId("save-call").click();
  await page.getByText('openFile {"filePath":8}').waitFor();
  await page.getByRole("button", { name: "Delete a wrong path" }).click();
  await page.getByRole("button", { name: "Unpin the folders" }).click();
  await expect.poll(() => saved(page)).toEqual(["a first", "the folders"]);
});

test("damaged calls are skipped and counted, and those of tools that are not listed still run", async () => {
  const good = { name: "odd", tool: "danceTool", arguments: { a: [1] }, pinned: false };
  const { page } = await openAsAgent(
    JSON.stringify([good, { name: 7 }, null, { ...good, name: "" }]),
  );
  await page.getByText("3 saved calls could not be read").waitFor();
  expect(await saved(page)).toEqual(["odd"]);
  await page.getByText("This editor does not list the tool.").waitFor();
  await page.getByRole("button", { name: "Run odd" }).click();
  await page.locator('[data-testid=answer][data-status="error"]').waitFor();
  await page.getByRole("button", { name: "Pin odd" }).click();
  await page.getByTestId("calls-issue").waitFor({ state: "detached" });
});

test("an invalid storage is reported, and the next call replaces it", async () => {
  const { page } = await openAsAgent("{nonsense");
  await page.getByText("The saved calls are damaged.").waitFor();
  await page.getByTestId("call-name").fill("first");
  await page.getByTestId("save-call").click();
  await expect.poll(() => saved(page)).toEqual(["first"]);
  expect(await page.getByTestId("calls-issue").count()).toBe(0);
});

test("calls that are too large in all are not saved, and those before them are", async () => {
  const { page } = await openAsAgent();
  await page.getByTestId("tool").selectOption("openFile");
  await page.getByTestId("as-json").click();
  const args = page.getByTestId("arguments");
  for (const [name, length] of [
    ["small", 1],
    ["half", 600_000],
    ["whole", 600_000],
  ] as const) {
    await args.fill(JSON.stringify({ filePath: "x".repeat(length) }));
    await page.getByTestId("call-name").fill(name);
    await page.getByTestId("save-call").click();
  }
  await page.getByText("It is too long: 1200").waitFor();
  await expect.poll(() => saved(page)).toEqual(["half", "small"]);
  await page.reload();
  await expect.poll(() => saved(page)).toEqual(["half", "small"]);
});

test("saved calls fit every width, and axe finds no fault", async () => {
  const long = { name: "x".repeat(60), tool: "openFile", arguments: { filePath: "y".repeat(400) } };
  const { page } = await openAsAgent(JSON.stringify([{ ...long, pinned: true }]));
  for (const name of ["light", "narrow", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name, ".ask");
  }
});
