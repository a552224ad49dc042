import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { type CheckPort, runChecks } from "@idewire/devtools/checks";
import {
  type HttpAnswer,
  type HttpProbe,
  mcpServer,
  serverChecks,
} from "@idewire/devtools/internal";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { readStart } from "../../packages/cli/src/debug/check/read-start.ts";

// Every rule needs a server that breaks it. Rules for messages are tested beside their source.

type Answered = Extract<HttpAnswer, { readonly kind: "answered" }>;

/** A server's wrong answer to a request. */
type Fault = (answer: Answered, probe: HttpProbe) => Partial<Answered>;

function createServer(): McpServer {
  const server = new McpServer({ name: "weather", version: "1" });
  server.tool("forecast", { annotations: { readOnlyHint: true } }, () => "Sun");
  return server;
}

/** The method that a connection refuses, given the number of earlier connections. */
type Refusal = (before: number) => string | undefined;

/** A server of HTTP with SSE does not support the modern era. */
const legacyAlone: Refusal = () => "server/discover";
const oneClient: Refusal = (before) => (before === 0 ? undefined : "initialize");

/** A port to a server over HTTP; a fault changes individual answers. */
async function portTo(fault: Fault, refusal?: Refusal): Promise<CheckPort> {
  let connections = 0;
  const server = createServer();
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(() => listener.close());
  const exchange = async (probe: HttpProbe): Promise<HttpAnswer> => {
    const { method, headers = {}, body } = probe;
    const all = new Headers({ accept: "application/json, text/event-stream" });
    if (body !== undefined) all.set("content-type", "application/json");
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) all.set(name, value);
    const response = await fetch(listener.url, { method, headers: all, body: body ?? null });
    const answer: Answered = {
      ...{ kind: "answered", status: response.status },
      headers: Object.fromEntries(response.headers),
      body: await readStart(response, 300),
    };
    return { ...answer, ...fault(answer, probe) };
  };
  return {
    platform: "posix",
    server: { url: listener.url, isLocal: true, exchange },
    async connect() {
      const [near, far] = createMemoryTransportPair();
      server.connect(far, { context: undefined });
      const refused = refusal?.(connections++);
      if (refused !== undefined) refuse(near, refused);
      return { kind: "open", transport: near, ping: async () => {}, cut: () => near.close() };
    },
  };
}

/** Refuses a method as unknown. */
function refuse(transport: Transport, method: string): void {
  const send = transport.send.bind(transport);
  transport.send = (frame) => {
    if (!frame.includes(`"${method}"`)) return send(frame);
    const { id } = JSON.parse(frame) as { readonly id: unknown };
    const error = { code: -32601, message: "Method not found" };
    queueMicrotask(() => transport.onframe?.(JSON.stringify({ jsonrpc: "2.0", id, error })));
  };
}

async function failedBy(id: string, fault: Fault): Promise<readonly string[]> {
  return failedAt(await portTo(fault, id === "MCP-WEB-015" ? legacyAlone : undefined), id);
}

async function failedAt(port: CheckPort, id: string): Promise<readonly string[]> {
  const times = { answerMs: 2_000, startMs: 2_000, quietMs: 5 };
  const { results } = await runChecks({ port, subject: mcpServer, times, only: [id] });
  return results.filter(({ verdict }) => verdict === "fail").map((result) => result.id);
}

const headers =
  (more: Readonly<Record<string, string>>): Fault =>
  (answer) => ({
    headers: { ...answer.headers, ...more },
  });
/** A server that accepts everything. */
const acceptAll: Fault = () => ({ status: 200 });
/** Errors with another code. */
const otherCode: Fault = ({ body }) => ({ body: body.replace(/"code":-\d+/, '"code":-32000') });

const faults: readonly (readonly [id: string, what: string, fault: Fault])[] = [
  ["MCP-WEB-001", "accepts the Origin of any page", acceptAll],
  ["MCP-WEB-002", "answers with another type", headers({ "content-type": "text/plain" })],
  ["MCP-WEB-003", "has a space in its session id", headers({ "mcp-session-id": "a b" })],
  ["MCP-WEB-004", "answers a notification with 200", acceptAll],
  ["MCP-WEB-004", "answers a notification with a body", () => ({ body: "{}" })],
  [
    "MCP-WEB-005",
    "answers GET with a text",
    (answer) => ({ status: 200, headers: { ...answer.headers, "content-type": "text/plain" } }),
  ],
  ["MCP-WEB-006", "accepts any revision in the header", acceptAll],
  ["MCP-WEB-007", "accepts a request without its session", acceptAll],
  ["MCP-WEB-008", "keeps a session after DELETE", acceptAll],
  ["MCP-WEB-009", "accepts any session", acceptAll],
  ["MCP-WEB-010", "answers invalid JSON with 200", acceptAll],
  ["MCP-WEB-011", "ignores the header Accept", acceptAll],
  ["MCP-WEB-012", "answers an unknown method with 200", acceptAll],
  ["MCP-WEB-012", "answers an unknown method with another error", otherCode],
  ["MCP-WEB-013", "accepts headers that differ from the body", acceptAll],
  ["MCP-WEB-013", "answers such headers with another error", otherCode],
  ["MCP-WEB-014", "accepts any revision in the body", acceptAll],
  [
    "MCP-WEB-015",
    "begins its stream with another event",
    (answer, { method }) =>
      method === "POST"
        ? { status: 405 }
        : {
            ...{ status: 200, body: "event: message\ndata: {}\n\n" },
            headers: { ...answer.headers, "content-type": "text/event-stream" },
          },
  ],
];

test.each(faults)("%s fails for a server that %s", async (id, _, fault) => {
  expect(await failedBy(id, fault)).toEqual([id]);
});

test("a server without sessions has none to end, and may answer DELETE with any status", async () => {
  const withoutSessions: Fault = ({ headers: all }, { method }) => {
    const { "mcp-session-id": _, ...rest } = all;
    return { headers: rest, ...(method === "DELETE" && { status: 404 }) };
  };
  expect(await failedBy("MCP-WEB-008", withoutSessions)).toEqual([]);
});

test.each<[string, Refusal | undefined, readonly string[]]>([
  ["passes for a server that accepts any number of clients", undefined, []],
  ["fails for a server that accepts one client", oneClient, ["MCP-INIT-004"]],
])("MCP-INIT-004 %s", async (_, refusal, failed) => {
  expect(await failedAt(await portTo(() => ({}), refusal), "MCP-INIT-004")).toEqual(failed);
});

test("each of these rules passes, or has nothing to check, for our own server", async () => {
  const ids = new Set(faults.map(([id]) => id));
  const port = await portTo(() => ({}));
  const times = { answerMs: 2_000, startMs: 2_000, quietMs: 5 };
  const { results } = await runChecks({ port, subject: mcpServer, times, only: [...ids] });
  const found = results.filter(({ id }) => ids.has(id));
  expect(found.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(serverChecks.filter(({ id }) => /-WEB-/.test(id)).length).toBe(ids.size);
});
