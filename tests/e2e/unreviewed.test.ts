import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import type { PermissionMode } from "../src/reference-clients/claude-edit.ts";
import type { ClaudeClientOptions } from "../src/reference-clients/claude-options.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { startClient } from "../src/reference-clients/serve-context.ts";
import { sleep } from "../src/reference-clients/wire.ts";
import { joinAs, openTerminal } from "../src/terminal-context.ts";

const WRITTEN = "written without a review here";

interface ServedOptions extends Partial<ClaudeClientOptions> {
  /** Run in the folder before the agent connects. */
  readonly prepare?: (folder: string) => void;
}

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=n", "-c", "user.email=e", ...args]);

/** The terminal frontend, and Claude Code in a permission mode. */
async function openServedSession(
  mode: PermissionMode,
  { prepare, ...options }: ServedOptions = {},
) {
  const { fixture, run } = await openTerminal();
  if (prepare !== undefined) {
    prepare(fixture.workspace);
    // Writes without a connected agent are not reported.
    await sleep(500);
  }
  const workspace = { fixture, folder: fixture.workspace, env: fixture.env };
  const client = await startClient(workspace, { permissionMode: mode, ...options });
  await client.untilReady();
  await client.prompt("go on");
  const file = (name: string) => join(fixture.workspace, name);
  return { fixture, run, client, file };
}

/** The notices about files that were not reviewed. */
function alarms(run: CliRun): readonly string[] {
  return run.output
    .replaceAll(/\n {2,}/g, " ")
    .split("\n")
    .filter((line) => line.includes(WRITTEN));
}

/** One unreviewed write as a control: any earlier notice would be shown before its own. */
async function expectOnly(served: Awaited<ReturnType<typeof openServedSession>>): Promise<void> {
  const { run, client, file } = served;
  await client.prompt("next");
  client.permissionMode = "acceptEdits";
  await client.edit(file("control.md"), "x\n").result;
  await run.shows("control.md was written");
  expect(alarms(run)).toEqual([expect.stringContaining("control.md was written")]);
  expect(client.violations).toEqual([]);
}

async function accept(run: CliRun, edit: ReturnType<ClaudeClient["edit"]>): Promise<void> {
  await run.shows("accept, edit or reject?");
  run.type("accept");
  expect((await edit.result).by).toBe("ide");
}

