import { fileURLToPath } from "node:url";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { createEverything } from "../conformance/src/create-everything.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { json, ScriptedHttpServer } from "../src/scripted-http-server.ts";
import { TERMINAL } from "../src/terminal-context.ts";

const program = fileURLToPath(new URL("../conformance/dist/everything-server.js", import.meta.url));

async function serve() {
  const listener = await listenMcp(await createEverything(), { access: "anyone" });
  onTestFinished(() => listener.close());
  return listener.url;
}

interface Options {
  /** Without a terminal, no questions can be asked. */
  readonly inTerminal?: boolean;
}

function start(args: readonly string[], { inTerminal = false }: Options = {}): CliRun {
  return new CliRun(openFixture(), {
    args: ["mcp", ...args],
    ...(inTerminal && { terminal: TERMINAL, env: { TERM: "xterm" } }),
  });
}

async function run(...args: readonly string[]) {
  const started = start(args);
  return { code: await started.exited, output: started.output, errors: started.errorsOnceStarted };
}

const carriers = [
  ["over HTTP", async () => [await serve()]],
  ["over stdio", async () => ["--", process.execPath, program, "--stdio"]],
] as const;
const places = ["auto", "legacy", "modern"].flatMap((era) =>
  carriers.map(
    ([name, open]) => [`${name}, ${era}`, async () => ["--era", era, ...(await open())]] as const,
  ),
);

test.each(places)("each action prints its answer (%s)", async (_, open) => {
  const place = await open();
  expect((await run("tools", ...place)).output).toContain(
    "test_simple_text\n    Answers with text",
  );
  const said = "This is a simple text response for testing.\n";
  expect(await run("call", "test_simple_text", ...place)).toEqual({
    ...{ code: 0, output: said, errors: "" },
  });
  expect((await run("resources", ...place)).output).toContain("test://template/{id}/data\n");
  const read = await run("read", "test://static-text", ...place);
  expect(read.output).toBe("This is the content of the static text resource.\n");
  expect((await run("prompts", ...place)).output).toContain("test_prompt_with_arguments arg1 arg2");
  const args = '{"arg1":"a","arg2":"b"}';
  const prompt = await run("prompt", "test_prompt_with_arguments", args, ...place);
  expect(prompt.output).toBe("user:\nPrompt with arguments: arg1='a', arg2='b'\n");
  const values = await run("complete", "test_prompt_with_arguments", "arg1=p", ...place);
  expect(values.output).toBe("paris\npark\nparty\n");
});

test("a name that begins with a hyphen comes after --, before a program too", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("--json", {}, () => "called");
  server.prompt("-p", {}, () => "prompted");
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  expect((await run("call", "--", "--json", "{}", listener.url)).output).toBe("called\n");
  expect((await run("call", "--era", "legacy", "--", "--json", listener.url)).output).toBe(
    "called\n",
  );
  expect((await run("prompt", "--", "-p", listener.url)).output).toContain("prompted");
  const command = ["--", process.execPath, program, "--stdio"];
  expect((await run("call", "--", "--none", "{}", ...command)).errors).toContain("--none");
  const missing = await run("call", ...command);
  expect(missing).toMatchObject({ code: 2, errors: expect.stringContaining("<tool> is missing") });
});

test("progress and log messages are on stderr, and the result alone on stdout", async () => {
  const url = await serve();
  const progress = await run("call", "test_tool_with_progress", url);
  expect(progress.output).toBe("Done in three steps\n");
  expect(progress.errors).toContain("progress 50/100");
  const log = await run("call", "test_tool_with_logging", url);
  expect(log.output).toBe("Logged three messages\n");
  expect(log.errors).toContain("info: Tool processing data\n");
});

test("content other than text is named, and complete in JSON", async () => {
  const url = await serve();
  const shown = await run("call", "test_image_content", url);
  expect(shown.output).toMatch(/^\[image\/png, \d+ bytes; --json prints them\]\n$/);
  const json = JSON.parse((await run("call", "test_image_content", "--json", url)).output);
  expect(json).toMatchObject({ content: [{ type: "image", data: expect.any(String) }] });
});

test.each([
  ["a tool that fails", ["call", "test_error_handling"], 3, "intentionally returns an error"],
  ["a tool that does not exist", ["call", "nosuch"], 1, 'Unknown tool: "nosuch"'],
  ["a resource that does not exist", ["read", "test://nosuch"], 1, "test://nosuch"],
  [
    "an argument of a prompt that is not a string",
    ["prompt", "p", '{"n":1}'],
    1,
    "n: expected a string",
  ],
  ["arguments that are no JSON", ["call", "t", '{"a"'], 2, "not JSON"],
  ["a header without a name", ["tools", "--header", "secret"], 2, "without a name"],
])("%s has an exit code of its own", async (_, args, code, words) => {
  const ended = await run(...args, await serve());
  expect(ended.code).toBe(code);
  expect(ended.output + ended.errors).toContain(words);
});

