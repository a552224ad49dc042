import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { McpServer, ToolFailure } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { open as openProtected } from "../interop/protected-server.ts";
import { LineProgram } from "../src/line-program.ts";
import { silentPort } from "../src/silent-port.ts";
import { copiedBy, runCommand } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

// No process of idewire runs here: the page is served as by any static host.
const site = useSite({ mayComplain: true });

/** Opens the playground and connects it to a server by the form. */
async function connect(url: string): Promise<Page> {
  const page = await site.connected();
  await runCommand(page, "Inspector");
  await page.getByTestId("server-url").fill(url);
  await page.getByTestId("server-url").press("Enter");
  return page;
}

const open = (page: Page) => page.locator('[data-testid=server][data-status="open"]').waitFor();

async function choose(page: Page, name: string): Promise<void> {
  await page.getByTestId("entry").locator("button.entry").filter({ hasText: name }).first().click();
}

async function call(page: Page, tool: string, fields: Readonly<Record<string, string>> = {}) {
  await choose(page, tool);
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`#field-${name}`).fill(value);
  }
  await page.getByTestId("call").click();
}

const answer = (page: Page) => page.getByTestId("answer");
const row = (page: Page, name: string | RegExp) => page.getByRole("row", { name });

/** A server of ours that asks a question within a call. */
async function listen(allowedOrigins: readonly string[]): Promise<string> {
  const server = new McpServer({ name: "ours", version: "1", instructions: "Add numbers." });
  const input = v.object({ a: v.number(), b: v.number() });
  server.tool("sum", { input }, ({ a, b }) => String(a + b));
  server.resource("notes://beds", { name: "beds" }, () => "carrots");
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins });
  onTestFinished(() => listening.close());
  return listening.url;
}

test("a server of ours is inspected from the page as it opens, without idewire", async () => {
  const page = await connect(await listen([site.origin]));
  await open(page);
  await call(page, "sum", { a: "2", b: "40" });
  await answer(page).getByText("42").first().waitFor();
  await row(page, /tools\/call 200/)
    .first()
    .waitFor();
  await page.getByRole("tab", { name: /^Resources/ }).click();
  await choose(page, "beds");
  await page.getByTestId("send").click();
  await answer(page).getByText("carrots").first().waitFor();
  await page.getByRole("tab", { name: "Model" }).click();
  await page
    .locator("#server-view")
    .getByText(/tokens/)
    .first()
    .waitFor();
  // The page's address contains the server, so that a reload connects again.
  await page.reload();
  await open(page);
  for (const [where, look] of Object.entries(looks)) {
    await lookAs(page, look);
    await expectGoodLook(page, where as keyof typeof looks);
  }
});

/** The cells of the list whose text overflows into the next one. */
const COLLISIONS = `[...document.querySelectorAll(".wire-row > [role=gridcell]")]
  .filter((cell) => cell.checkVisibility({ visibilityProperty: true }))
  .filter((cell) => getComputedStyle(cell).overflowX === "visible" && cell.scrollWidth > cell.clientWidth + 1)
  .map((cell) => cell.textContent)`;

test("text entered as JSON is in the form, and a form that cannot show it gives the reason", async () => {
  const page = await connect(await listen([site.origin]));
  await open(page);
  await choose(page, "sum");
  await page.getByTestId("as-json").click();
  await page.getByTestId("arguments").fill('{"a": 2, "b": "many"}');
  await page.getByTestId("as-json").click();
  await page.getByRole("alert").getByText("b: the form takes a number only").waitFor();
  await page.getByTestId("arguments").fill('{"a": 2, "b": 40}');
  await page.getByTestId("as-json").click();
  await expect.poll(() => page.locator("#field-b").inputValue()).toBe("40");
  await page.getByTestId("call").click();
  await answer(page).getByText("42").first().waitFor();
});

