import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CheckReport } from "@idewire/devtools/checks";
import { checks } from "@idewire/devtools/internal";
import { checkEditor, readTarget } from "idewire/check";
import { describe, expect, onTestFinished, test } from "vitest";
import { FaultyServer } from "../src/checks/faulty-server.ts";
import { isLate } from "../src/checks/is-late.ts";
import { behaviours, type OtherEditor, otherEditors } from "../src/checks/other-editors.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { retryLate } from "../src/retry-late.ts";

const ANSWER_MS = [1_000, 4_000, 20_000] as const;

async function check({ fault }: OtherEditor, answerMs: number): Promise<CheckReport> {
  const times = { answerMs, quietMs: answerMs / 10, noticeMs: 1_000 };
  const server = await FaultyServer.open(fault);
  try {
    const target = await readTarget(server.lockFile, { env: {} });
    return await checkEditor(target, {
      destructive: true,
      times,
      deadlineMs: 10 * answerMs,
      totalMs: 20 * answerMs,
    });
  } finally {
    await server.close();
  }
}

function checkWithRetries(editor: OtherEditor): Promise<CheckReport> {
  const broken = Object.keys(editor.broken);
  return retryLate(
    ANSWER_MS,
    (answerMs) => check(editor, answerMs),
    (report) => isLate(report, { broken, silentSince: editor.silentSince }),
  );
}

function brokenOf({ results }: CheckReport): object {
  const broken = results.filter(({ verdict }) => verdict === "fail");
  return Object.fromEntries(broken.map(({ id, level }) => [id, level]));
}

describe("a foreign editor fails exactly the rules that it breaks", () => {
  test.concurrent.each(Object.entries({ ...behaviours, ...otherEditors }))(
    "one that %s",
    async (_, editor) => {
      const report = await checkWithRetries(editor);
      expect([brokenOf(report), report.silentSince]).toEqual([editor.broken, editor.silentSince]);
      expect(report.ok).toBe(!Object.values(editor.broken).includes("must"));
    },
  );
});

describe.concurrent("an editor that freezes", () => {
  const frozen = behaviours["freezes over a wrong token"] ?? { fault: {}, broken: {} };

  test("gets no further requests, since every harmless one comes first", async () => {
    const { results } = await checkWithRetries(frozen);
    const result = results.find(({ id }) => id === "IDE-CONN-002");
    expect(result?.detail).toBe("after it, the editor stopped answering");
    const passed = results.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(["IDE-TOOL-007", "IDE-DIAG-007"]));
    const late = results.filter(({ detail }) => detail.includes("not answered since"));
    expect(late.length).toBeGreaterThan(10);
    expect(late.every(({ hostile }) => hostile)).toBe(true);
  });

  test("does not freeze without the checks that may freeze it, or without that one check", async ({
    onTestFinished,
  }) => {
    const server = await FaultyServer.open(frozen.fault);
    onTestFinished(() => server.close());
    const target = await readTarget(server.lockFile, { env: {} });
    const gentle = await checkEditor(target, { gentle: true, totalMs: 600_000 });
    expect([brokenOf(gentle), gentle.ok]).toEqual([{}, true]);
    const hostile = checks.filter((each) => each.hostile).map(({ id }) => id);
    const skipped = await checkEditor(target, { skip: hostile, totalMs: 600_000 });
    expect([brokenOf(skipped), skipped.ok]).toEqual([{}, true]);
  });

  test("and one that is slow take no more than the total time, and do not pass", async ({
    onTestFinished,
  }) => {
    const slow: OtherEditor = {
      fault: { emit: (frame, { send }) => void setTimeout(() => send(frame), 200) },
      broken: {},
    };
    const server = await FaultyServer.open(slow.fault);
    onTestFinished(() => server.close());
    const target = await readTarget(server.lockFile, { env: {} });
    const { results, ok } = await checkEditor(target, { totalMs: 2_000 });
    expect(ok).toBe(false);
    expect(results.map(({ detail }) => detail)).toContain("the 2 s for all checks were used up");
  });
});

describe("claudecode.nvim itself", () => {
  const checkout = process.env["IDEWIRE_CLAUDECODE_NVIM"];
  const missing = "IDEWIRE_CLAUDECODE_NVIM names no checkout of it";
  if (checkout === undefined) console.info(`not checked: claudecode.nvim (${missing})`);

  test.skipIf(checkout === undefined)(
    checkout === undefined ? `is missing: ${missing}` : "breaks the rules that its model breaks",
    async () => {
      const target = await startNeovim(resolve(checkout ?? ""));
      const report = await checkEditor(target, { totalMs: 60_000 });
      const modelFaults = otherEditors["claudecode.nvim"]?.broken ?? {};
      expect(report.results.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(30);
      // The real editor may be newer than its model, but a broken "must" rule is a real failure here.
      const musts = Object.entries(brokenOf(report)).filter(([, level]) => level === "must");
      expect(musts).toEqual([]);
      const known = [...Object.keys(modelFaults), "IDE-RPC-007", "IDE-RPC-011", "IDE-LIMIT-003"];
      expect(known).toEqual(expect.arrayContaining(Object.keys(brokenOf(report))));
    },
    60_000,
  );
});

async function startNeovim(checkout: string) {
  const fixture = openFixture();
  const ide = join(fixture.home, "ide");
  mkdirSync(ide);
  const file = join(fixture.workspace, "a.txt");
  writeFileSync(file, "one\ntwo\n");
  const setup = 'lua require("claudecode").setup({ terminal = { provider = "none" } })';
  const args = ["--headless", "--clean", "--cmd", `set rtp+=${checkout}`, "-c", setup, file];
  const env = { ...process.env, HOME: fixture.home, CLAUDE_CONFIG_DIR: fixture.home };
  const child = spawn("nvim", args, { cwd: fixture.workspace, env, stdio: "ignore" });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  });
  await expect.poll(() => readdirSync(ide)).toHaveLength(1);
  return readTarget(join(ide, readdirSync(ide)[0] ?? ""), { env: {} });
}
