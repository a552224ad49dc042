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
  // Two million buffers of one byte would take more than 200 MB.
  expect(grown).toBeLessThan(100_000_000);
  splitter.push(bytes.subarray(-10));
  expect(lines).toEqual([text, "second"]);
});
