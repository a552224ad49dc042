import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "@idewire/devtools/internal";
import { describe, expect, test } from "vitest";
import { type Fault, FaultyServer } from "../src/checks/faulty-server.ts";
import { behaviours } from "../src/checks/other-editors.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** `idewire serve` in a folder with a problem, and its output. */
async function serve() {
  const fixture = openFixture();
  const file = join(fixture.workspace, "a ü 100%.json");
  writeFileSync(file, '{"a": }\n');
  const served = new CliRun(fixture, { args: ["serve", "--script"] });
  const { lockFile } = await served.event("listening");
  const end = { line: 0, character: 3 };
  const selection = { start: { line: 0, character: 0 }, end };
  served.type({ do: "select", path: file, range: selection, text: '{"a' });
  return { fixture, served, lockFile: String(lockFile) };
}

async function checkFaulty(fault: Fault, args: readonly string[] = []) {
  const fixture = openFixture();
  const server = await FaultyServer.open(fault);
  try {
    const run = new CliRun(fixture, { args: ["check", "--lock", server.lockFile, ...args] });
    return { fixture, code: await run.exited, output: run.output, errors: run.errors };
  } finally {
    await server.close();
  }
}

describe("idewire check", () => {
  test("finds no fault in idewire serve, with diffs shown too, and leaves nothing behind", async () => {
    const { fixture, served, lockFile } = await serve();
    const args = ["check", "--destructive", "--json", "--timeout", "300"];
    const run = new CliRun(fixture, { args });
    expect([await run.exited, run.errors]).toEqual([0, ""]);
    const report = JSON.parse(run.output);
    expect(report).toMatchObject({ ok: true, editor: { lockFile } });
    const others = report.results.filter(({ verdict }: { verdict: string }) => verdict !== "pass");
    expect(others.map(({ id }: { id: string }) => id)).toEqual(["IDE-LIFE-009"]);
    const { authToken } = JSON.parse(readFileSync(lockFile, "utf8"));
    expect(run.output).not.toContain(authToken);
    expect(served.events.some(({ event }) => event === "diff-opened")).toBe(true);
    const opened = served.events.filter(({ event }) => event === "connected").length;
    await expect
      .poll(() => served.events.filter(({ event }) => event === "disconnected").length)
      .toBe(opened);
  });

  test("shows nothing in the editor unless requested", async () => {
    const { fixture, served } = await serve();
    const run = new CliRun(fixture, { args: ["check", "--timeout", "300"] });
    expect(await run.exited).toBe(0);
    expect(run.output).toMatch(/✓ upgrade and token {3}10 passed\n/);
    expect(run.output).toMatch(
      /– IDE-DIFF-001 to 007 skipped: it has visible effects in the editor\n/,
    );
    expect(run.output).toMatch(/\n✓ \d+ passed, 8 skipped in [\d.]+ s\n$/);
    const warning = /! these checks behave as no agent does, .*\n {4}IDE-CONN-002 to 006\n/;
    expect(run.output.search(warning)).toBeGreaterThan(0);
    expect(run.output.search(warning)).toBeLessThan(run.output.indexOf("✓ discovery file"));
    expect(served.events.filter(({ event }) => event === "diff-opened")).toEqual([]);
  });

  test("reports the broken rule, its source and the observation, and exits with 1", async () => {
    const files = ["--junit", "report.xml", "--sarif", "report.sarif"];
    const { code, output, fixture } = await checkFaulty({ open: ["wrong-token", "origin"] }, files);
    expect(code).toBe(1);
    expect(output).toMatch(/✗ upgrade and token {3}8 passed, 1 must failed, 1 should failed\n/);
    expect(output).toMatch(
      /✗ IDE-CONN-002 must: A wrong token is refused.*\n {4}seen {2}it was accepted/,
    );
    expect(output).toMatch(/! IDE-CONN-005 should: A web page/);
    expect(output).toMatch(/\n +\d+ {2}→ \{"jsonrpc":"2.0","id":"unauthenticated",/);
    const junit = readFileSync(join(fixture.workspace, "report.xml"), "utf8");
    expect(junit).toMatch(/<testsuites tests="\d+" failures="1"/);
    expect(junit).toMatch(/name="IDE-CONN-002: .*"><failure message="it was accepted/s);
    const sarif = JSON.parse(readFileSync(join(fixture.workspace, "report.sarif"), "utf8"));
    const [run] = sarif.runs;
    expect(run.results).toMatchObject([
      { ruleId: "IDE-CONN-002", level: "error" },
      { ruleId: "IDE-CONN-005", level: "warning" },
    ]);
    for (const { ruleId, ruleIndex } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    }
  });

  test("reports a frozen editor within 20 s, with the check at which it stopped answering", async () => {
    const { fault } = behaviours["freezes over a wrong token"] ?? { fault: {} };
    const { code, output } = await checkFaulty(fault);
    expect(code).toBe(1);
    expect(output).toMatch(/skipped: the editor has not answered since IDE-CONN-002\n/);
    const words = "The editor has not answered since IDE-CONN-002.\n    Look at its window";
    expect(output).toContain(words);
    expect(Number(/ in ([\d.]+) s\n/.exec(output)?.[1])).toBeLessThan(20);
    const gentle = await checkFaulty(fault, ["--gentle"]);
    expect(gentle.code).toBe(0);
    expect(gentle.output).not.toContain("may freeze an editor that");
    const others = checks.filter(({ hostile }) => hostile).flatMap(({ id }) => ["--skip", id]);
    expect((await checkFaulty(fault, others)).code).toBe(0);
    expect((await checkFaulty(fault, ["--skip", "IDE-RPC-1"])).code).toBe(2);
  });

  test("a broken SHOULD is reported, and exits with 0; Markdown has a row for each check", async () => {
    const { code, output } = await checkFaulty({ open: ["host"] }, ["--markdown"]);
    expect(code).toBe(0);
    expect(output).toMatch(/^# ✅ idewire check: \d+ passed, 1 should failed/);
    expect(output).toMatch(/\n\| ❌ \| IDE-CONN-006 \| should \|/);
    expect(output).toMatch(/\n\| ➖ \| IDE-DIFF-007 \| must \|/);
  });

  test("without an editor it exits with 3 and lists what it skipped", async () => {
    const fixture = openFixture();
    const alone = new CliRun(fixture, { args: ["check"] });
    expect([await alone.exited, alone.errors]).toEqual([
      3,
      expect.stringMatching(/No running editor/),
    ]);
    const missing = new CliRun(fixture, { args: ["check", "--lock", "nowhere/1.lock"] });
    const words = expect.stringMatching(/nowhere\/1\.lock: it cannot be read \(ENOENT\)/);
    expect([await missing.exited, missing.errors]).toEqual([3, words]);
  });

  test("a dead editor ends it with 1, without further requests", async () => {
    const fixture = openFixture();
    const lock = { workspaceFolders: [fixture.workspace], pid: process.pid, transport: "ws" };
    const path = fixture.lock(1, lock);
    const run = new CliRun(fixture, { args: ["check", "--lock", path] });
    expect(await run.exited).toBe(1);
    expect(run.output).toMatch(/✗ IDE-CONN-001 must/);
    expect(run.output).toMatch(/skipped: IDE-CONN-001 has not passed/);
  });

  test("SIGINT ends it at once and closes every connection", async () => {
    const { fixture, served } = await serve();
    const run = new CliRun(fixture, { args: ["check"] });
    await served.event("connected");
    run.signal("SIGINT");
    expect(await run.exited).toBe(130);
    expect(run.exits).toEqual([]);
  });
});
