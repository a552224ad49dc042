import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RawClient } from "../src/raw-client.ts";
import { joinAs, openTerminal, propose, TERMINAL, textsOf } from "../src/terminal-context.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/;
const HOSTILE = "\x1b[2J\x1b]0;pwned\x07\x9b31m\r\b\u202e";

test("no text of an agent can control the terminal", async () => {
  for (const terminal of [undefined, TERMINAL]) {
    // The bell and the title have their own test.
    const args = ["serve", "--quiet"];
    const { run, lockFile, fixture } = await openTerminal({ args, ...(terminal && { terminal }) });
    const from = run.output.length;
    const agent = await joinAs(lockFile, `agent${HOSTILE}`);
    await agent.request(`method${HOSTILE}`, {});
    await agent.callTool("getDiagnostics", { uri: `file:///x${HOSTILE}` });
    await agent.request("tools/call", { name: `tool${HOSTILE}`, arguments: {} });
    const path = join(fixture.workspace, `file${HOSTILE}.md`);
    void propose(agent, path, `text${HOSTILE}\n`, `title${HOSTILE}`).catch(() => undefined);
    await run.shows("accept, edit or reject?", from);
    run.type("sessions");
    run.type("diffs");
    run.type("accept");
    const shown = await run.shows("Accepted", from);
    // Our own colours, and the sequences with which readline draws its prompt.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    const own = /\x1b\[\d+m|\x1b\[\d*[AGJ]|\r\n|\r/g;
    expect(shown.replace(own, "")).not.toMatch(CONTROLS);
    expect(shown).toContain("title␛[2J␛]0;pwned␇\\u009b31m␍␈\\u202e");
    agent.socket.terminate();
  }
});

test("without a terminal, with NO_COLOR or a dumb one there are no escape sequences at all", async () => {
  for (const options of [
    {},
    { terminal: TERMINAL, env: { TERM: "dumb" } },
    { env: { FORCE_COLOR: "1", NO_COLOR: "1" } },
  ]) {
    const { run, lockFile, fixture } = await openTerminal(options);
    const agent = await joinAs(lockFile, "claude-code");
    void propose(agent, join(fixture.workspace, "plan.md"), "# Other\n").catch(() => undefined);
    await run.shows("accept, edit or reject?");
    run.type("accept");
    await run.shows("Accepted");
    expect(run.output).not.toMatch(CONTROLS);
    expect(run.output).not.toContain("idewire>");
    agent.socket.terminate();
  }
});

test("output during typing is printed above, and the typed text is drawn again", async () => {
  const { run, lockFile } = await openTerminal({ terminal: TERMINAL });
  await run.shows("idewire> ");
  run.stdin.write("open pla");
  await run.shows("open pla");
  const from = run.output.length;
  await joinAs(lockFile, "claude-code");
  const shown = await run.shows("idewire> open pla", from);
  expect(shown.indexOf("is connected\n")).toBeLessThan(shown.indexOf("idewire> open pla"));
  run.stdin.write("\t");
  await run.shows("n.md", from + shown.length);
  run.stdin.write("\r");
  await run.shows("The active file is plan.md.");
});

test("an answer typed for a change that ended meanwhile is not applied to the next", async () => {
  const { run, lockFile, fixture } = await openTerminal({ terminal: TERMINAL });
  const agent = await joinAs(lockFile, "claude-code");
  void propose(agent, join(fixture.workspace, "a.md"), "a\n", "tab a");
  await run.shows("[1]");
  const second = propose(agent, join(fixture.workspace, "b.md"), "b\n", "tab b");
  await run.shows("[2/2]");
  run.stdin.write("acce");
  await run.shows("acce");
  await agent.callTool("close_tab", { tab_name: "tab a" });
  await run.shows("was answered in its agent, which does not report the answer.");
  run.stdin.write("pt\r");
  await run.shows("A diff was closed while you typed. Check the list, then repeat the command.");
  run.stdin.write("reject\r");
  expect(textsOf(await second)).toEqual(["DIFF_REJECTED"]);
});

test("Ctrl-C discards the typed text, then ends; Ctrl-D ends; the lock file is removed", async () => {
  const interrupted = await openTerminal({ terminal: TERMINAL });
  interrupted.run.stdin.write("garbage\x03");
  await RawClient.ready(interrupted.lockFile);
  interrupted.run.stdin.write("\x03");
  expect(await interrupted.run.exited).toBe(130);
  expect(existsSync(interrupted.lockFile)).toBe(false);

  const ended = await openTerminal({ terminal: TERMINAL });
  ended.run.stdin.write("\x04");
  expect(await ended.run.exited).toBe(0);
  expect(ended.run.output).toContain("Stopped; the lock file has been removed.");
});

test("it keeps serving without any input, and ends with an input that has sent something", async () => {
  const silent = await openTerminal();
  silent.run.stdin.end();
  await RawClient.ready(silent.lockFile);
  silent.run.signal("SIGTERM");
  expect(await silent.run.exited).toBe(143);

  const piped = await openTerminal();
  piped.run.stdin.end("open plan.md\n");
  expect(await piped.run.exited).toBe(0);
  expect(piped.run.output).toContain("The active file is plan.md.");
});

test("a proposal of 5 MB is shown page by page, and its long lines in part", async () => {
  const { run, lockFile, fixture } = await openTerminal({ terminal: TERMINAL });
  const agent = await joinAs(lockFile, "claude-code");
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index} ${"x".repeat(40)}`);
  const long = `${"long ".repeat(100_000)}\n`;
  const from = run.output.length;
  void propose(agent, join(fixture.workspace, "big.txt"), long + lines.join("\n")).catch(
    () => undefined,
  );
  const shown = await run.shows("more lines: type more", from);
  expect(shown.length).toBeLessThan(5_000);
  expect(shown).toContain("…(499600 characters)…");
  expect(shown).toContain("… 99986 more lines: type more");
  run.stdin.write("more\r");
  await run.shows("… 99971 more lines: type more", from);
});

test("the requests of a flooding agent are shown in few lines", async () => {
  const { run, lockFile } = await openTerminal();
  const agent = await joinAs(lockFile, "claude-code");
  for (let id = 0; id < 500; id++) {
    agent.send({ jsonrpc: "2.0", id, method: `noise/${id}`, params: {} });
  }
  await agent.request("ping", {});
  expect(run.output.split("\n").length).toBeLessThan(40);
});
