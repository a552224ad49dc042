import { expect, test, vi } from "vitest";
import { TypedTexts } from "./typed-texts.ts";

test("text that another page typed during a save is shown once the folder has it", async () => {
  vi.stubGlobal("window", globalThis);
  let shown = "a";
  let answer = () => {};
  const drawn: string[] = [];
  const send = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  const texts = new TypedTexts({
    send,
    shown: () => shown,
    onsettled: () => drawn.push(texts.get("notes.md") ?? shown),
  });
  texts.type("notes.md", { before: "a", text: "ab" });
  const sent = texts.flush("notes.md");
  await vi.waitFor(() => expect(send).toHaveBeenCalled());
  // The other page's text arrives before the answer, which does not mention it.
  shown = "0ab";
  texts.receive("notes.md", shown);
  expect(texts.get("notes.md")).toBe("ab");
  answer();
  await sent;
  expect(drawn).toEqual(["0ab"]);
});

test("text that cannot be restored is kept, and is its own base once restored", async () => {
  vi.stubGlobal("window", globalThis);
  const send = vi.fn((..._: unknown[]) => Promise.reject<void>(new Error("not connected")));
  const texts = new TypedTexts({ send, shown: () => undefined, onsettled: () => {} });
  await texts.restore("notes.md", "mine, saved", "saved");
  expect(texts.get("notes.md")).toBe("mine, saved");
  send.mockImplementation(() => Promise.resolve());
  await texts.restore("notes.md", "mine, saved", "saved");
  await texts.flush("notes.md");
  expect(send.mock.calls.at(-1)).toEqual(["notes.md", "mine, saved", { over: "mine, saved" }]);
});
