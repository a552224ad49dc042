import { chmodSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openTerminal, TERMINAL } from "../src/terminal-scene.ts";
import { openStage } from "../src/twins/scene.ts";

/** A system whose opener writes down what it is to open. */
function fakeOpener() {
  const stage = openStage();
  const said = join(stage.root, "opened");
  const opener = stage.file("xdg-open", `#!/bin/sh\necho "$1" > "${said}"\n`);
  chmodSync(opener, 0o755);
  const env = { DISPLAY: ":9", PATH: `${dirname(opener)}:${process.env["PATH"] ?? ""}` };
  return { env, opened: () => (existsSync(said) ? readFileSync(said, "utf8").trim() : undefined) };
}

test("a person at a terminal with a browser gets the page, with a ticket of its own", async () => {
  const { env, opened } = fakeOpener();
  const { run } = await openTerminal({ args: ["serve", "--web"], terminal: TERMINAL, env });
  await expect.poll(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/);
  expect(run.output).not.toContain(opened());
  run.say("page");
  await run.shows("Good once, for a minute:");
});

test("nobody gets a browser unasked: not with --no-open, not in CI, over SSH or in a pipe", async () => {
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

test("without --web the command page says how to get one", async () => {
  const { run } = await openTerminal();
  run.say("page");
  await run.shows("start with idewire serve --web");
});

test("a recording never overwrites a file", async () => {
  const stage = openStage();
  const file = stage.file("day.jsonl", "mine");
  const run = new CliRun(stage, { args: ["serve", "--record", file] });
  expect(await run.exited).toBe(1);
  expect(run.errors).toContain("exists already; choose another name");
  expect(readFileSync(file, "utf8")).toBe("mine");
});
