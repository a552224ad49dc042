import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { fakeOpener, readProcesses } from "../src/opener.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { openTerminal, TERMINAL } from "../src/terminal-context.ts";

const LINK = /http:\/\/127\.0\.0\.1:\d+\/#t=([\w-]{43})/;

function ticketIn(text: string): string {
  return LINK.exec(text)?.[1] ?? "no ticket";
}

/** The folder of the files that a browser is to open. */
function browserFolder({ home }: Fixture): string {
  return join(home, ".local", "state", "idewire", "browser");
}

/** The file passed to the opener. */
async function fileFor(opened: () => string | undefined): Promise<string> {
  await expect.poll(opened).toMatch(/^file:\/\/.*\.html$/);
  return fileURLToPath(String(opened()));
}

/** Expects the opener to run, and no process to have a secret in its arguments or environment. */
async function expectNoSecret(run: CliRun, opened: () => string | undefined, ...more: string[]) {
  const file = await fileFor(opened);
  const text = readFileSync(file, "utf8");
  await run.shows("#t=");
  const secrets = [ticketIn(text), ticketIn(run.output), ...more];
  expect(new Set(secrets).size).toBe(secrets.length);
  expect(secrets).not.toContain("no ticket");
  const output = readProcesses();
  expect(output.some((words) => words.includes(String(opened())))).toBe(true);
  for (const secret of [...secrets, "#t="]) {
    expect(output.filter((words) => words.includes(secret))).toEqual([]);
  }
  expect([statSync(file), statSync(dirname(file))].map(({ mode }) => mode & 0o777)).toEqual([
    ...[0o600, 0o700],
  ]);
}

describe("a ticket never appears in an argument or an environment of a process", () => {
  test("of the browser that serve --web opens", async () => {
    const { env, opened } = fakeOpener();
    const { run, lockFile } = await openTerminal({
      ...{ args: ["serve", "--web"], terminal: TERMINAL, env },
    });
    const { authToken } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken: string };
    await expectNoSecret(run, opened, authToken);
  });

  test("of the browser that inspect --web opens", async () => {
    const { fixture } = await openTerminal();
    const { env, opened } = fakeOpener();
    const args = ["inspect", "--web", "--as-agent"];
    await expectNoSecret(new CliRun(fixture, { args, terminal: TERMINAL, env }), opened);
  });
});

describe("the page that redirects a browser to a link", () => {
  test("is in a folder that only the person can write to, or is not written: the link is printed", async () => {
    const fixture = openFixture();
    const root = browserFolder(fixture);
    mkdirSync(dirname(root), { recursive: true });
    const elsewhere = join(fixture.root, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, root);
    const { env, opened } = fakeOpener();
    const args = ["serve", "--web"];
    const run = new CliRun(fixture, { args, terminal: TERMINAL, env });
    await run.shows("No browser was opened");
    await run.shows("#t=");
    expect(opened()).toBeUndefined();
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("left by a killed process is removed by the next one", async () => {
    const fixture = openFixture();
    const root = browserFolder(fixture);
    const old = join(root, "page-oldold");
    mkdirSync(old, { recursive: true, mode: 0o700 });
    const longAgo = Date.now() / 1_000 - 61;
    utimesSync(old, longAgo, longAgo);
    const { env, opened } = fakeOpener();
    new CliRun(fixture, { args: ["serve", "--web"], terminal: TERMINAL, env });
    const file = await fileFor(opened);
    expect(readdirSync(root)).toEqual([dirname(file).slice(root.length + 1)]);
  });
});
