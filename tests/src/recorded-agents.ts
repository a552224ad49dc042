import { join } from "node:path";
import type { AgentContext } from "./agent-context.ts";
import { beginInspect } from "./inspect-context.ts";
import { ClaudeClient } from "./reference-clients/claude-client.ts";
import { OpencodeClient } from "./reference-clients/opencode-client.ts";
import { TIMEOUT_MS } from "./reference-clients/transcript.ts";

/** A trace of one editor with the reference clients of Claude Code (c1) and opencode (c2). */
export async function recordTwoAgents(context: AgentContext): Promise<string> {
  const { host } = await context.serve();
  const file = join(context.folder, "day.jsonl");
  const { run, port } = await beginInspect(context, "--record", file);
  const env = { ...context.fixture.env, CLAUDE_CODE_SSE_PORT: String(port) };
  const cwd = context.folder;
  const claude = await ClaudeClient.start({
    ...{ env, cwd, pollMs: 20, pollForMs: TIMEOUT_MS, lenient: true },
  });
  await claude.untilReady();
  const notes = join(cwd, "notes.md");
  const edit = claude.edit(notes, "one\ntwo\n");
  await claude.until("the diff", () => host.shownDiffs.length > 0);
  host.answerDiff(host.shownDiffs[0]?.id ?? ("" as never), { kind: "rejected" });
  await edit.result;
  await claude.exit();
  await run.event("close", { ch: "c1" });
  // It uses the newest lock file, which is the inspection's.
  const opencode = OpencodeClient.start({ env: context.fixture.env, cwd });
  await opencode.untilReady();
  opencode.exit();
  await run.event("close", { ch: "c2" });
  run.signal("SIGINT");
  await run.exited;
  return file;
}
