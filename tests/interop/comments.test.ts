import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { type AnyClient, source, transcribe } from "./comments-transcript.ts";
import { sdks } from "./sdks.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
const info = { name: "official", version: "1.0.0" };

function makeFolder(): string {
  const folder = temporaryFolder("comments-interop-");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/auth.js"), source);
  return folder;
}

function argumentsFor(folder: string): string[] {
  return [bin, "comments", "serve", "--cwd", folder];
}

const token = "a token of sixteen bytes or more";
const bearer = { requestInit: { headers: { authorization: `Bearer ${token}` } } };

/** Starts a separate server; returns its address. */
async function serveHttp(
  folder: string,
  env: Readonly<Record<string, string>> = { IDEWIRE_COMMENTS_TOKEN: token },
): Promise<URL> {
  const child = spawn(process.execPath, [...argumentsFor(folder), "--http"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  for await (const line of createInterface(child.stdout)) return new URL(line);
  throw new Error("the server has not printed its address");
}

/** A client of the official SDK that reaches the server in one way. */
interface Way {
  readonly name: string;
  readonly isModern: boolean;
  connect(folder: string): Promise<ClientV1 | ClientV2>;
}

type Mode = "legacy" | { readonly pin: "2026-07-28" };
const modern: Mode = { pin: "2026-07-28" };
const second = (mode: Mode) => new ClientV2(info, { versionNegotiation: { mode } });
const stdio = (folder: string) => ({ command: process.execPath, args: argumentsFor(folder) });

const ways: readonly Way[] = [
  {
    name: "1.32 on stdio",
    isModern: false,
    async connect(folder) {
      const client = new ClientV1(info);
      await client.connect(new StdioV1(stdio(folder)));
      return client;
    },
  },
  {
    name: "1.32 over HTTP",
    isModern: false,
    async connect(folder) {
      const client = new ClientV1(info);
      const transport = new HttpV1(await serveHttp(folder), bearer);
      await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
      return client;
    },
  },
  ...(["legacy", modern] as const).flatMap((mode): readonly Way[] => [
    {
      name: `2.4 on stdio, ${mode === "legacy" ? mode : mode.pin}`,
      isModern: mode !== "legacy",
      async connect(folder) {
        const client = second(mode);
        await client.connect(new StdioV2(stdio(folder)));
        return client;
      },
    },
    {
      name: `2.4 over HTTP, ${mode === "legacy" ? mode : mode.pin}`,
      isModern: mode !== "legacy",
      async connect(folder) {
        const client = second(mode);
        await client.connect(new HttpV2(await serveHttp(folder), bearer));
        return client;
      },
    },
  ]),
];

async function connect(way: Way, folder: string) {
  const client = await way.connect(folder);
  onTestFinished(() => client.close());
  return client;
}

/** The answers of the first way, which all others must match. */
let transcript: readonly unknown[] | undefined;

test.each(ways)("$name: tools, resources and prompts answer the same", async (way) => {
  const client = await connect(way, makeFolder());
  const written = await transcribe(client as unknown as AnyClient);
  expect(written.length).toBeGreaterThan(20);
  expect(JSON.stringify(written)).not.toContain("Internal error");
  transcript ??= written;
  expect(written).toEqual(transcript);
});

test.each(ways)(
  "$name: notifies of changes by others, and of the first comment of a file",
  async (way) => {
    const folder = makeFolder();
    const client = await connect(way, folder);
    const received = new Set<string>();
    const [first, last] = sdks;
    const sdk = client instanceof ClientV1 ? first : last;
    sdk?.listen(client as ClientV1, "notifications/resources/updated", ({ params }) => {
      received.add(String(Object(params)["uri"]));
    });
    sdk?.listen(client as ClientV1, "notifications/resources/list_changed", () =>
      received.add("list"),
    );
    const uri = "comment://workspace/src/auth.js.comments";
    if (client instanceof ClientV2 && way.isModern) {
      const filter = { resourcesListChanged: true, resourceSubscriptions: [uri] };
      const listening = await client.listen(filter);
      onTestFinished(() => listening.close());
    } else await client.subscribeResource({ uri });
    const add = [
      bin,
      "comments",
      "add",
      "src/auth.js:3",
      "NOTE: by another process",
      "--cwd",
      folder,
    ];
    await new Promise((resolve) => spawn(process.execPath, add).once("exit", resolve));
    await expect.poll(() => [...received].sort(), { timeout: 5_000 }).toEqual([uri, "list"]);
    received.clear();
    writeFileSync(join(folder, "src/auth.js"), `// moved\n${source}`);
    await expect.poll(() => [...received], { timeout: 5_000 }).toEqual([uri]);
  },
);

test("over HTTP, a server with a token refuses clients without it, and any web page", async () => {
  const url = await serveHttp(makeFolder());
  const post = (headers: Readonly<Record<string, string>>) =>
    fetch(url, { method: "POST", headers, body: "{}" }).then(({ status }) => status);
  expect(await post({})).toBe(401);
  expect(await post({ authorization: `Bearer ${token}`, origin: "https://example.org" })).toBe(403);
  const client = second(modern);
  await client.connect(new HttpV2(url, bearer));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toHaveLength(9);
});

test("over HTTP, a server without a given token creates one that its user alone can read", async () => {
  const state = temporaryFolder("comments-state-");
  const env = { HOME: state, XDG_STATE_HOME: state, IDEWIRE_COMMENTS_TOKEN: "" };
  const url = await serveHttp(makeFolder(), env);
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  const directory = join(state, "idewire", "comments");
  const [name = ""] = readdirSync(directory);
  const record = join(directory, name);
  expect(statSync(record).mode & 0o777).toBe(0o600);
  const made = JSON.parse(readFileSync(record, "utf8"));
  expect(made.url).toBe(url.href);
  const headers = { authorization: `Bearer ${made.token}` };
  const client = second(modern);
  await client.connect(new HttpV2(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toHaveLength(9);
});
