import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { copiedBy, runCommand } from "./actions.ts";
import { connectClient, openFixture, openPage, received, untilLive } from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Lock files are where every agent looks for them, so that the doctor has no warnings. */
function openHomeFixture() {
  return openFixture([], openWorkspace("home"));
}

async function openDoctor(page: Page): Promise<void> {
  await untilLive(page);
  await runCommand(page, "doctor");
  await untilStatus(page, "ok");
}

async function untilStatus(page: Page, status: "ok" | "failed"): Promise<void> {
  // A warning is fine: Claude Code may not be installed.
  const all = status === "ok" ? ["ok", "warning"] : [status];
  const wanted = all.map((each) => `[data-testid=doctor-status][data-status="${each}"]`);
  await page.locator(wanted.join()).waitFor();
}

/** The text of each step on the page. */
async function stepsOf(page: Page): Promise<readonly string[]> {
  const steps = page.getByTestId("doctor-steps").getByRole("option");
  return (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
}

test("the page takes the steps of idewire doctor, and receives neither the token nor the home directory [playground:6:doctor]", async () => {
  const fixture = await openHomeFixture();
  const { place, link, token } = fixture;
  const page = await openPage(site, link);
  await openDoctor(page);
  // The doctor's own connections do not count as agents.
  expect(await page.getByTestId("frames").getAttribute("data-frames")).toBe("0");
  const run = new CliRun(place.fixture, {
    args: ["doctor", "--cwd", place.folder, "--json"],
    env: place.env,
  });
  await run.exited;
  const { steps } = JSON.parse(run.output) as { steps: readonly Record<string, string>[] };
  const expected = steps.map(({ outcome, title, detail = "" }) => {
    const shown = detail.replaceAll(place.env.HOME, "~").replace(/\s+/g, " ");
    return `${outcome} ${title} ${shown}`;
  });
  await expect.poll(() => stepsOf(page)).toEqual(expected);
  const frames = (received.get(page) ?? []).filter((frame) => frame.includes('"live/doctor-step"'));
  expect(frames.length).toBeGreaterThanOrEqual(expected.length);
  expect(frames.join("\n")).not.toContain(token);
  expect(frames.join("\n")).not.toContain(place.env.HOME);
});

test("the doctor shows connections and disconnections by itself [playground:6:doctor-agents]", async () => {
  const { place, link } = await openHomeFixture();
  const page = await openPage(site, link);
  await openDoctor(page);
  const agents = page.getByTestId("doctor-agents");
  await agents.getByText("No agent is connected").waitFor();
  const client = await connectClient(place);
  await agents.getByText(/Connected now: Claude Code [\d.]+ \(process \d+\)/).waitFor();
  await client.exit();
  await agents.getByText("No agent is connected").waitFor();
});

test("the first failed step is explained, with the command that fixes it, until it is fixed [playground:6:doctor-fault]", async () => {
  const { link, lockFile } = await openHomeFixture();
  const page = await openPage(site, link);
  await openDoctor(page);
  const second = join(dirname(lockFile), "1.lock");
  writeFileSync(second, readFileSync(lockFile, "utf8"));
  await page.getByRole("button", { name: "Run again" }).click();
  await untilStatus(page, "failed");
  const details = page.getByTestId("doctor-details");
  await details.getByRole("heading", { name: "only one" }).waitFor();
  const command = (await details.locator("code").first().textContent()) ?? "";
  expect(command).toBe("rm ~/.claude/ide/1.lock");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copy = details.getByRole("button", { name: "Copy" }).first();
  expect(await copiedBy(page, () => copy.click())).toBe(command);
  await details.getByText("Copied").waitFor();
  rmSync(second);
  await page.getByRole("button", { name: "Run again" }).click();
  await untilStatus(page, "ok");
});

test("the doctor works by keyboard and fits every width, and axe finds no fault [playground:6:doctor-keys]", async () => {
  const { link, origin } = await openHomeFixture();
  const page = await openPage(site, link);
  await openDoctor(page);
  await page.getByTestId("doctor-steps").focus();
  await page.keyboard.press("End");
  await page.getByTestId("doctor-details").getByRole("heading", { name: "Codex CLI" }).waitFor();
  await page.keyboard.press("Home");
  const heading = page.getByTestId("doctor-details").getByRole("heading");
  await heading.getByText("working directory").waitFor();
  for (const name of ["light", "narrow", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url().startsWith(origin)).toBe(true);
});
