import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptEvents } from "../../packages/cli/src/serve/script/script-schema.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { RawClient } from "../src/raw-client.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { until } from "../src/reference-clients/transcript.ts";

interface Context {
  readonly fixture: Fixture;
  readonly run: CliRun;
  readonly lockFile: string;
}

async function openScript(...flags: readonly string[]): Promise<Context> {
  const fixture = openFixture();
  fixture.file("a.txt", "zero\none\ntwo\n");
  const run = new CliRun(fixture, { args: ["serve", "--script", ...flags] });
  const { lockFile } = await run.event("listening");
  return { fixture, run, lockFile: String(lockFile) };
}

/** Expects the whole output to match the schema, with consecutive numbers. */
function expectValid({ events }: CliRun): void {
  for (const event of events) {
    const shape = scriptEvents[event["event"] as keyof typeof scriptEvents];
    expect(shape.parse(event)).toEqual({ ok: true, value: event });
  }
  expect(events.map((event) => event["seq"])).toEqual(events.map((_, index) => index + 1));
}

function propose(agent: RawClient, path: string, text: string, title = "tab") {
  return agent.callTool("openDiff", {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: text,
    tab_name: title,
  });
}

test("listening is the first line, and everything that an agent does follows it", async () => {
  const { run, lockFile, fixture } = await openScript();
  const { otherEndpoints = [], ...first } = run.events[0] ?? {};
  expect(first).toEqual({
    event: "listening",
    seq: 1,
    port: Number(/(\d+)\.lock$/.exec(lockFile)?.[1]),
    lockFile,
  });
  const others = otherEndpoints as readonly { readonly dialect: string }[];
  expect(others.map(({ dialect }) => dialect)).toContain("gemini");
  const agent = await RawClient.ready(lockFile);
  agent.send({ jsonrpc: "2.0", method: "ide_connected", params: { pid: 7 } });
  await agent.request("tools/list");
  const path = join(fixture.workspace, "a.txt");
  void propose(agent, path, "new\n", "tab a");
  const { session } = await run.event("connected");
  await run.event("initialized", { session, agent: "raw", version: "1" });
  await run.event("notification", { session, method: "notifications/initialized" });
  const received = await run.event("notification", { session, method: "ide_connected" });
  expect(received["params"]).toEqual({ pid: 7 });
  expect(await run.event("request", { method: "tools/list" })).not.toHaveProperty("tool");
  const request = await run.event("request", { session, method: "tools/call", tool: "openDiff" });
  expect(request["params"]).toMatchObject({ name: "openDiff", arguments: { tab_name: "tab a" } });
  const opened = await run.event("diff-opened", { session, filePath: path, tabName: "tab a" });
  expect(opened["proposed"]).toBe("new\n");
  agent.socket.close();
  const gone = { outcome: "cancelled", by: "session-gone" };
  await run.event("diff-closed", { diff: opened["diff"], ...gone });
  await run.event("disconnected", { session, code: 1005 });
  expectValid(run);
});

test("a diff whose file is written meanwhile is reported, with a note for the person", async () => {
  const { run, lockFile, fixture } = await openScript();
  const agent = await RawClient.ready(lockFile);
  const path = join(fixture.workspace, "a.txt");
  writeFileSync(path, "one\n");
  void propose(agent, path, "two\n");
  const { diff } = await run.event("diff-opened");
  writeFileSync(path, "other\n");
  const { notes } = await run.event("diff-changed", { diff });
  expect(notes).toEqual([expect.stringContaining("The file has changed")]);
  expectValid(run);
});

test("each answer to a diff has its outcome, for pending and future ones", async () => {
  const { run, lockFile, fixture } = await openScript();
  const agent = await RawClient.ready(lockFile);
  const path = join(fixture.workspace, "new.txt");
  const waiting = propose(agent, path, "first");
  const first = await run.event("diff-opened");
  const cases = [
    [{ answer: "accept" }, "accepted", ["FILE_SAVED", "first"]],
    [{ answer: "accept-edited", suffix: "!" }, "accepted", ["FILE_SAVED", "first!"]],
    [{ answer: "accept-edited", text: "x", suffix: "!" }, "accepted", ["FILE_SAVED", "x"]],
    [{ answer: "accept-edited" }, "accepted", ["FILE_SAVED", "first"]],
    [{ answer: "reject" }, "rejected", ["DIFF_REJECTED"]],
    [{ answer: "close" }, "closed", ["DIFF_REJECTED"]],
  ] as const;
  const seen = (event: string) => run.events.filter((each) => each["event"] === event);
  const setPolicy = async (policy: object) => {
    const before = seen("done").length;
    run.type({ do: "diff", ...policy });
    await until("the policy", () => seen("done").length > before);
  };
  for (const [index, [policy, outcome, texts]] of cases.entries()) {
    await setPolicy(policy);
    const result = await (index === 0 ? waiting : propose(agent, path, "first"));
    expect(result["content"]).toEqual(texts.map((text) => ({ type: "text", text })));
    await until("the end", () => seen("diff-closed").length > index);
    expect(seen("diff-closed").at(-1)).toMatchObject({ outcome });
  }
  await run.event("diff-closed", { diff: first["diff"] });
  await setPolicy({ answer: "wait" });
  void propose(agent, path, "waits");
  await run.event("diff-opened", { proposed: "waits" });
  await agent.request("ping");
  expect(seen("diff-closed")).toHaveLength(cases.length);
  expectValid(run);
});

