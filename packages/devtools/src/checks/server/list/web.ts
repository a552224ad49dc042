import { describeValue, isObject } from "@idewire/core/internal";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../context.ts";
import type { HttpProbe } from "../../port.ts";
import { mcp, modern } from "../../sources.ts";
import { CheckSkipped, demand } from "../../verdict.ts";
import { type Answered, exchange, initialize, messageIn, serverOf } from "../exchange.ts";
import { LEGACY_REVISION, requestMeta } from "../server-session.ts";
import { codeOf } from "./messages.ts";

const EVIL = "https://idewire-check.invalid";

/** Checks of a server over HTTP: status codes and headers. */
export const webChecks: readonly Check[] = [
  {
    id: "MCP-WEB-001",
    level: "must",
    rule: "A server on this machine refuses a request with the Origin of a web page that it does not know.",
    source: `${mcp("Transports, Security Warning")}; CWE-346`,
    note: "Without this, a page in the person's browser can use a server that neither checks Host nor requires a token (DNS rebinding).",
    async run(context) {
      const { url, isLocal } = serverOf(context);
      if (!isLocal) throw new CheckSkipped(`${new URL(url).host} may be meant for web pages`);
      const isSse = context.server.transport === "sse";
      const headers = { accept: "text/event-stream", origin: EVIL };
      const answer = isSse
        ? await exchange(context, { method: "GET", headers })
        : await initialize(context, { origin: EVIL });
      demand(answer.status >= 400, `it was answered with HTTP ${answer.status}`);
      return `HTTP ${answer.status}`;
    },
  },
  {
    id: "MCP-WEB-002",
    level: "must",
    over: "http",
    era: "legacy",
    rule: "The response to a request is application/json, or a text/event-stream.",
    source: mcp("Transports, Streamable HTTP"),
    async run(context) {
      const { headers } = await opened(context);
      const type = headers["content-type"] ?? "";
      demand(
        /^(application\/json|text\/event-stream)\b/i.test(type),
        `it is ${describeValue(type)}`,
      );
      return type;
    },
  },
  {
    id: "MCP-WEB-003",
    level: "must",
    over: "http",
    era: "legacy",
    rule: "A session id has only visible ASCII characters.",
    source: mcp("Transports, Session Management"),
    async run(context) {
      const id = sessionIn(await opened(context));
      demand(/^[!-~]+$/.test(id), `it is ${describeValue(id)}`);
    },
  },
  {
    id: "MCP-WEB-004",
    level: "must",
    over: "http",
    era: "legacy",
    rule: "A notification is answered with 202, and no body.",
    source: mcp("Transports, Streamable HTTP"),
    async run(context) {
      const answer = await post(
        context,
        "notifications/initialized",
        await sessionHeaders(context),
      );
      demand(answer.status === 202, `it was answered with HTTP ${answer.status}`);
      demand(answer.body === "", `the body is ${describeValue(answer.body)}`);
    },
  },
  {
    id: "MCP-WEB-005",
    level: "must",
    over: "http",
    era: "legacy",
    rule: "GET is answered with a text/event-stream, or with 405.",
    source: mcp("Transports, Streamable HTTP"),
    async run(context) {
      const headers = await sessionHeaders(context);
      const answer = await exchange(context, {
        method: "GET",
        headers: { ...headers, accept: "text/event-stream" },
      });
      if (answer.status === 405) return "405";
      const type = answer.headers["content-type"] ?? "";
      const isStream = answer.status === 200 && type.startsWith("text/event-stream");
      demand(isStream, `it was answered with HTTP ${answer.status} ${type}`.trim());
      return "a stream";
    },
  },
  {
    id: "MCP-WEB-006",
    level: "must",
    over: "http",
    era: "legacy",
    since: "2025-06-18",
    rule: "A request whose MCP-Protocol-Version does not exist is answered with 400.",
    source: mcp("Transports, Protocol Version Header"),
    async run(context) {
      const headers = await sessionHeaders(context);
      const answer = await post(context, "ping", {
        ...headers,
        "mcp-protocol-version": "1999-01-01",
      });
      demand(answer.status === 400, `it was answered with HTTP ${answer.status}`);
    },
  },
  {
    id: "MCP-WEB-007",
    level: "should",
    over: "http",
    era: "legacy",
    rule: "Where there are sessions, a request without a session id is answered with 400.",
    source: mcp("Transports, Session Management"),
    async run(context) {
      sessionIn(await opened(context));
      const answer = await post(context, "ping", { "mcp-protocol-version": LEGACY_REVISION });
      demand(answer.status === 400, `it was answered with HTTP ${answer.status}`);
    },
  },
  {
    id: "MCP-WEB-008",
    level: "must",
    over: "http",
    era: "legacy",
    rule: "DELETE ends the session, whose requests are then answered with 404, or is answered with 405.",
    source: mcp("Transports, Session Management"),
    async run(context) {
      const begun = await initialize(context);
      sessionIn(begun);
      const headers = headersFor(begun);
      await post(context, "notifications/initialized", headers);
      const ended = await exchange(context, { method: "DELETE", headers });
      if (ended.status === 405) return "405";
      demand(ended.status < 300, `DELETE was answered with HTTP ${ended.status}`);
      const after = await post(context, "ping", headers);
      demand(after.status === 404, `a request after it was answered with HTTP ${after.status}`);
      return "ended";
    },
  },
  {
    id: "MCP-WEB-009",
    level: "should",
    over: "http",
    era: "legacy",
    rule: "A session id that the server never sent is answered with 404.",
    source: mcp("Transports, Session Management"),
    note: "404 is the status after which clients begin a new session.",
    async run(context) {
      sessionIn(await opened(context));
      const answer = await post(context, "ping", {
        "mcp-session-id": "idewire-no-such-session",
        "mcp-protocol-version": LEGACY_REVISION,
      });
      demand(answer.status === 404, `it was answered with HTTP ${answer.status}`);
    },
  },
  {
    id: "MCP-WEB-010",
    level: "should",
    over: "http",
    hostile: true,
    rule: "A body of invalid JSON is answered with 400.",
    source: `${mcp("Transports, Streamable HTTP")}; ${"JSON-RPC 2.0, section 5.1"}`,
    async run(context) {
      const answer = await exchange(context, { method: "POST", body: "{nope" });
      demand(answer.status === 400, `it was answered with HTTP ${answer.status}`);
      const code = codeOf(messageIn(answer)["error"]);
      return code === undefined ? "400" : `400, error ${describeValue(code)}`;
    },
  },
  {
    id: "MCP-WEB-011",
    level: "may",
    over: "http",
    rule: "A request that accepts neither JSON nor event streams is answered with 406, or another refusal.",
    source: mcp("Transports, Streamable HTTP"),
    async run(context) {
      const answer = await initialize(context, { accept: "text/html" });
      demand(answer.status >= 400, `it was answered with HTTP ${answer.status}`);
      return `HTTP ${answer.status}`;
    },
  },
  {
    id: "MCP-WEB-012",
    level: "must",
    over: "http",
    era: "modern",
    rule: "An unknown method is answered with 404, and the error -32601.",
    source: modern("Streamable HTTP"),
    async run(context) {
      const answer = await postModern(context, "idewire/nothing");
      demand(answer.status === 404, `it was answered with HTTP ${answer.status}`);
      const code = codeOf(messageIn(answer)["error"]);
      demand(code === -32601, `the error is ${describeValue(code)}`);
    },
  },
  {
    id: "MCP-WEB-013",
    level: "must",
    over: "http",
    era: "modern",
    rule: "Headers that differ from the body are answered with 400, and the error -32020.",
    source: modern("Streamable HTTP"),
    async run(context) {
      const answer = await postModern(context, "server/discover", { "mcp-method": "tools/list" });
      demand(answer.status === 400, `it was answered with HTTP ${answer.status}`);
      const code = codeOf(messageIn(answer)["error"]);
      demand(code === -32020, `the error is ${describeValue(code)}`);
    },
  },
  {
    id: "MCP-WEB-014",
    level: "must",
    over: "http",
    era: "modern",
    rule: "A revision that does not exist is answered with 400.",
    source: modern("Streamable HTTP"),
    async run(context) {
      const answer = await postModern(context, "server/discover", {}, "1999-01-01");
      demand(answer.status === 400, `it was answered with HTTP ${answer.status}`);
    },
  },
  {
    id: "MCP-WEB-015",
    level: "must",
    over: "sse",
    rule: "The stream of GET is a text/event-stream that begins with the event endpoint.",
    source: "MCP 2024-11-05, Transports",
    async run(context) {
      const headers = { accept: "text/event-stream" };
      const answer = await exchange(context, { method: "GET", headers });
      const type = answer.headers["content-type"] ?? "";
      demand(type.startsWith("text/event-stream"), `it is ${describeValue(type)}`);
      demand(
        /^event: ?endpoint\r?$/m.test(answer.body),
        `it begins with ${describeValue(answer.body)}`,
      );
    },
  },
];

