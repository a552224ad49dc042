import { expect, test, vi } from "vitest";
import { TypedTexts } from "./typed-texts.ts";

test("what another page has typed while a text was sent is shown once the folder has it", async () => {
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
  // It has come before the answer, in which nothing says so.
  shown = "0ab";
  texts.receive("notes.md", shown);
  expect(texts.get("notes.md")).toBe("ab");
  answer();
  await sent;
  expect(drawn).toEqual(["0ab"]);
});
