import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { LineProgram } from "../src/line-program.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { silentPort } from "../src/silent-port.ts";
import { openTrace, savedBy } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

/** The page of an inspection of MCP servers. */
async function openInspector(flags: readonly string[], place = openWorkspace("home", "notes")) {
  const run = startInspect(place, ["--web", ...flags]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
  return page;
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByTestId("entry").locator("button.entry").filter({ hasText: name }).first().click();
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
}

const answer = (page: Page) => page.getByTestId("answer");

test("a published server that is a program is used in full from the page", async () => {
  const page = await openInspector(["--", process.execPath, everything]);
  // Tools: search, annotations, a call by a form, its frames and its command.
  await page.getByTestId("search-entries").fill("sum");
  await choose(page, "get-sum");
  await page.locator("#field-a").fill("2");
  await page.locator("#field-b").fill("40");
  await page.getByTestId("call").click();
  await answer(page).getByText("42").first().waitFor();
  const command = await page.getByTestId("copy-command").getAttribute("data-command");
  expect(command).toMatch(/^idewire mcp call get-sum '\{"a":2,"b":40\}' -- /);
  await page.getByRole("row", { name: "tools/call get-sum" }).first().waitFor();
  // The same tool with JSON that a form could not produce.
  await page.getByTestId("as-json").click();
  await page.getByTestId("arguments").fill('{"a":"two"}');
  await page.getByTestId("call").click();
  await page.locator('[data-testid=answer][data-status="error"]').waitFor();

  await page.getByTestId("search-entries").fill("");
  await choose(page, "get-structured-content");
  await page.locator("#field-location").selectOption("Chicago");
  await page.getByTestId("call").click();
  await page.getByText("The structured content matches its schema.").waitFor();
  await choose(page, "get-tiny-image");
  await page.getByTestId("call").click();
  await page.locator("img.answer-image").waitFor();

  // Progress, and cancelling.
  await choose(page, "trigger-long-running-operation");
  await page.locator("#field-duration").fill("600");
  await page.locator("#field-steps").fill("6000");
  await page.getByTestId("call").click();
  await page.getByTestId("progress").waitFor();
  await page.getByTestId("cancel").click();
  await page.locator('[data-testid=answer][data-status="error"]').waitFor();
  await page.getByRole("row", { name: "notifications/cancelled" }).first().waitFor();

  // Questions of the server.
  await choose(page, "trigger-elicitation-request");
  await page.getByTestId("call").click();
  const question = page.getByTestId("question");
  await question.locator("#question-1-name").fill("Ann");
  await question.getByTestId("accept").click();
  await answer(page).getByText("Ann").first().waitFor();
  await choose(page, "trigger-sampling-request");
  await page.locator("#field-prompt").fill("how many?");
  await page.getByTestId("call").click();
  await question.getByTestId("sampled").fill("forty-two");
  await question.getByTestId("accept").click();
  await answer(page).getByText("forty-two").first().waitFor();
  await openTab(page, "Roots");
  await page.getByTestId("roots").fill("file:///ours");
  await page.getByTestId("set-roots").click();
  await page.getByRole("row", { name: "notifications/roots/list_changed" }).first().waitFor();
  await openTab(page, "Tools");
  await choose(page, "get-roots-list");
  await page.getByTestId("call").click();
  await answer(page).getByText("file:///ours").first().waitFor();

  // Prompts, with completions.
  await openTab(page, "Prompts");
  await choose(page, "completable-prompt");
  await page.locator("#text-department").fill("S");
  await page.locator('datalist option[value="Sales"]').waitFor({ state: "attached" });
  await page.locator("#text-department").fill("Sales");
  await page.locator("#text-name").fill("David");
  await page.getByTestId("send").click();
  await answer(page).getByText("David").first().waitFor();

  // Resources, templates, subscriptions.
  await openTab(page, "Resources");
  await choose(page, "demo://resource/dynamic/text/{resourceId}");
  await page.locator("#text-resourceId").fill("1");
  await page.getByTestId("send").click();
  await answer(page).getByText("Resource 1").first().waitFor();
  await page.getByTestId("subscribe").click();
  await page.getByRole("button", { name: "Unsubscribe" }).waitFor();
  await page.getByRole("row", { name: "resources/subscribe" }).first().waitFor();

  // A call that becomes a task.
  await openTab(page, "Tools");
  await choose(page, "simulate-research-query");
  await page.locator("#field-topic").fill("beds");
  // The task waits for a clarification until it is cancelled.
  await page.locator("#field-ambiguous").selectOption("true");
  await page.getByTestId("call").click();
  await page.getByRole("row", { name: "tools/call simulate-research-query" }).first().waitFor();
  await openTab(page, "Tasks");
  const task = page.getByTestId("entry").locator("button.entry").first();
  await task.click();
  await page.getByTestId("tasks/get").click();
  await task.getByText(/working|input_required/).waitFor();
  await page.getByTestId("tasks/cancel").click();
  await answer(page).getByText("cancelled").first().waitFor();
  await task.getByText("cancelled").waitFor();
  await page.getByRole("button", { name: "List again" }).click();
  await task.getByText("cancelled").waitFor();
  await page.getByTestId("tasks/get").click();
  await page.getByRole("row", { name: "result of tasks/get" }).first().waitFor();

  // Log messages at the chosen level and above.
  await openTab(page, "Tools");
  await choose(page, "toggle-simulated-logging");
  await page.getByTestId("call").click();
  await openTab(page, "Log");
  await page.getByTestId("log-level").selectOption("debug");
  await page.getByRole("row", { name: "logging/setLevel" }).first().waitFor();
  await page.getByTestId("message").first().waitFor();
  await page.getByTestId("log-level").selectOption("emergency");
  const levels = page.getByTestId("message");
  const shown = () => levels.evaluateAll((all) => all.map((one) => one.getAttribute("data-level")));
  await expect.poll(async () => (await shown()).every((level) => level === "emergency")).toBe(true);

  // stderr is under "What happened".
  await page.getByText("Starting default (STDIO) server").first().waitFor();
  await openTab(page, "Tools");
  await expectGoodLook(page, "light");
  await lookAs(page, looks["phone, dark"]);
  await page.locator("[data-pane=editor]").waitFor();
  await expectGoodLook(page, "phone, dark");
});

/** Starts the published server over HTTP until the end of the test. @returns its address */
async function serve(transport: string, path: string): Promise<string> {
  const port = await silentPort();
  const env = { PORT: String(port) };
  const server = new LineProgram(process.execPath, [everything, transport], { env, cwd: tmpdir() });
  await expect.poll(() => server.errors).toContain(`port ${port}`);
  return `http://localhost:${port}${path}`;
}

test("the servers of a configuration are used at once over every transport, and it is only read", async () => {
  const place = openWorkspace("home", "notes");
  const file = join(place.folder, "mcp.json");
  const mcpServers = {
    stdio: { command: process.execPath, args: [everything] },
    streamable: { type: "http", url: await serve("streamableHttp", "/mcp") },
    sse: { type: "sse", url: await serve("sse", "/sse") },
    gone: { url: `http://localhost:${await silentPort()}/mcp` },
  };
  const text = JSON.stringify({ mcpServers });
  writeFileSync(file, text);
  const page = await openInspector(["--config", file], place);
  for (const name of ["stdio", "streamable", "sse"]) {
    await page.getByTestId("server-name").selectOption(name);
    await page
      .getByTestId(/^connection-/)
      .filter({ hasText: name })
      .waitFor();
    await page.locator('[data-testid=server][data-status="open"]').waitFor();
    await choose(page, "echo");
    await page.locator("#field-message").fill(`over ${name}`);
    await page.getByTestId("call").click();
    await answer(page).getByText(`over ${name}`).first().waitFor();
  }
  await page.getByTestId("server-name").selectOption("gone");
  await page.getByTestId("server-problem").waitFor();
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a recording of MCP servers names client and server wherever it is opened", async () => {
  const place = openWorkspace("home", "notes");
  const flags = ["--record", "day.jsonl", "--", process.execPath, everything];
  const page = await openInspector(flags, place);
  await page.getByRole("row", { name: "result of tools/list" }).first().waitFor();
  await page.getByTestId("share").click();
  const files = {
    "saved.har": await savedBy(page, () => page.getByTestId("save-har").click()),
    "saved.jsonl": await savedBy(page, () => page.getByTestId("save-jsonl").click()),
    "day.jsonl": readFileSync(join(place.folder, "day.jsonl"), "utf8"),
  };
  for (const [name, content] of Object.entries(files)) {
    const opened = await site.connected();
    await openTrace(opened, name, content);
    await opened.getByTestId("guide").getByText("A recorded trace").waitFor();
    const row = opened.getByRole("row", { name: "tools/list" }).first();
    await row.getByRole("img", { name: "client to server" }).waitFor();
  }
});
