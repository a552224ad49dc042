import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GuardedServer, guard, machine } from "../interop/guarded-server.ts";
import { browsingPerson, enterCode } from "../interop/real-authorization-server.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { InstalledServers, overHttp } from "../src/published-servers/installed.ts";
import { type PublishedServer, publishedServers } from "../src/published-servers/list.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { openInspector } from "./inspector-page.ts";
import { useSite } from "./site.ts";

// If a conforming server breaks a rule, the rule is wrong.

const site = useSite({ mayComplain: true });
const installed = new InstalledServers();
beforeAll(() => installed.install(), 1_200_000);
afterAll(() => installed.remove(), 600_000);

/** The arguments with which a command of idewire reaches a server. */
interface Way {
  readonly flags?: readonly string[];
  readonly target: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command, which must succeed. */
async function run(fixture: Fixture, args: readonly string[], { flags = [], target, env }: Way) {
  const started = new CliRun(fixture, {
    args: [...args, ...flags, ...target],
    ...(env !== undefined && { env }),
  });
  return { code: await started.exited, output: started.output, errors: started.errors };
}

interface Listed {
  readonly name: string;
  readonly uri?: string;
  readonly description?: string;
  readonly inputSchema?: object;
}

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

/** A server's features and its answer to a call, which must be the same through a gateway and in both eras. */
async function inventory(fixture: Fixture, { call: [tool, args] }: PublishedServer, way: Way) {
  const list = async <T>(...words: readonly string[]) => {
    const { output, errors } = await run(fixture, ["mcp", ...words, "--json"], way);
    const values = output.split("\n").filter(Boolean);
    const refusal = errors.split("\n").filter((line) => line.startsWith("idewire: "));
    return { values: values.map((value) => JSON.parse(value) as T), refusal };
  };
  const tools = await list<Listed>("tools");
  const prompts = await list<Listed>("prompts");
  const resources = await list<Listed>("resources");
  const answer = await list<Answer>("call", tool, JSON.stringify(args));
  return {
    tools: tools.values.map(({ name, description, inputSchema }) => ({
      ...{ name, description, inputSchema },
    })),
    prompts: prompts.values.map(({ name }) => name),
    resources: resources.values.map(({ uri }) => uri),
    answer: answer.values.map(({ isError = false, content }) => ({
      ...{ isError, texts: content.map(({ text }) => text) },
    })),
    refusal: answer.refusal,
  };
}

/** The "must" rules that a server breaks, and the login rules that it passes. */
async function check(fixture: Fixture, way: Way) {
  const { output, errors } = await run(fixture, ["check", "--json"], way);
  expect(output, errors).toContain("{");
  const { results } = JSON.parse(output) as {
    readonly results: readonly Readonly<Record<"id" | "level" | "verdict" | "detail", string>>[];
  };
  const failed = results.filter(({ level, verdict }) => level === "must" && verdict === "fail");
  const passed = results.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
  return {
    broken: failed.map(({ id, detail }) => `${id}: ${detail.replace(/http:\/\/[^/]+/, "…")}`),
    login: passed.filter((id) => id.startsWith("MCP-AUTH-")),
  };
}

const loginRules = [1, 2, 3, 4, 5].map((number) => `MCP-AUTH-00${number}`);

const logins = ["code", "device", "client_credentials"] as const;

/** Logs in by the command; client credentials are sent with each command instead. */
async function logIn(fixture: Fixture, how: (typeof logins)[number], server: GuardedServer) {
  const { url, issuer } = server;
  if (how === "client_credentials") {
    const id = ["--client-id", machine.client_id, "--client-secret-env", "MACHINE"];
    const flags = [...id, "--issuer", issuer, "--client-credentials"];
    return { flags, target: [url], env: { MACHINE: machine.client_secret } };
  }
  const device = how === "device" ? ["--device"] : [];
  const login = new CliRun(fixture, { args: ["mcp", "login", ...device, url] });
  const shown = async (pattern: RegExp) => {
    await expect.poll(() => login.errors).toMatch(pattern);
    return pattern.exec(login.errors)?.[1] ?? "";
  };
  const address = await shown(/visit\s+(http\S+)\s/);
  if (how === "device") await enterCode(address, await shown(/enter the code (\S+)\n/));
  else await follow(address);
  expect([await login.exited, login.output]).toEqual([0, `Logged in to ${new URL(url).host}.\n`]);
  return { target: [url] };
}

/** Follows the login as the person's browser does. */
async function follow(address: string): Promise<void> {
  const { visit } = await browsingPerson(new URL(address).searchParams.get("redirect_uri") ?? "");
  expect((await fetch(await visit(address))).status).toBe(200);
}

const cases = publishedServers.map((server, index) => {
  const login = logins[index % logins.length] ?? "code";
  return [`${server.name} ${server.version}`, { ...server, login }] as const;
});

describe.each(cases)("%s", (_, { login, ...server }) => {
  const program = (): Way => {
    const { line, env } = installed.command(server);
    return { target: ["--", ...line], env };
  };

  test("offers and answers the same over HTTP, and behind a login, as over stdio", async () => {
    const fixture = openFixture();
    const expected = await inventory(fixture, server, program());
    expect(expected.tools).not.toEqual([]);
    for (const over of overHttp(server)) {
      const url = await installed.serve(server, over, fixture.workspace);
      const open = await inventory(fixture, server, { target: [url] });
      expect(open, over.transport).toEqual(expected);
      const guarded = await guard(url);
      const refused = await run(fixture, ["mcp", "tools"], { target: [guarded.url] });
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("Log in first")]);
      const way = await logIn(fixture, login, guarded);
      expect(await inventory(fixture, server, way), `${over.transport}, ${login}`).toEqual(
        expected,
      );
      expect([...guarded.admitted]).toEqual([login === "client_credentials" ? "a-machine" : "ann"]);
    }
  });

