import { expect, test } from "vitest";
import { lineFraming } from "./line-framing.ts";

test("a line that arrives byte by byte costs little more than its bytes, and is whole", () => {
  const lines: string[] = [];
  const splitter = lineFraming.read(
    { frame: (text) => lines.push(text), broken: (_, why) => lines.push(why) },
    1 << 24,
  );
  const text = "A line, ü 🚀, of many bytes. ".repeat(60_000);
  const bytes = Buffer.from(`${text}\nsecond\n`);
  const before = process.memoryUsage();
  for (const [at] of bytes.subarray(0, -10).entries()) splitter.push(Buffer.from([bytes[at] ?? 0]));
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  // Two million buffers of a byte take 200 MB and more.
  expect(grown).toBeLessThan(100_000_000);
  splitter.push(bytes.subarray(-10));
  expect(lines).toEqual([text, "second"]);
});
