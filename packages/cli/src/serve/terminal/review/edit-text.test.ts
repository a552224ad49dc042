import { expect, test } from "vitest";
import { editText } from "./edit-text.ts";

function edit(text: string, editor: string) {
  const env = { ...process.env, EDITOR: editor, VISUAL: undefined };
  const { signal } = new AbortController();
  return editText(text, { env, name: "notes.md", onTerminal: false, signal });
}

test.each(["\uFEFFa\r\nb\rc\n\nd", "no end", "", "\0\u2028\r"])(
  "an editor that saves what it got gives back %j to the byte",
  async (text) => {
    const edited = await edit(text, "true");
    expect(edited.text).toBe(text);
    await edited.discard();
  },
);

test("what no file can hold, and what is no text, is refused in words", async () => {
  await expect(edit("a\ud800b", "true")).rejects.toThrow("half a character");
  await expect(edit("a", "printf '\\377' >")).rejects.toThrow("is not UTF-8");
});
