import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import { GeminiClient, geminiProfile } from "../src/reference-clients/gemini-client.ts";
import { OpencodeClient } from "../src/reference-clients/opencode-client.ts";
import { joinAs, openTerminal, propose, textsOf } from "../src/terminal-context.ts";

// Claude Code's next prompt: tests/playground/changes.test.ts; opencode's rejection: run-opencode.test.ts.

test("comments are in the next prompt of each agent that is sent mentions, and the others are named", async () => {
  const { fixture, run, lockFile } = await openTerminal();
  const { env, workspace: cwd } = fixture;
  const opencode = OpencodeClient.start({ env, cwd });
  const copilot = new CopilotClient({ env, cwd });
  const gemini = new GeminiClient(geminiProfile, { env, cwd });
  onTestFinished(async () => {
    opencode.exit();
    gemini.exit();
    await copilot.exit();
  });
  await opencode.untilReady();
  await copilot.start();
  expect(copilot.state, copilot.problem).toBe("connected");
  expect(await gemini.enable()).toBe(true);
  const agent = await joinAs(lockFile, "claude-code");
  const answer = propose(agent, join(cwd, "plan.md"), "# Plan\n\none\n2\nthree\n");
  await run.shows("edit or reject?");
  run.type("review");
  await run.shows("accept this hunk?");
  run.type("c In words.");
  await run.shows("s sends it");
  run.type("s");
  await run.shows("Sent as a mention of plan.md.comments.");
  await run.shows("Gemini CLI cannot be sent a mention.");
  expect(textsOf(await answer)).toEqual(["DIFF_REJECTED", "plan.md, line 4:\n> 2\nIn words.\n"]);
  const filePath = join(cwd, "plan.md.comments");
  await expect
    .poll(() => agent.receivedOf("at_mentioned"))
    .toMatchObject([{ params: { filePath } }]);
  await expect.poll(() => opencode.mentions).toMatchObject([{ filePath }]);
  await expect.poll(() => copilot.input).toBe(`@${filePath} `);
});
