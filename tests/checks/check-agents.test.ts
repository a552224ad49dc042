import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { copilot, type Dialect, gemini, qwen } from "@idewire/core";
import type { Transport } from "@idewire/core/rpc";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";

// `check --agent`: the endpoints of agents that speak over HTTP.

interface Result {
  readonly id: string;
  readonly verdict: string;
  readonly detail: string;
}

async function check(context: AgentContext, ...args: readonly string[]) {
  const { code, output, errors } = await context.run(
    "check",
    "--json",
    "--timeout",
    "300",
    ...args,
  );
  expect(errors).toBe("");
  const { results } = JSON.parse(output) as { readonly results: readonly Result[] };
  const idsOf = (verdict: string) =>
    results.filter((result) => result.verdict === verdict).map(({ id }) => id);
  return { code, output, results, idsOf };
}

const RULES = [
  ...["IDE-CONN-002", "IDE-CONN-003", "IDE-CONN-005", "IDE-CONN-006", "IDE-CONN-007"],
  ...["IDE-CONN-010", "IDE-LIFE-001", "IDE-LIFE-002", "IDE-LIFE-003", "IDE-LIFE-004"],
  ...["IDE-LIFE-008", "IDE-TOOL-001", "IDE-TOOL-002", "IDE-TOOL-004"],
  ...["IDE-HTTP-001", "IDE-HTTP-002", "IDE-HTTP-003", "IDE-HTTP-004"],
];

/** The person accepts the second diff; the agent closes the first. */
async function acceptSecond(served: ReturnType<AgentContext["start"]>): Promise<void> {
  const shown = () => served.events.filter(({ event }) => event === "diff-opened");
  await expect.poll(() => shown().length).toBe(2);
  const { diff: id, proposed: text } = shown()[1] as Record<string, unknown>;
  served.type({ do: "answerDiff", id, answer: { kind: "accepted", text } });
}

test.each([
  ["gemini", "Gemini CLI"],
  ["qwen", "Qwen Code"],
  ["copilot", "Copilot CLI"],
])("the endpoint of idewire serve for %s obeys all rules that apply to it", async (name, title) => {
  const context = new AgentContext();
  context.fixture.file("a.txt", "one\n");
  const served = context.start("serve", "--script");
  await served.event("listening");
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  served.type({ do: "select", path: "a.txt", range });
  await served.event("done");
  const accepted = acceptSecond(served);
  const options = ["--agent", name, "--destructive", "--accept", "60"];
  const { code, idsOf, results } = await check(context, ...options);
  await accepted;
  expect(idsOf("fail")).toEqual([]);
  expect([code, idsOf("pass")]).toEqual([0, RULES]);
  const skipped = results.filter(({ verdict }) => verdict === "skipped");
  const reasons = new Set(skipped.map(({ detail }) => detail));
  expect([...reasons]).toEqual([`it does not apply to ${title}`]);
  const shown = served.events.filter(({ event }) => event === "diff-opened");
  expect(shown).toHaveLength(2);
  await served.event("diff-closed");
});

/** A dialect that answers a diff at once. */
function answering(
  dialect: Dialect,
  run: ReturnType<Dialect["createTools"]>[number]["run"],
): Dialect {
  const isDiff = (name: string) => name === "openDiff" || name === "open_diff";
  const createTools: Dialect["createTools"] = (...args) =>
    dialect.createTools(...args).map((tool) => (isDiff(tool.name) ? { ...tool, run } : tool));
  return { ...dialect, createTools };
}

const withoutText = answering(gemini, (args, { context }) => {
  const message = { jsonrpc: "2.0", method: "ide/diffAccepted", params: args };
  context.connection.sendState("diff", JSON.stringify(message));
  return { content: [] };
});
const bare = { success: true, result: "SAVED" };
const withoutTitle = answering(copilot, () => ({
  content: [{ type: "text", text: JSON.stringify(bare) }],
}));

test.each([
  ["Gemini CLI", withoutText, "its content is nothing"],
  ["Copilot CLI", withoutTitle, "its tab_name is nothing"],
])("IDE-HTTP-004 fails where %s cannot read an acceptance", async (_, dialect, detail) => {
  const context = new AgentContext();
  await context.serve(context.folder, { dialects: [dialect] });
  const { code, results } = await check(context, "--agent", dialect.id, "--accept", "60");
  expect(code).toBe(1);
  expect(results.find(({ id }) => id === "IDE-HTTP-004")).toMatchObject({
    verdict: "fail",
    detail,
  });
});

test("a diff that is not accepted in time is closed, and does not count against the editor", async () => {
  const context = new AgentContext();
  const { host } = await context.serve(context.folder, { dialects: [gemini] });
  const announced = await context.run("check", "--agent", "gemini", "--accept", "0.2");
  expect(announced.output).toContain("a diff of idewire-check.txt: accept it within 0.2 s.");
  const { results } = await check(context, "--agent", "gemini", "--accept", "0.2");
  const last = results.find(({ id }) => id === "IDE-HTTP-004");
  expect(last).toMatchObject({
    verdict: "skipped",
    detail: expect.stringContaining("within 0.2 s"),
  });
  expect(host.shownDiffs).toEqual([]);
});

