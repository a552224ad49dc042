import { readdirSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  serverInfo: { name: "s", version: "1" },
};
const logging = { ...hello, capabilities: { tools: {}, logging: {} } };

/** Runs an action against a server with sessions and all features. */
async function run(args: readonly string[], answer: ScriptedAnswer, handshake = hello as object) {
  const all: ScriptedAnswer = (seen, response) =>
    seen.message.method === "initialize"
      ? json(response, result(seen.message.id, handshake))
      : answer(seen, response);
  const server = await new ScriptedHttpServer(withSessions(all)).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const command = new CliRun(openFixture(), { args: ["mcp", ...args, server.url] });
  return { code: await command.exited, output: command.output, errors: command.errors };
}

/** A server that gives this answer to one method. */
function answering(method: string, answer: object): ScriptedAnswer {
  return ({ message }, response) =>
    message.method === method ? json(response, result(message.id, answer)) : false;
}

const call = ["call", "t"];

test.each<[string, readonly string[], string, object, string]>([
  ["a result without content", call, "tools/call", { x: 1 }, 'with {"x":1}'],
  ["content that is null", call, "tools/call", { content: [null] }, "has null in its content"],
  ["text without text", call, "tools/call", { content: [{ type: "text" }] }, '{"type":"text"}'],
  ["bytes without data", call, "tools/call", { content: [{ type: "image" }] }, '"image"'],
  ["a tool that is null", ["tools"], "tools/list", { tools: [null] }, "tools/list"],
  [
    "an invalid description",
    ["tools"],
    "tools/list",
    { tools: [{ name: "t", inputSchema: {}, description: 2 }] },
    '"description":2',
  ],
  ["a prompt that is null", ["prompts"], "prompts/list", { prompts: [null] }, "has null"],
  ["a message that is null", ["prompt", "p"], "prompts/get", { messages: [null] }, "has null"],
  ["a resource that is null", ["resources"], "resources/list", { resources: [null] }, "has null"],
  ["contents without any", ["read", "x:y"], "resources/read", { contents: [{}] }, "has {}"],
  [
    "a value that is not a string",
    ["complete", "p", "a=b"],
    "completion/complete",
    { completion: { values: [1] } },
    "has 1",
  ],
])("%s is named with its method", async (_, args, method, answer, words) => {
  const { code, errors } = await run(args, answering(method, answer));
  expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
  expect(errors).toContain(method);
});

const three = (description: unknown) =>
  [
    ["a", "A"],
    ["b", description],
    ["c", "C"],
  ].map(([name, words]) => ({
    ...{ name, inputSchema: {}, description: words },
  }));
const good = { type: "text", text: "good" };

test.each<[string, readonly string[], string, object, string, string]>([
  [
    "an endless cursor",
    ["tools"],
    "tools/list",
    { tools: [{ name: "t", inputSchema: {} }], nextCursor: "c" },
    "t\n",
    "repeats",
  ],
  [
    "an empty list with an endless cursor",
    ["tools"],
    "tools/list",
    { tools: [], nextCursor: "c" },
    "",
    "repeats",
  ],
  [
    "one description that is null",
    ["tools"],
    "tools/list",
    { tools: three(null) },
    "a\n    A\nb\nc\n    C\n",
    "",
  ],
  [
    "one description that is a number",
    ["tools"],
    "tools/list",
    { tools: three(2) },
    "a\n    A\nc\n    C\n",
    '"description":2',
  ],
  [
    "one tool that is null",
    ["tools"],
    "tools/list",
    { tools: [null, ...three("B").slice(2)] },
    "c\n    C\n",
    "has null",
  ],
  [
    "structuredContent without content",
    call,
    "tools/call",
    { structuredContent: { x: 1 } },
    '{"x":1}\n',
    "no content",
  ],
  [
    "structuredContent beside content that is null",
    call,
    "tools/call",
    { content: null, structuredContent: [1] },
    "[1]\n",
    "no content",
  ],
  [
    "one bad item of three",
    call,
    "tools/call",
    { content: [good, { type: "text" }, good] },
    "good\ngood\n",
    '{"type":"text"}',
  ],
  [
    "bytes whose type is null",
    call,
    "tools/call",
    { content: [{ type: "image", data: "AA==", mimeType: null }] },
    "[bytes, 1 bytes; --json prints them]\n",
    "",
  ],
  [
    "one bad message",
    ["prompt", "p"],
    "prompts/get",
    { messages: [7, { role: "user", content: good }] },
    "user:\ngood\n",
    "has 7",
  ],
  [
    "text beside bytes that are null",
    ["read", "x:y"],
    "resources/read",
    { contents: [{ uri: "x:y", text: "t", blob: null }, {}] },
    "t\n",
    "has {}",
  ],
  [
    "bytes beside text that is null",
    ["read", "x:y"],
    "resources/read",
    { contents: [{ uri: "x:y", text: null, blob: "AA==" }] },
    "[bytes, 1 bytes; --json prints them]\n",
    "",
  ],
])(
  "one fault does not hide the rest of an answer, and is a warning: %s",
  async (_, args, method, answer, shown, words) => {
    const { code, output, errors } = await run(args, answering(method, answer));
    expect([code, output]).toEqual([0, shown]);
    if (words === "") expect(errors).toBe("");
    // An empty list is reported, too.
    else expect(errors).toMatch(/^warning: .*\n(?:The server has no tools\.\n)?$/);
    expect(errors).toContain(words);
  },
);

