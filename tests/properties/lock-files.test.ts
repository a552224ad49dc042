import { formatClaudeLockFile, parseClaudeLockFile } from "@idewire/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, CASES, mutated, seed } from "../src/fuzz.ts";

announceSeed();

const TOKEN = "a-token-that-nobody-may-see";

const lockFiles = fc.record(
  {
    workspaceFolders: fc.array(anyText),
    pid: fc.integer(),
    ideName: anyText,
    transport: fc.constantFrom("ws", "sse", ""),
    runningInWindows: fc.boolean(),
    authToken: anyText,
    generator: anyText,
  },
  { requiredKeys: ["workspaceFolders"] },
);

const almostLockFiles = fc
  .record(
    {
      workspaceFolders: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      pid: fc.jsonValue(),
      ideName: fc.jsonValue(),
      transport: fc.jsonValue(),
      runningInWindows: fc.jsonValue(),
      authToken: fc.constantFrom<unknown>(TOKEN, [TOKEN], { token: TOKEN }, 5, null),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));

test("every written lock file is read back unchanged", () => {
  const law = fc.property(lockFiles, (file) => {
    const read = parseClaudeLockFile(formatClaudeLockFile(file as never));
    // What JSON cannot tell apart is the same: -0 is written as 0.
    expect(read).toEqual({ ok: true, value: JSON.parse(JSON.stringify(file)) });
  });
  fc.assert(law, { seed, numRuns: 2000 });
});

test("any file is read, or refused with a message that shows no token", () => {
  const texts = fc.oneof(
    anyText,
    fc.json(),
    almostLockFiles,
    mutated(almostLockFiles),
    mutated(lockFiles.map((file) => JSON.stringify(file))),
  );
  const law = fc.property(texts, (text) => {
    const read = parseClaudeLockFile(text);
    const texts = read.ok ? read.value.workspaceFolders : [read.issue];
    expect(texts.filter((one) => typeof one !== "string")).toEqual([]);
    if (!read.ok) expect(read.issue).not.toMatch(new RegExp(`^$|${TOKEN}`));
  });
  fc.assert(law, { seed, numRuns: CASES });
});
