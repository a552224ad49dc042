import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { open as openProtected } from "../interop/protected-server.ts";
import { browsingPerson } from "../interop/real-authorization-server.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { silentPort } from "../src/silent-port.ts";
import { openRow } from "./actions.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { useSite } from "./site.ts";
import { few, takeAll } from "./take-pictures.ts";

const site = useSite({ mayComplain: true });
const installed = createRequire(new URL("../interop/package.json", import.meta.url));
const ending = fileURLToPath(new URL("../src/ending-server.mjs", import.meta.url));
const everything = installed.resolve("@modelcontextprotocol/server-everything/dist/index.js");

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByTestId("entry").locator("button.entry").filter({ hasText: name }).first().click();
}

async function call(page: Page, tool: string): Promise<void> {
  await choose(page, tool);
  await page.getByTestId("call").click();
}

async function decline(page: Page): Promise<void> {
  const question = page.getByTestId("question");
  await question.getByRole("button", { name: "Decline" }).click();
  await question.waitFor({ state: "detached" });
}

test("pictures of the parts of an MCP server", async () => {
  const page = await openInspector(site, ["--", process.execPath, everything]);
  await untilOpen(page);
  await takeAll(page, "inspect-tools", "editor");
  await choose(page, "get-structured-content");
  await page.locator("#field-location").selectOption("Chicago");
  await page.getByTestId("call").click();
  await page.getByText("The structured content matches its schema.").waitFor();
  await openRow(page, "tools/call get-structured-content");
  await takeAll(page, "inspect-answer", "editor", few);
  await call(page, "trigger-elicitation-request");
  await page.getByTestId("question").getByTestId("accept").waitFor();
  await takeAll(page, "inspect-question", "editor");
  await decline(page);
  await choose(page, "trigger-sampling-request");
  await page.locator("#field-prompt").fill("how many?");
  await page.getByTestId("call").click();
  await page.getByTestId("sampled").waitFor();
  await takeAll(page, "inspect-sampling", "editor", few);
  await decline(page);
  await openTab(page, "Model");
  await page.locator(".model-view").waitFor();
  await takeAll(page, "inspect-model", "editor", few);
  await openTab(page, "Prompts");
  await choose(page, "completable-prompt");
  await page.locator("#text-department").fill("Sales");
  await page.locator("#text-name").fill("David");
  await page.getByTestId("send").click();
  await page.getByTestId("answer").getByText("David").first().waitFor();
  await takeAll(page, "inspect-prompts", "editor", few);
  await openTab(page, "Resources");
  await choose(page, "demo://resource/dynamic/text/{resourceId}");
  await page.locator("#text-resourceId").fill("1");
  await page.getByTestId("send").click();
  await page.getByTestId("answer").getByText("Resource 1").first().waitFor();
  await takeAll(page, "inspect-resources", "editor", few);
  await openTab(page, "Tools");
  await choose(page, "simulate-research-query");
  await page.locator("#field-topic").fill("beds");
  await page.locator("#field-ambiguous").selectOption("true");
  await page.getByTestId("call").click();
  await openTab(page, "Tasks");
  await page.getByTestId("entry").locator("button.entry").first().click();
  await page.getByTestId("tasks/get").click();
  await page.getByRole("row", { name: "result of tasks/get" }).first().waitFor();
  await takeAll(page, "inspect-tasks", "editor", few);
  await openTab(page, "Tools");
  await call(page, "toggle-simulated-logging");
  await openTab(page, "Log");
  await page.getByTestId("log-level").selectOption("debug");
  await page.getByTestId("message").first().waitFor();
  await takeAll(page, "inspect-log", "editor", few);
  await openTab(page, "Roots");
  await page.getByTestId("roots").fill("file:///ours");
  await takeAll(page, "inspect-roots", "editor", few);
});

test("pictures in every look: several servers at once, and saved calls", async () => {
  const { folder } = openWorkspace("home", "notes");
  const file = join(folder, "mcp.json");
  const command = process.execPath;
  const gone = { url: `http://localhost:${await silentPort()}/mcp` };
  const mcpServers = {
    everything: { command, args: [everything] },
    beds: { command, args: [ending] },
    gone,
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const page = await openInspector(site, ["--config", file]);
  await untilOpen(page);
  await takeAll(page, "inspect-several", "editor");
  await page.getByTestId("server-name").selectOption("gone");
  await page.getByTestId("server-problem").waitFor();
  await takeAll(page, "inspect-gone", "editor");
  await page.getByTestId("server-name").selectOption("everything");
  await untilOpen(page);
  await choose(page, "get-sum");
  for (const [name, sum] of [
    ["forty-two", "40"],
    ["a sum with a long name, of the kind that people write", "12345"],
  ] as const) {
    await page.locator("#field-a").fill("2");
    await page.locator("#field-b").fill(sum);
    await page.getByTestId("call-name").fill(name);
    await page.getByTestId("save-call").click();
  }
  await page.getByRole("button", { name: "Pin forty-two" }).click();
  await takeAll(page, "inspect-saved", "editor");
});

test("pictures of a long description, a template with a query, and a server that ended", async () => {
  const page = await openInspector(site, ["--", process.execPath, ending]);
  await untilOpen(page);
  await openTab(page, "Resources");
  await choose(page, "beds://search");
  await page.locator("#text-bed").waitFor();
  await takeAll(page, "inspect-template", "editor", few);
  await openTab(page, "Tools");
  await choose(page, "end");
  await takeAll(page, "inspect-long", "editor", few);
  await page.locator("#field-why").fill("winter");
  await page.getByTestId("call").click();
  await page.getByTestId("server-problem").waitFor();
  await takeAll(page, "inspect-ended", "editor", few);
});

test("pictures of a login, its steps and an HTTP exchange", async () => {
  const { audience } = await openProtected("jwt");
  const page = await openInspector(site, [audience]);
  const link = page.getByTestId("login").getByRole("link");
  const address = (await link.getAttribute("href")) ?? "";
  await takeAll(page, "inspect-login", "editor", few);
  const { visit } = await browsingPerson(new URL(address).searchParams.get("redirect_uri") ?? "");
  await fetch(await visit(address));
  await untilOpen(page);
  await call(page, "who");
  await page.getByTestId("answer").getByText("ann: read").first().waitFor();
  await openRow(page, /code for tokens 200/);
  await page.getByTestId("http-exchange").waitFor();
  await takeAll(page, "inspect-oauth", "wire", few);
  await openRow(page, /tools\/call 200/);
  await takeAll(page, "inspect-http", "frame");
});

test("a picture in every look: the view of an MCP App", async () => {
  const folder = dirname(installed.resolve("@modelcontextprotocol/server-budget-allocator"));
  const page = await openInspector(site, [
    "--",
    process.execPath,
    join(folder, "index.js"),
    "--stdio",
  ]);
  await untilOpen(page);
  await call(page, "get-budget-data");
  const view = page.frameLocator("[data-testid=app-view] iframe");
  await view.getByText("Budget Allocator").first().waitFor();
  await takeAll(page, "inspect-app", "editor");
});
