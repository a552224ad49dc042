import type { Range } from "@idewire/core";
import { parseFaultPlan } from "../trace/faults/fault.ts";
import { FaultInjector } from "../trace/faults/fault-injector.ts";
import type { Simulation } from "./simulation.ts";
import type { TextEdit, TourStep } from "./tour.ts";

type StepOf<K extends string> = Extract<TourStep, Readonly<Record<K, string>>>;

/**
 * Does one step. What it starts goes on afterwards: a proposal waits for its answer, which is a later
 * step.
 * @throws Error that says why it cannot be done
 */
export function takeStep(simulation: Simulation, step: TourStep): void {
  if ("do" in step) takePersonsStep(simulation, step);
  else if ("agent" in step) takeAgentsStep(simulation, step);
  else takeWorldsStep(simulation, step);
}

function takePersonsStep(simulation: Simulation, step: StepOf<"do">): void {
  const { editor } = simulation;
  const person = (text: string, act: () => void): void => simulation.gesture("person", text, act);
  switch (step.do) {
    case "open":
      person(`opens ${step.filePath}`, () => editor.openFile(step.filePath));
      break;
    case "close":
      person(`closes ${step.filePath}`, () => void editor.closeFile(step.filePath));
      break;
    case "save":
      person(`saves ${step.filePath}`, () => {
        void editor.save(editor.absolute(step.filePath));
      });
      break;
    case "edit": {
      const text = applyEdit(simulation.textOf(step.filePath), step.edit);
      person(`types in ${step.filePath}`, () => editor.type(step.filePath, text));
      break;
    }
    case "select": {
      const range = findRange(simulation.textOf(step.filePath), step.from, step.to);
      const words = `selects ${describeLines(range)} of ${step.filePath}`;
      person(words, () => editor.selectRange(step.filePath, range));
      break;
    }
    case "mention": {
      const { filePath, lineStart: start, lineEnd = start } = step;
      const lines =
        start === undefined || lineEnd === undefined ? undefined : { start, end: lineEnd };
      person(`sends ${filePath} to the agent`, () => editor.mention(filePath, lines));
      break;
    }
    case "answer":
      answerOldest(simulation, step);
      break;
  }
}

function answerOldest(
  simulation: Simulation,
  { answer, edit }: Extract<TourStep, { readonly do: "answer" }>,
): void {
  const [review] = simulation.editor.reviews;
  if (review === undefined) throw new Error("answer: no change waits for an answer");
  const { id, proposed, title } = review;
  const words = { accept: "accepts", reject: "rejects", close: "closes the tab of" }[answer];
  const edited = edit === undefined ? "" : ", edited";
  simulation.gesture("person", `${words} ${title}${edited}`, () => {
    if (answer !== "accept") {
      return simulation.editor.answer(id, { kind: answer === "reject" ? "rejected" : "closed" });
    }
    const text = edit === undefined ? proposed : applyEdit(proposed, edit);
    return simulation.editor.answer(id, { kind: "accepted", text });
  });
}

function takeAgentsStep(simulation: Simulation, step: StepOf<"agent">): void {
  const { agent } = simulation;
  const acts = (text: string, act: () => unknown): void =>
    void simulation.gesture("agent", text, act);
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
      simulation.gesture("person", `says ${step.accept ? "yes" : "no"} in the terminal`, () => {
        if (!agent.answerInTerminal(step.accept)) throw new Error("terminal: nothing is asked");
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
        ...{ ev: "control", ch: "stranger", dir: "ide>agent", op: "refused" },
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

/** The place of an offset of UTF-16 units. */
export function positionAt(text: string, offset: number): Range["start"] {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

function describeLines({ start, end }: Range): string {
  return start.line === end.line
    ? `line ${start.line + 1}`
    : `lines ${start.line + 1} to ${end.line + 1}`;
}
