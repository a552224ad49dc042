import { parseFaultPlan } from "@idewire/devtools/internal";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addFault, chooseInMenu, copiedBy, valuesOf } from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** Opens the page with faults in its address. */
async function openWith(fault: object, match = "method:initialize"): Promise<Page> {
  const plan = { seed: 7, rules: [{ match, fault }] };
  expect(parseFaultPlan(plan).ok).toBe(true);
  const page = await site.page({ path: `#f=${encodeURIComponent(JSON.stringify(plan))}` });
  await page.getByTestId("faults").getByText("Faults: on").waitFor();
  return page;
}

/** The texts of the frames' rows, without times. */
function wireOf(page: Page): Promise<readonly string[]> {
  return page.locator(".wire-row:not(.note) .what").allTextContents();
}

test("every fault can be added, and applies to the frames of either direction that its filter matches [playground:4:offered playground:4:directions playground:4:filter]", async () => {
  const page = await site.page();
  await page.getByTestId("faults").click();
  const options = page.getByTestId("fault-kind").locator("option");
  await expect.poll(() => options.count()).toBe(13);
  const kinds = await valuesOf(options);
  for (const kind of kinds) await addFault(page, kind, "method:none");
  // Each kind is accepted with its own figure.
  await expect.poll(() => page.locator(".rules li").count()).toBe(kinds.length);
  await addFault(page, "drop", "colour:red");
  await page.getByRole("alert").getByText("unknown key").waitFor();
  const dropping = await openWith({ kind: "drop" }, "dir:in method:initialize");
  await dropping.locator(".wire-row.agent .badge.fault").first().waitFor();
  const spoiling = await openWith({ kind: "malformed" }, "dir:out method:initialize");
  await spoiling.locator(".wire-row.ide .badge.fault").first().waitFor();
  await spoiling.getByText("not JSON-RPC").first().waitFor();
});

test("a link with faults repeats them, and the dialog copies such links [playground:4:seeded playground:4:shareable]", async () => {
  const page = await openWith({ kind: "wrong-type" }, "dir:out kind:result");
  const wireAfterFault = async (): Promise<readonly string[]> => {
    await page.locator(".badge.fault").first().waitFor();
    // The rules are loaded after the first view.
    await page.getByText("1 problem", { exact: true }).first().waitFor();
    return (await wireOf(page)).slice(0, 2);
  };
  const first = await wireAfterFault();
  await page.reload();
  expect(await wireAfterFault()).toEqual(first);
  await page.getByTestId("faults").click();
  const link = await copiedBy(page, () => page.getByTestId("fault-link").click());
  await page.getByText("Copied: a link").waitFor();
  expect(link).toBe(page.url());
});

test("a fault uses the number that was entered, and time can be paused [playground:4:clock playground:4:figures]", async () => {
  const page = await site.connected();
  await page.getByTestId("faults").click();
  await page.getByTestId("fault-kind").selectOption("delay");
  await page.getByTestId("fault-figure").fill("90000");
  await page.getByTestId("fault-match").fill("method:tools/call dir:out");
  await page.getByTestId("fault-add").click();
  await page.getByText("delay 90000 ms").waitFor();
  await page.keyboard.press("Escape");
  await chooseInMenu(page, "speed", "Paused");
  await page.getByTestId("ask").click();
  const call = page.getByRole("row", { name: "tools/call getDiagnostics" });
  await call.first().waitFor();
  // The clock is stopped, so the answer cannot arrive.
  expect(await page.getByRole("row", { name: "result of tools/call" }).count()).toBe(0);
  await chooseInMenu(page, "speed", "10×");
  const answer = page.getByRole("row", {
    name: /result of tools\/call getDiagnostics.*delay/,
  });
  await answer.waitFor();
  await page.getByTestId("faults").click();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.locator(".rules li").waitFor({ state: "detached" });
});

test("an agent with an old token is refused, reads the lock file again, and connects [playground:4:token]", async () => {
  const page = await site.connected();
  await page.getByTestId("faults").click();
  await page.getByTestId("change-token").click();
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "the editor has another token" }).waitFor();
  const connect = page.getByRole("button", { name: "Connect", exact: true });
  await connect.click();
  await page.getByRole("row", { name: "refused: the token was changed" }).waitFor();
  await page.getByRole("row", { name: /the connection closed: .*\(code 1008\)/ }).waitFor();
  await connect.click();
  await page.locator("[data-testid=session][data-status=connected]").waitFor();
});
