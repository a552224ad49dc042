import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { fakeOpener } from "../src/opener.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { openTerminal, TERMINAL } from "../src/terminal-context.ts";

test("a person at a terminal with a browser gets the page, with a ticket of its own", async () => {
  const { env, opened } = fakeOpener();
  const { run } = await openTerminal({ args: ["serve", "--web"], terminal: TERMINAL, env });
  await expect.poll(opened).toMatch(/^file:\/\/.*\.html$/);
  const forwards = readFileSync(new URL(String(opened())), "utf8");
  const [link] = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}/.exec(forwards) ?? [];
  expect(link).toBeDefined();
  expect(run.output).not.toContain(link);
  run.type("page");
  await run.shows("Valid once, for a minute:");
});

test("no browser opens unasked: not with --no-open, not in CI, over SSH or in a pipe", async () => {
  const cases = [
    { args: ["serve", "--web", "--no-open"], terminal: TERMINAL },
    { args: ["serve", "--web"], terminal: TERMINAL, more: { CI: "true" } },
    { args: ["serve", "--web"], terminal: TERMINAL, more: { SSH_CONNECTION: "1 2 3 4" } },
    { args: ["serve", "--web"] },
  ];
  for (const { more = {}, ...options } of cases) {
    const { env, opened } = fakeOpener();
    const { run } = await openTerminal({ ...options, env: { ...env, ...more } });
    await run.shows("#t=");
    expect(opened()).toBeUndefined();
  }
});

test("without --web the command page explains how to get one", async () => {
  const { run } = await openTerminal();
  run.type("page");
  expect(await run.shows("start with idewire serve --web")).not.toContain("http");
});

test("a recording never overwrites a file", async () => {
  const fixture = openFixture();
  const file = fixture.file("day.jsonl", "mine");
  const run = new CliRun(fixture, { args: ["serve", "--record", file] });
  expect(await run.exited).toBe(1);
  expect(run.errors).toContain("exists already; choose another name");
  expect(readFileSync(file, "utf8")).toBe("mine");
});
