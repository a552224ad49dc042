import type { LegacyRevision } from "@idewire/core";
import { list, oneOf, open, type Shape, text } from "./shape.ts";

/** What MCP's legacy revisions say of one method. */
export interface MethodFacts {
  readonly method: string;
  /** Who may send it: the client is the agent, the server the editor. */
  readonly from: "agent" | "editor" | "either";
  readonly kind: "request" | "notification";
  readonly about: string;
  /** The page of the specification. */
  readonly source: string;
  /** The first revision that has it; all do when left out. */
  readonly since?: LegacyRevision;
  /** Of `params`, which may be left out when nothing in it is required. */
  readonly params: Shape;
  readonly result?: Shape;
}

const flag = (description: string): Shape => ({ type: "boolean", description });
const number = (description: string): Shape => ({ type: "number", description });
const anyObject = (description?: string): Shape => ({
  type: "object",
  ...(description !== undefined && { description }),
});
const token: Shape = { type: ["string", "number"], description: "Names the request" };
const nothing = open({});
const capabilities = anyObject("What this end can do: each key that is there is a capability");
const implementation = open({
  name: text("Who this end is"),
  version: text(),
  "title?": text("For people to read; since 2025-06-18"),
});
const audience = open({
  "audience?": list(oneOf("user", "assistant")),
  "priority?": { type: "number", minimum: 0, description: "1 is required, 0 may be left out" },
});
const block = (type: string, members: Readonly<Record<string, Shape>>): Shape =>
  open({ type: oneOf(type), ...members, "annotations?": audience });
const contents: Shape = {
  anyOf: [
    open({ uri: text(), "mimeType?": text(), text: text() }),
    open({ uri: text(), "mimeType?": text(), blob: text("Base64") }),
  ],
};
const content: Shape = {
  anyOf: [
    block("text", { text: text() }),
    block("image", { data: text("Base64"), mimeType: text() }),
    { ...block("audio", { data: text("Base64"), mimeType: text() }), since: "2025-03-26" },
    { ...block("resource_link", { uri: text(), name: text() }), since: "2025-06-18" },
    block("resource", { resource: contents }),
  ],
};
const page = { "cursor?": text("Where the last page ended") };
const next = { "nextCursor?": text("There is more: ask with this cursor") };
const tool = open({
  name: text("As tools/call names it"),
  "title?": text("For people to read; since 2025-06-18"),
  "description?": text("For the model"),
  inputSchema: open({ type: oneOf("object"), "properties?": anyObject() }),
  "outputSchema?": open({ type: oneOf("object") }),
  "annotations?": anyObject("Hints; since 2025-03-26"),
});
const resource = open({ uri: text(), name: text(), "mimeType?": text(), "size?": number("Bytes") });
const levels = oneOf(
  ...["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"],
);
const message = open({ role: oneOf("user", "assistant"), content });

type Rest = Omit<MethodFacts, "method" | "kind" | "from" | "about" | "source">;

function request(
  from: MethodFacts["from"],
  method: string,
  [about, source]: readonly [string, string],
  rest: Rest,
): MethodFacts {
  return { method, kind: "request", from, about, source: `MCP, ${source}`, ...rest };
}

function notification(
  from: MethodFacts["from"],
  method: string,
  [about, source]: readonly [string, string],
  rest: Omit<Rest, "result">,
): MethodFacts {
  return { method, kind: "notification", from, about, source: `MCP, ${source}`, ...rest };
}

