import { checks } from "@idewire/devtools/internal";
import { checkEditor, readTarget } from "idewire/check";
import { describe, expect, test } from "vitest";
import { faults } from "../src/checks/faults.ts";
import { type Fault, FaultyServer } from "../src/checks/faulty-server.ts";
import { isLate } from "../src/checks/is-late.ts";
import { retryLate } from "../src/retry-late.ts";

/** A local server answers at once, faulty or not; the second limit is for a busy machine. */
const ANSWER_MS = [1_500, 30_000] as const;

const ACCESS_CHECKS = ["IDE-CONN-001", "IDE-LIFE-001"];

async function check(fault: Fault, answerMs: number, only?: readonly string[]) {
  // A fault is noticed at once: only a check run on its own has to wait the full time for something absent.
  const times = { answerMs, quietMs: only ? answerMs : answerMs / 10, noticeMs: answerMs };
  const totalMs = 600_000;
  const server = await FaultyServer.open(fault);
  try {
    const target = await readTarget(server.lockFile, { env: {} });
    return await checkEditor(target, { destructive: true, times, totalMs, ...(only && { only }) });
  } finally {
    await server.close();
  }
}

describe("each check", () => {
  test("has a server that breaks its rule, and no server is left over", () => {
    expect(Object.keys(faults).sort()).toEqual(checks.map(({ id }) => id).sort());
  });

  test.concurrent.each(checks.map((each) => [each.id, each] as const))(
    "%s fails for a server that breaks its rule, and names the observation",
    async (id, { level }) => {
      // Without a port in the name, no client can connect.
      const others = id === "IDE-LOCK-001" ? ["IDE-CONN-001"] : [];
      const { results, ok, log } = await retryLate(
        ANSWER_MS,
        (answerMs) => check(faults[id] ?? {}, answerMs, [id]),
        (report) => isLate(report, { broken: [id, ...others], silentSince: id }),
      );
      const result = results.find((each) => each.id === id);
      expect(result).toMatchObject({ verdict: "fail", detail: expect.stringMatching(/.{5}/) });
      expect(ok).toBe(level !== "must");
      const proofs = result?.frames.map((n) => log.at(n)) ?? [];
      expect(proofs).not.toContain(undefined);
      if (!id.startsWith("IDE-LOCK-")) expect(proofs).not.toEqual([]);
      const unexpected = results.filter((each) => each.id !== id && each.verdict === "fail");
      expect(unexpected.map((each) => each.id)).toEqual(others);
    },
  );

  test("passes for the same server without a fault, except for lists that it lacks", async () => {
    const { results, ok } = await retryLate(
      ANSWER_MS,
      (answerMs) => check({}, answerMs),
      (report) => isLate(report, { broken: [] }),
    );
    expect(ok).toBe(true);
    const others = results.filter(({ verdict }) => verdict !== "pass");
    expect(others.map(({ id, verdict, detail }) => [id, verdict, detail])).toEqual([
      ["IDE-LIFE-009", "skipped", "it declares neither"],
    ]);
  });
});

test("at an endpoint that admits no client no rule is checked, and none passes unchecked", async () => {
  const { results, ok } = await check({ paths: [] }, ANSWER_MS[0]);
  expect(ok).toBe(false);
  const behind = results.filter(
    ({ id }) => !/^IDE-(LOCK|FRAME)-/.test(id) && !ACCESS_CHECKS.includes(id),
  );
  for (const { verdict, detail } of behind) {
    expect([verdict, detail]).toEqual(["skipped", "IDE-CONN-001 has not passed"]);
  }
});

test("an unresponsive server costs each check a bounded wait, and gets no further requests", async () => {
  const answerMs = 500;
  const { results, ok } = await check({ receive: () => {} }, answerMs, ACCESS_CHECKS);
  expect(ok).toBe(false);
  expect(results.map(({ id, verdict, detail }) => [id, verdict, detail])).toEqual([
    ["IDE-CONN-001", "pass", expect.anything()],
    ["IDE-LIFE-001", "fail", `the answer to initialize did not arrive within ${answerMs} ms`],
  ]);
});
