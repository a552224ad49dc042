import fc from "fast-check";
import { expect, test } from "vitest";
import { ReviewQueue } from "./review-queue.ts";

// A fixed seed: every run tests the same cases. IDEWIRE_SEED sets another.
fc.configureGlobal({ seed: Number(process.env["IDEWIRE_SEED"] ?? 20261122) });

/** A queue that follows a list, and that list. */
function queueOf(...ids: string[]) {
  const waiting = new Map<string, { readonly id: string }>();
  const queue = new ReviewQueue(() => [...waiting.values()]);
  const open = (id: string) => {
    waiting.set(id, { id });
    queue.opened({ id });
  };
  const close = (id: string) => {
    if (waiting.delete(id)) queue.closed({ id });
  };
  ids.forEach(open);
  return { queue, open, close };
}

test("the oldest review is shown, and the next one once it is decided", () => {
  const { queue, close } = queueOf("a", "b", "c");
  expect(queue.current?.id).toBe("a");
  close("a");
  expect(queue.current?.id).toBe("b");
  expect(queue.positionOf("b")).toEqual({ index: 2, total: 3 });
});

test("the last review is followed by the first skipped one", () => {
  const { queue, close } = queueOf("a", "b", "c");
  queue.move(-1);
  expect(queue.current?.id).toBe("c");
  close("c");
  expect(queue.current?.id).toBe("a");
});

test("a review decided elsewhere does not change which one is shown", () => {
  const { queue, close } = queueOf("a", "b", "c");
  close("c");
  expect(queue.current?.id).toBe("a");
  expect(queue.get("c")).toBe(undefined);
});

test("when all are decided a new batch begins", () => {
  const { queue, open, close } = queueOf("a", "b");
  close("a");
  close("b");
  expect(queue.current).toBe(undefined);
  open("c");
  expect(queue.positionOf("c")).toEqual({ index: 1, total: 1 });
});

test("while any review is pending, one of them is shown", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("add" as const), id: fc.nat(99) }),
    fc.record({ do: fc.constant("remove" as const), id: fc.nat(99) }),
    fc.record({ do: fc.constant("move" as const), id: fc.constantFrom(1, -1) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { queue, open, close } = queueOf();
      for (const { do: what, id } of steps) {
        if (what === "add" && queue.get(`${id}`) === undefined) open(`${id}`);
        if (what === "remove") close(`${id}`);
        if (what === "move") queue.move(id as 1 | -1);
        expect(queue.current === undefined).toBe(queue.waiting.length === 0);
        if (queue.current) expect(queue.waiting).toContain(queue.current);
      }
    }),
  );
});
