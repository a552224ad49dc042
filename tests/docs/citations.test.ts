import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** A page, and the text after it up to the end of the sentence or the parenthesis. */
const citation =
  /\b(docs\/[\w/-]+\.md)(?:, ([A-Z][\w ]*?)(?: and ([A-Z][\w ]*?))?)?(?=[)";:`.\n])/g;

/** Comments and texts of every source, each wrapped comment on one line. */
const sources = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
  .map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8").replaceAll(/\n\s*(?:\*|\/\/) /g, " "),
  }));

test("every page of docs/ that a source cites exists, with the section that it names", () => {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(citation)].map(([, path = "", ...sections]) => ({ file, path, sections })),
  );
  expect(found.length).toBeGreaterThan(20);
  for (const { file, path, sections } of found) {
    expect(existsSync(join(root, path)), `${file} cites ${path}`).toBe(true);
    const text = readFileSync(join(root, path), "utf8");
    for (const section of sections) {
      if (section !== undefined)
        expect(text, `${file} cites ${path}`).toContain(`\n## ${section}\n`);
    }
  }
});

test("no comment cites a section of a page by its number, or a page without its folder", () => {
  const bare = /[(\s][\w-]+\.md,? (?:sections? |fact )?\d|\([\w-]+\.md\b/g;
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\/\*\*.*?\*\/|\/\/ .*/g)].flatMap(([comment]) =>
      [...comment.matchAll(bare)].map(([words]) => `${file}: ${words}`),
    ),
  );
  expect(found).toEqual([]);
});