  test("breaks no must over stdio", async () => {
    expect((await check(openFixture(), program())).broken).toEqual([]);
  });

  test("breaks over HTTP the musts of its list alone, open and behind a login", async () => {
    const fixture = openFixture();
    for (const over of overHttp(server)) {
      const { breaks: broken = [], transport } = over;
      // A new server for each, as it may not survive a check.
      const serve = () => installed.serve(server, over, fixture.workspace);
      const open = await check(fixture, { target: [await serve()] });
      expect(open, transport).toEqual({ broken, login: [] });
      const way = await logIn(fixture, login, await guard(await serve()));
      expect(await check(fixture, way), transport).toEqual({ broken, login: loginRules });
    }
  });

  test("is used from one page over all its transports at once, with its login", async () => {
    const place = openWorkspace("home", "notes");
    const [command, ...args] = installed.command(server).line;
    const mcpServers: Record<string, object> = {
      stdio: { command, args, env: installed.command(server).env },
    };
    for (const over of overHttp(server)) {
      // A new server for each, as it may accept only one client.
      const serve = () => installed.serve(server, over, place.folder);
      const type = over.path === "/sse" ? "sse" : "http";
      const { url } = await guard(await serve());
      mcpServers[over.transport] = { type, url: await serve() };
      mcpServers[`${over.transport} behind a login`] = { type, url };
    }
    const file = join(place.folder, "mcp.json");
    writeFileSync(file, JSON.stringify({ mcpServers }));
    const page = await openInspector(site, ["--config", file], place);
    const seen: Record<string, readonly string[]> = {};
    for (const name of Object.keys(mcpServers)) {
      await page.getByTestId("server-name").selectOption(name);
      if (name.endsWith("login")) await logInFrom(page);
      await page.locator('[data-testid=server][data-status="open"]').waitFor();
      seen[name] = await toolsOf(page);
    }
    const { stdio = [], ...others } = seen;
    expect(stdio).not.toEqual([]);
    for (const [name, tools] of Object.entries(others)) expect(tools, name).toEqual(stdio);
  });
});

/** Follows the link on the page in another tab. */
async function logInFrom(page: Page): Promise<void> {
  const link = page.getByTestId("login").getByRole("link");
  const opened = page.context().waitForEvent("page");
  await link.click();
  const tab = await opened;
  await tab.getByText("You are logged in").waitFor();
  await tab.close();
  await link.waitFor({ state: "detached" });
}

/** The names of the tools that the page lists. */
async function toolsOf(page: Page): Promise<readonly string[]> {
  await page.getByRole("tab", { name: /^Tools \d+/ }).click();
  const entries = page.getByTestId("entry").locator("button.entry");
  await entries.first().waitFor();
  return entries.allTextContents();
}
