import { manualClock } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { SelectionTracker } from "./selection-tracker.ts";
import { type TrackedSelection, wholeFile } from "./tracked-selection.ts";

const file = { path: "a.md" };

function place(where: string, isSelected = true, of = file): TrackedSelection {
  return { ...wholeFile(of, of), place: where, isSelected };
}

function fixture() {
  const clock = manualClock();
  const received: unknown[] = [];
  const tracker = new SelectionTracker(clock, () => {
    const { now } = tracker;
    received.push(now && `${now.file.path} ${now.place}`);
  });
  return { clock, tracker, received };
}

test("a selection in many steps is reported once, less than 100 ms after its end", () => {
  const { clock, tracker, received } = fixture();
  for (let step = 0; step < 20; step += 1) {
    tracker.show(place(`0-${step}`));
    clock.advance(16);
  }
  expect(received).toEqual([]);
  clock.advance(60);
  expect(received).toEqual(["a.md 0-19"]);
});

test("nothing is reported while a mouse button is down, and at once when it is released", () => {
  const { clock, tracker, received } = fixture();
  tracker.hold();
  for (let step = 0; step < 5; step += 1) {
    tracker.show(place(`0-${step}`));
    clock.advance(150);
  }
  expect(received).toEqual([]);
  tracker.release();
  clock.advance(0);
  expect(received).toEqual(["a.md 0-4"]);
  tracker.release();
  clock.advance(5_000);
  expect(received).toHaveLength(1);
});

test("a missed release delays reports only briefly", () => {
  const { clock, tracker, received } = fixture();
  tracker.hold();
  tracker.show(place("0-1"));
  clock.advance(3_000);
  expect(received).toEqual(["a.md 0-1"]);
});

test("a cursor is reported when it stops on another line", () => {
  const { clock, tracker, received } = fixture();
  tracker.show(place("1", false));
  clock.advance(40);
  for (let line = 2; line < 10; line += 1) {
    tracker.show(place(String(line), false));
    clock.advance(50);
  }
  expect(received).toEqual(["a.md 1"]);
  clock.advance(300);
  expect(received).toEqual(["a.md 1", "a.md 9"]);
  tracker.show(place("9", false));
  clock.advance(5_000);
  expect(received).toHaveLength(2);
});

test("a change that is reverted in time is not reported", () => {
  const { clock, tracker, received } = fixture();
  tracker.show(place("1-2"));
  clock.advance(40);
  tracker.show(place("1-3"));
  tracker.show(place("1-2"));
  clock.advance(5_000);
  expect(received).toEqual(["a.md 1-2"]);
});

test("the end of a selection, a closed note and a new name are reported", () => {
  const { clock, tracker, received } = fixture();
  const note = { path: "a.md" };
  tracker.show(place("1-2", true, note));
  clock.advance(40);
  tracker.show(place("1", false, note));
  clock.advance(40);
  note.path = "b.md";
  tracker.renamed();
  clock.advance(40);
  tracker.clear();
  tracker.clear();
  clock.advance(40);
  expect(received).toEqual(["a.md 1-2", "a.md 1", "b.md 1", undefined]);
});

test("closing leaves no timer", () => {
  const { clock, tracker, received } = fixture();
  tracker.show(place("1-2"));
  tracker.close();
  clock.advance(5_000);
  expect([received, clock.waiting]).toEqual([[], 0]);
});
