import * as v from "valibot";
import { expect, test } from "vitest";
import type { Params } from "../../rpc/message.ts";
import { joinInMemory } from "../../testing/join-in-memory.ts";
import { McpServer } from "./server.ts";
import type { McpServerOptions } from "./server-options.ts";

const open = (options: Partial<McpServerOptions> = {}) =>
  new McpServer({ name: "s", version: "1", ...options });
const handler = () => "";

test.each<[string, () => unknown, string]>([
  ["an unknown option", () => open({ tools: [] } as never), 'McpServer: unknown option "tools"'],
  ["an unknown era", () => open({ eras: "old" } as never), "McpServer, eras: expected"],
  ["an invalid callback", () => open({ around: 5 } as never), "McpServer, around: expected a"],
  [
    "a tool's visibility that is not a function",
    () => open().tool("t", { visible: true } as never, handler),
    'tool "t", visible: expected a function, got true',
  ],
  [
    "a second tool of one name",
    () => {
      const server = open();
      for (const _ of [1, 2]) server.tool("t", {}, handler);
    },
    'There is a tool "t" already',
  ],
  ["no name", () => new McpServer({ version: "1" } as never), "McpServer, name: expected a text"],
  ["no version", () => new McpServer({ name: "s" } as never), "McpServer, version: expected"],
  ["a tool without a name", () => open().tool("", {}, handler), "tool: expected a text"],
  [
    "a tool's unknown option",
    () => open().tool("t", { inputs: {} } as never, handler),
    'tool "t": unknown option "inputs"',
  ],
  [
    "an invalid schema of a tool",
    () => open().tool("t", { input: { city: v.string() } } as never, handler),
    'tool "t", input: expected a Standard Schema or JSON Schema',
  ],
  [
    "a tool's schema of another type",
    () => open().tool("t", { input: v.string() }, handler),
    'tool "t", input: expected a schema of an object, got "string"',
  ],
  [
    "a tool's schema that refers elsewhere",
    () => open().tool("t", { output: { $ref: "https://x.test/" } }, handler as never),
    'tool "t", output: $ref "https://x.test/" does not refer to the schema itself',
  ],
  [
    "an invalid handler of a tool",
    () => open().tool("t", {}, "handler" as never),
    'tool "t", handler: expected a function, got "handler"',
  ],
  [
    "a resource without a name",
    () => open().resource("x:a", {} as never, handler),
    'resource "x:a", name: expected a text',
  ],
  [
    "a resource's template that cannot be matched",
    () => open().resource("x:{?a}", { name: "x" }, handler),
    "of the template",
  ],
  [
    "a resource's template with an open brace",
    () => open().resource("x:{a", { name: "x" }, handler),
    '"x:{a" of the template',
  ],
  [
    "a prompt's list of arguments, as the protocol has it",
    () => open().prompt("p", { arguments: [{ name: "city" }] } as never, handler),
    'prompt "p", argument "0": unknown option "name"',
  ],
  [
    "a prompt's unknown option",
    () => open().prompt("p", { args: {} } as never, handler),
    'prompt "p": unknown option "args"',
  ],
])("%s is refused at once, by name", (_, act, message) => {
  expect(act).toThrow(message);
  expect(act).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a number", 5],
  ["an object without content", { celsius: 20 }],
])("a tool that answers %s is reported by its name", async (_, answer) => {
  const errors: string[] = [];
  const server = open({ onerror: ({ message }) => void errors.push(message) });
  server.tool("t", {}, () => answer as never);
  const { client } = await joinInMemory(server, undefined);
  expect(await client.callTool("t")).toMatchObject({ isError: true });
  expect(errors).toEqual([expect.stringContaining('The result of tool "t": expected a string')]);
});

test.each<[string, (server: McpServer) => void, string, Params]>([
  [
    "resource",
    (server) => void server.resource("x:a", { name: "a" }, () => 5 as never),
    "resources/read",
    { uri: "x:a" },
  ],
  [
    "prompt",
    (server) => void server.prompt("p", {}, () => 5 as never),
    "prompts/get",
    { name: "p" },
  ],
])(
  "a %s that answers another value is reported, and is -32603",
  async (kind, add, method, params) => {
    const errors: string[] = [];
    const server = open({ onerror: ({ message }) => void errors.push(message) });
    add(server);
    const { client } = await joinInMemory(server, undefined);
    const refused = { code: -32_603, message: "Internal error" };
    await expect(client.peer.request(method, params)).rejects.toMatchObject(refused);
    expect(errors).toEqual([expect.stringContaining(`The result of ${kind}`)]);
  },
);
