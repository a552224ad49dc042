import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCode, jetBrains } from "@idewire/core";
import { expect, test } from "vitest";
import { AgentContext, DEAD_PID } from "../src/agent-context.ts";

// ~/.claude-code/<port>.json, which Claude Code and opencode do not read.

test("list shows the editors of the jetbrains dialect too, live or stale, and no token", async () => {
  const context = new AgentContext();
  const { port } = await context.serve(context.folder, { dialects: [jetBrains] });
  const directory = join(context.fixture.home, ".claude-code");
  mkdirSync(directory, { recursive: true });
  const dead = { port: 9, authToken: "secret-token", projectPath: "/elsewhere", pid: DEAD_PID };
  writeFileSync(join(directory, "9.json"), JSON.stringify(dead));
  writeFileSync(join(directory, "10.json"), "{}");
  writeFileSync(join(directory, "settings.json"), "{}");

  const people = await context.run("list");
  expect(people.code).toBe(0);
  expect(people.output).toContain(`● JetBrains live: port ${port}`);
  expect(people.output).toContain("for this folder");
  expect(people.output).toContain(`process ${DEAD_PID} is no longer running`);
  expect(people.output).not.toContain("secret-token");

  const { output } = await context.run("list", "--json");
  const { editors, directories } = JSON.parse(output) as {
    readonly editors: readonly { readonly lockFile: string; readonly code?: string }[];
    readonly directories: readonly { readonly path: string }[];
  };
  expect(directories.map(({ path }) => path)).toContain(directory);
  const codes = editors.map(({ lockFile, code }) => [lockFile.replace(/^.*\//, ""), code]);
  expect(codes).toContainEqual(["9.json", "dead-process"]);
  expect(codes).toContainEqual(["10.json", "invalid"]);
  expect(codes).toContainEqual([`${port}.json`, undefined]);
});

test("doctor reports that Claude Code does not read them", async () => {
  const context = new AgentContext();
  const words = `1 in ${join(context.fixture.home, ".claude-code")} (1 live), which only clients of the jetbrains dialect read`;
  await context.serve(context.folder, { dialects: [jetBrains] });
  const alone = await context.run("doctor");
  expect(alone.code).toBe(1);
  expect(alone.output).toContain(words);
  const both = new AgentContext();
  await both.serve(both.folder, { dialects: [claudeCode, jetBrains] });
  const beside = await both.run("doctor");
  expect(beside.code).toBe(0);
  expect(beside.output).toContain("which only clients of the jetbrains dialect read");
});

test("doctor does not mistake serve's record of that dialect for another editor, and explains how to serve Claude Code", async () => {
  const both = new AgentContext();
  await both
    .start("serve", "--dialect", "claude-code", "--dialect", "jetbrains")
    .shows("Type help");
  const beside = await both.run("doctor");
  expect([beside.code, beside.output]).toEqual([0, expect.stringContaining("No step failed")]);
  const context = new AgentContext();
  await context.start("serve", "--dialect", "jetbrains").shows("Type help");
  const alone = await context.run("doctor");
  expect(alone.output).toContain("✓ earlier runs");
  expect(alone.output).toContain("✗ lock files: none");
  expect(alone.output).toContain("add --dialect claude-code");
});

test("serve --dialect publishes the requested dialects, and refuses collisions", async () => {
  const context = new AgentContext();
  const run = context.start(
    "serve",
    "--verbose",
    "--dialect",
    "jetbrains",
    "--dialect",
    "claude-code",
  );
  await run.shows("Type help");
  expect(run.output).toContain("~/.claude-code/");
  expect(run.output).toContain("~/.claude/ide/");
  const colliding = ["serve", "--dialect", "claude-code-spec", "--dialect", "neovim"];
  const refused = await new AgentContext().run(...colliding);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain(
    "claude-code-spec, neovim would publish 2 lock files for one folder",
  );
  const forced = new AgentContext().start(...colliding, "--collide");
  await forced.shows("Type help");
  const wrong = await context.run("serve", "--dialect", "emacs");
  expect(wrong.code).toBe(2);
  expect(wrong.errors).toContain(
    "Expected one of claude-code, gemini, qwen, copilot, codex, claude-code-spec, neovim, jetbrains.",
  );
});
