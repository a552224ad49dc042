import { expect, test } from "vitest";
import { announceSeed, SLOW_CASES } from "../src/fuzz.ts";
import { fuzzAnswers, fuzzEvents } from "../src/fuzz-http-client.ts";

const timeout = 14_400_000;

test("half a million streams of events contain the messages that were written", {
  timeout,
}, async () => {
  announceSeed();
  await expect(fuzzEvents(SLOW_CASES / 2)).resolves.toBeUndefined();
});

test.each([
  ["legacy", false],
  ["modern", true],
])(
  "a quarter of a million answers of the %s era end a call each",
  { timeout },
  async (_, isModern) => {
    announceSeed();
    const ends = await fuzzAnswers(isModern, SLOW_CASES / 4);
    console.info(JSON.stringify(Object.fromEntries(ends)));
    expect(ends.get("answered")).toBeGreaterThan(0);
  },
);
