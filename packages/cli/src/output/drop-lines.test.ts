import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { complain, passOn } from "./print.ts";

/** A pipe whose reader has not started. */
function openOutput() {
  const stderr = new PassThrough({ highWaterMark: 1000 });
  let text = "";
  const read = () => stderr.on("data", (chunk) => (text += String(chunk)));
  return { io: { stderr }, read, text: () => text };
}

const MISSING = /^idewire: (\d+) lines are missing: they arrived faster than they were read$/m;

test("messages that nobody reads are dropped and counted, and reported once they are read", async () => {
  const { io, read, text } = openOutput();
  for (let index = 0; index < 5_000; index += 1) complain(io, `${index} ${"x".repeat(1000)}`);
  expect(io.stderr.writableLength + io.stderr.readableLength).toBeLessThan(1_200_000);
  read();
  await expect.poll(text).toMatch(MISSING);
  const shown = text().match(/^idewire: \d+ x/gm)?.length ?? 0;
  expect(shown + Number(MISSING.exec(text())?.[1])).toBe(5_000);
  complain(io, "later");
  await expect.poll(text).toMatch(/idewire: later\n$/);
});

test("a program whose stderr is not read is not blocked by that", async () => {
  const { io, read, text } = openOutput();
  const program = new PassThrough({ highWaterMark: 1000 });
  passOn(program, io);
  for (let index = 0; index < 2_000; index += 1) program.write(`${index} ${"x".repeat(1000)}\n`);
  await expect.poll(() => program.readableLength + program.writableLength).toBe(0);
  expect(io.stderr.writableLength + io.stderr.readableLength).toBeLessThan(1_200_000);
  read();
  await expect.poll(text).toMatch(MISSING);
});