const requests: readonly MethodFacts[] = [
  request("agent", "initialize", ["The first word of an agent.", "Base / Lifecycle"], {
    params: open({
      protocolVersion: text("The newest revision that the agent speaks"),
      capabilities,
      clientInfo: implementation,
    }),
    result: open({
      protocolVersion: text("The revision that both speak from here on"),
      capabilities,
      serverInfo: implementation,
      "instructions?": text("What the model is told of this server"),
    }),
  }),
  request("either", "ping", ["Whether the other end is there.", "Base / Utilities / Ping"], {
    params: nothing,
    result: nothing,
  }),
  request("agent", "tools/list", ["Which tools there are.", "Server / Tools"], {
    params: open(page),
    result: open({ tools: list(tool), ...next }),
  }),
  request("agent", "tools/call", ["Calls a tool.", "Server / Tools"], {
    params: open({ name: text("Of the tool"), "arguments?": anyObject() }),
    result: open({
      content: list(content, "What the model, or the agent, reads"),
      "isError?": flag("The tool failed, and the text says why"),
      "structuredContent?": { ...anyObject("As outputSchema says"), since: "2025-06-18" },
    }),
  }),
  request("agent", "resources/list", ["Which resources there are.", "Server / Resources"], {
    params: open(page),
    result: open({ resources: list(resource), ...next }),
  }),
  request(
    "agent",
    "resources/templates/list",
    ["Which kinds of resources there are.", "Server / Resources"],
    {
      params: open(page),
      result: open({
        resourceTemplates: list(open({ uriTemplate: text(), name: text() })),
        ...next,
      }),
    },
  ),
  request("agent", "resources/read", ["What is in a resource.", "Server / Resources"], {
    params: open({ uri: text() }),
    result: open({ contents: list(contents) }),
  }),
  ...["resources/subscribe", "resources/unsubscribe"].map((method) =>
    request("agent", method, ["Whether changes of it are told.", "Server / Resources"], {
      params: open({ uri: text() }),
      result: nothing,
    }),
  ),
  request("agent", "prompts/list", ["Which prompts there are.", "Server / Prompts"], {
    params: open(page),
    result: open({ prompts: list(open({ name: text(), "description?": text() })), ...next }),
  }),
  request("agent", "prompts/get", ["One prompt, filled in.", "Server / Prompts"], {
    params: open({ name: text(), "arguments?": anyObject("Texts by their names") }),
    result: open({ "description?": text(), messages: list(message) }),
  }),
  request("agent", "completion/complete", ["Ways to go on.", "Server / Utilities / Completion"], {
    params: open({
      ref: open({ type: oneOf("ref/prompt", "ref/resource") }),
      argument: open({ name: text(), value: text() }),
    }),
    result: open({ completion: open({ values: list(text()) }) }),
  }),
  request("agent", "logging/setLevel", ["How much is logged.", "Server / Utilities / Logging"], {
    params: open({ level: levels }),
    result: nothing,
  }),
  request("editor", "roots/list", ["Which folders the agent works in.", "Client / Roots"], {
    params: nothing,
    result: open({ roots: list(open({ uri: text("file:// URI"), "name?": text() })) }),
  }),
  request("editor", "sampling/createMessage", ["Asks the agent's model.", "Client / Sampling"], {
    params: open({
      messages: list(open({ role: oneOf("user", "assistant") })),
      maxTokens: number("At most"),
    }),
    result: open({ role: oneOf("user", "assistant"), model: text() }),
  }),
  request("editor", "elicitation/create", ["Asks the person.", "Client / Elicitation"], {
    since: "2025-06-18",
    params: open({ message: text("What the person reads") }),
    result: open({ action: oneOf("accept", "decline", "cancel"), "content?": anyObject() }),
  }),
];

const notifications: readonly MethodFacts[] = [
  notification("agent", "notifications/initialized", ["Done.", "Base / Lifecycle"], {
    params: nothing,
  }),
  notification(
    "either",
    "notifications/cancelled",
    ["A request is not wanted any more.", "Base / Utilities / Cancellation"],
    { params: open({ "requestId?": token, "reason?": text("For people") }) },
  ),
  notification(
    "either",
    "notifications/progress",
    ["How far a request is.", "Base / Utilities / Progress"],
    {
      params: open({
        progressToken: { ...token, description: "As the request's _meta gave it" },
        progress: number("Grows with each"),
        "total?": number("Where it ends"),
        "message?": text("For people; since 2025-03-26"),
      }),
    },
  ),
  notification(
    "editor",
    "notifications/message",
    ["One line of a log.", "Server / Utilities / Logging"],
    { params: open({ level: levels, data: {}, "logger?": text() }) },
  ),
  notification(
    "editor",
    "notifications/resources/updated",
    ["A resource has changed.", "Server / Resources"],
    { params: open({ uri: text() }) },
  ),
  ...["tools", "prompts", "resources"].map((what) =>
    notification(
      "editor",
      `notifications/${what}/list_changed`,
      [`There are other ${what} now.`, `Server / ${what.charAt(0).toUpperCase()}${what.slice(1)}`],
      { params: nothing },
    ),
  ),
  notification(
    "agent",
    "notifications/roots/list_changed",
    ["The agent works in other folders now.", "Client / Roots"],
    { params: nothing },
  ),
  notification(
    "editor",
    "notifications/elicitation/complete",
    ["The person is done at the URL.", "Client / Elicitation"],
    { since: "2025-11-25", params: open({ elicitationId: text() }) },
  ),
];

/** The methods of MCP's legacy revisions, by their names. */
export const mcpMethods: ReadonlyMap<string, MethodFacts> = new Map(
  [...requests, ...notifications].map((facts) => [facts.method, facts]),
);
