import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { parseScenario, type Scenario, scenarioLimits } from "@idewire/devtools/scenario";
import { describeIssues } from "../../simulate/simulate-ide.ts";

/** A scenario, or what is wrong with its file, one line each. */
export type ReadScenario = { readonly scenario: Scenario } | { readonly fault: string };

/**
 * Reads a scenario file for a command line that has an agent's command, or has none.
 * @param shown how messages name the file
 */
export async function readScenario(
  file: string,
  { shown, hasCommand }: { readonly shown: string; readonly hasCommand: boolean },
): Promise<ReadScenario> {
  const text = await readText(file);
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
  return { fault: `${shown}:${exit.line}: nothing of ours can exit; ${advice}` };
}

async function readText(file: string): Promise<string | { readonly fault: string }> {
  try {
    // A pipe without a writer is not waited for.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return { fault: "expected a file of JSON lines" };
      if (facts.size > 4 * scenarioLimits.textLength) {
        return { fault: `expected a scenario, got ${facts.size} bytes` };
      }
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: code === "ENOENT" ? "there is no such file" : message };
  }
}
