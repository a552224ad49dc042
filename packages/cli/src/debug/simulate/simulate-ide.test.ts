import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ScenarioHeader, ScenarioStep } from "@idewire/devtools/scenario";
import { connectIde } from "@idewire/node-server";
import { type SimulatedIde, simulateIde } from "idewire/simulate";
import { expect, onTestFinished, test } from "vitest";
import { ClaudeClient } from "../../../../../tests/src/reference-clients/claude-client.ts";
import { openFixture } from "../../../../../tests/src/reference-clients/context.ts";
import { TIMEOUT_MS } from "../../../../../tests/src/reference-clients/transcript.ts";

async function open(
  script: readonly ScenarioStep[],
  header: Partial<ScenarioHeader> = {},
  base?: string,
): Promise<SimulatedIde> {
  const limits = { withinMs: TIMEOUT_MS, connectWithinMs: 3 * TIMEOUT_MS };
  const whole = { ...limits, ...header };
  const ide = await simulateIde({ script, header: whole, ...(base !== undefined && { base }) });
  onTestFinished(() => ide.close());
  return ide;
}

async function clientOf({ folder, env }: SimulatedIde): Promise<ClaudeClient> {
  const speed = {
    pollMs: 20,
    pollForMs: TIMEOUT_MS,
    retryFactor: 0.05,
    moreTries: 50,
    lenient: true,
  };
  const client = await ClaudeClient.start({ env, cwd: folder, ...speed });
  onTestFinished(() => client.exit());
  return client;
}

async function agentOf({ folder, env }: SimulatedIde) {
  const info = { name: "agent", version: "1" };
  const agent = await connectIde({ ...info, cwd: folder, env, reconnect: { maxDelayMs: 20 } });
  onTestFinished(() => agent.close());
  return agent;
}

test("the agent reconnects after a lost connection, and after a restart of the editor", async () => {
  const ide = await open([
    { expect: "ready" },
    { do: "drop" },
    { expect: "disconnected", code: 1001 },
    { expect: "ready" },
    { do: "restart" },
    { expect: "disconnected" },
    { expect: "ready" },
  ]);
  const client = await clientOf(ide);
  await ide.met();
  expect(client.violations).toEqual([]);
});

test("the agent receives the person's selections and mentions, as scripted", async () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 1, character: 0 } };
  const ide = await open(
    [
      { do: "edit", path: "a.md", text: "unsaved\ntext\n" },
      { do: "select", path: "a.md", range },
      { expect: "ready" },
      { do: "mention", path: "a.md", lines: { start: 0, end: 0 } },
      { do: "notify", method: "log_event", params: { eventName: "x", eventData: {} } },
    ],
    { files: { "a.md": "old\n" } },
  );
  const agent = await agentOf(ide);
  const mention = new Promise((resolve) => agent.on("mention", resolve));
  const received = new Promise((resolve) => {
    agent.on("notification", (method) => method === "log_event" && resolve(method));
  });
  await ide.met();
  expect(await mention).toMatchObject({ lines: { start: 0, end: 0 } });
  expect(agent.selection).toMatchObject({ text: "nsaved\n", filePath: join(ide.folder, "a.md") });
  expect(await received).toBe("log_event");
  expect(readFileSync(join(ide.folder, "a.md"), "utf8")).toBe("old\n");
});

test("a wrong token is refused in every dialect", async () => {
  for (const dialect of ["claude-code", "claude-code-spec", "neovim"] as const) {
    const ide = await open([{ expect: "refused" }], { dialect, token: "wrong" });
    await expect(agentOf(ide)).rejects.toMatchObject({ code: "unauthorized" });
    await ide.met();
  }
});

test("the file of another dialect is where its clients search, and is removed with the editor", async () => {
  for (const token of ["right", "wrong"] as const) {
    const ide = await open([{ expect: "refused" }], { dialect: "jetbrains", token });
    const file = join(ide.env.HOME, ".claude-code", `${ide.port}.json`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ projectPath: ide.folder });
    await ide.close();
    expect(existsSync(file)).toBe(false);
  }
});

test("the workspace is a copy, safe from the agent's changes", async () => {
  const fixture = openFixture();
  const original = fixture.file("work/notes.md", "one\n");
  fixture.file("work/.git/config", "secret");
  const outside = fixture.file("outside.md", "outside");
  symlinkSync(outside, join(fixture.workspace, "work", "link.md"));
  const ide = await open(
    [{ expect: "file", path: "notes.md", text: "two\n" }],
    { workspace: "work", files: { "sub/more.md": "more" } },
    fixture.workspace,
  );
  expect(readFileSync(join(ide.folder, "sub", "more.md"), "utf8")).toBe("more");
  expect(existsSync(join(ide.folder, ".git"))).toBe(false);
  await agentOf(ide);
  writeFileSync(join(ide.folder, "notes.md"), "two\n");
  await ide.met();
  expect(readFileSync(original, "utf8")).toBe("one\n");

  for (const step of [
    { do: "write", path: "link.md", text: "x" },
    { do: "open", path: "link.md" },
  ] as const) {
    const other = await open([step], { workspace: "work" }, fixture.workspace);
    await expect(other.met()).rejects.toThrow("link.md leads out of the workspace");
  }
  expect(readFileSync(outside, "utf8")).toBe("outside");
});

test("writes follow no link out of the workspace, not even to create a folder", async () => {
  const fixture = openFixture();
  fixture.file("work/notes.md", "one\n");
  const elsewhere = join(fixture.home, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(fixture.workspace, "work", "folder"));
  symlinkSync(join(elsewhere, "missing.md"), join(fixture.workspace, "work", "dangling.md"));
  for (const filePath of ["dangling.md", "folder/new/notes.md"]) {
    const files = { [filePath]: "x" };
    await expect(open([], { workspace: "work", files }, fixture.workspace)).rejects.toThrow(
      `${filePath} leads out of the workspace`,
    );
  }
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("closing stops the play and removes everything that it created", async () => {
  const ide = await open([{ do: "wait", ms: 60_000 }]);
  expect(existsSync(ide.folder)).toBe(true);
  await ide.close();
  expect(await ide.report).toMatchObject({ outcome: "stopped" });
  expect(existsSync(ide.folder)).toBe(false);
});

test("an invalid script and a missing workspace create nothing", async () => {
  const wrong = [{ do: "wait", ms: -1 }] as const;
  await expect(open(wrong)).rejects.toMatchObject({
    code: "invalid-argument",
    message: "line 2: ms: expected a number from 0 to 86400000, got -1",
  });
  await expect(open([], { workspace: "nowhere" })).rejects.toMatchObject({ code: "not-a-folder" });
});
