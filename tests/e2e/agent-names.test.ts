import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import {
  GeminiClient,
  geminiProfile,
  qwenProfile,
} from "../src/reference-clients/gemini-client.ts";
import { joinAs, openTerminal, propose, TERMINAL, textsOf } from "../src/terminal-context.ts";

async function openGemini(profile = geminiProfile) {
  const context = await openTerminal();
  const { env, workspace } = context.fixture;
  const agent = new GeminiClient(profile, { env, cwd: workspace });
  onTestFinished(() => agent.exit());
  expect(await agent.enable(), agent.problem).toBe(true);
  return { ...context, agent, plan: join(workspace, "plan.md") };
}

test.each([
  ["Gemini CLI", geminiProfile],
  ["Qwen Code", qwenProfile],
])("the terminal calls %s by its name when it connects and proposes", async (name, profile) => {
  const { run, agent, plan } = await openGemini(profile);
  await run.shows(`→ ${name} (s`);
  void agent.openDiff(plan, "other\n").catch(() => undefined);
  await run.shows(`proposes to change plan.md`);
  expect(run.output).toMatch(new RegExp(`${name} \\(s\\d+\\) proposes to change plan\\.md`));
  run.type("sessions");
  await run.shows(`${name} (s`, run.output.lastIndexOf("reject?"));
  expect(run.output).not.toMatch(/gemini-cli|qwen-code|streamable-http-client/);
});

test("two agents have a diff of one file at once, and each gets its own answer", async () => {
  const { run, agent, plan, lockFile } = await openGemini();
  const claude = await joinAs(lockFile, "claude-code");
  const first = agent.openDiff(plan, "Gemini's\n");
  await run.shows("Gemini CLI (s");
  await run.shows("reject?");
  const from = run.output.length;
  const second = propose(claude, plan, "Claude's\n");
  await run.shows("Claude Code (s", from);
  run.type("accept 1");
  expect(await first).toEqual({ status: "accepted", content: "Gemini's\n" });
  await run.shows("[2/2] Claude Code (s");
  run.type("reject 2");
  expect(textsOf(await second)).toEqual(["DIFF_REJECTED"]);
});

test("the terminal lists Copilot CLI with its process and the title of its session", async () => {
  const { run, fixture } = await openTerminal();
  const agent = new CopilotClient({ env: fixture.env, cwd: fixture.workspace });
  onTestFinished(() => agent.exit());
  await agent.start();
  expect(agent.state, agent.problem).toBe("connected");
  await run.shows("→ Copilot CLI (s");
  await agent.call("update_session_name", { name: "Fix \u001b[31m it" });
  run.type("sessions");
  await run.shows(`1.0.102, process ${process.pid}: Fix`);
  expect(run.output).not.toContain("\u001b[31m it");
});

test("the start-up message lists the agents that can connect, and fits on one screen", async () => {
  const { run } = await openTerminal();
  const message = run.output.slice(0, run.output.indexOf("Type help"));
  expect(message).toMatch(/claude --ide .* Claude Code\n/);
  expect(message).toMatch(/opencode +opencode\n/);
  expect(message).toMatch(/gemini +Gemini CLI: type \/ide enable once\n/);
  expect(message).toMatch(/qwen --approval-mode default +Qwen Code: type \/ide enable once\n/);
  expect(message).toMatch(/copilot +Copilot CLI\n/);
  expect(message).not.toContain(".lock");
  expect(message.split("\n").length).toBeLessThan(TERMINAL.rows);
});

test("only with --verbose does the message list the lock files of all families", async () => {
  const { run, fixture } = await openTerminal({ args: ["serve", "--verbose"] });
  expect(run.output).toMatch(/claude-code +ws:.*\n +~\/\.claude\/ide\/\d+\.lock\n/);
  expect(run.output).toMatch(/gemini +http:.*\n +.*gemini-ide-server/);
  expect(run.output).toContain(fixture.temporary);
});

test("a mention is confirmed, and names the agents that cannot be sent one", async () => {
  const { run, lockFile, plan } = await openGemini();
  run.type("mention plan.md");
  await run.shows("no agent received it: Gemini CLI cannot be sent a mention");
  const claude = await joinAs(lockFile, "claude-code");
  await claude.request("tools/list", {});
  run.type("mention plan.md");
  await run.shows("Mentioned: plan.md.\nGemini CLI cannot be sent a mention\n");
  await expect.poll(() => claude.received.map(({ method }) => method)).toContain("at_mentioned");
  expect(plan).toMatch(/plan\.md$/);
});

test("a program reads which sessions receive a mention, and which cannot", async () => {
  const fixture = openFixture();
  fixture.file("plan.md", "one\n");
  const run = new CliRun(fixture, { args: ["serve", "--script"] });
  const { lockFile } = await run.event("listening");
  const agent = new GeminiClient(geminiProfile, { env: fixture.env, cwd: fixture.workspace });
  onTestFinished(() => agent.exit());
  expect(await agent.enable(), agent.problem).toBe(true);
  await joinAs(String(lockFile), "claude-code");
  const gemini = await run.event("initialized", { agent: "gemini-cli" });
  const claude = await run.event("initialized", { agent: "claude-code" });
  run.type({ do: "mention", path: "plan.md" });
  const done = await run.event("done", { do: "mention" });
  expect(done).toMatchObject({ sessions: [claude["session"]], unable: [gemini["session"]] });
});
