import { expect, test } from "vitest";
import { editText } from "./edit-text.ts";

function edit(text: string, editor: string) {
  const env = { ...process.env, EDITOR: editor, VISUAL: undefined };
  const { signal } = new AbortController();
  return editText(text, { env, name: "notes.md", onTerminal: false, signal });
}

test.each(["\uFEFFa\r\nb\rc\n\nd", "no end", "", "\0\u2028\r"])(
  "an editor that saves unchanged text returns %j to the byte",
  async (text) => {
    const edited = await edit(text, "true");
    expect(edited.text).toBe(text);
    await edited.discard();
  },
);

test("text that no file can hold, and anything but text, is refused with a message", async () => {
  await expect(edit("a\ud800b", "true")).rejects.toThrow("lone surrogate");
  await expect(edit("a", "printf '\\377' >")).rejects.toThrow("is not UTF-8");
});
