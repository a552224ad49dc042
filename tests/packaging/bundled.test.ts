import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { elicitation } from "@idewire/core/client";
import { connectMcp } from "@idewire/http";
import { build } from "esbuild";
import { type BrowserServer, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { launchChromium, PAGE_TIMEOUT_MS } from "../obsidian-host/node/chromium.ts";
import { removeFolder } from "../src/remove-folder.ts";
import { installable, npmInstall } from "./installed.ts";
import { openingOf } from "./opening.ts";
import { packageNamed } from "./packages.ts";
import { workerd } from "./runtimes.ts";

/** The packages that run wherever `fetch` exists. */
const portable = ["core", "http", "devtools", "paired-comments"].map(packageNamed);
const entries = portable.flatMap(({ name, entries }) =>
  entries.filter(({ key }) => key !== "./node").map(({ key }) => `${name}${key.slice(1)}`),
);

const folder = mkdtempSync(join(tmpdir(), "idewire-bundled-"));

beforeAll(async () => {
  const needed = [...portable.map(({ name }) => name), "zod", "@lezer/common", "@lezer/markdown"];
  const { packed, tarballs } = inject("packaging");
  await npmInstall(folder, installable(needed, packed, tarballs));
});
afterAll(() => removeFolder(folder));

/** Bundles a program for platforms with web globals. */
async function bundle(source: string, ...conditions: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: [...conditions],
    target: "es2022",
    // Imports of web-tree-sitter for Node.
    external: ["module", "fs/promises"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** The top level of the module creates all that a Worker may create before its first request. */
const worker = `
${entries.map((entry, index) => `import * as e${index} from "${entry}";`).join("\n")}
import { McpServer, tasks } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { protectResource } from "@idewire/http/resource-server";
import { z } from "zod";

const server = new McpServer({ name: "weather", version: "1.0.0", features: [tasks()] });
server.tool("forecast", { input: z.object({ city: z.string() }) }, async ({ city }, call) => {
  const answer = await call.ask("Look outside too?", z.object({ yes: z.boolean() }));
  return \`Sunny in \${city}: \${answer.action}\`;
});
server.tool("count", {}, () => String([${entries.map((_, index) => `e${index}`)}].length));
const audience = "https://mcp.example.com/mcp";
const resourceServer = protectResource({ issuers: ["https://as.example.com"], audience });
const handlers = {
  "/mcp": createMcpHandler(server, { access: "anyone" }),
  "/stateless": createMcpHandler(server, { access: "anyone", legacy: "stateless" }),
  "/protected": createMcpHandler(server, { resourceServer, allowedHosts: ["mcp.example.com"] }),
};
export default { fetch: (request) => handlers[new URL(request.url).pathname].fetch(request) };
`;

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

describe("in a Worker", () => {
  let url: string;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    await writeFile(join(folder, "worker.js"), await bundle(worker, "workerd", "worker"));
    await writeFile(join(folder, "config.capnp"), config);
    const child = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    const exited = once(child, "exit");
    stop = () => {
      child.kill("SIGKILL");
      return exited;
    };
    const events = createInterface({ input: child.stdio[3] as Readable });
    const ended = exited.then(([code]) => {
      throw new Error(`workerd ended with ${code}`);
    });
    const [line] = await Promise.race([once(events, "line"), ended]);
    ended.catch(() => undefined);
    url = `http://127.0.0.1:${JSON.parse(line).port}`;
  });
  afterAll(() => stop());

  const features = [
    elicitation({ form: () => ({ action: "accept", content: { yes: true } }) }),
  ] as const;
  const agent = { name: "agent", version: "1.0.0", features };

  test.each([
    ["/mcp", "modern"],
    ["/mcp", "legacy"],
    ["/stateless", "modern"],
  ] as const)(
    "a handler of the module's scope at %s asks clients of the %s era",
    async (path, era) => {
      const client = await connectMcp(`${url}${path}`, { ...agent, era });
      onTestFinished(() => client.close());
      // Concurrent, as the first of several requests creates the keys.
      const calls = ["Oslo", "Rome", "Lima"].map((city) => client.callTool("forecast", { city }));
      expect(await Promise.all(calls)).toMatchObject(
        ["Oslo", "Rome", "Lima"].map((city) => ({
          content: [{ text: `Sunny in ${city}: accept` }],
        })),
      );
    },
  );

  test("every entry that needs no Node is loaded", async () => {
    const client = await connectMcp(`${url}/stateless`, { ...agent, era: "legacy" });
    onTestFinished(() => client.close());
    expect(await client.callTool("count")).toMatchObject({
      content: [{ text: String(entries.length) }],
    });
  });

  test("a protected handler refuses a token that it cannot verify", async () => {
    const headers = { "content-type": "application/json", authorization: "Bearer unknown" };
    const init = { method: "POST", headers, body: "{}" };
    expect((await fetch(`${url}/protected`, init)).status).toBe(401);
  });
});

describe("bundled for a browser", () => {
  let server: BrowserServer;

  beforeAll(async () => {
    server = await launchChromium();
  });
  afterAll(() => server.close());

  test.each(portable)(
    "the first code of the README of $name prints the output stated there",
    async (each) => {
      const browser = await chromium.connect(server.wsEndpoint());
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      page.setDefaultTimeout(PAGE_TIMEOUT_MS);
      const printed: string[] = [];
      page.on("console", (message) => printed.push(message.text()));
      page.on("pageerror", (error) => printed.push(error.message));
      const { code, prints } = openingOf(each);
      await page.addScriptTag({ content: await bundle(code), type: "module" });
      await expect.poll(() => printed.join("\n")).toBe(prints);
    },
  );
});
