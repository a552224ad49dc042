import { type EditorCommand, runCommand } from "@idewire/core";
import { describeValue, locateCommand } from "@idewire/core/internal";
import type { ScriptedIde } from "../editor/scripted-ide.ts";
import type { ActionStep, ScenarioActions } from "../file/model.ts";
import type { ScenarioContext } from "./context.ts";

/**
 * Does what one line says.
 * @throws Error whose message says why it cannot be done
 */
export async function perform(step: ActionStep, context: ScenarioContext): Promise<void> {
  const { ide } = context;
  switch (step.do) {
    case "write":
      ide.files.write(step.filePath, step.text);
      return ide.scripted.lookAtFiles();
    case "diagnostics": {
      const { filePath, diagnostics, when = "now" } = step;
      return ide.scripted.setDiagnostics(ide.fileAt(filePath), diagnostics, when);
    }
    case "diff":
      return ide.diffRules.add(step);
    case "answerTool":
      return ide.answers.obey(step);
    case "notify":
      return context.notify(step.method, step.params);
    case "drop":
      return context.drop();
    case "restart":
      return context.restart(step);
    case "wait":
      return new Promise((resolve) => void ide.clock.setTimeout(resolve, step.ms));
    default:
      return runStep(step, ide);
  }
}

async function runStep(step: CommandStep, ide: ScriptedIde): Promise<void> {
  const command = locateCommand(toCommand(step), (filePath) => ide.fileAt(filePath));
  const done = await runCommand(ide.scripted.editor, command);
  if (step.do !== "close" || done === true) return;
  throw new Error(`close: expected a document that is open, got ${describeValue(step.filePath)}`);
}

type CommandStep = ScenarioActions["open" | "close" | "edit" | "select" | "clear" | "mention"];

/** The command that a step spells; its path is still relative to the workspace. */
function toCommand(step: CommandStep): EditorCommand<string> {
  switch (step.do) {
    case "open":
      return { do: "open", path: step.filePath };
    case "close":
      return { do: "close", path: step.filePath, discard: true };
    case "edit":
      return { do: "edit", path: step.filePath, text: step.text };
    case "select": {
      const { filePath: path, selection: range, text } = step;
      return { do: "select", path, range, ...(text !== undefined && { text }) };
    }
    case "clear":
      return { do: "clearSelection" };
    case "mention": {
      const { filePath: path, lineStart: start, lineEnd: end = start } = step;
      const lines = start !== undefined && end !== undefined && { lines: { start, end } };
      return { do: "mention", path, ...lines };
    }
  }
}
