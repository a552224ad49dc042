import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScenario, type Scenario, type ScenarioReport } from "@idewire/devtools/scenario";
import { simulateIde } from "idewire/simulate";
import { describe, expect, test } from "vitest";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { retryLate } from "../src/retry-late.ts";
import { type AgentPlace, agents, type PlayAgent } from "../src/simulate/agents.ts";

const folder = fileURLToPath(new URL("../../examples/scenarios/", import.meta.url));

const names = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.replace(/\.jsonl$/, ""));

function readExample(name: string): Scenario {
  const result = parseScenario(readFileSync(join(folder, `${name}.jsonl`), "utf8"));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

type OnEnd = AgentPlace["onEnd"];

async function play(script: Scenario, agent: PlayAgent, onEnd: OnEnd): Promise<ScenarioReport> {
  const ide = await simulateIde({ script, base: folder });
  onEnd(() => ide.close());
  // The scenario itself judges the agent.
  agent({ folder: ide.folder, env: ide.env, onEnd }).catch(() => undefined);
  return ide.met();
}

/** The limits for an absent agent; the second is for a busy machine. */
const SHORT_MS = [4_000, 2 * TIMEOUT_MS] as const;

/** The same scenario with this limit for everything. */
function waiting(scenario: Scenario, withinMs: number): Scenario {
  const header = { ...scenario.header, withinMs, connectWithinMs: withinMs };
  const steps = scenario.steps.map(({ line, step }) => {
    const hasOwn = "withinMs" in step && step.withinMs !== undefined;
    return { line, step: hasOwn ? { ...step, withinMs } : step };
  });
  return { header, steps };
}

test("each scenario has an agent that meets it, and one that fails it", () => {
  expect(Object.keys(agents).sort()).toEqual(names.sort());
});

describe.concurrent.each(names)("%s", (name) => {
  const pair = agents[name];
  if (pair === undefined) throw new Error(`no agents for ${name}`);

  // Concurrent tests each need their own context for cleanup.
  test("is met by an agent as it should be", async ({ onTestFinished }) => {
    const extended = waiting(readExample(name), 2 * TIMEOUT_MS);
    const report = await play(extended, pair.good, onTestFinished);
    expect(report.steps.every(({ outcome }) => outcome === "met")).toBe(true);
  });

  test("is not met by another, with the reason", async ({ onTestFinished }) => {
    const output = await retryLate(
      SHORT_MS,
      (withinMs) =>
        play(waiting(readExample(name), withinMs), pair.bad, onTestFinished).then(
          () => "it is met",
          (error: unknown) => String(error),
        ),
      (words) => !pair.output.test(words) && /not come within|no agent connected/.test(words),
    );
    expect(output).toMatch(pair.output);
  });
});