test("a call keeps its progress while another reports some, and is shown as cancelled by the person", async () => {
  const server = new McpServer({ name: "slow", version: "1" });
  server.tool("wait", { input: v.object({}) }, (_, call) => {
    // The token of another call, whose progress is newer.
    call.progress({ progress: 3, total: 5 });
    call.notify("notifications/progress", { progressToken: "other", progress: 1 });
    return new Promise<string>(() => {});
  });
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins: [site.origin] });
  onTestFinished(() => listening.close());
  const page = await connect(listening.url);
  await open(page);
  await call(page, "wait");
  await row(page, "notifications/progress").nth(1).waitFor();
  await answer(page).getByText("3 of 5").waitFor();
  await page.getByTestId("cancel").click();
  await answer(page).getByText("You have cancelled this request").waitFor();
});

test("a running call can be cancelled after another tool and another view were open", async () => {
  const server = new McpServer({ name: "slow", version: "1" });
  server.tool("wait", { input: v.object({}) }, () => new Promise<string>(() => {}));
  server.tool("refuse", { input: v.object({}) }, () => {
    throw new ToolFailure("no more beds");
  });
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins: [site.origin] });
  onTestFinished(() => listening.close());
  const page = await connect(listening.url);
  await open(page);
  await call(page, "wait");
  await page.getByTestId("cancel").waitFor();
  await call(page, "refuse");
  await answer(page).getByText("The tool refuse failed. The model reads:").waitFor();
  // The reason is shown once.
  await expect.poll(() => answer(page).getByText("no more beds").count()).toBe(1);
  await page.getByRole("tab", { name: "Log" }).click();
  await page.getByRole("tab", { name: /^Tools/ }).click();
  await choose(page, "wait");
  await page.getByTestId("cancel").click();
  await answer(page).getByText("You have cancelled this request").waitFor();
});

test("an incomplete answer is refused at its question, and can be completed", async () => {
  const server = new McpServer({ name: "asks", version: "1" });
  server.tool("plant", { input: v.object({}) }, async (_, call) => {
    const answer = await call.ask(
      "Which bed?",
      v.object({ bed: v.pipe(v.string(), v.minLength(3)) }),
    );
    return `planted in ${JSON.stringify(answer)}`;
  });
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins: [site.origin] });
  onTestFinished(() => listening.close());
  const page = await connect(listening.url);
  await open(page);
  await call(page, "plant");
  const question = page.getByTestId("question");
  await question.getByTestId("accept").click();
  await question.getByRole("alert").getByText(/bed/).waitFor();
  await question.locator("#question-1-bed").fill("south");
  await question.getByTestId("accept").click();
  await answer(page).getByText("south").first().waitFor();
});

