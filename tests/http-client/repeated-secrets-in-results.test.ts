import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import {
  type ClientFeature,
  elicitation,
  loadSkill,
  type McpClient,
  resumeTask,
} from "@idewire/core/client";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { json, result, ScriptedHttpServer, withSessions } from "../src/scripted-http-server.ts";

const token = "abcd/efgh+ijkl";
const headers = { authorization: `Bearer ${token}` };
const inEscapes = [...token].map((unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join("");
const spellings = [
  ["as it is", token],
  ["in escapes", inEscapes],
  ["in an address", encodeURIComponent(token)],
  ["in HTML", [...token].map((unit) => `&#${unit.charCodeAt(0)};`).join("")],
  ["in HTML, hexadecimal", token.replaceAll("/", "&#x2F;").replaceAll("+", "&#x2B;")],
  ["cut off by the end of what is shown", `${"-".repeat(25)}${token}`],
] as const;
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, extensions: {} };
const serverInfo = { name: "scripted", version: "1" };

/** A client whose server answers every request but the first with the same value. */
async function connect(
  value: unknown,
  era: "legacy" | "modern" = "legacy",
  features: readonly ClientFeature[] = [],
  onwarning?: (words: string) => void,
) {
  const server = await new ScriptedHttpServer(({ message: { id, method } }, response) => {
    const supportedVersions = ["2026-07-28"];
    if (method === "server/discover")
      json(response, result(id, { supportedVersions, capabilities }));
    else if (method === "initialize")
      json(response, result(id, { protocolVersion: "2025-11-25", capabilities, serverInfo }));
    else if (id === undefined) response.writeHead(202).end();
    else json(response, result(id, value));
  }).listen();
  const options = { features, era: era === "modern" ? "auto" : "legacy" } as const;
  const warnings = onwarning && { onwarning };
  const client = await connectOverHttp(server, { ...options, ...warnings }, { headers });
  return { client, server };
}

const requests: readonly (readonly [string, (client: McpClient) => Promise<unknown>])[] = [
  ["tools/call", (client) => client.callTool("a")],
  ["tools/list", (client) => client.listTools()],
  ["resources/read", (client) => client.readResource("a:b")],
  ["prompts/get", (client) => client.getPrompt("a")],
  [
    "completion/complete",
    (client) =>
      client.complete({ reference: { type: "ref/prompt", name: "a" }, argument: "a", value: "" }),
  ],
];

/** Expects neither the token nor its first half, which has no recognisable form. */
function expectHidden({ message }: Error): void {
  expect(message).not.toMatch(/abcd|u0061|&#97;|%2F|&#x2F/);
  expect(message).toContain("…");
}

test.each(
  spellings.flatMap(([how, spelled]) =>
    requests.map(([method, send]) => [method, how, spelled, send] as const),
  ),
)(
  "an answer to %s of the wrong shape that repeats the token %s is reported without it",
  async (...all) => {
    const [, , spelled, send] = all;
    const { client, server } = await connect({ words: spelled, [spelled]: 1 });
    await using _ = server;
    expectHidden(await send(client).then(String, (error) => error));
    client.close();
  },
);

test("a cursor that repeats the token is reported without it", async () => {
  const warnings: string[] = [];
  const warn = (words: string) => void warnings.push(words);
  const { client, server } = await connect({ tools: [], nextCursor: token }, "legacy", [], warn);
  await using _ = server;
  expect(await client.listTools()).toEqual([]);
  expect(warnings.join()).toContain("tools/list");
  expect(warnings.join()).not.toContain(token);
  client.close();
});

test.each([
  ["initialize", { protocolVersion: token, serverInfo, capabilities }],
  ["initialize", { protocolVersion: "2025-11-25", words: token }],
  ["server/discover", { supportedVersions: [token], capabilities }],
])("%s whose answer repeats the token fails without it", async (method, answer) => {
  await using server = await new ScriptedHttpServer(({ message }, response) =>
    json(response, result(message.id, answer)),
  ).listen();
  const era = method === "initialize" ? "legacy" : "auto";
  expectHidden(await connectOverHttp(server, { era }, { headers }).catch((reason) => reason));
});

test.each([
  ["a type", { resultType: token }],
  ["a question", { resultType: "input_required", words: token }],
  ["no object", [token]],
])("a modern result with %s that repeats the token is reported without it", async (_, value) => {
  const { client, server } = await connect(value, "modern");
  await using __ = server;
  expectHidden(await client.callTool("a").catch((reason) => reason));
  client.close();
});

test.each([
  ["of another method", { method: token }],
  ["with malformed parameters", { method: "elicitation/create", params: { message: { token } } }],
])("a question %s that repeats the token is reported without it", async (_, question) => {
  const value = { resultType: "input_required", inputRequests: { q: question } };
  const features = [elicitation({ form: async () => ({ action: "decline" }) })];
  const { client, server } = await connect(value, "modern", features);
  await using __ = server;
  const error = await client.callTool("a").catch((reason) => reason);
  expectHidden(error);
  expect(inspect(error, { depth: 9 })).not.toContain(token);
  client.close();
});

test.each([
  ["failed", { status: "failed", error: { code: 1, message: token, data: { token } } }],
  ["failed for no reason", { status: "failed", error: token }],
  ["has no state", { status: token }],
])("a task that %s, and repeats the token, is reported without it", async (_, task) => {
  const { client, server } = await connect({ taskId: "1", ...task }, "modern");
  await using __ = server;
  const error = await resumeTask(client, "1").catch((reason) => reason);
  expectHidden(error);
  expect(JSON.stringify(error)).not.toContain("abcd");
  client.close();
});

test("a task whose id repeats the token is reported without it", async () => {
  const { client, server } = await connect({ taskId: token, status: "cancelled" }, "modern");
  await using _ = server;
  expectHidden(await resumeTask(client, token).catch((reason) => reason));
  client.close();
});

test("an answer without a result that repeats the token is reported without it", async () => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) =>
      method === "tools/call" ? json(response, { jsonrpc: "2.0", id, token }) : false,
    ),
  ).listen();
  const client = await connectOverHttp(server, {}, { headers });
  expectHidden(await client.callTool("a").catch((reason) => reason));
  client.close();
});

