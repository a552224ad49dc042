import { manualClock } from "@idewire/core/testing";
import { expect, test, vi } from "vitest";
import { parseFilter } from "../trace/filter/filter.ts";
import { Breakpoint } from "./breakpoint.ts";
import { Simulation } from "./simulation.ts";

/** Both ends, connected, and a breakpoint between them. */
async function open(source: string) {
  const clock = manualClock();
  const files = { "notes.md": "one\n" };
  const simulation = new Simulation({ files, clock, now: () => clock.nowMs });
  const pass = async (holds: () => boolean) => {
    await vi.waitFor(() => {
      clock.advance(5);
      expect(holds()).toBe(true);
    });
  };
  void simulation.connect();
  await pass(() =>
    simulation.log.events.some((event) => "raw" in event && event.raw.includes('"tools":[{')),
  );
  const filter = parseFilter(source);
  if (!filter.ok) throw new Error(filter.issue);
  const breakpoint = new Breakpoint({
    filter: filter.value,
    send: (dir, raw) => simulation.send(dir, raw),
    clock,
    maxHeldMs: 1000,
  });
  simulation.setFaults(() => breakpoint.intercept());
  return { simulation, breakpoint, pass, clock };
}

test("a held call reaches the editor only after its release, as edited", async () => {
  const { simulation, breakpoint, pass } = await open("method:tools/call tool:openDiff");
  simulation.propose("notes.md", "two\n");
  await pass(() => breakpoint.held.length === 1);
  const reviews = () =>
    simulation.log.events.flatMap((event) =>
      event.ev === "editor" && event.change.kind === "review-opened" ? [event.change.proposed] : [],
    );
  expect(reviews()).toEqual([]);
  const [held] = breakpoint.held;
  breakpoint.release(held?.id ?? 0, held?.raw.replace("two", "three"));
  await pass(() => reviews().length === 1);
  expect(reviews()).toEqual(["three\n"]);
  expect(breakpoint.held).toEqual([]);
});

test("frames behind a held one wait in order, and follow it", async () => {
  const { simulation, breakpoint, pass } = await open("method:a");
  const arrived = () =>
    simulation.log.events.flatMap((event) =>
      event.ev === "frame" && event.dir === "agent>ide" && event.lost !== true ? [event.raw] : [],
    );
  const before = arrived().length;
  const frames = ["a", "b", "a", "c"].map((method) => JSON.stringify({ jsonrpc: "2.0", method }));
  for (const raw of frames) simulation.send("agent>ide", raw);
  expect(breakpoint.held.map(({ isStopped }) => isStopped)).toEqual([true, false, true, false]);
  breakpoint.release(breakpoint.held[0]?.id ?? 0);
  expect(arrived().slice(before)).toEqual(frames.slice(0, 2));
  simulation.send("ide>agent", '{"jsonrpc":"2.0","method":"other"}');
  expect(breakpoint.held).toHaveLength(2);
  breakpoint.remove();
  expect(arrived().slice(before)).toEqual(frames);
  simulation.send("agent>ide", frames[0] ?? "");
  await pass(() => arrived().length === before + 5);
  expect(breakpoint.held).toEqual([]);
});

/** The frames from an agent that have passed the breakpoint. */
function arrivedIn({ log }: Simulation): readonly string[] {
  return log.events.flatMap((event) =>
    event.ev === "frame" && event.dir === "agent>ide" && event.lost !== true ? [event.raw] : [],
  );
}

test("a dropped frame never arrives, and later ones do", async () => {
  const { simulation, breakpoint } = await open("method:a");
  const before = arrivedIn(simulation).length;
  const frames = ["a", "b"].map((method) => JSON.stringify({ jsonrpc: "2.0", method }));
  for (const raw of frames) simulation.send("agent>ide", raw);
  breakpoint.drop(breakpoint.held[0]?.id ?? 0);
  expect(arrivedIn(simulation).slice(before)).toEqual(frames.slice(1));
  expect(breakpoint.held).toEqual([]);
});

test("a held frame is sent unchanged, once, when its time limit expires", async () => {
  const { simulation, breakpoint, clock } = await open("method:a");
  const before = arrivedIn(simulation).length;
  const raw = JSON.stringify({ jsonrpc: "2.0", method: "a" });
  simulation.send("agent>ide", raw);
  clock.advance(999);
  expect(breakpoint.held).toHaveLength(1);
  clock.advance(1);
  expect(breakpoint.held).toEqual([]);
  expect(arrivedIn(simulation).slice(before)).toEqual([raw]);
  simulation.send("agent>ide", raw);
  breakpoint.forget("c1");
  clock.advance(2000);
  expect(arrivedIn(simulation).slice(before)).toEqual([raw]);
});
