import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readGrammarFile } from "@idewire/paired-comments/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPageAlone } from "../obsidian-host/node/chromium.ts";
import { removeFolder } from "../src/remove-folder.ts";
import { type AnyClient, source, transcribe } from "./comments-transcript.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
const address = "https://comments.test/";
const undo: (() => unknown)[] = [];
let page: Page;

beforeAll(async () => {
  const opened = await openPageAlone();
  page = opened.page;
  undo.push(opened.close);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("comments-in-page.ts", import.meta.url))],
    ...{ bundle: true, write: false, format: "esm", platform: "browser", target: "es2022" },
    external: ["fs/promises", "module"],
  });
  const [script] = outputFiles;
  // No network: the page and its grammars are served from here.
  await page.route("**/*", async (route) => {
    const name = route.request().url().slice(address.length);
    if (name === "") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
    const bytes = await readGrammarFile(name.replace("grammars/", ""));
    return route.fulfill({ body: Buffer.from(bytes) });
  });
  await page.goto(address);
  await page.addScriptTag({ type: "module", content: script?.text ?? "" });
});

afterAll(async () => {
  for (const act of undo) await act();
});

/** The answers that the same client receives from the command over stdio. */
async function transcribeStdio(): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), "comments-chromium-"));
  undo.push(() => removeFolder(folder));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/auth.js"), source);
  const client = new Client({ name: "official", version: "1.0.0" });
  const args = [bin, "comments", "serve", "--cwd", folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const written = await transcribe(client as unknown as AnyClient);
  await client.close();
  return written;
}

let expected: Promise<readonly unknown[]> | undefined;

test.each(["1.32", "2.4, legacy", "2.4, 2026-07-28"])(
  "%s in Chromium: tools, resources and prompts answer as on stdio",
  async (name) => {
    expected ??= transcribeStdio();
    const written = await page.evaluate<readonly unknown[]>(
      `transcribeWith(${JSON.stringify(name)})`,
    );
    expect(written).toEqual(await expected);
  },
);
