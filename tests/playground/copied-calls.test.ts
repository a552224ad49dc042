import { execFile, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { toNodeHandler } from "@idewire/node-server";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import {
  callAsCurl,
  callAsSseCurl,
} from "../../packages/web-playground/src/inspect/call-as-curl.ts";
import { commandOf } from "../../packages/web-playground/src/inspect/command-of.ts";
import { LineProgram } from "../src/line-program.ts";
import { silentPort } from "../src/silent-port.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });
const hostile = 'it\'s "$(id)" `id` $HOME \\ !! \n %s ; & | > x ../é';

/** The arguments of each command, as parsed by bash. */
function wordsOf(program: string, script: string): readonly (readonly string[])[] {
  const define = `${program}() { printf '%s\\0' "$@"; printf '\\n\\0'; }`;
  const output = execFileSync("bash", ["-c", `${define}\n${script}`], { encoding: "utf8" });
  const commands = output.split("\0\n\0").filter((words) => words !== "");
  return commands.map((words) => words.split("\0"));
}

const raw = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name: hostile, arguments: { [hostile]: hostile } },
});

test("bash passes each header and the frame to curl as they were, and a secret is a variable", () => {
  const url = "https://example.com/mcp?a='b'&c=$(id)";
  const headers = [
    ["accept", "application/json, text/event-stream"],
    ["x-odd", "it's $(id) `id`"],
    ["authorization", "Bearer redacted-token-3"],
    ["mcp-method", "tools/call"],
    ["content-length", "1"],
  ] as const;
  const script = callAsCurl({ url, raw, headers });
  expect(script).toContain(`-H 'authorization: Bearer '"$AUTHORIZATION"`);
  expect(wordsOf("curl", `AUTHORIZATION='a secret'\n${script}`)).toEqual([
    [
      ...["-sS", url],
      ...["-H", "accept: application/json, text/event-stream"],
      ...["-H", "x-odd: it's $(id) `id`"],
      ...["-H", "authorization: Bearer a secret"],
      ...["-H", "mcp-method: tools/call"],
      ...["--data-raw", raw],
    ],
  ]);
});

test("a call of a session begins a session of its own", () => {
  const headers = [
    ["mcp-session-id", "redacted-token-1"],
    ["mcp-protocol-version", "2025-06-18"],
  ] as const;
  const script = callAsCurl({ url: "https://example.com/mcp", raw, headers });
  const [initialize, initialized, call] = script.split("\n");
  expect(initialize).toMatch(/^session=\$\(curl .*"protocolVersion":"2025-06-18"/);
  expect(initialized).toContain("notifications/initialized");
  expect(call).toContain('-H "mcp-session-id: $session"');
  expect(script).not.toContain("redacted-token");
});

test("bash gets the answer of a published server of HTTP with SSE by curl", async () => {
  const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
    "@modelcontextprotocol/server-everything/dist/index.js",
  );
  const port = await silentPort();
  const options = { env: { PORT: String(port) }, cwd: tmpdir() };
  const server = new LineProgram(process.execPath, [everything, "sse"], options);
  await expect.poll(() => server.errors).toContain(`port ${port}`);
  const params = { name: "echo", arguments: { message: hostile } };
  const script = callAsSseCurl({
    url: `http://localhost:${port}/sse`,
    raw: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
    headers: [
      ["accept", "application/json, text/event-stream"],
      ["content-type", "application/json"],
    ],
  });
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toMatchObject({
    result: { content: [{ text: `Echo: ${hostile}` }] },
  });
});

test("bash passes the name and the arguments of any call to idewire as they were", () => {
  const servers = [{ name: "s", shell: "-- node 'a b.js'" }] as never;
  const params = { name: hostile, arguments: { [hostile]: hostile } };
  const command = commandOf({ servers }, { server: "s", method: "tools/call", params }) ?? "";
  const [words] = wordsOf("idewire", command);
  const args = JSON.stringify(params.arguments);
  expect(words).toEqual(["mcp", "call", hostile, args, "--", "node", "a b.js"]);
  const option = { server: "s", method: "tools/call", params: { name: "--json" } };
  expect(wordsOf("idewire", commandOf({ servers }, option) ?? "")).toEqual([
    ["mcp", "call", "--", "--json", "{}", "--", "node", "a b.js"],
  ]);
});

/** A server whose tool repeats its argument. */
async function openServer(): Promise<string> {
  const server = new McpServer({ name: "echoes", version: "1" });
  const input = {
    type: "object",
    properties: { text: { type: "string" }, link: { type: "string", format: "uri" } },
  } as const;
  server.tool("echo.it", { input }, ({ text }: { readonly text?: unknown }) => String(text));
  const handler = createMcpHandler(server, { access: "anyone" });
  const node = createServer((request, response) => void toNodeHandler(handler)(request, response));
  await new Promise<void>((resolve) => void node.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    handler.close();
    node.close();
    node.closeAllConnections();
  });
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}/mcp`;
}

async function inspect(flags: readonly string[]): Promise<Page> {
  const page = await openInspector(site, flags);
  await untilOpen(page);
  return page;
}

async function copied(page: Page, testid: string): Promise<string> {
  return (await page.getByTestId(testid).getAttribute("data-text")) ?? "";
}

test.each(["legacy", "modern"])(
  "in the %s era a call of a row is repeated, edited, and sent again by curl",
  async (era) => {
    const page = await inspect(["--era", era, await openServer()]);
    await page.getByTestId("entry").locator("button.entry").first().click();
    await page.locator("#field-text").fill(hostile.replace("\n", ""));
    await page.getByTestId("call").click();
    await page.getByTestId("answer").getByText("$(id)").first().waitFor();
    const calls = page.getByRole("row", { name: /(?<!of )tools\/call echo\.it/ });
    await calls.first().click();
    const curl = await copied(page, "copy-as-curl");
    // The server runs in this process, which must not block.
    const { stdout } = await promisify(execFile)("bash", ["-c", curl], { timeout: 10_000 });
    expect(stdout).toContain(JSON.stringify(hostile.replace("\n", "")).slice(1, -1));
    expect(await copied(page, "copy-as-test")).toContain('client.callTool("echo.it", {"text":');
    expect(await copied(page, "copy-as-command")).toMatch(/^idewire mcp call echo\.it /);
    await page.getByTestId("repeat").click();
    await expect.poll(() => calls.count()).toBe(2);
    await expect.poll(() => calls.nth(1).getAttribute("aria-selected")).toBe("true");
    await page.getByTestId("edit-repeat").click();
    await page.getByTestId("arguments").fill('{"text":"other"}');
    await page.getByTestId("call").click();
    await page.getByTestId("answer").getByText("other").first().waitFor();
    // The answer as the model sees it.
    await page.getByRole("tab", { name: "Model" }).click();
    await expect.poll(() => page.getByTestId("tokens").textContent()).toMatch(/^about \d+ tokens$/);
    const refusals = await page.getByTestId("refusal").allTextContents();
    expect(refusals.join()).toMatch(/Anthropic refuses echo\.it.*OpenAI.*Gemini.*the format uri/);
    await expectGoodLook(page, "light");
    await lookAs(page, looks["phone, dark"]);
    await expectGoodLook(page, "phone, dark");
  },
);
