import { describeValue } from "@idewire/core";
import type { GestureStep, ScenarioGestures } from "./model.ts";
import type { ScenarioStage } from "./stage.ts";

/**
 * Does what one line says.
 * @throws Error whose message says why it cannot be done
 */
export async function perform(step: GestureStep, stage: ScenarioStage): Promise<void> {
  const { ide } = stage;
  const { host, person, answers } = ide;
  switch (step.do) {
    case "open":
      await host.read(ide.fileAt(step.filePath));
      return host.openDocument(ide.fileAt(step.filePath));
    case "close":
      return closeDocument(stage, step.filePath);
    case "edit":
      return host.edit(ide.fileAt(step.filePath), step.text);
    case "write":
      await ide.files.write(step.filePath, step.text);
      await host.lookAtFiles();
      return;
    case "select":
      return host.setSelection(ide.fileAt(step.filePath), step.selection, step.text);
    case "clear":
      return host.clearSelection();
    case "mention":
      return mention(step, stage);
    case "diagnostics":
      return host.setDiagnostics(ide.fileAt(step.filePath), step.diagnostics, step.when ?? "now");
    case "diff":
      return person.obey(step);
    case "answer":
      return answers.obey(step);
    case "notify":
      return stage.notify(step.method, step.params);
    case "drop":
      return stage.drop();
    case "restart":
      return stage.restart(step);
    case "wait":
      return new Promise((resolve) => void ide.clock.setTimeout(resolve, step.ms));
  }
}

function closeDocument({ ide }: ScenarioStage, filePath: string): void {
  if (ide.host.closeDocument(ide.fileAt(filePath))) return;
  throw new Error(`close: expected a document that is open, got ${describeValue(filePath)}`);
}

function mention(step: ScenarioGestures["mention"], { ide }: ScenarioStage): void {
  const { filePath, lineStart, lineEnd } = step;
  const path = ide.fileAt(filePath);
  const lines = lineStart !== undefined && { start: lineStart, end: lineEnd ?? lineStart };
  ide.host.mention({ path, ...(lines && { lines }) });
}