/** Sends a line for each verb, and waits until the last one is done; returns how each ended. */
async function endsOf(run: CliRun, verbs: readonly string[], members: object) {
  run.stdin.write(verbs.map((verb) => `${JSON.stringify({ do: verb, ...members })}\n`).join(""));
  await run.event("done", { do: verbs.at(-1) });
  return run.events.slice(1).map((event) => `${event["event"]} ${event["do"]}`);
}

test("commands run in the order of their lines, and each has one end", async () => {
  const { run, fixture } = await openScript();
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  const path = join(fixture.workspace, "a.txt");
  const ends = await endsOf(
    run,
    [
      ...["open", "edit", "close", "select", "save", "revert", "keepUnsaved", "close", "dance"],
      ...["clearSelection", "mention", "setDiagnostics", "answerDiff", "diff", "drop"],
    ],
    {
      path: "a.txt",
      text: "typed\n",
      range,
      lines: { start: 0, end: 0 },
      files: [{ path, diagnostics: [{ message: "m", severity: "hint", range }] }],
      id: "none",
      answer: "accept",
    },
  );
  expect(ends).toEqual([
    "done open",
    "done edit",
    "error close",
    "done select",
    "done save",
    "done revert",
    "done keepUnsaved",
    "done close",
    "unsupported dance",
    "done clearSelection",
    "error mention",
    "done setDiagnostics",
    "error answerDiff",
    "done diff",
    "done drop",
  ]);
  expect(readFileSync(path, "utf8")).toBe("typed\n");
  const refused = run.events.find(({ event }) => event === "error")?.["message"];
  expect(refused).toContain("a.txt is not open, or has unsaved text");
  expectValid(run);
});

test("one diff is answered, regardless of others", async () => {
  const { run, lockFile, fixture } = await openScript();
  const agent = await RawClient.ready(lockFile);
  const path = join(fixture.workspace, "new.txt");
  void propose(agent, path, "one", "tab one");
  const two = propose(agent, path, "two", "tab two");
  const { diff } = await run.event("diff-opened", { tabName: "tab two" });
  const answer = { do: "answerDiff", id: diff, answer: { kind: "accepted", text: "mine" } };
  run.type(answer);
  const texts = ["FILE_SAVED", "mine"].map((text) => ({ type: "text", text }));
  expect((await two)["content"]).toEqual(texts);
  await run.event("done", { do: "answerDiff" });
  run.type(answer);
  const { message } = await run.event("error", { do: "answerDiff" });
  expect(message).toBe(`no diff ${diff} is pending`);
  expectValid(run);
});

