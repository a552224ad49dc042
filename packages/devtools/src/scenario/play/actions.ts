import { type EditorCommand, type Range, runCommand } from "@idewire/core";
import { type DiffAnswer, describeValue, locateCommand, positionAt } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import { FaultInjector } from "../../trace/faults/fault-injector.ts";
import type { ScenarioIde } from "../editor/scenario-ide.ts";
import type {
  ActionOf,
  ActionStep,
  AgentStep,
  ScenarioCommands,
  TextEdit,
  TextRange,
} from "../file/model.ts";
import type { ScenarioContext, SimulatedEnds } from "./context.ts";
import { describeStep } from "./words.ts";

/** Actions that are neither the person's nor the editor's, and not recorded. */
const UNRECORDED: ReadonlySet<string> = new Set(["wait", "faults", "send", "closeEditor", "log"]);

/**
 * Performs one step of a scenario, and records it in the trace. An action of the agent continues afterwards.
 * @throws Error with the reason why it is not possible
 */
export async function performStep(
  step: ActionStep | AgentStep,
  context: ScenarioContext,
): Promise<void> {
  const { ide } = context;
  if ("agent" in step) {
    const ends = simulationOf(context, step.agent);
    ide.record(step.agent === "terminal" ? "person" : "agent", describeStep(step));
    performAgentStep(step, ends, ide);
  } else {
    if (!UNRECORDED.has(step.do)) ide.record("person", describeStep(step));
    await performAction(step, context);
  }
}

async function performAction(step: ActionStep, context: ScenarioContext): Promise<void> {
  const { ide } = context;
  switch (step.do) {
    case "write":
      ide.files.write(step.path, step.text);
      return ide.scripted?.lookAtFiles();
    case "diagnostics":
      return setDiagnostics(step, ide);
    case "diff":
      return ide.diffRules.add(step);
    case "answerTool":
      return ide.answers.add(step);
    case "notify":
      return context.notify(step.method, step.params);
    case "drop":
      return context.drop();
    case "restart":
      return context.restart(step);
    case "wait":
      return new Promise((resolve) => void ide.clock.setTimeout(resolve, step.ms));
    case "comment":
      return comment(step, context);
    case "faults": {
      const { plan } = step;
      const create = plan === null ? undefined : () => new FaultInjector(plan);
      return simulationOf(context, step.do).setFaults(create);
    }
    case "send":
      return simulationOf(context, step.do).send(step.dir, step.raw);
    case "closeEditor":
      return simulationOf(context, step.do).closeEditor();
    case "log":
      return void ide.log.trace.append(step.event);
    default:
      return runStep(step, ide);
  }
}

function performAgentStep(step: AgentStep, ends: SimulatedEnds, ide: ScenarioIde): void {
  switch (step.agent) {
    case "connect":
      void ends.connect(step);
      break;
    case "disconnect":
      ends.disconnect(step.code);
      break;
    case "propose":
      ends.propose(
        step.path,
        toText(step.text, () => textOf(step.path, ide)),
      );
      break;
    case "terminal":
      if (!ends.agent.answerInTerminal(step.accept))
        throw new Error("terminal: no diff is pending");
      break;
    case "call":
      void ends.agent.call(step.tool, step.arguments);
      break;
    case "request":
      void ends.agent.request(step.method, step.params);
      break;
  }
}

function simulationOf({ simulation }: ScenarioContext, verb: string): SimulatedEnds {
  if (simulation !== undefined) return simulation;
  throw new Error(`${verb}: expected a simulated agent; this one is not`);
}

function setDiagnostics(step: ActionOf<"diagnostics">, ide: ScenarioIde): void {
  const { scripted } = ide;
  if (scripted === undefined) throw new Error("diagnostics: the editor finds its own");
  const { path, diagnostics, when = "now" } = step;
  scripted.setDiagnostics(ide.pathOf(path), diagnostics, when);
}

async function comment(step: ActionOf<"comment">, context: ScenarioContext): Promise<void> {
  const { path, on, tag, text } = step;
  if (context.comment === undefined) throw new Error("comment: comments are not supported here");
  const { start } = toRange({ from: on, to: on }, textOf(path, context.ide));
  const isAdded = await context.comment({ path, line: start.line + 1, tag, text });
  if (!isAdded) throw new Error("comment: it could not be added");
}

async function runStep(step: CommandStep, ide: ScenarioIde): Promise<void> {
  const command = locateCommand(toCommand(step, ide), (path) => ide.pathOf(path));
  const done = await runCommand(ide.editor, command, "page");
  if (step.do !== "close" || done === true) return;
  const expected = "a document that is open, without unsaved text unless discard is true";
  throw new Error(`close: expected ${expected}, got ${describeValue(step.path)}`);
}

type CommandStep = Extract<ActionStep, { readonly do: keyof ScenarioCommands }>;

/** The command with its texts and ranges; its path is still relative to the workspace. */
function toCommand(step: CommandStep, ide: ScenarioIde): EditorCommand<string> {
  const { note: _, ...command } = step;
  switch (command.do) {
    case "edit":
      return { ...command, text: toText(command.text, () => textOf(command.path, ide)) };
    case "select": {
      const { range } = command;
      return {
        ...command,
        range: "from" in range ? toRange(range, textOf(command.path, ide)) : range,
      };
    }
    case "answerDiff": {
      const { id, answer } = command;
      const { shownDiffs } = ide.editor;
      const diff = id === undefined ? shownDiffs[0] : shownDiffs.find((one) => one.id === id);
      if (diff === undefined) throw new Error("answerDiff: no diff is pending");
      return { do: "answerDiff", id: diff.id, answer: toAnswer(answer, diff.proposed) };
    }
    default:
      return command;
  }
}

function toAnswer(answer: ScenarioCommands["answerDiff"]["answer"], proposed: string): DiffAnswer {
  if (answer.kind !== "accepted") return answer;
  return { kind: "accepted", text: toText(answer.text ?? proposed, () => proposed) };
}

function textOf(path: string, ide: ScenarioIde): string {
  const text = ide.editor.textOf(ide.pathOf(path));
  if (text === undefined) throw new ToolFailure(`${path}: there is no such file`);
  return text;
}

function toText(given: string | TextEdit, present: () => string): string {
  if (typeof given === "string") return given;
  const text = present();
  if (!text.includes(given.find)) throw new Error(`the text has no ${describeValue(given.find)}`);
  return text.replace(given.find, () => given.replace);
}

function toRange({ from, to }: TextRange, text: string): Range {
  const start = text.indexOf(from);
  const found = text.indexOf(to, Math.max(0, start));
  if (start === -1 || found === -1) throw new Error(`the text has no ${describeValue(from)}`);
  return { start: positionAt(text, start), end: positionAt(text, found + to.length) };
}
