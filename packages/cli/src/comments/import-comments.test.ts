import { expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";

const comment = {
  text: "t",
  tag: "NOTE",
  author: "ann",
  created: "2025",
  updated: "2025",
  line: 1,
};

test.each([
  ["a path out of the folder", { filePath: "../x.js", comments: [] }, "Invalid file path"],
  [
    "comments that cannot be read",
    { filePath: "b.js", comments: 7 },
    "comments: expected an array",
  ],
  ["a source that does not exist", { filePath: "none.js", comments: [] }, "File not found"],
])("%s does not prevent the import of other files", async (_, wrong, words) => {
  const { run, write } = openCommentsFolder("one();\n");
  const right = { filePath: "a.js", comments: [{ id: "c_1", ...comment }] };
  write("all.json", JSON.stringify({ version: 1, files: [wrong, right] }));
  const { code, output, errors } = await run(["import", "all.json"]);
  expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
  expect(output).toContain("a.js");
  expect((await run(["show", "a.js"])).output).toMatch(/^a\.js:1 NOTE /);
});

test.each([
  [{ version: 2, files: [] }, "version: expected 1, got 2: a newer version of idewire wrote it"],
  [{ version: "1", files: [] }, 'version: expected 1, got "1"'],
  [{ version: 1 }, "files: expected an array"],
  [{ version: 1, files: [{ comments: [] }] }, "files[0].filePath: expected a path"],
  [[], "expected an object"],
])("%j is rejected as not an export", async (value, words) => {
  const { run, write } = openCommentsFolder("one();\n");
  write("all.json", JSON.stringify(value));
  const { code, errors } = await run(["import", "all.json"]);
  expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
});
