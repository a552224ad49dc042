import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { checks } from "@idewire/devtools/internal";
import { listenIde } from "@idewire/node-server";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { runCommand, savedBy } from "./actions.ts";
import { openFile, openFixture, openLive, openPage, received, untilLive } from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { dist, framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

type Status = "ok" | "broken" | "problem";

async function untilStatus(page: Page, status: Status): Promise<void> {
  await page.locator(`[data-testid=check-status][data-status="${status}"]`).waitFor();
}

/** With the keyboard alone: the button has the focus once the view is shown. */
async function openChecks(page: Page): Promise<void> {
  await runCommand(page, "against the rules");
  await page.getByTestId("run-checks").waitFor();
}

/** The verdict of each rule in the list: `passed IDE-LOCK-001`. */
async function verdictsOf(page: Page): Promise<readonly string[]> {
  const lines = page.getByTestId("check-list").getByRole("option");
  const texts = await lines.allInnerTexts();
  return texts.map((text) => text.split(/\s+/).slice(0, 2).join(" "));
}

function save(page: Page, form: string): Promise<string> {
  return savedBy(page, () => page.getByTestId("save-report").selectOption(form));
}

test("the page checks its own editor by every rule, and a verdict leads to the frames that prove it [playground:7:page]", async () => {
  const page = await site.connected();
  const before = await framesOf(page);
  await openChecks(page);
  await page.getByTestId("run-checks").press("Enter");
  await untilStatus(page, "ok");
  const ids = async () => (await verdictsOf(page)).map((line) => line.split(" ")[1]);
  await expect.poll(ids).toEqual(checks.map(({ id }) => id));
  const verdicts = await verdictsOf(page);
  expect(new Set(verdicts.map((line) => line.split(" ")[0]))).toEqual(
    new Set(["passed", "skipped"]),
  );
  const list = page.getByTestId("check-list");
  await list.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await list.getByRole("option", { name: "IDE-LOCK-001", selected: true }).waitFor();
  await list.getByRole("option", { name: "IDE-KEEP-001" }).click();
  await page.getByRole("link", { name: "MCP 2025-11-25, Ping" }).waitFor();
  const proof = page.getByTestId("proof");
  await proof.getByRole("option", { name: /ping/ }).first().click();
  await page.getByTestId("frame-view").getByText('"ping"').first().waitFor();
  await proof.press("Enter");
  const wire = page.getByRole("grid", { name: "Frames" });
  await wire.getByRole("row", { name: /ping/, selected: true }).waitFor();
  await page.getByTestId("trace-viewer").getByRole("button").click();
  await page.getByTestId("trace-viewer").waitFor({ state: "detached" });
  // The frames of the checks are not part of the session.
  await expect.poll(() => framesOf(page)).toBe(before);
});

test("offline, a fault on the wire shows as a broken rule, on the page and in each format of the report [playground:7:page-fault playground:7:report]", async () => {
  const url = pathToFileURL(join(dist, "playground.html")).href;
  const page = await site.connected({ url });
  await page.getByTestId("faults").click();
  await page.getByTestId("fault-kind").selectOption("wrong-id");
  await page.getByTestId("fault-match").fill("dir:in method:tools/call");
  await page.getByTestId("fault-add").click();
  await page.keyboard.press("Escape");
  await openChecks(page);
  await page.locator("[data-testid=run-checks]:focus").waitFor();
  await page.keyboard.press("Enter");
  await untilStatus(page, "broken");
  const broken = (await verdictsOf(page)).filter((line) => line.startsWith("failed"));
  expect(broken).toContain("failed IDE-TOOL-004");
  await page.getByText("must failed").waitFor();
  const json = JSON.parse(await save(page, "json")) as {
    readonly ok: boolean;
    readonly results: readonly { readonly id: string; readonly verdict: string }[];
    readonly events: readonly object[];
  };
  const failed = json.results.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect([json.ok, failed.map((id) => `failed ${id}`)]).toEqual([false, broken]);
  expect(json.events.length).toBeGreaterThan(broken.length);
  expect(await save(page, "xml")).toContain(`tests="${checks.length}" failures="`);
  expect(await save(page, "md")).toContain("# ❌ idewire check: ");
});

test("the folder's editor is checked over its socket, with the verdicts of the command [playground:7:live]", async () => {
  const { place, token, page } = await openLive(site);
  await openFile(page, "notes.md");
  await openChecks(page);
  await page.getByTestId("check-target").getByText("(this folder)").waitFor({ state: "attached" });
  await page.getByTestId("run-checks").press("Enter");
  await untilStatus(page, "ok");
  const shown = await verdictsOf(page);
  // The folder does not count our own checks as agents.
  await page.getByRole("tab", { name: "List" }).click();
  await expect.poll(() => framesOf(page)).toBe(0);
  const run = new CliRun(place.fixture, {
    args: ["check", "--cwd", place.folder, "--json"],
    env: place.env,
  });
  await run.exited;
  const { results } = JSON.parse(run.output) as {
    readonly results: readonly { readonly id: string; readonly verdict: string }[];
  };
  const words: Readonly<Record<string, string>> = { pass: "passed", fail: "failed" };
  const lines = results.map(({ id, verdict }) => `${words[verdict] ?? verdict} ${id}`);
  expect(shown.length).toBe(lines.length);
  // Verdicts that depend on timing may differ between two runs.
  const isSteady = (line: string): boolean => /IDE-(LOCK|CONN|LIFE|RPC|TOOL)-/.test(line);
  expect(shown.filter(isSteady)).toEqual(lines.filter(isSteady));
  const frames = (received.get(page) ?? []).join("\n");
  expect(frames).toContain("live/check-result");
  expect(frames).not.toContain(token);
});

test("any editor on this machine can be checked, a run can be stopped, and a bridge that is killed ends it [playground:7:any-editor]", async () => {
  const { place, link, serve } = await openFixture();
  const host = fakeEditorHost();
  host.folders = [{ path: posixPath(place.fixture.workspace), name: "work" }];
  const other = await listenIde(host, { env: place.env, resume: false });
  onTestFinished(() => other.close());
  const page = await openPage(site, link);
  await untilLive(page);
  await openChecks(page);
  const target = page.getByTestId("check-target");
  await target.getByText("Fake Editor").waitFor({ state: "attached" });
  const option = target.locator("option", { hasText: "Fake Editor" });
  await target.selectOption((await option.getAttribute("value")) ?? "");
  // Stops the run as soon as there is one.
  await page.evaluate(`new MutationObserver((_, observer) => {
    const button = document.querySelector("[data-testid=stop-checks]");
    if (button === null) return;
    observer.disconnect();
    button.click();
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
  await page.getByTestId("run-checks").click();
  await page.getByTestId("check-list").getByText("skipped").first().waitFor();
  await page.getByTestId("run-checks").waitFor();
  const { results } = JSON.parse(await save(page, "json")) as {
    readonly results: readonly { readonly detail: string }[];
  };
  expect(results).toHaveLength(checks.length);
  expect(results.at(-1)?.detail).toBe("the run was stopped");
  // Suspended, so that the run cannot finish before the process dies.
  serve.kill("SIGSTOP");
  await page.getByTestId("run-checks").click();
  await page.getByTestId("stop-checks").waitFor();
  serve.kill("SIGKILL");
  await untilStatus(page, "problem");
  await page.getByTestId("run-checks").waitFor();
});

test("the checks fit every width, and axe finds no fault [playground:7:look]", async () => {
  const page = await site.connected();
  await openChecks(page);
  await page.getByTestId("run-checks").click();
  await untilStatus(page, "ok");
  await page.getByText("IDE-RPC-001").click();
  for (const name of ["light", "narrow", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
});
