import { type EditorCommand, positionAt, type Range } from "@idewire/core";
import { parseFaultPlan } from "../trace/faults/fault.ts";
import { FaultInjector } from "../trace/faults/fault-injector.ts";
import type { Simulation } from "./simulation.ts";
import type { TextEdit, TourComment, TourStep } from "./tour.ts";

type StepOf<K extends string> = Extract<TourStep, Readonly<Record<K, string>>>;
type CommentStep = Extract<TourStep, { readonly do: "comment" }>;

/**
 * Performs a step. What it starts continues afterwards: a proposal waits for its answer, which is a
 * later step.
 * @param comment keeps a comment beside the code; without it the log alone tells of one
 * @throws Error with the reason why it is not possible
 */
export function takeStep(
  simulation: Simulation,
  step: TourStep,
  comment: (comment: TourComment) => void = () => {},
): void {
  if ("do" in step && step.do === "comment") {
    const wanted = readComment(simulation, step);
    const words = `comments on line ${wanted.line} of ${wanted.filePath}`;
    simulation.perform("person", words, () => comment(wanted));
  } else if ("do" in step) takePersonsStep(simulation, step);
  else if ("agent" in step) takeAgentsStep(simulation, step);
  else takeWorldsStep(simulation, step);
}

/** The text of a step in the log, and its command. */
interface PersonsAct {
  readonly words: string;
  readonly command: EditorCommand<string>;
}

function readComment(simulation: Simulation, step: CommentStep): TourComment {
  const { filePath, on, tag, text } = step;
  const { start } = findRange(simulation.textOf(filePath), on, on);
  return { filePath, line: start.line + 1, tag, text };
}

function takePersonsStep(simulation: Simulation, step: Exclude<StepOf<"do">, CommentStep>): void {
  const { words, command } = readPersonsStep(simulation, step);
  simulation.perform("person", words, () => void simulation.command(command));
}

function readPersonsStep(
  simulation: Simulation,
  step: Exclude<StepOf<"do">, CommentStep>,
): PersonsAct {
  if (step.do === "answerDiff") return readAnswer(simulation, step);
  const { filePath: path } = step;
  switch (step.do) {
    case "open":
      return { words: `opens ${path}`, command: { do: "open", path } };
    case "close":
      return { words: `closes ${path}`, command: { do: "close", path, discard: true } };
    case "save":
      return { words: `saves ${path}`, command: { do: "save", path } };
    case "edit": {
      const text = applyEdit(simulation.textOf(path), step.edit);
      return { words: `types in ${path}`, command: { do: "edit", path, text } };
    }
    case "select": {
      const range = findRange(simulation.textOf(path), step.from, step.to);
      const words = `selects ${describeLines(range)} of ${path}`;
      return { words, command: { do: "select", path, range } };
    }
    case "mention": {
      const { lineStart: start, lineEnd: end = start } = step;
      const lines = start !== undefined && end !== undefined && { lines: { start, end } };
      const words = `sends ${path} to the agent`;
      return { words, command: { do: "mention", path, ...lines } };
    }
  }
}

/** Answers the oldest diff. */
function readAnswer(
  simulation: Simulation,
  { answer, edit }: Extract<TourStep, { readonly do: "answerDiff" }>,
): PersonsAct {
  const [diff] = simulation.editor.shownDiffs;
  if (diff === undefined) throw new Error("answerDiff: no change waits for an answer");
  const { id, proposed, title } = diff;
  const words = { accept: "accepts", reject: "rejects", close: "closes the tab of" }[answer];
  const text = edit === undefined ? proposed : applyEdit(proposed, edit);
  const answers = {
    accept: { kind: "accepted", text },
    reject: { kind: "rejected" },
    close: { kind: "closed" },
  } as const;
  return {
    words: `${words} ${title}${edit === undefined ? "" : ", edited"}`,
    command: { do: "answerDiff", id, answer: answers[answer] },
  };
}

function takeAgentsStep(simulation: Simulation, step: StepOf<"agent">): void {
  const { agent } = simulation;
  const acts = (text: string, act: () => unknown): void =>
    void simulation.perform("agent", text, act);
  switch (step.agent) {
    case "connect":
      acts("starts, and looks for an editor", () => simulation.connect(step));
      break;
    case "disconnect":
      acts("ends", () => simulation.disconnect(step.code));
      break;
    case "propose":
      simulation.propose(step.filePath, applyEdit(simulation.textOf(step.filePath), step.edit));
      break;
    case "terminal":
      simulation.perform("person", `says ${step.accept ? "yes" : "no"} in the terminal`, () => {
        if (!agent.answerInTerminal(step.accept))
          throw new Error("terminal: no change waits for an answer");
      });
      break;
    case "call":
      acts(`calls ${step.tool}`, () => agent.call(step.tool, step.arguments));
      break;
    case "request":
      acts(`asks ${step.method}`, () => agent.request(step.method, step.params));
      break;
  }
}

function takeWorldsStep(simulation: Simulation, step: StepOf<"world">): void {
  switch (step.world) {
    case "faults": {
      const plan = parseFaultPlan(step.plan);
      simulation.setFaults(plan.ok ? () => new FaultInjector(plan.value) : undefined);
      break;
    }
    case "send":
      simulation.send(step.dir, step.raw);
      break;
    case "close-editor":
      simulation.closeEditor();
      break;
    case "refuse":
      simulation.log.append({
        ...{ ev: "control", ch: "refused", dir: "ide>agent", op: "refused" },
        text: step.text,
      });
      break;
    case "lock":
      simulation.log.append({ ev: "lock", what: step.what, file: step.file });
      break;
    case "wait":
  }
}

function applyEdit(text: string, { find, replace }: TextEdit): string {
  if (!text.includes(find)) throw new Error(`the text has no ${JSON.stringify(find)}`);
  return text.replace(find, () => replace);
}

/** From the start of `from` to the end of the first `to` after it. */
function findRange(text: string, from: string, to: string): Range {
  const start = text.indexOf(from);
  const found = text.indexOf(to, Math.max(0, start));
  if (start === -1 || found === -1) throw new Error(`the text has no ${JSON.stringify(from)}`);
  return { start: positionAt(text, start), end: positionAt(text, found + to.length) };
}

function describeLines({ start, end }: Range): string {
  return start.line === end.line
    ? `line ${start.line + 1}`
    : `lines ${start.line + 1} to ${end.line + 1}`;
}
