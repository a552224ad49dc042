import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CodexClient } from "../src/reference-clients/codex-client.ts";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import {
  GeminiClient,
  type GeminiProfile,
  geminiProfile,
  qwenProfile,
} from "../src/reference-clients/gemini-client.ts";
import { startKiloCode } from "../src/reference-clients/kilo-client.ts";
import { OpencodeClient } from "../src/reference-clients/opencode-client.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";

/** An agent, and the selected text as its model has it. */
interface Agent {
  readonly title: string;
  readonly selected: () => string | undefined | Promise<string | undefined>;
}

async function startGemini({ fixture, folder }: Workspace, title: string, profile: GeminiProfile) {
  // It tries twice, and the start of idewire on a busy machine takes longer than that.
  const agent = new GeminiClient(profile, { env: fixture.env, cwd: folder, retryFactor: 3 });
  onTestFinished(() => agent.exit());
  expect(await agent.enable(), agent.problem).toBe(true);
  return { title, selected: () => agent.active?.selectedText };
}

async function startCopilot({ fixture, folder }: Workspace): Promise<Agent> {
  const agent = new CopilotClient({ env: fixture.env, cwd: folder, retryFactor: 0.1 });
  onTestFinished(() => agent.exit());
  await agent.start();
  return { title: "Copilot CLI", selected: () => agent.selection?.text };
}

/** opencode, and what is made of it. */
async function startFork(
  { fixture, folder }: Workspace,
  title: string,
  start: typeof startKiloCode,
): Promise<Agent> {
  const agent = start({ env: fixture.env, cwd: folder, retryFactor: 0.1 });
  onTestFinished(() => agent.exit());
  await agent.untilReady();
  return { title, selected: () => agent.context?.ranges[0]?.text };
}

async function startAll(workspace: Workspace): Promise<readonly Agent[]> {
  const claude = await startClient(workspace);
  await claude.untilReady();
  const codex = new CodexClient({ env: workspace.fixture.env, cwd: workspace.folder });
  const context = () => codex.context().catch(() => undefined);
  return [
    { title: "Claude Code", selected: () => claude.inbox.context?.text },
    await startFork(workspace, "opencode", OpencodeClient.start),
    await startFork(workspace, "Kilo Code", startKiloCode),
    await startGemini(workspace, "Gemini CLI", geminiProfile),
    await startGemini(workspace, "Qwen Code", qwenProfile),
    await startCopilot(workspace),
    {
      title: "Codex CLI",
      selected: async () => (await context())?.activeFile?.activeSelectionContent,
    },
  ];
}

test("after kill -9 of idewire serve, every agent finds the next start, with what is selected there", async () => {
  const workspace = openWorkspace("home");
  writeFileSync(join(workspace.folder, "a.md"), "before\nafter\n");
  const select = async (serve: ReturnType<typeof startServe>, line: number) => {
    const range = { start: { line, character: 0 }, end: { line, character: 6 - line } };
    await serve.do({ do: "select", path: "a.md", range });
  };
  const first = startServe(workspace);
  await first.event("listening");
  await select(first, 0);
  const agents = await startAll(workspace);
  const selections = async () => {
    const all = agents.map(async ({ title, selected }) => [title, await selected()] as const);
    return Object.fromEntries(await Promise.all(all));
  };
  const everywhere = (text: string) => Object.fromEntries(agents.map(({ title }) => [title, text]));
  await expect.poll(selections, { timeout: 20_000 }).toEqual(everywhere("before"));
  first.kill("SIGKILL");
  await first.exited;
  const next = startServe(workspace);
  await next.event("listening");
  await select(next, 1);
  await expect.poll(selections, { timeout: 30_000 }).toEqual(everywhere("after"));
}, 90_000);
