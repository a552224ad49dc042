import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import {
  createMemoryContext,
  createScenario,
  playScenario,
  type Scenario,
  scenarioFromTrace,
} from "@idewire/devtools/scenario";
import { EventLog, recordTransport } from "@idewire/devtools/trace";
import { expect, test } from "vitest";

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };

type ScenarioDialect = NonNullable<Scenario["header"]["dialect"]>;

/** A person who selects, is shown a problem, mentions the file, and accepts a change. */
function written(dialect: ScenarioDialect): Scenario {
  const file = { path: "notes.md" };
  const made = createScenario({ dialect, files: { "notes.md": "one\ntwo\n" } }, [
    { do: "open", ...file },
    { do: "diff", answer: "accept" },
    { expect: "initialized" },
    { expect: "ready" },
    { do: "select", ...file, range },
    { do: "mention", ...file, lines: { start: 0, end: 1 } },
    { expect: "call", tool: "openDiff" },
  ]);
  if (!made.ok) throw new Error(made.issues[0]?.issue);
  return made.value;
}

/** Waits for the mention, then proposes a third line. */
async function runAgent(transport: Transport, folder: string): Promise<void> {
  let resolveMention: () => void = () => undefined;
  const mentioned = new Promise<void>((resolve) => {
    resolveMention = resolve;
  });
  const agent = await McpClient.connect(transport, {
    name: "agent",
    version: "1",
    onnotification: (method) => /mention/.test(method) && resolveMention(),
    era: "legacy",
  });
  await agent.listTools();
  await mentioned;
  await agent.callTool("openDiff", {
    old_file_path: `${folder}/notes.md`,
    new_file_path: `${folder}/notes.md`,
    new_file_contents: "one\ntwo\nthree\n",
    tab_name: "notes.md",
  });
}

async function play(scenario: Scenario) {
  const log = new EventLog();
  const editor = createMemoryContext(scenario);
  const [agentEnd, editorEnd] = createMemoryTransportPair();
  editor.open(recordTransport(editorEnd, { log, ch: "c1", sends: "ide>agent" }));
  const [report] = await Promise.all([
    playScenario(scenario, editor),
    runAgent(agentEnd, "/workspace"),
  ]);
  editor.close();
  return { report, log };
}

test.each<ScenarioDialect>(["claude-code", "jetbrains", "neovim", "claude-code-spec"])(
  "a session in %s becomes a scenario that the same agent meets",
  async (dialect) => {
    const { report, log } = await play(written(dialect));
    expect(report.failure).toBe(undefined);
    const made = scenarioFromTrace({ header: {}, events: log.events });
    if (!made.ok) throw new Error(made.issue);
    const again = await play(made.value.scenario);
    expect(again.report.failure).toBe(undefined);
  },
);
