import fc from "fast-check";
import { expect, test } from "vitest";
import { ReviewQueue } from "./review-queue.ts";

function queueOf(...ids: string[]) {
  const queue = new ReviewQueue<{ readonly id: string }>();
  for (const id of ids) queue.add({ id });
  return queue;
}

test("the first that came is shown, and the next after it is decided", () => {
  const queue = queueOf("a", "b", "c");
  expect(queue.current?.id).toBe("a");
  queue.remove("a");
  expect(queue.current?.id).toBe("b");
  expect(queue.positionOf("b")).toEqual({ index: 2, total: 3 });
});

test("after the last comes the first that was passed over", () => {
  const queue = queueOf("a", "b", "c");
  queue.move(-1);
  expect(queue.current?.id).toBe("c");
  queue.remove("c");
  expect(queue.current?.id).toBe("a");
});

test("one that is decided elsewhere does not change what is shown", () => {
  const queue = queueOf("a", "b", "c");
  queue.remove("c");
  expect(queue.current?.id).toBe("a");
  expect(queue.remove("c")).toBe(undefined);
});

test("when all are decided a new batch begins", () => {
  const queue = queueOf("a", "b");
  queue.remove("a");
  queue.remove("b");
  expect(queue.current).toBe(undefined);
  queue.add({ id: "c" });
  expect(queue.positionOf("c")).toEqual({ index: 1, total: 1 });
});

test("while any waits one of them is shown, and nothing else", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("add" as const), id: fc.nat(99) }),
    fc.record({ do: fc.constant("remove" as const), id: fc.nat(99) }),
    fc.record({ do: fc.constant("move" as const), id: fc.constantFrom(1, -1) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = queueOf();
      for (const { do: what, id } of steps) {
        if (what === "add" && queue.get(`${id}`) === undefined) queue.add({ id: `${id}` });
        if (what === "remove") queue.remove(`${id}`);
        if (what === "move") queue.move(id as 1 | -1);
        expect(queue.current === undefined).toBe(queue.waiting.length === 0);
        if (queue.current) expect(queue.waiting).toContain(queue.current);
      }
    }),
  );
});
