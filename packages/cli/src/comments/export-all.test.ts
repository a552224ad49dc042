import { expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";

const hidden = "\u{1b}[31mred\u{7f} \u{e0001}\u{1d173}\u{202e} \r end";

async function openHidden() {
  const folder = openCommentsFolder("one();\n");
  await folder.run(["add", "a.js:1", hidden]);
  return folder;
}

test.each(["json", "jsonl", "markdown"])(
  "%s writes the same bytes to a pipe as to a file",
  async (format) => {
    const { run, read } = await openHidden();
    await run(["export", format, "--output", "out"]);
    expect((await run(["export", format])).output).toBe(read("out"));
  },
);

test.each(["json", "jsonl", "markdown"])("no %s moves the terminal's cursor", async (format) => {
  const { run } = await openHidden();
  const { output } = await run(["export", format], { isTerminal: true });
  expect(output).toContain("red");
  expect(output).not.toMatch(/[^\n\P{Cc}]|[\u{e0001}\u{1d173}\u{202e}]/u);
});

test.each(["json", "jsonl", "markdown", "parquet"])(
  "%s names each comments file that it could not read",
  async (format) => {
    const { run, write, read } = await openHidden();
    write("b.js.comments", "{broken");
    const { code, errors } = await run(["export", format, "--output", "out"]);
    expect([code, errors]).toEqual([1, expect.stringContaining('"b.js", parseError')]);
    expect(read("out")).toContain("a.js");
  },
);
