import { expect, test } from "vitest";
import { MAX_TEXT_UNITS } from "../page-protocol/params.ts";
import { type FoundFile, type SearchLimits, searchFiles, type TextQuery } from "./search-files.ts";

interface Tried {
  readonly limits?: SearchLimits;
  readonly stop?: AbortController;
  readonly take?: (found: readonly FoundFile[]) => void;
}

async function search(
  query: TextQuery,
  texts: Readonly<Record<string, string | undefined>>,
  { limits, stop = new AbortController(), take }: Tried = {},
) {
  const found: FoundFile[] = [];
  const end = await searchFiles(query, {
    paths: [Object.keys(texts)],
    read: (path) => texts[path],
    take(files) {
      found.push(...files);
      take?.(files);
    },
    signal: stop.signal,
    ...(limits && { limits }),
  });
  return { found, end };
}

const MANY = { lines: 100, ms: 60_000, units: 1e9 };

test("each line with matches is found once, with its number and its matches", async () => {
  const { found, end } = await search(
    { text: "bean" },
    { "a.md": "# Beans\r\n\r\nno\rbean, bean\n", "b.md": "nothing", "c.bin": undefined },
  );
  expect(found).toEqual([
    {
      path: "a.md",
      lines: [
        { line: 0, text: "# Beans", from: 0, matches: [[2, 6]] },
        {
          ...{ line: 3, text: "bean, bean", from: 0 },
          matches: [
            [0, 4],
            [6, 10],
          ],
        },
      ],
    },
  ]);
  expect(end).toEqual({ files: 2 });
});

test("a long line is cut to the part around its first match, with the offset of that part", async () => {
  const line = `${"x".repeat(10_000)}needle${"y".repeat(10_000)}needle`;
  const { found } = await search({ text: "needle" }, { "a.js": `\n${line}\n` });
  const [shown] = found[0]?.lines ?? [];
  expect(shown?.text.length).toBe(240);
  expect(shown).toMatchObject({ line: 1, from: 9_960, matches: [[40, 46]] });
});

test("a match that continues on the next line is cut at the end of its line", async () => {
  const { found } = await search({ text: "one\ntwo" }, { "a.md": "one\ntwo" });
  expect(found[0]?.lines).toEqual([{ line: 0, text: "one", from: 0, matches: [[0, 3]] }]);
});

test("a text that is too long for the page to open is not searched", async () => {
  const long = `needle${" ".repeat(MAX_TEXT_UNITS)}`;
  expect(await search({ text: "needle" }, { "a.md": long, "b.md": "needle" })).toMatchObject({
    found: [{ path: "b.md" }],
    end: { files: 1 },
  });
});

test("a search stops at its limits of lines, time and text, and names the limit", async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${index}.md`, "a\na\na\n"]),
  );
  const lines = await search({ text: "a" }, texts, { limits: { ...MANY, lines: 10 } });
  expect(lines.end.cut).toBe("lines");
  expect(lines.found.flatMap((file) => file.lines)).toHaveLength(10);
  const units = await search({ text: "a" }, texts, { limits: { ...MANY, units: 20 } });
  expect(units.end).toEqual({ files: 8, cut: "units" });
  const time = await search({ text: "a" }, texts, { limits: { ...MANY, ms: 0 } });
  expect(time.end).toEqual({ files: 0, cut: "time" });
});

test("a stopped search reads and reports nothing more", async () => {
  const texts = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.md`, "a"]));
  const stop = new AbortController();
  const { found, end } = await search({ text: "a" }, texts, { stop, take: () => stop.abort() });
  expect(found).toHaveLength(8);
  expect(end).toEqual({ files: 8, cut: "stopped" });
});

test("a million matches in one line, or a million lines, are searched in linear time", async () => {
  const hostile = { "line.js": "a".repeat(1_000_000), "lines.txt": "a\n".repeat(1_000_000) };
  const { found, end } = await search({ text: "A" }, hostile);
  expect(found.map(({ lines }) => lines.length)).toEqual([1, 9_999]);
  expect(found[0]?.lines[0]?.matches).toHaveLength(240);
  expect(end.cut).toBe("lines");
});
