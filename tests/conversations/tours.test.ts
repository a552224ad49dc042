import { readdirSync, readFileSync } from "node:fs";
import { parsePosixPath } from "@idewire/core";
import { manualClock } from "@idewire/core/testing";
import { LogStates, scenarioFiles } from "@idewire/devtools/internal";
import {
  parseScenario,
  playScenario,
  type Scenario,
  scenarioFromTrace,
} from "@idewire/devtools/scenario";
import { Simulation, toScenarioContext } from "@idewire/devtools/simulation";
import { ProblemIndex } from "@idewire/devtools/trace";
import { expect, test } from "vitest";

const playground = new URL("../../packages/web-playground/", import.meta.url);
const names = readdirSync(new URL("tours/", playground)).sort();
const sample = readSample();

function readSample(): Readonly<Record<string, string>> {
  const root = new URL("sample/", playground);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => /\.(md|ts)$/.test(path));
  return Object.fromEntries(files.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

function readTour(name: string): Scenario {
  const read = parseScenario(readFileSync(new URL(`tours/${name}`, playground), "utf8"));
  if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.issues)}`);
  return read.value;
}

/** Plays a tour with a manual clock. */
async function play({ header, steps }: Scenario) {
  const clock = manualClock();
  const folder = header.folder === undefined ? undefined : parsePosixPath(header.folder);
  const simulation = new Simulation({
    files: { ...sample, ...scenarioFiles(header) },
    ...(folder?.ok === true && { folder: folder.value, platform: "windows" as const }),
    ...{ clock, now: () => clock.nowMs },
  });
  let isOver = false;
  const report = playScenario({ header, steps }, toScenarioContext(simulation)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(2);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { simulation, report: await report };
}

test("there is a tour of each thing that the playground explains", () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of names) {
    const last = readTour(name).steps.at(-1)?.step;
    expect(last).toMatchObject({ expect: "frames" });
  }
});

test.each(names)("%s: both ends send the frames that the tour expects", async (name) => {
  const { simulation, report } = await play(readTour(name));
  simulation.close();
  expect(report.failure).toBe(undefined);
});

/** Intended problems. */
const meant: Readonly<Record<string, readonly string[]>> = {
  "faults.jsonl": ["encoding.not-json"],
};

test.each(names)("%s: its frames have no faults but the intended ones", async (name) => {
  const { simulation } = await play(readTour(name));
  const problems = new ProblemIndex();
  for (const event of simulation.log.events) problems.add(event);
  simulation.close();
  const found = simulation.log.events.flatMap(({ n }) => problems.of(n));
  expect(found.map(({ code }) => code)).toEqual(meant[name] ?? []);
});

test("the state at any moment of a log equals the state recorded then", async () => {
  const { simulation } = await play(readTour("diff-accepted.jsonl"));
  const replay = new LogStates(simulation.log);
  const { last } = simulation.log;
  const whole = replay.at(last);
  const review = simulation.log.events.find(
    (event) => event.ev === "editor" && event.change.kind === "review-opened",
  );
  const during = replay.at(review?.n ?? 0);
  expect(during.reviews).toHaveLength(1);
  expect(during.files.get("notes/plan.md")).toContain("it looses water");
  expect(whole.reviews).toHaveLength(0);
  expect(whole.files.get("notes/plan.md")).toContain("it loses water");
  expect(new LogStates(simulation.log).at(last)).toEqual(whole);
  expect(replay.at(0).files.size).toBe(0);
  simulation.close();
});

test.each(names)(
  "the trace of %s becomes a scenario that identifies the workspace by its files",
  async (name) => {
    const { simulation } = await play(readTour(name));
    const made = scenarioFromTrace({ header: {}, events: simulation.log.events });
    expect(made).toMatchObject({
      ok: true,
      value: { folder: expect.stringMatching(/^(\/|[A-Z]:\/)/) },
    });
    const reasons = made.ok ? made.value.omissions.map(({ why }) => why) : [];
    expect(reasons.filter((why) => why.includes("the file is outside"))).toEqual([]);
  },
);