test.each([
  ["a method", { jsonrpc: "2.0", id: 7, method: [token] }],
  ["parameters", { jsonrpc: "2.0", method: "notifications/message", params: [token] }],
  ["a version", { jsonrpc: token, id: 7, method: "ping" }],
  ["no object", token],
])("a refusal for %s that repeats the token is reported without it", async (_, message) => {
  const refused: string[] = [];
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const frames = [message, result(id, { content: [] })].map((each) => JSON.stringify(each));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(frames.map((frame) => `data: ${frame}\n\n`).join(""));
    }),
  ).listen();
  const onrefused = (why: string) => refused.push(why);
  const client = await connectOverHttp(server, { peer: { onrefused } }, { headers });
  await client.callTool("a");
  expect(refused).toHaveLength(1);
  expectHidden(new Error(refused[0]));
  client.close();
});

test("output that repeats the token where it does not match is reported without it", async () => {
  const { client, server } = await connect({ content: [], structuredContent: { [token]: token } });
  await using _ = server;
  const output = { type: "object", properties: {}, additionalProperties: false } as const;
  const call = client.callTool(token, {}, { output });
  await expect(call).rejects.toThrow(/^The result of … is wrong: (?!.*abcd)/);
  client.close();
});

test("a skill that differs from its entry by the token is reported without it", async () => {
  const uri = `skill://${token}/SKILL.md`;
  const text = `---\nname: ${token}\n---\n`;
  const { client, server } = await connect({ contents: [{ uri, text }] });
  await using _ = server;
  const bytes = new TextEncoder().encode(text);
  const sum = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  const resource = { uri, size: bytes.length, digest: `sha256:${sum}` };
  const entry = { uri, frontmatter: { name: "a", description: "b" }, resources: [resource] };
  const parseFrontmatter = () => ({ name: token });
  for (const wrong of [entry, { ...entry, resources: [{ ...resource, size: 1 }] }]) {
    expectHidden(await loadSkill(client, wrong as never, { parseFrontmatter }).catch((e) => e));
  }
  client.close();
});

test("unparsable HTTP that repeats the token is reported without it", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(`HTTP/1.1 ${token}\r\n\r\n`));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const error = await connectOverHttp({ url }, {}, { headers }).catch((reason) => reason);
  expect(error.message).toMatch(/^initialize.*: the connection broke off: /);
  expect(inspect(error, { depth: 9 })).not.toContain(token);
  server.close();
});
