import { claudeDiscovery } from "@idewire/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, CASES, mutated, seed } from "../src/fuzz.ts";

announceSeed();

const TOKEN = "a-token-that-must-not-appear";

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

const servers = fc.record({
  port: fc.integer({ min: 1, max: 65_535 }),
  token: anyText,
  folders: fc.array(anyText),
  ideName: anyText,
  isLocal: fc.boolean(),
  inWindows: fc.boolean(),
  process: fc.record({ pid: fc.integer() }),
  writtenMs: fc.integer(),
});

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

test("every written lock file is read back with the same values", () => {
  const law = fc.property(servers, (server) => {
    const read = claudeDiscovery.read(claudeDiscovery.format(server));
    const { folders, ideName, inWindows, token, isLocal } = server;
    // JSON does not distinguish -0: it is written as 0.
    const pid = server.process.pid + 0;
    expect(read).toEqual({
      ok: true,
      value: {
        ...{ workspaceFolders: folders, ideName, transport: "ws", authToken: token },
        ...{ runningInWindows: inWindows, generator: "idewire" },
        ...(isLocal ? { pid } : { generatorPid: pid }),
      },
    });
  });
  fc.assert(law, { seed, numRuns: 1_000 });
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
    const read = claudeDiscovery.read(text);
    const texts = read.ok ? read.value.workspaceFolders : [read.issue];
    expect(texts.filter((one) => typeof one !== "string")).toEqual([]);
    if (!read.ok) expect(read.issue).not.toMatch(new RegExp(`^$|${TOKEN}`));
  });
  fc.assert(law, { seed, numRuns: CASES });
});