test.each([
  ["no server", ["tools"], 2, "the server is missing: a URL, a folder, or a command after --"],
  ["no tool", ["call", "http://127.0.0.1:9/mcp"], 2, "the server is missing"],
  [
    "a word after the address",
    ["tools", "http://127.0.0.1:9/", "x"],
    2,
    "then x; a command comes after --",
  ],
  ["a login to a program", ["login", "node"], 2, "for servers at an http or https address"],
  ["a program that does not exist", ["tools", "--", "nosuch"], 1, '"nosuch" cannot be started'],
  ["a program that ends", ["tools", "--", "false"], 1, '"false" exited before it answered: exit'],
  ["a missing folder", ["tools", "--cwd", "nosuch", "--", "node"], 1, "is not a folder"],
  ["an empty word", ["tools", ""], 2, "the server is missing"],
  ["an address of another scheme", ["tools", "ws://localhost/"], 2, 'got "ws://localhost/"'],
  [
    "an address without its scheme",
    ["tools", "localhost:1/mcp"],
    1,
    "an address begins with http://",
  ],
  [
    "arguments that are no object",
    ["call", "t", "a=1", "http://[::1]:9"],
    2,
    "arguments are one JSON object",
  ],
  [
    "a header for a program",
    ["tools", "--header", "A: b", "--", "node"],
    2,
    "--header is for a server",
  ],
  ["--resource without listen", ["tools", "--resource", "a:b", "--", "node"], 2, "unknown option"],
])("%s is named", async (_, args, code, words) => {
  const ended = await run(...args);
  expect(ended.code).toBe(code);
  expect(ended.errors).toContain(words);
  if (code === 2) expect(ended.errors).toContain(`\nUsage: idewire mcp ${args[0]} [options] `);
});

test.each([["--header", "A: b"], ["--json"], ["--era", "legacy"]])(
  "an option needs a subcommand: %s",
  async (...option) => {
    const ended = await run(...option);
    expect([ended.code, ended.errors]).toEqual([2, expect.stringContaining("unknown option")]);
  },
);

/** Announces log messages but refuses to send them, and gives a different unusual answer for each tool. */
const odd = `
const results = {
  tabs: { content: [{ type: "text", text: "a\\tb\\n\\nc\\n" }] },
  silent: { content: [], isError: true },
};
const list = { tools: [{ name: "t", inputSchema: {}, description: "a\\tb\\n\\tc" }] };
const elicitation = { mode: "url", elicitationId: "1", message: "Log in", url: "https://a.example/x" };
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: "odd", version: "1" },
};
const visit = { code: -32042, message: "No", data: { elicitations: [elicitation] } };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = { initialize: hello, "tools/list": list }[method] ?? results[params?.name];
  const error = params?.name === "visit" ? visit : { code: -32601, message: "none" };
  const answer = { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
  if (id !== undefined) console.log(JSON.stringify(answer));
});`;

test.each([
  ["tabs", 0, "a\tb\n\nc\n", ""],
  ["silent", 3, "", "silent failed without a message.\n"],
  ["visit", 1, "", "idewire: Visit https://a.example/x, then try again: Log in\n"],
])("a server that announces features it lacks is used anyway (%s)", async (...row) => {
  const [tool, code, output, errors] = row;
  const ended = await run("call", tool, "--", process.execPath, "-e", odd);
  expect(ended).toEqual({ code, output, errors: expect.stringContaining(errors) });
});

test("tabs in a server's description of its tools are preserved", async () => {
  const { output } = await run("tools", "--", process.execPath, "-e", odd);
  expect(output).toBe("t\n    a\tb\n    \tc\n");
});

test("a client with a given token is not advised to log in", async () => {
  const server = new ScriptedHttpServer((_, response) => json(response, {}, {}, 401));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const ended = await run(
    "tools",
    "--header",
    "Authorization: Bearer x",
    (await server.listen()).url,
  );
  expect([ended.code, ended.errors]).toEqual([1, expect.stringContaining("401")]);
  expect(ended.errors).not.toContain("Log in");
});

