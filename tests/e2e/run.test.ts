import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isAlive } from "../src/is-alive.ts";
import { openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";
import { openRun, type RunContext } from "../src/run-context.ts";

// `idewire run`: the built command, with agents that are scripts on the PATH.

const ASKING = ["--ide", "--permission-mode", "default"];

test("Claude Code connects to the editor of the folder, and requests reviews", async () => {
  const context = openRun();
  const run = context.start(["claude", "--no-web", "--", "--model", "opus"]);
  expect([await run.exited, run.errors]).toEqual([0, ""]);
  const { args, cwd, env } = await context.started();
  expect(args).toEqual([...ASKING, "--model", "opus"]);
  expect(cwd).toBe(context.folder);
  expect(env["CLAUDE_CODE_SSE_PORT"]).toMatch(/^\d+$/);
  expect(run.output).toContain(`is the editor of ${context.folder}`);
  expect(run.output).toContain("idewire review <number>");
  expect(context.lockFiles()).toEqual([]);
});

test("the page is the editor by default", async () => {
  const context = openRun();
  const run = context.start(["claude"]);
  await run.exited;
  expect(run.output).toMatch(/page {2}http:\/\/127\.0\.0\.1:\d+\/#t=/);
});

test.each([
  [["--permission-mode", "plan"]],
  [["--permission-mode=acceptEdits"]],
  [["--dangerously-skip-permissions"]],
])("a permission mode that the person gives is theirs: %s", async (given) => {
  const context = openRun();
  await context.start(["claude", "--no-web", "--", ...given]).exited;
  expect((await context.started()).args).toEqual(["--ide", ...given]);
});

test.each(["gemini", "qwen"])("%s asks before it writes, unless a mode is given", async (agent) => {
  const argsOf = async (...given: readonly string[]) => {
    const context = openRun();
    await context.start([agent, "--no-web", "--", ...given]).exited;
    return (await context.started()).args;
  };
  expect(await argsOf()).toEqual(["--approval-mode", "default"]);
  for (const own of ["--approval-mode=yolo", "--yolo", "-y"])
    expect(await argsOf(own)).toEqual([own]);
});

const INHERITED = {
  CLAUDE_CODE_SSE_PORT: "1",
  OPENCODE_EDITOR_SSE_PORT: "1",
  GEMINI_CLI_IDE_SERVER_PORT: "1",
  GEMINI_CLI_IDE_AUTH_TOKEN: "token",
  QWEN_CODE_IDE_SERVER_PORT: "1",
};

test.each([
  ["opencode", ["CLAUDE_CODE_SSE_PORT", "OPENCODE_EDITOR_SSE_PORT"], undefined],
  ["gemini", ["GEMINI_CLI_IDE_SERVER_PORT", "GEMINI_CLI_IDE_AUTH_TOKEN"], "type /ide enable once"],
  ["qwen", ["QWEN_CODE_IDE_SERVER_PORT"], "type /ide enable once"],
  ["copilot", [], undefined],
  ["codex", [], "type /ide on in each session"],
] as const)(
  "%s gets its own arguments alone, and no variable of another editor's terminal",
  async (agent, unset, hint) => {
    const context = openRun();
    const run = context.start([agent, "--no-web", "--", "-x"], INHERITED);
    expect(await run.exited).toBe(0);
    const { args, env } = await context.started();
    // Arguments before it: the port of opencode, and the mode in which two others ask.
    const own = { opencode: 2, gemini: 2, qwen: 2 } as Readonly<Record<string, number>>;
    expect(args.slice(own[agent] ?? 0)).toEqual(["-x"]);
    for (const name of unset) expect(env).not.toHaveProperty(name);
    if (agent === "gemini") expect(env["GEMINI_CLI_IDE_PID"]).toBe(String(run.pid));
    expect(run.output.includes(hint ?? "then it connects")).toBe(hint !== undefined);
  },
);

test("a first argument that names no agent is the folder, and -- begins the command", async () => {
  const context = openRun();
  mkdirSync(join(context.folder, "notes"));
  const run = context.start(["notes", "--no-web", "--", "my-agent", "--flag", "claude"]);
  expect(await run.exited).toBe(0);
  const { args, cwd } = await context.started();
  expect(args).toEqual(["--flag", "claude"]);
  expect(cwd).toBe(join(context.folder, "notes"));
});

test.each([
  [[], "the agent is missing: expected claude, opencode, gemini, qwen, copilot, codex"],
  [["notes"], "got notes. Another command comes after --"],
  [["claude", "a", "b"], "expected one folder, got b as well"],
  [["a", "b", "--", "my-agent"], "expected one folder, got b as well"],
  [["claude", "--editor", "Vim"], "Expected the number of a process or of a port"],
])("a wrong command line starts nothing: %j", async (args, words) => {
  const context = openRun();
  const run = context.start(args);
  expect(await run.exited).toBe(2);
  expect(run.errors).toContain(words);
  expect(context.lockFiles()).toEqual([]);
});

test("an agent that is not installed is named with the remedy, and nothing is served", async () => {
  const context = openRun();
  const run = context.start(["claude"], { PATH: "/nowhere" });
  expect(await run.exited).toBe(127);
  expect(run.errors).toContain("claude is not on the PATH.");
  expect(run.errors).toContain("npm install -g @anthropic-ai/claude-code");
  expect(run.output).toBe("");
});

test("the exit code is the agent's, and idewire ends with it", async () => {
  for (const [does, code] of [
    ["5", 5],
    ["die", 137],
  ] as const) {
    const context = openRun();
    const run = context.start(["claude", "--no-web"], { AGENT_DOES: does });
    expect(await run.exited).toBe(code);
    expect(context.lockFiles()).toEqual([]);
  }
});

test("signals are passed on, and the agent decides when to end", async () => {
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
    const context = openRun();
    const run = context.start(["claude", "--no-web"], { AGENT_DOES: "wait" });
    await context.started();
    run.kill(signal);
    expect(await run.exited).toBe(7);
    expect(context.signals()).toBe(`${signal}\n`);
    expect(context.lockFiles()).toEqual([]);
  }
  const context = openRun();
  const run = context.start(["claude", "--no-web"], { AGENT_DOES: "stay" });
  await context.started();
  run.kill("SIGTERM");
  await expect.poll(() => context.signals()).toBe("SIGTERM\n");
  expect(context.lockFiles()).toHaveLength(1);
});

/** A folder that is already served by `idewire serve`. */
async function openServed(flags: readonly string[] = []) {
  const context = openRun();
  const serve = startServe(context, { flags });
  const { port } = await serve.event("listening");
  return { context, serve, port: String(port) };
}

test("where the folder is served already only the agent is started, connected to that server", async () => {
  const { context, serve, port } = await openServed();
  const run = context.start(["claude", "--share", "all"], { AGENT_DOES: "wait" });
  const { args, env } = await context.started();
  expect([args, env["CLAUDE_CODE_SSE_PORT"]]).toEqual([ASKING, port]);
  expect(context.lockFiles()).toEqual([`${port}.lock`]);
  expect(run.output).toContain(`process ${serve.pid}`);
  expect(run.output).not.toContain("page");
  expect(run.errors).toContain("--share has no effect: the folder is served already");
  run.kill("SIGTERM");
  expect(await run.exited).toBe(7);
  expect(context.lockFiles()).toEqual([`${port}.lock`]);
});

test("a folder below one that is served is served already", async () => {
  const { context, port } = await openServed();
  mkdirSync(join(context.folder, "sub"));
  await context.start(["claude", "sub"]).exited;
  const { cwd, env } = await context.started();
  expect([cwd, env["CLAUDE_CODE_SSE_PORT"]]).toEqual([join(context.folder, "sub"), port]);
});

/** A second editor of the folder, which is not ours. */
function publishAnother({ fixture, folder }: RunContext, port: number): void {
  const lock = {
    ...{ pid: process.pid, workspaceFolders: [folder], ideName: "Other" },
    ...{ transport: "ws", authToken: "t".repeat(64) },
  };
  writeFileSync(join(fixture.lockFolder, `${port}.lock`), JSON.stringify(lock));
}

test("of several editors one is named, by its process or its port", async () => {
  const { context, serve, port } = await openServed();
  publishAnother(context, 1_234);
  const unnamed = context.start(["claude"]);
  expect(await unnamed.exited).toBe(1);
  expect(unnamed.errors).toMatch(/2 editors serve .*Other \(process \d+, port 1234\).*--editor/);
  await context.start(["claude", "--editor", String(serve.pid)]).exited;
  expect((await context.started()).env["CLAUDE_CODE_SSE_PORT"]).toBe(port);
  await context.start(["claude", "--editor", "1234"]).exited;
  expect((await context.started()).env["CLAUDE_CODE_SSE_PORT"]).toBe("1234");
  const unknown = context.start(["claude", "--editor", "99"]);
  expect(await unknown.exited).toBe(1);
  expect(unknown.errors).toContain("No editor has the process or port 99; running are");
});

/** The settings among the arguments of Claude Code. */
function settingsOf(args: readonly string[]): unknown {
  return JSON.parse(args[args.indexOf("--settings") + 1] ?? "null");
}

function rulesFor(folder: string, ...ends: readonly string[]): readonly string[] {
  return ends.flatMap((end) => [`Read(/${folder}${end})`, `Edit(/${folder}${end})`]);
}

test("excluded files are Claude Code's own deny rules for this run, added to the person's settings", async () => {
  const context = openRun();
  const excluded = ["--exclude", "secret/", "--exclude", "/a/*.txt", "--exclude", "!keep"];
  const rules = rulesFor(context.folder, "/**/secret/", "/a/*.txt");
  const run = context.start(["claude", "--no-web", ...excluded]);
  await run.exited;
  const plain = await context.started();
  expect(settingsOf(plain.args)).toEqual({ permissions: { deny: rules } });
  expect(run.output).toContain("its shell commands can still read them");

  const own = { model: "m", permissions: { allow: ["Bash"], deny: ["Read(x)"] } };
  const merged = { model: "m", permissions: { allow: ["Bash"], deny: ["Read(x)", ...rules] } };
  writeFileSync(join(context.folder, "own.json"), JSON.stringify(own));
  for (const given of [["--settings", JSON.stringify(own)], ["--settings=own.json"]]) {
    await context.start(["claude", "--no-web", ...excluded, "--", ...given, "-c"]).exited;
    const { args } = await context.started();
    expect(args.filter((word) => word.startsWith("--settings"))).toEqual(["--settings"]);
    expect([settingsOf(args), args.at(-1)]).toEqual([merged, "-c"]);
  }
  expect(readdirSync(context.folder)).toEqual(["own.json"]);
});

test("settings that cannot be merged start nothing, nor do secrets become an argument", async () => {
  const context = openRun();
  const file = join(context.folder, "own.json");
  for (const [text, words] of [
    ["[]", "own.json of --settings cannot be read, so that the excluded files cannot be added"],
    ['{"env":{"KEY":"value"}}', "which other users could read in an argument"],
  ] as const) {
    writeFileSync(file, text);
    const args = ["claude", "--no-web", "--exclude", "x", "--", "--settings", "own.json"];
    const run = context.start(args);
    expect(await run.exited).toBe(1);
    expect(run.errors).toContain(words);
  }
});

test("the exclusions are those of the editor that serves the folder already", async () => {
  const { context } = await openServed(["--exclude", "secret"]);
  await context.start(["claude"]).exited;
  const { args } = await context.started();
  const deny = rulesFor(context.folder, "/**/secret");
  expect(settingsOf(args)).toEqual({ permissions: { deny } });
});

test("one line names an agent for which files cannot be excluded", async () => {
  const context = openRun();
  const run = context.start(["opencode", "--no-web", "--exclude", "x"]);
  await run.exited;
  expect(run.output).toContain("opencode has no rules that exclude files: it can read them");
});

test("warnings go to a log file, and are listed when the agent has ended", async () => {
  const context = openRun();
  const slow = { AGENT_MS: "1500" };
  const run = context.start(["claude", "--no-web", "--lsp", "no-such-server"], slow);
  await context.started();
  expect(run.errors).toBe("");
  expect(await run.exited).toBe(0);
  const [, path = ""] = /also in (.*)\):\n.*no-such-server/.exec(run.errors) ?? [];
  expect(readFileSync(path, "utf8")).toContain("no-such-server");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("Ctrl-C that arrives after the agent has exited changes neither its code nor the clean-up", async () => {
  const context = openRun();
  const run = context.start(["claude", "--no-web"], { AGENT_DOES: "5", AGENT_MS: "500" });
  const { pid } = await context.started();
  while (isAlive(pid)) await sleep(1);
  run.kill("SIGINT");
  expect(await run.exited, run.errors).toBe(5);
  expect(context.lockFiles()).toEqual([]);
});

test("the terminal is the agent's: it gets Ctrl-C once, and the shell its code", async () => {
  const context = openRun(openWorkspace("home", "vault"));
  const shell = openJobShell(
    { ...context.variables, TERM: "xterm", AGENT_DOES: "wait" },
    context.folder,
  );
  const idewire = `PATH='${context.bin}':$PATH '${process.execPath}' '${builtBin}'`;
  shell.type(`${idewire} run claude --no-web; echo code-$?`, "Enter");
  expect((await context.started()).isTerminal).toBe(true);
  shell.type("C-c");
  await shell.shows(/code-7/);
  expect(context.signals()).toBe("SIGINT\n");
  expect(context.lockFiles()).toEqual([]);
});
