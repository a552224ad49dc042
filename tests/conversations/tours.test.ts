import { readdirSync, readFileSync } from "node:fs";
import { parsePosixPath } from "@idewire/core";
import { manualClock } from "@idewire/core/testing";
import { scenarioFromTrace } from "@idewire/devtools/scenario";
import {
  parseTour,
  Replay,
  Simulation,
  type Tour,
  takeStep,
  tourFiles,
} from "@idewire/devtools/simulation";
import { FrameIndex, ProblemIndex } from "@idewire/devtools/trace";
import { expect, test } from "vitest";

const playground = new URL("../../packages/web-playground", import.meta.url);
const names = readdirSync(new URL("tours/", playground)).sort();
const sample = readSample();

function readSample(): Readonly<Record<string, string>> {
  const root = new URL("sample/", playground);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => /\.(md|ts)$/.test(path));
  return Object.fromEntries(files.map((path) => [path, readFileSync(new URL(path, root), "utf8")]));
}

function readTour(name: string): Tour {
  const read = parseTour(JSON.parse(readFileSync(new URL(`tours/${name}`, playground), "utf8")));
  if (!read.ok) throw new Error(`${name}: ${read.issue}`);
  return read.value;
}

/** Plays a tour on a clock of its own. */
async function play(tour: Tour) {
  const clock = manualClock();
  const folder = tour.folder === undefined ? undefined : parsePosixPath(tour.folder);
  const simulation = new Simulation({
    files: { ...sample, ...tourFiles(tour) },
    ...(folder?.ok === true && { folder: folder.value, platform: "windows" as const }),
    ...{ clock, now: () => clock.nowMs },
  });
  const index = new FrameIndex();
  for (const event of simulation.log.events) index.add(event);
  simulation.log.on("append", (event) => index.add(event));
  for (const step of tour.steps) {
    takeStep(simulation, step);
    const ms = "world" in step && step.world === "wait" ? step.ms : 50;
    for (let passed = 0; passed < ms; ) {
      const turn = passed < 1000 ? 2 : 1000;
      clock.advance(turn);
      passed += turn;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { simulation, index };
}

test("there is a tour of each thing that the playground explains", () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of names) expect(readTour(name).id).toBe(name.replace(".json", ""));
});

test.each(names)("%s: both ends say what the tour says that they say", async (name) => {
  const tour = readTour(name);
  const { simulation, index } = await play(tour);
  const wire = index.frames.map(({ dir, kind, method = "", tool, lost, fault }) =>
    [dir, kind, method, tool, fault, lost === true ? "lost" : undefined]
      .filter((word) => word !== undefined && word !== "")
      .join(" "),
  );
  simulation.close();
  expect(wire).toEqual(tour.wire);
});

/** What goes wrong on purpose. */
const meant: Readonly<Record<string, readonly string[]>> = {
  "faults.json": ["encoding.not-json"],
};

test.each(names)("%s: nothing is wrong with its frames but what is meant to be", async (name) => {
  const { simulation } = await play(readTour(name));
  const problems = new ProblemIndex();
  for (const event of simulation.log.events) problems.add(event);
  simulation.close();
  const found = simulation.log.events.flatMap(({ n }) => problems.of(n));
  expect(found.map(({ code }) => code)).toEqual(meant[name] ?? []);
});

test("the state at any moment of a log is what it was then", async () => {
  const { simulation } = await play(readTour("diff-accepted.json"));
  const replay = new Replay(simulation.log);
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
  expect(new Replay(simulation.log).at(last)).toEqual(whole);
  expect(replay.at(0).files.size).toBe(0);
  simulation.close();
});

test("the older spelling of a person's answer means the same", () => {
  const written = JSON.stringify(readTour("diff-edited.json"));
  const old = written.replaceAll('"do":"answerDiff"', '"do":"answer"');
  expect(old).not.toBe(written);
  expect(parseTour(JSON.parse(old))).toEqual({ ok: true, value: JSON.parse(written) });
});

test.each(names)(
  "what %s records becomes a scenario that knows the workspace by its files",
  async (name) => {
    const { simulation } = await play(readTour(name));
    const made = scenarioFromTrace({ header: {}, events: simulation.log.events });
    expect(made).toMatchObject({
      ok: true,
      value: { folder: expect.stringMatching(/^(\/|[A-Z]:\/)/) },
    });
    const whys = made.ok ? made.value.omissions.map(({ why }) => why) : [];
    expect(whys.filter((why) => why.includes("the file is outside"))).toEqual([]);
  },
);