test("the report names the editor's endpoint, and the rules that do not apply to the agent", async () => {
  const context = new AgentContext();
  const { listener } = await context.serve(context.folder, { dialects: [copilot] });
  const { code, output } = await context.run("check", "--agent", "copilot", "--gentle");
  expect(code).toBe(0);
  expect(output).toContain(`Fake Editor, ${listener.endpoints[0]?.socketPath}\n`);
  expect(output).toContain("skipped: it does not apply to Copilot CLI\n");
  expect(output).toContain("IDE-HTTP-002 skipped: the server sent no selection_changed");
  expect(output).not.toContain("accept it");
  const named = ["--lock", listener.endpoints[0]?.lockFile ?? ""];
  expect((await check(context, "--agent", "copilot", "--gentle", ...named)).code).toBe(0);
});

test.each([
  ["2025-06-18 streamable-http-client 0.61.0", gemini],
  ["2025-11-25 streamable-http-client 1.0.0", qwen],
  ["2025-11-25 copilot-cli 1.0.102", copilot],
] as const)("the check introduces itself as the agent does: %s", async (introduction, dialect) => {
  const context = new AgentContext();
  const seen = new Set<string>();
  const wrapTransport = (inner: Transport): Transport => {
    const outer: Transport = { ...silent, send: (frame) => inner.send(frame) };
    inner.onframe = (frame) => {
      const { method, params } = JSON.parse(frame) as { method?: string; params: Introduction };
      if (method === "initialize") seen.add(`${params.protocolVersion} ${nameOf(params)}`);
      outer.onframe?.(frame);
    };
    return outer;
  };
  await context.serve(context.folder, { dialects: [dialect], wrapTransport });
  await check(context, "--agent", dialect.id, "--gentle");
  expect([...seen][0]).toBe(introduction);
  expect([...seen].filter((one) => one.includes("claude-code"))).toEqual([]);
});

interface Introduction {
  readonly protocolVersion: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

const nameOf = ({ clientInfo: { name, version } }: Introduction) => `${name} ${version}`;

const silent: Transport = {
  ...{ onframe: undefined, onclose: undefined, ondrain: undefined, bufferedAmount: 0 },
  ...{ send: () => undefined, close: () => undefined },
};

test("IDE-HTTP-001 fails where closeDiff is not listed", async () => {
  const dialect: Dialect = {
    ...gemini,
    createTools: (...args) =>
      gemini.createTools(...args).filter((tool) => tool.name !== "closeDiff"),
  };
  const context = new AgentContext();
  await context.serve(context.folder, { dialects: [dialect] });
  const { code, idsOf } = await check(context, "--agent", "gemini");
  expect([code, idsOf("fail")]).toEqual([1, ["IDE-HTTP-001"]]);
});

test("IDE-HTTP-003 fails where a closed diff is accepted", async () => {
  for (const [name, dialect] of [
    ["gemini", gemini],
    ["copilot", copilot],
  ] as const) {
    const context = new AgentContext();
    const { host } = await context.serve(context.folder, { dialects: [dialect] });
    host.openDiff = async ({ proposed: text }) => ({ kind: "accepted", text, edited: false });
    const { code, idsOf } = await check(context, "--agent", name, "--destructive");
    expect([code, idsOf("fail")]).toEqual([1, ["IDE-HTTP-003"]]);
  }
});

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** An editor for Gemini CLI that admits every client, and answers everything with a result. */
async function serveUnprotected(context: AgentContext): Promise<void> {
  let streams: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const { id, method } = await jsonOf(request);
    if (request.method === "GET") {
      // Too early: the agent does not handle notifications yet.
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"jsonrpc":"2.0","method":"ide/contextUpdate","params":{}}\n\n');
      streams.push(response);
      return;
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (method === "initialize") streams = [];
    while (method === "tools/list" && streams.length === 0) await delay(5);
    if (method === "tools/list") await delay(100);
    if (id === undefined) return void response.writeHead(202).end();
    const tool = { name: "openDiff", inputSchema: { type: "object" } };
    const result =
      method === "initialize"
        ? {
            ...{ protocolVersion: "2025-06-18", capabilities: { tools: {} } },
            serverInfo: { name: "open", version: "1" },
          }
        : { tools: [tool, { ...tool, name: "closeDiff" }] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const folder = join(context.fixture.temporary, "gemini", "ide");
  mkdirSync(folder, { recursive: true });
  const ideInfo = { name: "open", displayName: "Open" };
  const file = { port, workspacePath: context.folder, authToken: "secret", ideInfo };
  const name = `gemini-ide-server-${process.pid}-${port}.json`;
  writeFileSync(join(folder, name), JSON.stringify(file));
}

test("an editor that admits every client, and answers every request, breaks the rules on both", async () => {
  const context = new AgentContext();
  await serveUnprotected(context);
  const { code, idsOf, output } = await check(context, "--agent", "gemini");
  const broken = ["IDE-CONN-002", "IDE-CONN-003", "IDE-CONN-005", "IDE-CONN-006"];
  const answered = ["IDE-LIFE-008", "IDE-TOOL-004", "IDE-HTTP-002"];
  expect([code, idsOf("fail")]).toEqual([1, [...broken, ...answered]]);
  expect(output).not.toContain("secret");
});