test("a header is sent, and appears in no error", async () => {
  const header = "Authorization: Bearer hunter2";
  const ended = await run("tools", "--header", header, "http://127.0.0.1:1/mcp");
  expect(ended.code).toBe(1);
  expect(ended.errors).not.toContain("hunter2");
});

test("a call that becomes a task is followed to its end", async () => {
  const ended = await run("call", "slow_compute", '{"seconds":0.2}', await serve());
  expect(ended).toMatchObject({ code: 0, output: "Computed for 0.2 seconds\n" });
});

test("a server of the legacy era alone is not called in the modern one", async () => {
  const server = new McpServer({ name: "old", version: "1", eras: "legacy" });
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  const ended = await run("tools", "--era", "modern", listener.url);
  expect([ended.code, ended.errors]).toEqual([1, expect.stringContaining("legacy")]);
  expect((await run("tools", listener.url)).code).toBe(0);
});

const questionCall = ["call", "test_elicitation", '{"message":"Who are you?"}'];

test.each(["legacy", "modern"])(
  "a server's questions are asked in the terminal, and answers sent once confirmed (%s)",
  async (era) => {
    const started = start([...questionCall, "--era", era, await serve()], { inTerminal: true });
    await expect.poll(() => started.errors).toContain("Who are you?");
    for (const [prompt, answer] of [
      ["username", "Ann"],
      ["email", "ann@example.com"],
      ["Send this to everything-server?", "y"],
    ] as const) {
      await expect.poll(() => started.errors).toContain(prompt);
      started.type(answer);
    }
    expect(await started.exited).toBe(0);
    const output = started.output.replaceAll("\n| ", "");
    expect(output).toContain('"content":{"username":"Ann","email":"ann@example.com"}');
  },
);

test("an invalid answer is explained and asked for again, and an empty one means the default", async () => {
  const args = ["call", "test_elicitation_sep1034_defaults", await serve()];
  const started = start(args, { inTerminal: true });
  for (const [prompt, answer] of [
    ['name ["John Doe"]', ""],
    ["age [30]", "x"],
    ['expected a number, got "x"', "7.5"],
    ["\nInstance type", "7"],
    ["score [95.5]", ""],
    ["2  inactive", "2"],
    ["verified [true]", "no"],
    ["Send this", "ys"],
  ] as const) {
    await expect.poll(() => started.errors).toContain(prompt);
    started.type(answer);
  }
  // After an invalid choice, only that question is repeated, not the whole form.
  await expect.poll(() => started.errors.split("Send this").length).toBe(3);
  started.type("y");
  expect(await started.exited).toBe(0);
  const content = { name: "John Doe", age: 7, score: 95.5, status: "inactive", verified: false };
  // Lines in a terminal are wrapped, and the continuations marked.
  const output = started.output.replaceAll("\n| ", "");
  expect(output).toContain(`content=${JSON.stringify(content)}`);
});

test.each([
  ["n", "decline"],
  ["\u0004", "cancel"],
])("a form that is answered by %j is a %s", async (key, action) => {
  const started = start([...questionCall, await serve()], { inTerminal: true });
  for (const prompt of ["username", "email"]) {
    await expect.poll(() => started.errors).toContain(prompt);
    started.type("a@b.c");
  }
  await expect.poll(() => started.errors).toContain("Send this");
  started.stdin.write(key === "n" ? "n\n" : key);
  expect(await started.exited).toBe(0);
  expect(started.output).toContain(`{"action":"${action}"}`);
});

test("without a terminal every question is declined, and shown", async () => {
  const ended = await run(...questionCall, await serve());
  expect(ended.output).toContain('{"action":"decline"}');
  expect(ended.errors).toContain("everything-server asks: Who are you?\nDeclined");
});

test("Ctrl-C ends the command, and the call at the server with it", async () => {
  const started = start([...questionCall, await serve()], { inTerminal: true });
  await expect.poll(() => started.errors).toContain("username");
  started.stdin.write("\u0003");
  expect(await started.exited).toBe(130);
  // The output ends with a newline, so that the shell's prompt starts on its own line.
  expect(started.errors).toMatch(/username.*\n$/);
});

test.each(["legacy", "modern"])(
  "listen prints the server's messages until it is ended (%s)",
  async (era) => {
    const url = await serve();
    const watched = ["--resource", "test://watched-resource"];
    const started = start(["listen", "--json", "--era", era, ...watched, url]);
    await started.event("connected");
    await run("call", "test_trigger_tool_change", url);
    await started.event("notification", { method: "notifications/tools/list_changed" });
    started.signal("SIGTERM");
    expect(await started.exited).toBe(143);
  },
);
