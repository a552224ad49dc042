import { readFileSync } from "node:fs";
import { performStep, type ScenarioComment, scenarioFiles } from "@idewire/devtools/internal";
import { parseScenario } from "@idewire/devtools/scenario";
import { Simulation, toScenarioContext } from "@idewire/devtools/simulation";
import {
  CommentStore,
  createMemoryWorkspace,
  createSourceReader,
  FrontendComments,
} from "@idewire/paired-comments";
import { readGrammarFile } from "@idewire/paired-comments/node";
import { format } from "prettier";
import { expect, test } from "vitest";

const path = "src/beds.ts";
const url = new URL("../../packages/web-playground/tours/comments.jsonl", import.meta.url);
const tour = readTour();

function readTour() {
  const read = parseScenario(readFileSync(url, "utf8"));
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
}

test("in the tour of comments, the comment is on its function after each step that leaves it there", async () => {
  const simulation = new Simulation({ files: scenarioFiles(tour.header) });
  const workspace = createMemoryWorkspace();
  const reader = createSourceReader(readGrammarFile);
  const comments = new FrontendComments(new CommentStore({ workspace, reader }), "you");
  const wanted: ScenarioComment[] = [];
  const context = toScenarioContext(simulation, (comment) => wanted.push(comment) > 0);
  const seen: unknown[] = [];
  for (const { step } of tour.steps) {
    if (!("do" in step) || step.do === "wait") continue;
    await performStep(step, context);
    const text = simulation.textOf(path);
    workspace.files.set(path, text);
    for (const { path: filePath, ...comment } of wanted.splice(0)) {
      await comments.run({ do: "add", filePath, ...comment });
    }
    const [found] = (await comments.file(path)).comments;
    const line = text.split("\n")[(found?.line ?? 0) - 1];
    seen.push([found?.status, found?.status === "orphaned" ? found.candidates.length : line]);
  }
  simulation.close();
  expect(seen).toEqual([
    [undefined, undefined],
    ["exact", "export function waterFor(bed: Bed): number {"],
    ["edited", "export function litresFor(bed: Bed): number {"],
    ["edited", "export function litresFor(bed: Bed): number {"],
    ["edited", "export function litresFor("],
    ["orphaned", 1],
    ["edited", "export function litresFor("],
  ]);
});

test("the edit that the tour attributes to Prettier is what Prettier prints", async () => {
  const step = tour.steps.find(({ step: { note } }) => note?.startsWith("Prettier"))?.step;
  const text = step !== undefined && "do" in step && step.do === "edit" ? step.text : undefined;
  const edit = typeof text === "object" ? text : undefined;
  const options = { parser: "typescript", useTabs: true, printWidth: 40 };
  expect(edit?.replace).toBe(await format(edit?.find ?? "", options));
});
