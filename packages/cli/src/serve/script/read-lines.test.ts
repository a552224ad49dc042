import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type InputLine, readLines } from "./read-lines.ts";

async function collect(chunks: readonly (string | Buffer)[], maxBytes = 100) {
  const lines: InputLine[] = [];
  for await (const line of readLines(Readable.from(chunks), maxBytes)) lines.push(line);
  return lines;
}

test("lines are assembled from any pieces", async () => {
  const bytes = [...Buffer.from("one\nzwei 🙂\n\nlast")].map((byte) => Buffer.from([byte]));
  expect(await collect(bytes)).toEqual([
    { text: "one" },
    { text: "zwei 🙂" },
    { text: "" },
    { text: "last" },
  ]);
});

test("an overlong line is counted and skipped, and the next one is read", async () => {
  const long = "x".repeat(60);
  expect(await collect([long, long, "\nnext\n", "y".repeat(101)])).toEqual([
    { droppedBytes: 120 },
    { text: "next" },
    { droppedBytes: 101 },
  ]);
});
