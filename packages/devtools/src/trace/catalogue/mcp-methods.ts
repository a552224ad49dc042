import type { LegacyRevision } from "@idewire/core";
import { list, oneOf, open, type Shape, text } from "./shape.ts";

/** A method of MCP's legacy revisions. */
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
  /** The shape of `params`, which may be missing when nothing in it is required. */
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
const capabilities = anyObject("What this end supports: each key is a capability");
const implementation = open({
  name: text("The name of this end"),
  version: text(),
  "title?": text("For people to read; since 2025-06-18"),
});
const audience = open({
  "audience?": list(oneOf("user", "assistant")),
  "priority?": { type: "number", minimum: 0, description: "From 0, optional, to 1, required" },
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
const page = { "cursor?": text("The nextCursor of the previous page") };
const next = { "nextCursor?": text("Set if there are more: send it as cursor") };
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
  request("agent", "initialize", ["Starts the handshake.", "Base / Lifecycle"], {
    params: open({
      protocolVersion: text("The newest revision that the agent speaks"),
      capabilities,
      clientInfo: implementation,
    }),
    result: open({
      protocolVersion: text("The revision that both speak from here on"),
      capabilities,
      serverInfo: implementation,
      "instructions?": text("Instructions for the model"),
    }),
  }),
  request("either", "ping", ["Checks that the other end is alive.", "Base / Utilities / Ping"], {
    params: nothing,
    result: nothing,
  }),
  request("agent", "tools/list", ["Lists the tools.", "Server / Tools"], {
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
  request("agent", "resources/list", ["Lists the resources.", "Server / Resources"], {
    params: open(page),
    result: open({ resources: list(resource), ...next }),
  }),
  request(
    "agent",
    "resources/templates/list",
    ["Lists the resource templates.", "Server / Resources"],
    {
      params: open(page),
      result: open({
        resourceTemplates: list(open({ uriTemplate: text(), name: text() })),
        ...next,
      }),
    },
  ),
  request("agent", "resources/read", ["Reads a resource.", "Server / Resources"], {
    params: open({ uri: text() }),
    result: open({ contents: list(contents) }),
  }),
  ...["resources/subscribe", "resources/unsubscribe"].map((method) =>
    request(
      "agent",
      method,
      ["Starts or stops notifications about a resource.", "Server / Resources"],
      {
        params: open({ uri: text() }),
        result: nothing,
      },
    ),
  ),
  request("agent", "prompts/list", ["Lists the prompts.", "Server / Prompts"], {
    params: open(page),
    result: open({ prompts: list(open({ name: text(), "description?": text() })), ...next }),
  }),
  request(
    "agent",
    "prompts/get",
    ["Gets a prompt, with its arguments filled in.", "Server / Prompts"],
    {
      params: open({ name: text(), "arguments?": anyObject("Texts by their names") }),
      result: open({ "description?": text(), messages: list(message) }),
    },
  ),
  request(
    "agent",
    "completion/complete",
    ["Completes an argument.", "Server / Utilities / Completion"],
    {
      params: open({
        ref: open({ type: oneOf("ref/prompt", "ref/resource") }),
        argument: open({ name: text(), value: text() }),
      }),
      result: open({ completion: open({ values: list(text()) }) }),
    },
  ),
  request(
    "agent",
    "logging/setLevel",
    ["Sets the lowest level that is logged.", "Server / Utilities / Logging"],
    {
      params: open({ level: levels }),
      result: nothing,
    },
  ),
  request(
    "editor",
    "roots/list",
    ["Lists the folders that the agent works in.", "Client / Roots"],
    {
      params: nothing,
      result: open({ roots: list(open({ uri: text("file:// URI"), "name?": text() })) }),
    },
  ),
  request(
    "editor",
    "sampling/createMessage",
    ["Asks the agent's model for a message.", "Client / Sampling"],
    {
      params: open({
        messages: list(open({ role: oneOf("user", "assistant") })),
        maxTokens: number("At most"),
      }),
      result: open({ role: oneOf("user", "assistant"), model: text() }),
    },
  ),
  request("editor", "elicitation/create", ["Asks the person for input.", "Client / Elicitation"], {
    since: "2025-06-18",
    params: open({ message: text("What the person reads") }),
    result: open({ action: oneOf("accept", "decline", "cancel"), "content?": anyObject() }),
  }),
];

const notifications: readonly MethodFacts[] = [
  notification(
    "agent",
    "notifications/initialized",
    ["Completes the handshake.", "Base / Lifecycle"],
    {
      params: nothing,
    },
  ),
  notification(
    "either",
    "notifications/cancelled",
    ["Cancels a request.", "Base / Utilities / Cancellation"],
    { params: open({ "requestId?": token, "reason?": text("For people") }) },
  ),
  notification(
    "either",
    "notifications/progress",
    ["Reports the progress of a request.", "Base / Utilities / Progress"],
    {
      params: open({
        progressToken: { ...token, description: "As the request's _meta gave it" },
        progress: number("Increases with each notification"),
        "total?": number("The value at the end"),
        "message?": text("For people; since 2025-03-26"),
      }),
    },
  ),
  notification(
    "editor",
    "notifications/message",
    ["A log message.", "Server / Utilities / Logging"],
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
      [
        `The list of ${what} has changed.`,
        `Server / ${what.charAt(0).toUpperCase()}${what.slice(1)}`,
      ],
      { params: nothing },
    ),
  ),
  notification(
    "agent",
    "notifications/roots/list_changed",
    ["The list of the agent's folders has changed.", "Client / Roots"],
    { params: nothing },
  ),
  notification(
    "editor",
    "notifications/elicitation/complete",
    ["The person has finished at the URL.", "Client / Elicitation"],
    { since: "2025-11-25", params: open({ elicitationId: text() }) },
  ),
];

/** The methods of MCP's legacy revisions, by name. */
export const mcpMethods: ReadonlyMap<string, MethodFacts> = new Map(
  [...requests, ...notifications].map((facts) => [facts.method, facts]),
);