test("content that cannot be shown fails the call, and a kind of a later revision is printed", async () => {
  const strange = { content: [{ type: "image" }] };
  const failed = await run(call, answering("tools/call", strange));
  expect([failed.code, failed.output]).toEqual([1, ""]);
  expect(failed.errors).toContain('{"type":"image"} in its content');
  const later = { content: [{ type: "hologram", depth: 3 }] };
  const shown = await run(call, answering("tools/call", later));
  expect([shown.code, JSON.parse(shown.output)]).toEqual([0, later.content[0]]);
});

test("a refusal is attributed to the server, with its code", async () => {
  const error = { code: -32_602, message: "no" };
  const { code, errors } = await run(call, ({ message }, response) =>
    message.method === "tools/call"
      ? json(response, { jsonrpc: "2.0", id: message.id, error })
      : false,
  );
  expect([code, errors]).toEqual([1, "idewire: The server refuses: no (-32602)\n"]);
});

test("a server that does not answer the log level is called anyway", {
  timeout: 20_000,
}, async () => {
  const content = { content: [{ type: "text", text: "done" }] };
  const answer: ScriptedAnswer = ({ message }, response) => {
    if (message.method === "logging/setLevel") return undefined;
    return message.method === "tools/call" ? json(response, result(message.id, content)) : false;
  };
  expect(await run(call, answer, logging)).toEqual({ code: 0, output: "done\n", errors: "" });
});

test("a call whose answer is lost is reported as lost, and not repeated", async () => {
  let calls = 0;
  const discovered = { resultType: "complete", supportedVersions: ["2026-07-28"] };
  const { code, errors } = await run(call, ({ message: { id, method } }, response) => {
    if (method !== "tools/call") {
      return json(response, result(id, { ...discovered, capabilities: { tools: {} } }));
    }
    calls += 1;
    return events(response).destroy();
  });
  expect([code, calls]).toEqual([1, 1]);
  expect(errors).toMatch(/^idewire: tools\/call.*\nidewire: The tool may have run: /);
});

/** A logged-in person, and the file of their tokens. */
async function loggedIn() {
  const servers = await new AuthorizationFixture().listen();
  onTestFinished(() => servers[Symbol.asyncDispose]());
  const fixture: Fixture = openFixture();
  const { url } = servers.server;
  const start = (...args: readonly string[]) =>
    new CliRun(fixture, { args: ["mcp", ...args, url] });
  const login = start("login");
  const pattern = /visit\s+(http\S+)\n/;
  await expect.poll(() => login.errors).toMatch(pattern);
  await fetch(pattern.exec(login.errors)?.[1] ?? "");
  expect(await login.exited).toBe(0);
  const folder = join(fixture.home, ".local/state/idewire/oauth");
  const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".json"));
  return { servers, start, file: join(folder, name) };
}

test("a refusal despite a login is reported as such, without advice to log in", async () => {
  const { servers, start } = await loggedIn();
  const { server } = servers;
  const { answer } = server;
  server.answer = (seen, response) =>
    seen.message.method === "tools/call"
      ? response.writeHead(403).end("Not for you")
      : answer(seen, response);
  const command = start("call", "a");
  expect(await command.exited).toBe(1);
  expect(command.errors).toContain("HTTP 403 Not for you\n");
  expect(command.errors).toContain("You are logged in, but the server refuses the request\n");
  expect(command.errors).not.toContain("Log in first");
});

test("a token file that is damaged, or readable by others, is named and left alone", async () => {
  const { servers, start, file } = await loggedIn();
  const whole = await readFile(file, "utf8");
  const failed = async () => {
    const command = start("call", "a");
    expect(await command.exited).toBe(1);
    for (const secret of servers.secrets) expect(command.errors).not.toContain(secret);
    return command.errors.replaceAll("\n", " ");
  };
  await writeFile(file, whole.slice(0, -9));
  expect(await failed()).toContain(`${file} is damaged: remove it, and log in again`);
  expect(await readFile(file, "utf8")).toBe(whole.slice(0, -9));
  await writeFile(file, whole);
  if (process.platform !== "win32") {
    await chmod(file, 0o644);
    expect(await failed()).toContain(`Cannot trust ${file}: its mode is 644, not 600: remove it`);
    await chmod(file, 0o600);
  }
  const again = start("call", "a");
  expect([await again.exited, again.output]).toEqual([0, "admitted\n"]);
});

test("a failing authorization server is named, and costs no tokens", async () => {
  const { servers, start, file } = await loggedIn();
  const kept = await readFile(file, "utf8");
  servers.accessTokens.clear();
  servers.knobs.token = () => ({ status: 503, body: "" });
  const command = start("call", "a");
  expect([await command.exited, command.errors]).toEqual([
    1,
    "idewire: The authorization server answers HTTP 503: try again later\n",
  ]);
  expect(await readFile(file, "utf8")).toBe(kept);
});
