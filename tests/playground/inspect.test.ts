import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTrace } from "@idewire/devtools/trace";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type InspectRun, startInspect } from "../src/inspect-process.ts";
import type { ScriptedServe } from "../src/reference-clients/scripted-serve.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";
import { savedBy } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

interface Fixture {
  readonly place: Workspace;
  readonly serve: ScriptedServe;
  readonly run: InspectRun;
  readonly page: Page;
  /** Everything that the page has received. */
  readonly received: string[];
}

/** A served folder, an inspection of it, and its page. */
async function openFixture(flags: readonly string[] = []): Promise<Fixture> {
  const place = openWorkspace("home", "notes");
  const serve = startServe(place);
  await serve.event("listening");
  const run = startInspect(place, ["--web", ...flags]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  const received: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void received.push(String(payload)));
  });
  await page.goto(String(link));
  await untilShown(page);
  return { place, serve, run, page, received };
}

async function untilShown(page: Page): Promise<void> {
  await page.locator('[data-testid=inspect][data-status="connected"]').waitFor();
}

function tokenOf(lockFile: unknown): string {
  const { authToken } = JSON.parse(readFileSync(String(lockFile), "utf8")) as {
    readonly authToken: string;
  };
  return authToken;
}

test("the page shows every frame between a real agent and a real editor, and no token reaches it [playground:6:inspect playground:6:inspect-no-token]", async () => {
  const { place, serve, run, page, received } = await openFixture();
  const { port, lockFile, editor } = await run.event("inspecting");
  const guide = page.getByTestId("guide");
  await guide.getByText(`CLAUDE_CODE_SSE_PORT=${port} claude`).waitFor();
  const client = await startClient(place, {
    env: { HOME: place.env.HOME, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  await client.untilReady();
  await guide.getByText("Every frame passes through").waitFor();
  await page.locator('[data-testid=connection-c1][data-state="open"]').waitFor();
  await page
    .getByTestId("connection-c1")
    .getByText(/^claude-code /)
    .waitFor();
  const edit = client.edit(join(place.folder, "a.md"), "# A\n");
  await serve.event("diff-opened");
  await page.getByRole("row", { name: "tools/call openDiff" }).first().click();
  await page.getByTestId("frame-view").getByText("show a diff of a.md").waitFor();
  await page.getByRole("tab", { name: "Raw" }).click();
  await page.getByTestId("frame-view").getByRole("textbox").waitFor();
  // Between two other peers, nothing can be sent.
  expect(await page.getByTestId("resend").count()).toBe(0);
  expect(await page.getByTestId("ask-editor").count()).toBe(0);
  edit.answerInTerminal("reject");
  await edit.result;
  await page.getByRole("tab", { name: "Sequence" }).click();
  await page.getByRole("tab", { name: "List" }).click();
  await page.getByRole("button", { name: "Only c1" }).click();
  await expect.poll(() => page.getByTestId("filter").inputValue()).toBe("ch:c1");
  await client.exit();
  await page.locator('[data-testid=connection-c1][data-state="closed"]').waitFor();
  expect(client.violations).toEqual([]);
  const everything = received.join("\n");
  expect(everything).toContain("openDiff");
  const ideLock = (editor as { readonly lockFile: string }).lockFile;
  for (const token of [tokenOf(lockFile), tokenOf(ideLock)]) {
    expect(everything).not.toContain(token);
  }
});

test("a reloaded page has the whole log and goes on, also after the editor has ended [playground:6:inspect-reload]", async () => {
  const { place, serve, run, page } = await openFixture();
  const { port } = await run.event("inspecting");
  const client = await startClient(place, {
    env: { HOME: place.env.HOME, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  await client.untilReady();
  await page.getByRole("row", { name: "ide_connected" }).first().waitFor();
  const before = await framesOf(page);
  await page.reload();
  await untilShown(page);
  await expect.poll(() => framesOf(page)).toBeGreaterThanOrEqual(before);
  await serve.close();
  await page.locator('[data-testid=connection-c1][data-state="closed"]').waitFor();
  await page.getByText("does not answer on port").first().waitFor();
});

test("as an agent the page calls tools by a form and as JSON, and edits a frame and sends it again [playground:6:inspect-as-agent]", async () => {
  const { place, serve, page } = await openFixture(["--as-agent"]);
  mkdirSync(join(place.folder, "deep"));
  await page.getByTestId("tool").selectOption("getWorkspaceFolders");
  await page.getByTestId("call").click();
  const answer = page.getByTestId("answer");
  await answer.getByText(place.folder).first().waitFor();

  await page.getByTestId("tool").selectOption("openDiff");
  const file = join(place.folder, "new.md");
  await page.locator("#field-old_file_path").fill(file);
  await page.locator("#field-new_file_contents").fill("# New\nline\n");
  await page.locator("#field-tab_name").fill("a tab");
  await page.getByTestId("call").click();
  await serve.event("diff-opened");
  await page.locator('[data-testid=answer][data-status="waiting"]').waitFor();
  await serve.do({ do: "diff", answer: "reject" });
  await answer.getByText("DIFF_REJECTED").waitFor();

  await page.getByTestId("tool").selectOption("openFile");
  await page.getByTestId("as-json").click();
  await page.getByTestId("arguments").fill("{");
  await page.getByTestId("call").click();
  await page.getByText("Not valid JSON").waitFor();
  await page.getByTestId("arguments").fill('{"filePath":1}');
  await page.getByTestId("call").click();
  await page.locator('[data-testid=answer][data-status="error"]').waitFor();

  await page.getByRole("row", { name: "tools/list" }).first().click();
  await page.getByRole("tab", { name: "Raw" }).click();
  const raw = page.getByTestId("frame-view").locator("textarea");
  await raw.fill('{"jsonrpc":"2.0","id":"mine","method":"dance"}');
  await page.getByTestId("resend").click();
  await page.getByRole("row", { name: "error of dance" }).waitFor();
  await raw.fill("not even JSON");
  await page.getByTestId("resend").click();
  await page.getByRole("row", { name: "malformed" }).first().waitFor();
});

test("an inspection can be saved, and a trace recorded in the terminal can be opened [playground:6:inspect-keep]", async () => {
  const { place, run, page } = await openFixture(["--as-agent", "--record", "day.jsonl"]);
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  await page.getByTestId("share").click();
  const kept = parseTrace(await savedBy(page, () => page.getByTestId("save-jsonl").click()));
  expect(kept.ok && kept.value.events.some(({ ev }) => ev === "frame")).toBe(true);
  run.kill("SIGINT");
  expect(await run.exited).toBe(130);
  const recorded = parseTrace(readFileSync(join(place.folder, "day.jsonl"), "utf8"));
  expect(recorded.ok && recorded.value.events.some(({ ev }) => ev === "open")).toBe(true);
  await page.locator('[data-testid=inspect][data-status="lost"]').waitFor();
});

test("the inspected editor is checked from the page, beside the agent that is connected to it [playground:6:inspect-checks]", async () => {
  const { place, run, page, received } = await openFixture();
  const { port, editor } = await run.event("inspecting");
  const { lockFile, port: editorPort } = editor as { lockFile: string; port: number };
  const client = await startClient(place, {
    env: { HOME: place.env.HOME, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  await client.untilReady();
  await page.getByRole("row", { name: "ide_connected" }).first().waitFor();
  const before = await framesOf(page);
  await page.getByRole("tab", { name: "Checks" }).click();
  const target = page.getByTestId("check-target");
  await target.getByText(`port ${editorPort}: `).waitFor({ state: "attached" });
  await page.getByTestId("run-checks").click();
  // The first rules suffice: running all of them takes too long.
  const list = page.getByTestId("check-list");
  await list.getByRole("option", { name: /^passed IDE-LOCK-001/ }).waitFor();
  await list
    .getByRole("option", { name: /^passed IDE-CONN-/ })
    .first()
    .waitFor();
  await page.getByTestId("stop-checks").click();
  await page.getByTestId("run-checks").waitFor();
  // The checks use their own connections: no frame of them appears here, and no agent is disconnected.
  await page.getByRole("tab", { name: "List" }).click();
  expect(await framesOf(page)).toBe(before);
  await page.locator('[data-testid=connection-c1][data-state="open"]').waitFor();
  expect(client.violations).toEqual([]);
  expect(received.join("\n")).toContain("live/check-result");
  expect(received.join("\n")).not.toContain(tokenOf(lockFile));
});

test.each([
  ["proxy", []],
  ["agent", ["--as-agent"]],
])(
  "the page of an inspection (%s) has no fault that axe finds, in light and, on a phone, in dark",
  async (_, flags) => {
    const { run, page } = await openFixture(flags);
    if (flags.length > 0) await page.getByTestId("call").waitFor();
    expect(await run.event("inspecting")).toBeDefined();
    await expectGoodLook(page, "light");
    await lookAs(page, looks["phone, dark"]);
    await page.locator("[data-pane=editor]").waitFor();
    await expectGoodLook(page, "phone, dark");
    const faults = site.complaints.filter((one) => one.startsWith("error:"));
    expect(faults).toEqual([]);
  },
);
