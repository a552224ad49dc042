import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CodexClient } from "../src/reference-clients/codex-client.ts";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import {
  GeminiClient,
  geminiProfile,
  qwenProfile,
} from "../src/reference-clients/gemini-client.ts";
import { startKiloCode } from "../src/reference-clients/kilo-client.ts";
import { OpencodeClient } from "../src/reference-clients/opencode-client.ts";
import { startClient } from "../src/reference-clients/serve-context.ts";
import { joinAs, openTerminal, propose, textsOf } from "../src/terminal-context.ts";

// Claude Code's next prompt: tests/playground/changes.test.ts; opencode's rejection: run-opencode.test.ts.

type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** The person comments on the first hunk of the pending proposal, and sends the comment. */
async function comment({ run }: Terminal, words: string): Promise<void> {
  run.type("review");
  await run.shows("accept this hunk?");
  run.type(`c ${words}`);
  await run.shows("s sends it");
  run.type("s");
}

test("comments are in the next prompt of each agent that is sent mentions, and the others see the active file", async () => {
  const terminal = await openTerminal();
  const { fixture, run, lockFile } = terminal;
  const { env, workspace: cwd } = fixture;
  const forks = [OpencodeClient.start({ env, cwd }), startKiloCode({ env, cwd })];
  const copilot = new CopilotClient({ env, cwd });
  const family = [geminiProfile, qwenProfile].map((each) => new GeminiClient(each, { env, cwd }));
  const codex = new CodexClient({ env, cwd });
  onTestFinished(async () => {
    for (const each of [...forks, ...family]) each.exit();
    await copilot.exit();
  });
  for (const each of forks) await each.untilReady();
  await copilot.start();
  expect(copilot.state, copilot.problem).toBe("connected");
  for (const each of family) expect(await each.enable(), each.problem).toBe(true);
  await codex.prompt();
  const agent = await joinAs(lockFile, "claude-code");
  const answer = propose(agent, join(cwd, "plan.md"), "# Plan\n\none\n2\nthree\n");
  await run.shows("edit or reject?");
  await comment(terminal, "In words.");
  await run.shows("Stored in plan.md.comments: ");
  const unable =
    /Stored in plan\.md\.comments: ([^;]*) cannot be sent a mention; the file is open instead\./;
  const named = () => unable.exec(run.output.replaceAll(/\s+/g, " "))?.[1]?.split(", ").sort();
  await expect.poll(named).toEqual(["Codex CLI", "Gemini CLI", "Qwen Code"]);
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED", "plan.md, line 4:\n> 2\nIn words.\n"]);
  const filePath = join(cwd, "plan.md.comments");
  await expect
    .poll(() => agent.receivedOf("at_mentioned"))
    .toMatchObject([{ params: { filePath } }]);
  for (const each of forks) await expect.poll(() => each.mentions).toMatchObject([{ filePath }]);
  await expect.poll(() => copilot.input).toBe(`@${filePath} `);
  for (const each of family) {
    await expect.poll(() => each.active?.path).toBe(filePath);
  }
  expect(await codex.prompt()).toContain("## Active file: plan.md.comments");
  expect(readFileSync(filePath, "utf8")).toContain("> 2\\nIn words.");
});

test("comments on a proposal of an agent that takes neither text nor mentions are its active file", async () => {
  const terminal = await openTerminal();
  const { fixture, run } = terminal;
  const { env, workspace: cwd } = fixture;
  const qwen = new GeminiClient(qwenProfile, { env, cwd });
  onTestFinished(() => qwen.exit());
  expect(await qwen.enable(), qwen.problem).toBe(true);
  const answer = qwen.openDiff(join(cwd, "plan.md"), "# Plan\n\none\n2\nthree\n");
  await run.shows("edit or reject?");
  await comment(terminal, "In words.");
  expect(await answer).toEqual({ status: "rejected" });
  const filePath = join(cwd, "plan.md.comments");
  await expect.poll(() => qwen.active?.path).toBe(filePath);
});

test.each(["new.md", "new/folders/new.md"])(
  "comments on a proposal of %s, which does not exist yet, reject it and reach the agent",
  async (name) => {
    const terminal = await openTerminal();
    const { fixture, run, lockFile } = terminal;
    const file = join(fixture.workspace, name);
    const agent = await joinAs(lockFile, "claude-code");
    const answer = propose(agent, file, "# New\n\none\n");
    await run.shows("edit or reject?");
    await comment(terminal, "Say more.");
    await run.shows(`Sent as a mention of ${name}.comments.`);
    expect(textsOf(await answer)).toEqual([
      "DIFF_REJECTED",
      `${name}, lines 1 to 3:\n> # New\n> \n> one\nSay more.\n`,
    ]);
    await expect
      .poll(() => agent.receivedOf("at_mentioned"))
      .toMatchObject([{ params: { filePath: `${file}.comments` } }]);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}.comments`, "utf8")).toContain("Say more.");
  },
);

test("comments on an edit that came without a review are sent from the terminal", async () => {
  const terminal = await openTerminal();
  const { fixture, run } = terminal;
  const workspace = { fixture, folder: fixture.workspace, env: fixture.env };
  const claude = await startClient(workspace, { permissionMode: "acceptEdits" });
  await claude.untilReady();
  await claude.prompt("go on");
  const file = join(fixture.workspace, "plan.md");
  await claude.edit(file, "# Plan\n\none\n2\nthree\n").result;
  await run.shows("was written without a review here");
  run.type("review e1");
  await run.shows("keep this hunk or undo it?");
  run.type("s");
  await run.shows("There is no comment to send");
  run.type("c In words.");
  await run.shows("1 comment; s sends it.");
  run.type("s");
  await run.shows("Sent as a mention of plan.md.comments.");
  await expect
    .poll(async () => JSON.stringify(await claude.prompt("")))
    .toContain("plan.md.comments");
  expect(readFileSync(`${file}.comments`, "utf8")).toContain("> 2\\nIn words.");
  expect(run.output.replaceAll(/\s+/g, " ")).not.toContain("plan.md.comments was written");
  // The person still decides the rest of the edit.
  run.type("u");
  await run.shows("The hunk was undone.");
  expect(readFileSync(file, "utf8")).toBe("# Plan\n\none\ntwo\nthree\n");
  expect(claude.violations).toEqual([]);
});
