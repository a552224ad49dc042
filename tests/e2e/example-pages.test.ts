import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectIde, type EditorMention } from "@idewire/node-server";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
// @ts-expect-error: it is plain JavaScript, as a reader of the example runs it
import { openServer } from "../../examples/codemirror/server.js";
// @ts-expect-error: as above
import { page as monacoPage } from "../../examples/monaco/server.js";
import { openPageAlone } from "../obsidian-host/node/chromium.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

/** A page of the examples, and the properties of its editor. */
interface Example {
  readonly name: string;
  readonly options: object;
  readonly line: string;
  /** The element that receives keys. */
  readonly input: string;
  /** Rejects the only change of the first line in a review. */
  readonly rejectFirst: (review: Locator, page: Page) => Promise<void>;
}

const examples: readonly Example[] = [
  {
    name: "CodeMirror",
    options: {},
    line: ".cm-line",
    input: ".cm-content",
    rejectFirst: (review) => review.locator("button[name=reject]").first().click(),
  },
  {
    name: "Monaco",
    options: { page: monacoPage },
    line: ".view-line",
    input: ".monaco-editor",
    async rejectFirst(review, page) {
      await review.locator(".modified .view-line", { hasText: /WELCOME/ }).click();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+End");
      await page.keyboard.type("# Welcome");
    },
  },
];

async function openExample(options: object = {}) {
  const folder = temporaryFolder("idewire-page-");
  const env = { HOME: temporaryFolder("idewire-home-") };
  writeFileSync(join(folder, "welcome.md"), "# Welcome\r\n\r\nfirst\r\nsecond\n");
  writeFileSync(join(folder, "notes.md"), "# Notes\n");
  const server = (await openServer(folder, { env, resume: false, ...options })) as {
    readonly url: string;
    close(): Promise<void>;
  };
  onTestFinished(() => server.close());
  return { folder, env, url: server.url };
}

async function openPage(url: string) {
  const { page, close } = await openPageAlone();
  onTestFinished(close);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(url);
  await page.getByText("find this page").waitFor();
  return { page, errors };
}

/** The page reports that agents find it only once its lock file exists. */
async function connect(cwd: string, env: NodeJS.ProcessEnv) {
  const agent = await connectIde({ name: "claude-code", version: "1", cwd, env });
  onTestFinished(() => agent.close());
  return agent;
}

test.each(examples)(
  "the page of $name is an editor: selection, mention, diff, save",
  async ({ options, line, input, rejectFirst }) => {
    const { folder, env, url } = await openExample(options);
    const { page, errors } = await openPage(url);
    const agent = await connect(folder, env);
    const mentions: EditorMention[] = [];
    agent.on("mention", (mention) => mentions.push(mention));
    await page.locator(line, { hasText: "first" }).click({ clickCount: 3 });
    await expect.poll(() => agent.selection?.text.trimEnd()).toBe("first");
    await page.keyboard.press("ControlOrMeta+Alt+m");
    await expect.poll(() => mentions.length).toBe(1);
    const filePath = join(folder, "welcome.md");
    const newText = "# WELCOME\r\n\r\nfirst\r\nSECOND\nthird\n";
    const answer = agent.openDiff({ filePath, newText });
    const review = page.locator("article");
    await review.locator(line, { hasText: "SECOND" }).first().waitFor();
    await rejectFirst(review, page);
    await review.getByRole("button", { name: "Accept", exact: true }).last().click();
    const accepted = "# Welcome\r\n\r\nfirst\r\nSECOND\nthird\n";
    expect(await answer).toMatchObject({ kind: "accepted", text: accepted });
    // The agent writes the file; the page shows it.
    writeFileSync(filePath, accepted);
    await page.locator(`main ${line}`, { hasText: "third" }).waitFor();
    await page.locator(`main ${line}`, { hasText: "third" }).click();
    await page.locator(`main ${input}`).press("ControlOrMeta+End");
    await page.keyboard.type("typed");
    await page.keyboard.press("ControlOrMeta+s");
    await expect.poll(() => readFileSync(filePath, "utf8")).toBe(`${accepted}typed`);
    expect(errors).toEqual([]);
  },
);

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
