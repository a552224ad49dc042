import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
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
import type {
  ScriptedServe,
  ScriptedServeOptions,
} from "../src/reference-clients/scripted-serve.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";

/** An agent, and the selected text in its model's context. */
interface Agent {
  readonly title: string;
  readonly selected: () => string | undefined | Promise<string | undefined>;
}

async function startGemini({ fixture, folder }: Workspace, title: string, profile: GeminiProfile) {
  // It retries only twice, and on a busy machine idewire takes longer to start.
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

/** Starts opencode or a fork of it. */
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

/** The command, in which a write beyond the limit fails instead of killing the process. */
const onDisk = [
  "/bin/sh",
  ...["-c", 'trap "" XFSZ; exec "$0" "$@"', process.execPath],
  fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url)),
] as const;

/** All agents connected to one `idewire serve`, and the selection that each has received. */
async function openContext(command?: ScriptedServeOptions["command"]) {
  const workspace = openWorkspace("home");
  writeFileSync(join(workspace.folder, "a.md"), "before\nafter\n");
  const start = async () => {
    const serve = startServe(workspace, command && { command });
    await serve.event("listening");
    return serve;
  };
  const select = async (serve: ScriptedServe, line: number) => {
    const range = { start: { line, character: 0 }, end: { line, character: 6 - line } };
    await serve.do({ do: "select", path: "a.md", range });
  };
  const serve = await start();
  await select(serve, 0);
  const agents = await startAll(workspace);
  const selections = async () => {
    const all = agents.map(async ({ title, selected }) => [title, await selected()] as const);
    return Object.fromEntries(await Promise.all(all));
  };
  const expectSelected = (text: string) =>
    expect.poll(selections).toEqual(Object.fromEntries(agents.map(({ title }) => [title, text])));
  await expectSelected("before");
  return { workspace, serve, start, select, expectSelected };
}

test("after kill -9 of idewire serve, every agent finds the restarted server, and its selection", async () => {
  const { serve, start, select, expectSelected } = await openContext();
  serve.kill("SIGKILL");
  await serve.exited;
  await select(await start(), 1);
  await expectSelected("after");
});

test("an editor that is suspended for seconds (Ctrl-Z) serves every agent once resumed", async () => {
  const { serve, select, expectSelected } = await openContext();
  serve.kill("SIGSTOP");
  await sleep(5_000);
  serve.kill("SIGCONT");
  await select(serve, 1);
  await expectSelected("after");
  expect(serve.events.filter(({ event }) => event === "disconnected")).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a disk that fills up under every agent is reported once, and costs none of them its connection",
  async () => {
    const { workspace, serve, select, expectSelected } = await openContext(onDisk);
    const limit = (bytes: string) =>
      execFileSync("prlimit", ["--pid", String(serve.pid), `--fsize=${bytes}`]);
    limit("0:");
    const late = await startCopilot(workspace);
    await select(serve, 1);
    await expectSelected("after");
    await expect.poll(late.selected).toBe("after");
    // Each agent is recorded for the next start.
    const warnings = () => serve.output.match(/Cannot write/g)?.length;
    await expect.poll(warnings).toBe(1);
    const another = await startCopilot(workspace);
    await expect.poll(another.selected).toBe("after");
    expect(warnings()).toBe(1);
    limit("unlimited:");
    await select(serve, 0);
    await expectSelected("before");
    expect(serve.events.filter(({ event }) => event === "disconnected")).toEqual([]);
  },
  90_000,
);
