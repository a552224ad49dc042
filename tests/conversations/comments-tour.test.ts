import { readFileSync } from "node:fs";
import {
  parseTour,
  Simulation,
  type TourComment,
  takeStep,
  tourFiles,
} from "@idewire/devtools/simulation";
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
const url = new URL("../../packages/web-playground/tours/comments.json", import.meta.url);
const tour = readTour();

function readTour() {
  const read = parseTour(JSON.parse(readFileSync(url, "utf8")));
  if (!read.ok) throw new Error(read.issue);
  return read.value;
}

test("in the tour of comments, the comment is on its function after each step that leaves it there", async () => {
  const simulation = new Simulation({ files: tourFiles(tour) });
  const workspace = createMemoryWorkspace();
  const reader = createSourceReader(readGrammarFile);
  const comments = new FrontendComments(new CommentStore({ workspace, reader }), "you");
  const wanted: TourComment[] = [];
  const seen: unknown[] = [];
  for (const step of tour.steps.filter((each) => "do" in each)) {
    takeStep(simulation, step, (comment) => wanted.push(comment));
    const text = simulation.textOf(path);
    workspace.files.set(path, text);
    for (const comment of wanted.splice(0)) await comments.run({ do: "add", ...comment });
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

test("what the tour calls Prettier's work is", async () => {
  const step = tour.steps.find(({ say }) => say?.startsWith("Prettier"));
  const edit = step !== undefined && "edit" in step ? step.edit : undefined;
  const options = { parser: "typescript", useTabs: true, printWidth: 40 };
  expect(edit?.replace).toBe(await format(edit?.find ?? "", options));
});
