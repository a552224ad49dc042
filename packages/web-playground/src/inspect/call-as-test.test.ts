import { expect, test } from "vitest";
import { callAsTest } from "./call-as-test.ts";

const url = `https://example.com/mcp?a='$${"{process.exit()}"}'`;

test("a call over HTTP is a test with our client, which pins the result or the error", () => {
  const params = { name: "sum", arguments: { a: 1 } };
  const call = { target: { url }, method: "tools/call", params };
  const text = callAsTest({ ...call, answer: { result: { content: [] } } });
  expect(text).toContain(`connectMcp(${JSON.stringify(url)}, { name: "test", version: "1" })`);
  expect(text).toContain(
    'expect(await client.callTool("sum", {"a":1})).toMatchObject({"content":[]});',
  );
  expect(callAsTest({ ...call, answer: { error: { code: -32602 } } })).toContain(
    'await expect(client.callTool("sum", {"a":1})).rejects.toMatchObject({ code: -32602 });',
  );
});

test("a program is started, and no text of a server runs as code", () => {
  const target = { command: "node", args: ["`a`.js", '"; process.exit(); "'] };
  const params = JSON.parse('{"uri":"\\u2028`$\\u007b1}`\\"","__proto__":{"a":1}}');
  const text = callAsTest({ target, method: "resources/read", params });
  expect(text).toContain(
    'spawnMcp({ command: "node", args: ["`a`.js","\\"; process.exit(); \\""] }',
  );
  const [, call = ""] =
    /client\.request\("resources\/read", ([\s\S]*)\)\)\.toBeDefined/.exec(text) ?? [];
  const value: unknown = new Function(`return ${call}`)();
  expect(JSON.stringify(value)).toBe(JSON.stringify(params));
});