describe("a file without a review here is reported as unreviewed", () => {
  test.each(["acceptEdits", "auto"] as const)(
    "in mode %s, with the key that changes it",
    async (mode) => {
      const { run, client, file } = await openServedSession(mode);
      await client.edit(file("plan.md"), "changed\n").result;
      await run.shows("plan.md was written without a review here.");
      expect(alarms(run)[0]).toContain("Shift+Tab");
      await client.edit(file("new.md"), "new\n").result;
      await client.prompt("next");
      await run.shows("new.md was written without a review here.");
    },
  );

  test("a new file, and one whose folder is created after the request", async () => {
    const { run, client, fixture, file } = await openServedSession("default");
    const path = file("deep/er/new.md");
    const link = client.connection?.link;
    await link?.callTool("getDiagnostics", { uri: `file://${path}` }).reply;
    mkdirSync(join(fixture.workspace, "deep", "er"), { recursive: true });
    writeFileSync(path, "new\n");
    await run.shows("deep/er/new.md was written without a review here.");
    expect(alarms(run)).toHaveLength(1);
  });

  test("twenty files of a turn are one notice, and the rest of the turn is another", async () => {
    const { run, client, file } = await openServedSession("acceptEdits");
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.md`);
    await Promise.all(names.map((name) => client.edit(file(name), `${name}\n`).result));
    await run.shows("more) were written without a review here.");
    for (const name of names) await client.edit(file(`later-${name}`), "x\n").result;
    await client.prompt("next");
    await run.shows("20 files (later-n0.md, later-n1.md, later-n2.md and 17 more)");
    expect(alarms(run)).toHaveLength(2);
  });

  test("of two edits of one file in a turn the unreviewed one is reported", async () => {
    const served = await openServedSession("default");
    const { run, client, file } = served;
    await accept(run, client.edit(file("plan.md"), "reviewed\n"));
    expect(alarms(run)).toEqual([]);
    client.permissionMode = "acceptEdits";
    await client.edit(file("plan.md"), "not reviewed\n").result;
    await run.shows("plan.md was written without a review here.");
  });

  test("programs receive an event", async () => {
    const fixture = openFixture();
    const run = new CliRun(fixture, { args: ["serve", "--json"] });
    await run.event("listening");
    const workspace = { fixture, folder: fixture.workspace, env: fixture.env };
    const client = await startClient(workspace, { permissionMode: "acceptEdits" });
    await client.untilReady();
    await client.edit(join(fixture.workspace, "a.md"), "a\n").result;
    const { filePaths } = await run.event("unreviewed");
    expect(filePaths).toEqual([join(fixture.workspace, "a.md")]);
  });

  test("opencode, which has no diff, is announced as such when it connects", async () => {
    const { run, lockFile } = await openTerminal();
    await joinAs(lockFile, "opencode");
    await run.shows("It does not support diffs: it writes without a review here.");
    await joinAs(lockFile, "claude-code");
    await run.shows("Claude Code (");
    expect(run.output.split("It does not support diffs")).toHaveLength(2);
  });

  test("the startup message names the mode and its key", async () => {
    const { run } = await openTerminal();
    expect(run.output).toMatch(/permission mode default \(called manual since 2\.1\.200\)/);
  });
});

describe("a file that the person was asked about causes no notice", () => {
  test("accepted here, and formatted after that", async () => {
    const served = await openServedSession("default");
    const { run, client, file } = served;
    await accept(run, client.edit(file("plan.md"), "# plan\n"));
    writeFileSync(file("plan.md"), "# Plan\n");
    await expectOnly(served);
  });

  test("accepted in the agent's terminal, and rejected", async () => {
    const served = await openServedSession("default");
    const { run, client, file } = served;
    const edit = client.edit(file("plan.md"), "a\n");
    await run.shows("accept, edit or reject?");
    edit.answerInTerminal("accept");
    expect((await edit.result).written).toBe("a\n");
    const other = client.edit(file("other.md"), "b\n");
    await run.shows("proposes to create other.md");
    run.type("reject");
    expect((await other.result).decision).toBe("rejected");
    await expectOnly(served);
  });

  test("accepted in the agent's terminal after its connection was cut", async () => {
    const served = await openServedSession("default");
    const { run, client, file } = served;
    const edit = client.edit(file("plan.md"), "a\n");
    await run.shows("accept, edit or reject?");
    client.connection?.link?.terminate();
    await run.shows("ended unanswered: its agent has gone");
    await client.untilReady();
    edit.answerInTerminal("accept");
    expect((await edit.result).written).toBe("a\n");
    await expectOnly(served);
  });

  test("where the person has chosen the agent's own terminal", async () => {
    const { fixture, run, client, file } = await openServedSession("default", {
      settings: { diffTool: "terminal" },
    });
    writeFileSync(join(fixture.home, ".claude.json"), '{"diffTool":"terminal"}');
    const edit = client.edit(file("plan.md"), "a\n");
    edit.answerInTerminal("accept");
    expect((await edit.result).written).toBe("a\n");
    await client.prompt("next");
    // Writes are reported after a second; no event marks the absence of a report.
    await sleep(1_500);
    writeFileSync(join(fixture.home, ".claude.json"), '{"diffTool":"auto"}');
    const other = client.edit(file("other.md"), "b\n");
    other.answerInTerminal("accept");
    await other.result;
    await run.shows("other.md was written");
    expect(alarms(run)).toEqual([expect.stringContaining("other.md was written")]);
  });
});

describe("a write that no agent has announced is reported, with its possible authors", () => {
  const BY_CLAUDE = "by Claude Code or another program";

  test.each<[law: string, write: (file: (name: string) => string) => unknown]>([
    [
      "a shell that appends",
      (file) => execFileSync("sh", ["-c", `echo more >> '${file("plan.md")}'`]),
    ],
    ["a file renamed over it", (file) => renameSync(file("new.txt"), file("plan.md"))],
    ["a deletion", (file) => rmSync(file("plan.md"))],
  ])("%s, whether or not the agent requests diagnostics", async (_law, write) => {
    const { run, client, file } = await openServedSession("default", {
      prepare: (folder) => writeFileSync(join(folder, "new.txt"), "b\n"),
    });
    write(file);
    await run.shows(BY_CLAUDE);
    expect(alarms(run)).toEqual([expect.stringMatching(/plan\.md.* written without a review/)]);
    expect(client.violations).toEqual([]);
  });

  test("a checkout of a hundred files is one notice", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `n${index}.md`);
    const { run, fixture } = await openServedSession("default", {
      prepare(folder) {
        for (const name of names) writeFileSync(join(folder, name), "a\n");
        git(folder, "init", "-q");
        git(folder, "add", ".");
        git(folder, "commit", "-qm", "old");
        for (const name of names) writeFileSync(join(folder, name), "b\n");
      },
    });
    git(fixture.workspace, "checkout", "-q", ".");
    await run.shows("more) were written");
    await sleep(2_000);
    expect(alarms(run)).toEqual([expect.stringContaining("100 files (")]);
    expect(alarms(run)[0]).toContain(BY_CLAUDE);
  });

  test("a file that the model has asked about, or whose diff was rejected", async () => {
    const { run, client, file } = await openServedSession("default");
    const uri = `file://${file("plan.md")}`;
    await client.callAsModel("getDiagnostics", { uri }).reply;
    writeFileSync(file("plan.md"), "a\n");
    const other = client.edit(file("other.md"), "b\n");
    await run.shows("proposes to create other.md");
    run.type("reject");
    await other.result;
    writeFileSync(file("other.md"), "by another program\n");
    await run.shows(BY_CLAUDE);
    expect(alarms(run)).toEqual([expect.stringContaining("plan.md, other.md were written")]);
  });

  test("where two agents are connected, neither is named", async () => {
    const { run, lockFile, fixture } = await openTerminal();
    await joinAs(lockFile, "claude-code");
    await joinAs(lockFile, "opencode");
    writeFileSync(join(fixture.workspace, "plan.md"), "a\n");
    await run.shows("by an agent or another program");
    expect(alarms(run)).toEqual([expect.stringContaining("plan.md was written")]);
  });

  test("an excluded file is named to the person, and never to an agent", async () => {
    const { run, client, file } = await openServedSession("default");
    writeFileSync(file(".env"), "SECRET=1\n");
    await run.shows(`.env was written without a review here, ${BY_CLAUDE}`);
    expect(JSON.stringify(client.transcript.entries)).not.toContain(".env");
  });
});
