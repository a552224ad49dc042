import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { recordTwoAgents } from "../src/recorded-agents.ts";

test("two agents of one recording are compared: handshake first, then the messages of each", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  const { code, output, errors } = await context.run("trace", "compare", file);
  expect([code, errors]).toEqual([1, ""]);
  const places = [
    `A  ${file}: claude-code `,
    `B  ${file}: opencode `,
    "≠ agent/clientInfo/name",
    'A "claude-code"',
    'B "opencode"',
    "Tools: only A lists them (11); in B they were not requested",
    "Messages: ",
    "- agent → editor  tools/call openDiff  event ",
  ].map((text) => output.indexOf(text));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect([...places].sort((a, b) => a - b)).toEqual(places);

  const json = await context.run("trace", "compare", file, "--json");
  expect(JSON.parse(json.output)).toMatchObject({
    ...{ same: false, a: { connection: "c1" }, b: { connection: "c2" } },
    handshake: expect.arrayContaining([
      expect.objectContaining({ who: "agent", path: "/clientInfo/name", b: "opencode" }),
    ]),
  });
});

test("a session equals itself until its editor loses a tool", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  expect(await context.run("trace", "compare", file, file)).toMatchObject({
    code: 0,
    output: expect.stringContaining("✓  they are the same: handshake, lists, and "),
  });
  const other = join(context.folder, "other.jsonl");
  writeFileSync(other, readFileSync(file, "utf8").replaceAll("closeAllDiffTabs", "closeTabs"));
  const { code, output } = await context.run("trace", "compare", file, other);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^Handshake: the same\n\nTools\n {2}- closeAllDiffTabs\n {2}\+ closeTabs$/m,
  );
});

test("a session that cannot be compared is reported, with the available ones", async () => {
  const context = new AgentContext();
  const file = await recordTwoAgents(context);
  const named = await context.run("trace", "compare", file, "--connection-b", "c7");
  expect(named).toMatchObject({
    code: 2,
    errors: `${file}: it has no connection c7, only c1, c2\n`,
  });
  const empty = context.fixture.file("empty.jsonl", '{"idewire":"trace/1"}\n');
  const none = await context.run("trace", "compare", file, empty);
  expect(none).toMatchObject({ code: 2, errors: `${empty}: it has no frames\n` });
  const har = context.fixture.file("x.har", '{"log":{"entries":[]}}');
  expect((await context.run("trace", "compare", har)).errors).toContain("no WebSocket messages");
});

test("numbers beyond 2^53 that differ are printed by their digits, for people and for programs", async () => {
  const context = new AgentContext();
  const lines = ["9007199254740992", "9007199254740993"].map(
    (digits, at) =>
      `{"t":${at},"ev":"frame","ch":"c${at}","dir":"agent>ide","raw":"{\\"method\\":\\"x\\",\\"params\\":{\\"n\\":${digits}}}"}`,
  );
  const file = join(context.folder, "long.jsonl");
  writeFileSync(file, ['{"idewire":"trace/1"}', ...lines, ""].join("\n"));
  const shown = await context.run("trace", "compare", file);
  expect(shown.code).toBe(1);
  for (const { output } of [shown, await context.run("trace", "compare", file, "--json")]) {
    expect(output).toMatch(/9007199254740992.*9007199254740993/s);
    expect(output).not.toContain("isLossless");
  }
});
