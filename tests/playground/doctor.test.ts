import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openPlace } from "../src/twins/serve-scene.ts";
import { verifies } from "../src/verifies.ts";
import { connectTwin, openPage, openStage, received, untilLive } from "./live-stage.ts";
import { Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
});
afterAll(async () => {
  await site.close();
});

/** With lock files where every agent looks for them: nothing is to be warned of. */
function openHomeStage() {
  return openStage([], openPlace("home"));
}

async function openDoctor(page: Page): Promise<void> {
  await untilLive(page);
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette").fill("doctor");
  await page.keyboard.press("Enter");
  await untilStatus(page, "ok");
}

async function untilStatus(page: Page, status: "ok" | "failed"): Promise<void> {
  await page.locator(`[data-testid=doctor-status][data-status="${status}"]`).waitFor();
}

/** What each step says, as the page has it. */
async function stepsOf(page: Page): Promise<readonly string[]> {
  const steps = page.getByTestId("doctor-steps").getByRole("option");
  return (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
}

const outcomes: Readonly<Record<string, string>> = { warning: "look", failed: "fails" };

verifies(
  "playground:6:doctor",
  "the page goes the steps of idewire doctor, and is told neither the token nor the home",
  async () => {
    const stage = await openHomeStage();
    const { place, link, token } = stage;
    const page = await openPage(site, link);
    await openDoctor(page);
    // The doctor's own connections are no agents.
    expect(await page.getByTestId("frames").getAttribute("data-frames")).toBe("0");
    const run = new CliRun(place.stage, {
      args: ["doctor", "--cwd", place.folder, "--json"],
      env: place.env,
    });
    await run.exited;
    const { steps } = JSON.parse(run.output) as { steps: readonly Record<string, string>[] };
    const expected = steps.map(({ outcome = "", title, detail = "" }) => {
      const shown = detail.replaceAll(place.env.HOME, "~").replace(/\s+/g, " ");
      return `${outcomes[outcome] ?? outcome} ${title} ${shown}`;
    });
    expect(await stepsOf(page)).toEqual(expected);
    const told = (received.get(page) ?? []).filter((frame) => frame.includes('"live/doctor-step"'));
    expect(told.length).toBeGreaterThanOrEqual(expected.length);
    expect(told.join("\n")).not.toContain(token);
    expect(told.join("\n")).not.toContain(place.env.HOME);
  },
  60_000,
);

verifies(
  "playground:6:doctor-agents",
  "who connects and who leaves is seen in the doctor without being asked for",
  async () => {
    const { place, link } = await openHomeStage();
    const page = await openPage(site, link);
    await openDoctor(page);
    const agents = page.getByTestId("doctor-agents");
    await agents.getByText("No agent is connected").waitFor();
    const twin = await connectTwin(place);
    await agents.getByText(/Connected now: claude-code [\d.]+ \(process \d+\)/).waitFor();
    await twin.exit();
    await agents.getByText("No agent is connected").waitFor();
  },
  60_000,
);

verifies(
  "playground:6:doctor-fault",
  "the first step that fails is explained, with the command that mends it, until it is mended",
  async () => {
    const { link, serve } = await openHomeStage();
    const { lockFile } = JSON.parse(serve.output.split("\n")[0] ?? "") as { lockFile: string };
    const page = await openPage(site, link);
    await openDoctor(page);
    const second = join(dirname(lockFile), "1.lock");
    writeFileSync(second, readFileSync(lockFile, "utf8"));
    await page.getByRole("button", { name: "Look again" }).click();
    await untilStatus(page, "failed");
    const details = page.getByTestId("doctor-details");
    await details.getByRole("heading", { name: "only one" }).waitFor();
    const command = (await details.locator("code").first().textContent()) ?? "";
    expect(command).toBe("rm ~/.claude/ide/1.lock");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await details.getByRole("button", { name: "Copy" }).first().click();
    await details.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
    rmSync(second);
    await page.getByRole("button", { name: "Look again" }).click();
    await untilStatus(page, "ok");
  },
  60_000,
);

const looks = [
  { name: "light", width: 1440, height: 900, dark: false },
  { name: "dark", width: 900, height: 700, dark: true },
  { name: "phone", width: 390, height: 844, dark: false },
] as const;

verifies(
  "playground:6:doctor-keys",
  "the doctor goes by keys, fits every width, and axe finds nothing to complain of",
  async () => {
    const { link, origin } = await openHomeStage();
    const page = await openPage(site, link);
    await openDoctor(page);
    await page.getByTestId("doctor-steps").focus();
    await page.keyboard.press("End");
    await page.getByTestId("doctor-details").getByRole("heading", { name: "opencode" }).waitFor();
    await page.keyboard.press("Home");
    const heading = page.getByTestId("doctor-details").getByRole("heading");
    await heading.getByText("working directory").waitFor();
    for (const { name, width, height, dark } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      expect(await axeComplaints(page), name).toEqual([]);
      const html = page.locator("html");
      expect(await html.evaluate(({ scrollWidth }) => scrollWidth)).toBe(width);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(page.url().startsWith(origin)).toBe(true);
  },
  60_000,
);