test("an error about a line names the member, its value and what was expected", async () => {
  const { run } = await openScript();
  const zero = { line: 0, character: 0 };
  const select = (end: object, start: object = zero) =>
    JSON.stringify({ do: "select", path: "a.txt", range: { start, end } });
  const cases = [
    ["{", undefined, 'Not JSON: "{"'],
    ["[1]", undefined, "Expected an object, got [1]"],
    ["null", undefined, "Expected an object, got null"],
    ["{}", undefined, "do: expected a string, got nothing"],
    ['{"do":7}', undefined, "do: expected a string, got 7"],
    ['{"do":"open"}', "open", "path: expected string, got nothing"],
    ['{"do":"open","path":null}', "open", "path: expected string, got null"],
    ['{"do":"open","path":""}', "open", 'expected a path, got ""'],
    ['{"do":"open","path":"no.txt"}', "open", "does not exist"],
    ['{"do":"open","path":"../../x"}', "open", "outside the workspace folder"],
    ['{"do":"open","path":"a\\u0000"}', "open", "a path may not contain NUL"],
    [
      '{"do":"mention","path":"a.txt","lines":{"start":-1,"end":1}}',
      "mention",
      "lines.start: expected >=0",
    ],
    ['{"do":"mention","path":"a.txt","lines":{"end":1}}', "mention", "lines.start: expected"],
    ['{"do":"mention","path":"a.txt","lines":{"start":2,"end":1}}', "mention", "after its end 1:0"],
    ['{"do":"diff","answer":"maybe"}', "diff", 'got "maybe"'],
    ['{"do":"setDiagnostics","files":[{"path":"a.txt"}]}', "setDiagnostics", "files.0.diagnostics"],
    [
      select({ line: 0, character: "x" }),
      "select",
      'range.end.character: expected number, got "x"',
    ],
    [
      select(zero, { line: 1, character: 0 }),
      "select",
      "the range starts at 1:0, after its end 0:0",
    ],
    [select({ line: 99, character: 0 }), "select", "line 99 is outside 0–3"],
  ] as const;
  for (const [line, verb, received] of cases) {
    const before = run.events.length;
    run.type(line);
    run.type("");
    await expect.poll(() => run.events.length, { message: line }).toBe(before + 1);
    const event = run.events[before];
    expect(event).toMatchObject({ event: "error", ...(verb !== undefined && { do: verb }) });
    expect(event?.["message"]).toContain(received);
  }
  expectValid(run);
});

test("a line of more than 64 MiB is an error, and the next one is carried out", async () => {
  const { run } = await openScript();
  const mebibyte = "x".repeat(1 << 20);
  for (let count = 0; count < 65; count++) run.stdin.write(mebibyte);
  run.type("");
  run.type({ do: "clearSelection" });
  await run.event("done", { do: "clearSelection" });
  const { message } = await run.event("error");
  expect(message).toBe("A line of 68157440 bytes was dropped: at most 67108864 are allowed");
});

test("stop is done when the lock file is removed; later lines are not executed", async () => {
  const { run, lockFile } = await openScript();
  const agent = await RawClient.ready(lockFile);
  run.stdin.write('{"do":"stop"}\n{"do":"clearSelection"}\n');
  expect(await run.exited).toBe(0);
  expect(existsSync(lockFile)).toBe(false);
  expect((await agent.closed).code).toBe(1001);
  expect(run.events.at(-1)).toMatchObject({ event: "done", do: "stop" });
  expect(run.events.some((event) => event["do"] === "clear")).toBe(false);
  await run.event("disconnected");
  expectValid(run);
});

test("the end of the input stops too, after a last line without a newline", async () => {
  const { run, lockFile } = await openScript();
  run.stdin.end('{"do":"open","path":"a.txt"}');
  expect(await run.exited).toBe(0);
  expect(run.events.at(-1)).toEqual({ event: "done", seq: 2, do: "open" });
  expect(existsSync(lockFile)).toBe(false);
});

test("drop cuts every connection, and the agents may reconnect", async () => {
  const { run, lockFile } = await openScript();
  const agents = [await RawClient.ready(lockFile), await RawClient.ready(lockFile)];
  run.type({ do: "drop" });
  for (const agent of agents) expect((await agent.closed).code).toBe(1001);
  await run.event("done", { do: "drop" });
  const gone = () => run.events.filter((event) => event["event"] === "disconnected").length;
  await until("both have disconnected", () => gone() === 2);
  await RawClient.ready(lockFile);
  expectValid(run);
});

test("with --json the same events are printed, and the input is not read", async () => {
  const fixture = openFixture();
  const run = new CliRun(fixture, { args: ["serve", "--json"] });
  run.stdin.end('{"do":"stop"}\n');
  const { lockFile } = await run.event("listening");
  const agent = await RawClient.ready(String(lockFile));
  await run.event("initialized", { agent: "raw" });
  await agent.request("ping");
  run.signal("SIGTERM");
  expect(await run.exited).toBe(143);
  expect(run.events.some((event) => event["event"] === "done")).toBe(false);
  expectValid(run);
});

test("a start that fails prints an event as well", async () => {
  const fixture = openFixture();
  const run = new CliRun(fixture, { args: ["serve", "missing", "--script"] });
  expect(await run.exited).toBe(1);
  expect(run.events).toHaveLength(1);
  expect(run.events[0]).toMatchObject({ event: "error", seq: 1 });
  expect(run.events[0]?.["message"]).toContain(join(fixture.workspace, "missing"));
});
