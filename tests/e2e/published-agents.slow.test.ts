import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentTerminal, installed } from "../src/published-agents/agent-terminal.ts";
import { type PublishedAgent, publishedAgents } from "../src/published-agents/agents.ts";
import * as cells from "../src/published-agents/cells.ts";
import { RunInTerminal } from "../src/published-agents/run-in-terminal.ts";
import { ServedFolder } from "../src/published-agents/served-folder.ts";

// The published command lines, each in a terminal with a scripted model: docs/clients.

const missing = "IDEWIRE_AGENTS names no folder in which they are installed";
if (installed === undefined) console.info(`not tried: the published agents (${missing})`);
const published = test.skipIf(installed === undefined);
const each = publishedAgents.map((agent) => [agent.title, agent] as const);

/** The cells that need a running editor, in this order. */
const whileServed = [
  ...[cells.sendsContext, cells.namesSession, cells.sendsOpenFiles, cells.takesMention],
  ...[cells.acceptsDiff, cells.takesEditedText, cells.rejectsDiff, cells.answersInAgent],
  cells.reportsDiagnostics,
];

/**
 * How soon the editor must be back, or else some agents have to be reconnected by hand: before their first retry
 * (`retry: 3000`), or before the second one after a kill (docs/clients/gemini-cli.md, Connection).
 */
const BACK_MS = { stop: 3_000, SIGKILL: 2_500 };

/** Types the command that reconnects agents that gave up. */
async function enableAgain(terminals: readonly AgentTerminal[]): Promise<void> {
  for (const terminal of terminals) {
    const { afterKill } = terminal.agent;
    if (afterKill !== undefined) await terminal.enter(afterKill);
  }
}

/** Runs every cell for these agents; each takes part in those that apply to it. */
async function fillColumns(folder: ServedFolder, agents: readonly PublishedAgent[]) {
  const startedMs = performance.now();
  const log = (cell: string) =>
    console.info(`${((performance.now() - startedMs) / 1_000).toFixed(0)} s: ${cell}`);
  const terminals: AgentTerminal[] = [];
  // In sequence, since some give up soon on a busy machine.
  for (const agent of agents) {
    const since = folder.serve.events.at(-1)?.seq ?? 0;
    const terminal = await AgentTerminal.start(folder.workspace, agent);
    if (agent.enables !== undefined) await terminal.enter(agent.enables);
    await cells.findsEditor(folder, terminal, since);
    terminals.push(terminal);
    log(`${agent.title} finds the editor`);
  }
  for (const fill of whileServed) {
    await fill(folder, terminals);
    log(fill.name);
  }
  for (const how of ["stop", "SIGKILL"] as const) {
    const awayMs = await folder.restart(how);
    log(`${how}: away for ${Math.round(awayMs)} ms`);
    const isLate = awayMs > BACK_MS[how];
    if (isLate) await enableAgain(terminals);
    await cells.sendsSelection(folder, terminals);
    if (how === "SIGKILL") await enableAgain(terminals);
    await cells.acceptsDiff(folder, terminals);
    log(`${how}: back with the selection, and diffs`);
  }
  for (const terminal of terminals) terminal.close();
}

published.each(each)(
  "the published %s fills its column",
  async (_, agent) => {
    const folder = new ServedFolder();
    await folder.start();
    await fillColumns(folder, [agent]);
    expect(folder.serve.strayLines).toEqual([]);
  },
  900_000,
);

published(
  "six published agents on one editor fill their columns, three times in a row",
  async () => {
    const folder = new ServedFolder();
    await folder.start();
    for (const round of [1, 2, 3]) {
      console.info(`round ${round}`);
      await fillColumns(folder, publishedAgents);
    }
    expect(folder.serve.strayLines).toEqual([]);
  },
  3_600_000,
);

published.each(each)(
  "idewire run starts the published %s connected, has its first edit reviewed, and ends with it",
  async (_, agent) => {
    const run = await RunInTerminal.start(agent);
    if (agent.enables !== undefined) await run.agent.enter(agent.enables);
    await run.folder.command("select", "a.md:2-3");
    await run.agent.receives(agent.words.selected);
    if (agent.write !== undefined) {
      const path = join(run.folder.workspace.folder, "new.md");
      await run.agent.prompt([agent.write(path, "proposed\n")]);
      await run.accepts(path);
    }
    expect(await run.quit()).toBe(0);
    expect(run.lockFiles).toEqual([]);
  },
  600_000,
);

published.each(each)(
  "idewire run starts the published %s at the editor that serves the folder, and passes SIGTERM on",
  async (_, agent) => {
    const folder = new ServedFolder();
    await folder.start();
    const run = await RunInTerminal.join(agent, folder);
    if (agent.enables !== undefined) await run.agent.enter(agent.enables);
    await cells.findsEditor(folder, run.agent, 0);
    expect(run.agent.title).not.toMatch(/idewire/i);
    // The lock files of a single server.
    expect(run.lockFiles).toHaveLength(3);
    // opencode exits with 0, the others with the code of the signal.
    const code = agent.ignoresTerm ? await run.quit() : await run.terminate();
    expect([0, 143]).toContain(code);
    await folder.serve.do({ do: "clearSelection" });
    expect(run.lockFiles).toHaveLength(3);
  },
  600_000,
);
