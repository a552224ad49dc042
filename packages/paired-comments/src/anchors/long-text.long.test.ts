import fc from "fast-check";
import { expect, test } from "vitest";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { createSourceReader } from "./syntax/parsers.ts";
import { countLines, linesOnDemand } from "./units/lines-on-demand.ts";

const rows = Array.from({ length: 30_000 }, (_, index) => `${index},abc`);

async function open(source: string, filePath = "rows.csv") {
  const workspace = createMemoryWorkspace({ [filePath]: source });
  const store = new CommentStore({ workspace, reader: createSourceReader(readGrammarFile) });
  const add = (line: number, more: { endLine?: number; quote?: string } = {}) =>
    store.add({ filePath, line, text: "why?", tag: "TODO", author: "ann", ...more });
  const places = async (text: string) => {
    workspace.files.set(filePath, text);
    return (await store.file(filePath)).comments.map(({ place }) => place);
  };
  return { workspace, add, places };
}

test("lines on demand are those of the text, whatever ends them", () => {
  const texts = fc
    .array(fc.constantFrom("\n", "\r", "\r\n", "a", "", "bc"))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const lines = text.split(/\r\n|\r|\n/);
      const onDemand = linesOnDemand(text);
      expect([...onDemand]).toEqual(lines);
      expect(onDemand.map((line) => line)).toEqual(lines);
      expect([onDemand[-1], onDemand[lines.length], onDemand.at(-1)]).toEqual([
        ...[undefined, undefined, lines.at(-1)],
      ]);
      expect(countLines(text)).toBe(lines.length);
    }),
  );
});

test("a comment on a long text follows its line, alone or the first of a range", async () => {
  const { add, places } = await open(rows.join("\n"));
  await add(15_000);
  await add(20_000, { endLine: 20_004 });
  const [line, range] = await places(["new", ...rows].join("\r\n"));
  expect(line).toMatchObject({ line: 15_001, status: "moved", confidence: 1 });
  expect(range).toMatchObject({ line: 20_001, endLine: 20_005, status: "moved" });
});

test("a unique line of a long text is found between other lines", async () => {
  const { add, places } = await open(rows.join("\n"));
  await add(15_000);
  const after = rows.map((row, index) => (Math.abs(index - 14_999) === 1 ? "changed" : row));
  expect(await places(["new", ...after].join("\n"))).toMatchObject([
    { line: 15_001, status: "moved" },
  ]);
});

test("a comment whose line of a long text is deleted is an orphan, and returns with the line", async () => {
  const { add, places, workspace } = await open(rows.join("\n"));
  await add(15_000);
  const [lost] = await places(rows.filter((_, index) => index !== 14_999).join("\n"));
  expect(lost).toMatchObject({ line: 15_000, status: "orphaned", candidates: [] });
  await add(1);
  expect(workspace.files.get("rows.csv.comments")).toContain('"isOrphaned": true');
  const [, back] = await places(["new", ...rows].join("\n"));
  expect(back).toMatchObject({ line: 15_001, status: "moved" });
});

test("among several equal lines between equal neighbours, the nearest is marked as a guess", async () => {
  const same = Array.from({ length: 30_000 }, () => "x;");
  const { add, places } = await open(same.join("\n"), "same.txt");
  await add(15_000);
  const [guess] = await places(["new", ...same].join("\n"));
  expect(guess).toMatchObject({ line: 15_000, status: "ambiguous", confidence: 0.5 });
  expect(guess?.candidates).toHaveLength(3);
});

test("a text that grows beyond the limit of units, or shrinks below it, keeps its comments", async () => {
  const { add, places, workspace } = await open(rows.slice(0, 15_000).join("\n"));
  await add(7_000);
  expect(await places(["new", ...rows].join("\n"))).toMatchObject([{ line: 7_001 }]);
  await add(1);
  expect(workspace.files.get("rows.csv.comments")).toContain('"language": "lines"');
  expect(await places(rows.slice(0, 15_000).join("\n"))).toMatchObject([{}, { line: 7_000 }]);
});

test.each([
  ["a.js", 20_001, "javascript"],
  ["a.js", 100_001, "lines"],
  ["a.txt", 20_001, "lines"],
])("%s of %i lines is read as %s", async (path, count, language) => {
  const lines = Array.from({ length: count }, () => "x;");
  const reader = createSourceReader(readGrammarFile);
  expect((await reader.read(path, lines.join("\n"))).language).toBe(language);
});

test.each(["x;\n", "a\r\n"])(
  "a comment on fifty megabytes of %j takes little time and memory",
  async (line) => {
    const source = Buffer.from(line.repeat(Math.floor((50 * 1024 * 1024) / line.length)));
    const { add, workspace } = await open(source.toString("utf8"), "long.js");
    const [time, { rss }] = [process.cpuUsage(), process.memoryUsage()];
    await add(1_000_000);
    await add(1_000_000, { quote: "no such text" }).catch(() => {});
    const { user, system } = process.cpuUsage(time);
    // Lines as strings took gigabytes, and a minute.
    expect(process.memoryUsage().rss - rss).toBeLessThan(400_000_000);
    expect((user + system) / 1_000).toBeLessThan(10_000);
    expect(workspace.files.get("long.js.comments")?.length).toBeLessThan(2_000);
  },
);
