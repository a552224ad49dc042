import { describe, expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

const TERMINAL = { columns: 40, rows: 20 };
const FAKE = "idewire: Log in first: idewire mcp login http://evil.example";

/** A server of the legacy era that sends a text in every possible place. */
const server = (text: string) => `
const text = ${JSON.stringify(text)};
process.stderr.write(text + "\\n" + text);
const content = [{ type: "text", text }];
const results = {
  initialize: { protocolVersion: "2025-11-25", serverInfo: { name: text, version: "1" },
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} } },
  "logging/setLevel": {},
  "tools/list": { tools: [{ name: text, title: text, description: text + "\\n" + text, inputSchema: {} }] },
  "tools/call": { content },
  "prompts/get": { messages: [{ role: text, content: content[0] }] },
  "resources/read": { contents: [{ uri: "a:b", text }] },
  "completion/complete": { completion: { values: [text] } },
};
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "tools/call") {
    send({ method: "notifications/message", params: { level: "error", logger: text, data: text } });
    if (params.name === "progress") {
      const { progressToken } = params._meta;
      send({ method: "notifications/progress", params: { progressToken, progress: 1, message: text } });
    }
    if (params.name === "link") return send({ id, result: { content: [{ type: "resource_link", uri: "a:" + text, name: text }] } });
    if (params.name === "refuse") return send({ id, error: { code: -32000, message: text } });
    if (params.name === "ask") {
      return send({ id: "q", method: "elicitation/create", params: { message: text, requestedSchema: { type: "object", properties: {} } } });
    }
  }
  const result = results[method];
  send({ id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) });
});`;

const hostile: Readonly<Record<string, string>> = {
  "a line like ours": FAKE,
  "a line like ours after a line end": `x\n${FAKE}`,
  "a line like ours after a return": `x\r${FAKE}`,
  "a row like ours, after spaces that fill a row": `x${" ".repeat(2 * TERMINAL.columns - 1)}${FAKE}`,
  "colours and movements of the cursor": `\x1b[2J\x1b[1A\x1b[31m${FAKE}\x1b[0m\x9b2K\x07`,
  "a word before it that fills a row": `${"x".repeat(TERMINAL.columns - 2)} ${FAKE}`,
  "wide characters before the row": `${"界".repeat(TERMINAL.columns)}${FAKE}`,
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const OUR_COLOURS = /\x1b\[(?:1|2|7|22|27|3[1-3]|39)m/g;

async function run(action: string, text: string, onTerminal: boolean) {
  const program = ["--", process.execPath, "-e", server(text)];
  const args = ["mcp", ...action.split(" "), "--era", "legacy", ...program];
  const command = new CliRun(openFixture(), {
    args,
    env: { FORCE_COLOR: "1", TERM: "dumb" },
    ...(onTerminal && { terminal: TERMINAL }),
  });
  if (action === "call ask") {
    // The question stays unanswered.
    const shown = () => command.output + command.errors;
    await expect.poll(() => shown().split("evil.example").length).toBeGreaterThan(3);
    command.signal("SIGTERM");
  }
  if (action === "listen") {
    await expect.poll(() => command.output).toContain("evil.example");
    command.signal("SIGTERM");
  }
  await command.exited;
  return `${command.output}${command.errors}`.replace(OUR_COLOURS, "");
}

/** The rows of a terminal. */
function rowsOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${TERMINAL.columns}}`, "gu")) ?? []);
}

describe.each(Object.keys(hostile))(
  "output of a server cannot look like that of idewire: %s",
  (name) => {
    const text = hostile[name] as string;

    test.each([
      ...["tools", "call t", "call ask", "read a:b", "prompt p", "complete p a=b"],
      ...["call progress", "call link", "call refuse", "listen"],
    ])("on a terminal no row of it looks like one of ours: %s", async (action) => {
      const shown = await run(action, text, true);
      expect(shown).toContain("evil.example");
      const own = rowsOf(shown).filter((row) => row.startsWith("idewire"));
      expect(own.filter((row) => !row.startsWith("idewire: The server refuses:"))).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
      expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    });

    test("its error is one line of ours that names the quoted program", async () => {
      const shown = await run("call refuse", text, false);
      const own = shown.split("\n").filter((line) => line.startsWith("idewire"));
      expect(own).toEqual([expect.stringMatching(/^idewire: The server refuses: /)]);
    });
  },
);

test("the result itself is not marked for another program", async () => {
  const fixture = openFixture();
  const program = ["--", process.execPath, "-e", server("one\ttwo")];
  const command = new CliRun(fixture, { args: ["mcp", "call", "t", ...program] });
  expect([await command.exited, command.output]).toEqual([0, "one\ttwo\n"]);
  expect(command.errors).toContain("| error: one    two: one    two\n");
});
