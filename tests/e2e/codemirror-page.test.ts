import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectIde, type EditorMention } from "@idewire/node-server";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
// @ts-expect-error: it is plain JavaScript, as a reader of the example runs it
import { openServer } from "../../examples/codemirror/server.js";
import { launchChromium } from "../obsidian-host/node/chromium.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

async function openExample() {
  const folder = temporaryFolder("idewire-page-");
  const env = { HOME: temporaryFolder("idewire-home-") };
  writeFileSync(join(folder, "welcome.md"), "# Welcome\r\n\r\nfirst\r\nsecond\n");
  writeFileSync(join(folder, "notes.md"), "# Notes\n");
  const server = (await openServer(folder, { env, resume: false })) as {
    readonly url: string;
    close(): Promise<void>;
  };
  onTestFinished(() => server.close());
  return { folder, env, url: server.url };
}

async function openPage(url: string) {
  const browserServer = await launchChromium();
  onTestFinished(() => browserServer.close());
  const browser = await chromium.connect(browserServer.wsEndpoint());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(url);
  await page.getByText("find this page").waitFor();
  return { page, errors };
}

test("the example's page is an editor: selection, mention, diff by hunks, save", async () => {
  const { folder, env, url } = await openExample();
  const { page, errors } = await openPage(url);
  const agent = await connectIde({ name: "claude-code", version: "1", cwd: folder, env });
  onTestFinished(() => agent.close());
  const mentions: EditorMention[] = [];
  agent.on("mention", (mention) => mentions.push(mention));
  await page.locator(".cm-line", { hasText: "first" }).click({ clickCount: 3 });
  await expect.poll(() => agent.selection?.text.trimEnd()).toBe("first");
  await page.keyboard.press("ControlOrMeta+Alt+m");
  await expect.poll(() => mentions.length).toBe(1);
  const filePath = join(folder, "welcome.md");
  const newText = "# WELCOME\r\n\r\nfirst\r\nSECOND\nthird\n";
  const answer = agent.openDiff({ filePath, newText });
  const review = page.locator("article");
  await review.locator(".cm-changedText", { hasText: "SECOND" }).waitFor();
  await review.locator("button[name=reject]").first().click();
  await review.getByRole("button", { name: "Accept", exact: true }).last().click();
  const accepted = "# Welcome\r\n\r\nfirst\r\nSECOND\nthird\n";
  expect(await answer).toMatchObject({ kind: "accepted", text: accepted });
  // The agent writes it; the page shows it.
  writeFileSync(filePath, accepted);
  await page.locator("main .cm-line", { hasText: "third" }).waitFor();
  await page.locator("main .cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("typed");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => readFileSync(filePath, "utf8")).toBe(`${accepted}typed`);
  expect(errors).toEqual([]);
});

test("without the key of the address nothing is served, and no page is an editor", async () => {
  const { url } = await openExample();
  const { origin, host, searchParams } = new URL(url);
  const status = async (path: string, init?: RequestInit) =>
    (await fetch(origin + path, init)).status;
  expect(await status("/?key=guessed")).toBe(403);
  expect(await status("/files/welcome.md")).toBe(403);
  expect(await status("/files/welcome.md", { method: "PUT", body: "" })).toBe(403);
  const cookie = `key=${searchParams.get("key")}`;
  const closed = (headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      new WebSocket(`ws://${host}/editor`, { headers }).on("close", resolve);
    });
  expect(await closed({ origin })).toBe(1008);
  expect(await closed({ origin: "http://evil.example", cookie })).toBe(1008);
});