test("no cell of the list runs into the next one, in a window of any width", async () => {
  const page = await connect(await listen([site.origin]));
  await open(page);
  await row(page, /tools\/list 200/)
    .first()
    .waitFor();
  for (const width of [1440, 900, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    if (width < 700)
      await page.getByRole("navigation", { name: "Panes" }).getByText(/^Wire/).click();
    await row(page, /tools\/list 200/)
      .first()
      .waitFor();
    expect(await page.evaluate(COLLISIONS), `${width} px`).toEqual([]);
  }
});

const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

test("a server receives the name and the version of the page", async () => {
  const page = await connect(await listen([site.origin]));
  await open(page);
  await row(page, /^(?!.*(?:result|HTTP)).*(?:initialize|server\/discover)/)
    .first()
    .click();
  const manifest = new URL("../../packages/web-playground/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  await page.locator("[data-pane=frame]").getByText(`"${version}"`).first().waitFor();
});

test("the actions of a call are in its row, by the pointer and by keys", async () => {
  const page = await connect(await listen([site.origin]));
  await open(page);
  await call(page, "sum", { a: "2", b: "40" });
  await answer(page).getByText("42").first().waitFor();
  const calls = page.getByRole("row", { name: /(?<!of )tools\/call sum/ });
  await calls.first().hover();
  await calls
    .first()
    .getByRole("button", { name: /^Actions of frame \d+$/ })
    .click();
  const menu = page.getByRole("menu", { name: /^Actions of frame/ });
  const names = await menu.getByRole("menuitem").allTextContents();
  expect(names).toEqual([
    ...["Repeat", "Edit and repeat", "Copy as idewire mcp", "Copy as curl", "Copy call as test"],
  ]);
  expect(await copiedBy(page, () => menu.getByText("Copy as idewire mcp").click())).toMatch(
    /^idewire mcp call sum /,
  );
  // The row is selected by the keyboard, without the pointer.
  await calls.first().click();
  await page.mouse.move(0, 0);
  await page.getByRole("grid", { name: "Frames" }).focus();
  await page.keyboard.press("Shift+F10");
  await menu.getByRole("menuitem", { name: "Repeat", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => calls.count()).toBe(2);
});

test("a published server with sessions is used in full, and its questions are answered", async () => {
  const port = await silentPort();
  const options = { env: { PORT: String(port) }, cwd: tmpdir() };
  const server = new LineProgram(process.execPath, [everything, "streamableHttp"], options);
  await expect.poll(() => server.errors).toContain(`port ${port}`);
  const page = await connect(`http://localhost:${port}/mcp`);
  await open(page);
  await call(page, "get-sum", { a: "2", b: "40" });
  await answer(page).getByText("42").first().waitFor();
  await call(page, "trigger-elicitation-request");
  const question = page.getByTestId("question");
  await question.locator("#question-1-name").fill("Ann");
  await question.getByTestId("accept").click();
  await answer(page).getByText("Ann").first().waitFor();
  await call(page, "trigger-long-running-operation", { duration: "600", steps: "6000" });
  await page.getByTestId("progress").waitFor();
  await page.getByTestId("cancel").click();
  await row(page, "notifications/cancelled").first().waitFor();
});

test("a server that does not allow the page's origin by CORS is reported as such", async () => {
  const page = await connect(await listen([]));
  const problem = page.getByTestId("server-problem");
  await problem.getByText(`does not allow ${site.origin} by CORS`).waitFor();
});

test("a login is in a tab of the browser, and no secret of it is in a row", async () => {
  const { audience } = await openProtected(
    "jwt",
    {},
    { allowedOrigins: [site.origin], admitsPages: true },
  );
  const page = await connect(audience);
  const link = page.getByTestId("login").getByRole("link");
  const [login] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await login.getByText("The login is over").waitFor();
  // The text appears before the script removes the code from the address.
  await expect.poll(() => new URL(login.url()).search).toBe("");
  await open(page);
  await call(page, "who");
  await answer(page).getByText("ann: read").first().waitFor();
  await row(page, /code for tokens 200/)
    .first()
    .click();
  const tokens = await page.getByTestId("http-exchange").textContent();
  expect(tokens).toMatch(/code=redacted-token-\d+/);
  expect(tokens).toMatch(/"access_token": "redacted-token-\d+"/);
});

test("a token that ends is refreshed, and the refresh is a row without secrets", async () => {
  const special = { allowedOrigins: [site.origin], admitsPages: true, ttlS: 2 };
  const { audience } = await openProtected("jwt", {}, special);
  const page = await connect(audience);
  const link = page.getByTestId("login").getByRole("link");
  const [login] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await login.getByText("The login is over").waitFor();
  await open(page);
  await call(page, "who");
  await row(page, /[Rr]efresh.* 200/)
    .first()
    .click();
  const tokens = await page.getByTestId("http-exchange").textContent();
  expect(tokens).toMatch(/refresh_token=redacted-token-\d+/);
  expect(tokens).toMatch(/"access_token": "redacted-token-\d+"/);
});

test("only the document of the inspector may connect to other servers", async () => {
  const policyOf = async (path: string) =>
    /connect-src ([^;]*)/.exec(await (await fetch(`${site.origin}/${path}`)).text())?.[1];
  expect(await policyOf("index.html")).toBe("'self' ws://127.0.0.1:* ws://localhost:*");
  expect(await policyOf("inspector.html")).toBe("'self' http: https:");
  expect(await policyOf("login.html")).toBe(undefined);
});
