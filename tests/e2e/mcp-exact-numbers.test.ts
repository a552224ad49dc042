import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** A server of the legacy era that returns the text of its arguments, unparsed, as a number in a JSON text. */
const server = `
const hello = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const [, args] = /"arguments":(\\{.*\\}),"_meta"/.exec(line) ?? /"arguments":(\\{.*\\})\\}/.exec(line) ?? [];
  const result = method === "initialize" ? JSON.stringify(hello)
    : method === "tools/call" ? '{"content":[],"structuredContent":' + args + "}" : undefined;
  if (result) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + "}\\n");
});`;

async function call(args: string, ...flags: readonly string[]) {
  const program = ["--", process.execPath, "-e", server];
  const words = ["mcp", "call", "t", args, "--era", "legacy", ...flags, ...program];
  const command = new CliRun(openFixture(), { args: words });
  return { code: await command.exited, output: command.output, errors: command.errorsOnceStarted };
}

test.each([
  '{"id":9007199254740993}',
  '{"id":-9223372036854775808,"of":[18446744073709551615]}',
  '{"price":0.12345678901234567890123,"big":1e400}',
  '{"a":{"b":[{"c":123456789012345678901234567890}]},"text":"9007199254740993","n":7}',
  '{"id":9007199254740993,"__proto__x":1}',
])("arguments and results keep the spelling of their numbers: %s", async (args) => {
  expect(await call(args)).toEqual({ code: 0, output: `${args}\n`, errors: "" });
  const { output } = await call(args, "--json");
  expect(output).toContain(args);
});

test("a number that a tool of an editor would compute with is refused unless it is exact", async () => {
  const args = ["call", "openFile", '{"filePath":"/a","line":9007199254740993}'];
  const command = new CliRun(openFixture(), { args });
  expect(await command.exited).toBe(2);
  expect(command.errors).toContain("9007199254740993");
});
