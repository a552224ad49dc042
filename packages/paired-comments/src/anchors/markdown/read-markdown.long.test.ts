import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommentStore } from "../../store/comment-store.ts";
import { createMemoryWorkspace } from "../../store/memory-workspace.ts";
import type { Unit } from "../units/unit.ts";
import { readMarkdownUnits } from "./read-markdown.ts";
import { createTextReader } from "./text-reader.ts";

const note = `---
tags: [garden]
---
Before.

# Plan

We meet
in the park. ^meeting

- [ ] seeds
  - beans
- soil

## Costs \`2\`

| what | costs |
|------|-------|
| soil | 3 (or \`4\`) |

> A quote
> of two lines

\`\`\`js
const a = 1;
\`\`\`
`;

/** The types of a unit and those around it, and its own words. */
function shapeOf(unit: Unit): string {
  const path: string[] = [];
  for (let at: Unit | undefined = unit; at?.parent !== undefined; at = at.parent) {
    path.unshift(at.type);
  }
  const words = unit.tokens.filter(({ counts }) => counts).map(({ text }) => text);
  return `${path.join(" > ")}: ${words.join(" ")}`;
}

describe("Markdown", () => {
  test("is cut into sections, and these into their blocks", () => {
    expect(readMarkdownUnits(note).units.slice(1).map(shapeOf)).toEqual([
      "section: ",
      "section > paragraph: Before.",
      "section: # Plan",
      "section > paragraph: We meet in the park. ^meeting",
      "section > list_item: - [ ]",
      "section > list_item > paragraph: seeds",
      "section > list_item > list_item: -",
      "section > list_item > list_item > paragraph: beans",
      "section > list_item: -",
      "section > list_item > paragraph: soil",
      "section > section: ## Costs 2 what costs |------|-------|",
      "section > section > pipe_table_row: soil 3 (or `4`)",
      "section > section > block_quote: >",
      "section > section > block_quote > paragraph: A quote > of two lines",
      "section > section > fenced_code_block: ` js a = 1; `",
    ]);
  });

  test("names sections by their headings and blocks by their ids", () => {
    const names = readMarkdownUnits(note).units.flatMap(({ name }) => name ?? []);
    expect(names).toEqual(["# Plan", "^meeting", "## Costs `2`"]);
    const underlined = readMarkdownUnits("Plan\n====\n\nCosts\n-----\n\nten").units;
    expect(underlined.map(({ name }) => name)).toEqual([undefined, "Plan", "Costs", undefined]);
    expect(underlined[3]?.parent?.parent?.name).toBe("Plan");
  });

  test("finds the line of each word, for any text", () => {
    const pieces = ["#", ">", "- ", "1. ", "```", "|", "---", "===", "<b>", "[a]:", "^id", "    "];
    const line = fc.array(fc.constantFrom(...pieces, "word", " ", "\t", "\r"), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const source = lines.map((each) => each.join("")).join("\n");
        const { units, tokens, lines: all } = readMarkdownUnits(source);
        expect(units.every(({ parent }, at) => (parent?.index ?? -1) < at)).toBe(true);
        const words = tokens.flatMap((token) => (token.text === "word" ? [token.line] : []));
        for (const at of words) expect(all[at]).toContain("word");
      }),
    );
  });

  test("takes time in proportion to the text, however deep its quotes and lists", () => {
    // CPU time, since wall time depends on other programs.
    const msOf = (source: string) => {
      const before = process.cpuUsage();
      readMarkdownUnits(source);
      return process.cpuUsage(before).user / 1_000;
    };
    for (const line of [`${">".repeat(500)} a\n`, "- a\n", "a | b\n", "```\n", "# a\n"]) {
      msOf(line.repeat(200));
      const [small, large] = [msOf(line.repeat(500)), msOf(line.repeat(4_000))];
      expect(large, line.slice(0, 9)).toBeLessThan(8 * 5 * Math.max(small, 5));
    }
  });
});

describe("a comment in Markdown", () => {
  const edited = note
    .replace("Before.", "Before.\n\nAnd more.")
    .replace("## Costs", "Prices rise.\n\n## Costs")
    .replace("> A quote", "> A longer quote");

  test("is found after an edit around it", async () => {
    const workspace = createMemoryWorkspace({ "a.md": note });
    const lines = [4, 6, 8, 12, 19, 21];
    const before = new CommentStore({ workspace, reader: createTextReader() });
    for (const line of lines) {
      const text = note.split("\n")[line - 1] ?? "";
      await before.add({ filePath: "a.md", line, text, tag: "NOTE", author: "ann" });
    }
    workspace.files.set("a.md", edited);
    const after = new CommentStore({ workspace, reader: createTextReader() });
    const { comments } = await after.file("a.md");
    const found = comments.map(({ place }) => edited.split("\n")[place.line - 1]);
    const wanted = comments.map(({ comment }) =>
      comment.text.replace("> A quote", "> A longer quote"),
    );
    expect(found).toEqual(wanted);
    expect(comments.map(({ place }) => place.status)).not.toContain("orphaned");
  });
});

test("a block with an id keeps its comment when its words change", async () => {
  const workspace = createMemoryWorkspace({ "a.md": note });
  const store = new CommentStore({ workspace, reader: createTextReader() });
  await store.add({ filePath: "a.md", line: 8, text: "where?", tag: "QUESTION", author: "ann" });
  workspace.files.set("a.md", note.replace("We meet\nin the park.", "Nobody comes today, sadly."));
  const { comments } = await store.file("a.md");
  expect(comments[0]?.place).toMatchObject({ line: 8, status: "edited" });
  expect(comments[0]?.anchor).toEqual({ name: "^meeting", type: "block", container: "# Plan" });
});
