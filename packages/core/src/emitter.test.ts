import { expect, test } from "vitest";
import { Emitter } from "./emitter.ts";

interface Events {
  news(text: string): void;
  other(): void;
}

test("listeners are called with the arguments, in the order in which they subscribed", () => {
  const emitter = new Emitter<Events>();
  const received: string[] = [];
  emitter.on("news", (text) => void received.push(`first ${text}`));
  emitter.on("news", (text) => void received.push(`second ${text}`));
  emitter.on("other", () => void received.push("other"));
  emitter.emit("news", "x");
  expect(received).toEqual(["first x", "second x"]);
});

test("an event without listeners has no effect", () => {
  const emitter = new Emitter<Events>();
  expect(emitter.has("news")).toBe(false);
  emitter.emit("news", "x");
  const undo = emitter.on("news", () => {});
  expect([emitter.has("news"), emitter.has("other")]).toEqual([true, false]);
  undo();
  expect(emitter.has("news")).toBe(false);
});

test("a function that subscribes twice is called twice, and each undo ends one subscription", () => {
  const emitter = new Emitter<Events>();
  let received = 0;
  const listener = () => {
    received += 1;
  };
  const undo = emitter.on("other", listener);
  emitter.on("other", listener);
  emitter.emit("other");
  expect(received).toBe(2);
  undo();
  undo();
  emitter.emit("other");
  expect(received).toBe(3);
});

test("an old undo does not end a new subscription of the same function", () => {
  const emitter = new Emitter<Events>();
  let received = 0;
  const listener = () => {
    received += 1;
  };
  const undo = emitter.on("other", listener);
  undo();
  emitter.on("other", listener);
  undo();
  emitter.emit("other");
  expect(received).toBe(1);
});

test("a listener that is unsubscribed during an event is not called for it", () => {
  const emitter = new Emitter<Events>();
  const received: string[] = [];
  emitter.on("other", () => {
    received.push("first");
    undo();
  });
  const undo = emitter.on("other", () => void received.push("second"));
  emitter.emit("other");
  expect(received).toEqual(["first"]);
});

test("a listener that subscribes during an event is called for the next one", () => {
  const emitter = new Emitter<Events>();
  let received = 0;
  const undo = emitter.on("other", () => {
    undo();
    emitter.on("other", () => {
      received += 1;
    });
  });
  emitter.emit("other");
  expect(received).toBe(0);
  emitter.emit("other");
  expect(received).toBe(1);
});
