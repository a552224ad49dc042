import { scenarioLimits } from "@idewire/devtools/internal";
import { parseScenario, type Scenario } from "@idewire/devtools/scenario";
import { readTextFile } from "./read-text-file.ts";
import { describeIssues } from "./simulate-ide.ts";

/** A scenario, or the issues of its file, one per line. */
export type ReadScenario = { readonly scenario: Scenario } | { readonly fault: string };

/**
 * Reads a scenario file for a command line with or without an agent's command.
 * @param shown the file's name in messages
 */
export async function readScenario(
  file: string,
  { shown, hasCommand }: { readonly shown: string; readonly hasCommand: boolean },
): Promise<ReadScenario> {
  const limit = { maxBytes: 4 * scenarioLimits.textLength, what: "a scenario" };
  const text = await readTextFile(file, limit);
  if (typeof text !== "string") return { fault: `${shown}: ${text.fault}` };
  const result = parseScenario(text);
  if (!result.ok) return { fault: describeIssues(result.issues, shown) };
  const { steps } = result.value;
  if (!steps.some(({ step }) => "expect" in step)) {
    return { fault: `${shown}: expected at least one step with "expect", got none` };
  }
  const exit = steps.find(({ step }) => "expect" in step && step.expect === "exit");
  if (exit === undefined || hasCommand) return { scenario: result.value };
  const advice = "give the agent's command: idewire simulate <scenario> -- <command>";
  return { fault: `${shown}:${exit.line}: "exit" needs a program that idewire starts; ${advice}` };
}