/** The response to `initialize` of a session that checks share. */
async function opened(context: CheckContext): Promise<Answered> {
  const answer = await context.server.webSession(() => initialize(context));
  demand(answer.status < 300, `initialize was answered with HTTP ${answer.status}`);
  return answer;
}

async function sessionHeaders(context: CheckContext): Promise<Readonly<Record<string, string>>> {
  return headersFor(await opened(context));
}

function headersFor(answer: Answered): Readonly<Record<string, string>> {
  const id = answer.headers["mcp-session-id"];
  const { result } = messageIn(answer);
  const revision = isObject(result) ? result["protocolVersion"] : undefined;
  return {
    ...(id !== undefined && { "mcp-session-id": id }),
    "mcp-protocol-version": typeof revision === "string" ? revision : LEGACY_REVISION,
  };
}

/** @throws CheckSkipped if there are no sessions */
function sessionIn({ headers }: Answered): string {
  const id = headers["mcp-session-id"];
  if (id === undefined) throw new CheckSkipped("the server has no sessions");
  return id;
}

function post(
  context: CheckContext,
  method: string,
  headers: HttpProbe["headers"],
): Promise<Answered> {
  const isRequest = !method.startsWith("notifications/");
  const body = JSON.stringify({ jsonrpc: "2.0", ...(isRequest && { id: 2 }), method });
  return exchange(context, { method: "POST", body, ...(headers && { headers }) });
}

function postModern(
  context: CheckContext,
  method: string,
  headers: HttpProbe["headers"] = {},
  revision?: string,
): Promise<Answered> {
  const meta = requestMeta(revision);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 3, method, params: { _meta: meta } });
  const named = String(meta["io.modelcontextprotocol/protocolVersion"]);
  const own = { "mcp-protocol-version": named, "mcp-method": method };
  return exchange(context, { method: "POST", body, headers: { ...own, ...headers } });
}
