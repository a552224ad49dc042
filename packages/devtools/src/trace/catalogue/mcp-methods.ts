import type { LegacyRevision } from "@idewire/core/internal";
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

type Rest = Pick<MethodFacts, "about" | "result" | "since"> & Partial<Pick<MethodFacts, "params">>;

function request(
  from: MethodFacts["from"],
  method: string,
  section: string,
  rest: Rest,
): MethodFacts {
  const shapes = { params: nothing, result: nothing, ...rest };
  return { method, kind: "request", from, source: `MCP, ${section}`, ...shapes };
}

function notification(
  from: MethodFacts["from"],
  method: string,
  section: string,
  rest: Omit<Rest, "result">,
): MethodFacts {
  return {
    method,
    kind: "notification",
    from,
    source: `MCP, ${section}`,
    params: nothing,
    ...rest,
  };
}

function listing(method: string, about: string, shape: Readonly<Record<string, Shape>>) {
  const [of = ""] = method.split("/");
  return request("agent", method, `Server / ${of.charAt(0).toUpperCase()}${of.slice(1)}`, {
    about,
    params: open(page),
    result: open({ ...shape, ...next }),
  });
}

const requests: readonly MethodFacts[] = [
  request("agent", "initialize", "Base / Lifecycle", {
    about: "Starts the handshake.",
    params: open({
      protocolVersion: text("The newest revision that the agent supports"),
      capabilities,
      clientInfo: implementation,
    }),
    result: open({
      protocolVersion: text("The revision that both use from here on"),
      capabilities,
      serverInfo: implementation,
      "instructions?": text("Instructions for the model"),
    }),
  }),
  request("either", "ping", "Base / Utilities / Ping", {
    about: "Checks that the other end is alive.",
  }),
  listing("tools/list", "Lists the tools.", { tools: list(tool) }),
  listing("resources/list", "Lists the resources.", { resources: list(resource) }),
  listing("resources/templates/list", "Lists the resource templates.", {
    resourceTemplates: list(open({ uriTemplate: text(), name: text() })),
  }),
  listing("prompts/list", "Lists the prompts.", {
    prompts: list(open({ name: text(), "description?": text() })),
  }),
  request("agent", "tools/call", "Server / Tools", {
    about: "Calls a tool.",
    params: open({ name: text("Of the tool"), "arguments?": anyObject() }),
    result: open({
      content: list(content, "What the model, or the agent, reads"),
      "isError?": flag("The tool failed, and the text says why"),
      "structuredContent?": { ...anyObject("As defined by outputSchema"), since: "2025-06-18" },
    }),
  }),
  request("agent", "resources/read", "Server / Resources", {
    about: "Reads a resource.",
    params: open({ uri: text() }),
    result: open({ contents: list(contents) }),
  }),
  ...["resources/subscribe", "resources/unsubscribe"].map((method) =>
    request("agent", method, "Server / Resources", {
      about: "Starts or stops notifications about a resource.",
      params: open({ uri: text() }),
    }),
  ),
  request("agent", "prompts/get", "Server / Prompts", {
    about: "Gets a prompt, with its arguments filled in.",
    params: open({ name: text(), "arguments?": anyObject("Texts by their names") }),
    result: open({ "description?": text(), messages: list(message) }),
  }),
  request("agent", "completion/complete", "Server / Utilities / Completion", {
    about: "Completes an argument.",
    params: open({
      ref: open({ type: oneOf("ref/prompt", "ref/resource") }),
      argument: open({ name: text(), value: text() }),
    }),
    result: open({ completion: open({ values: list(text()) }) }),
  }),
  request("agent", "logging/setLevel", "Server / Utilities / Logging", {
    about: "Sets the lowest level that is logged.",
    params: open({ level: levels }),
  }),
  request("editor", "roots/list", "Client / Roots", {
    about: "Lists the folders that the agent works in.",
    result: open({ roots: list(open({ uri: text("file:// URI"), "name?": text() })) }),
  }),
  request("editor", "sampling/createMessage", "Client / Sampling", {
    about: "Asks the agent's model for a message.",
    params: open({
      messages: list(open({ role: oneOf("user", "assistant") })),
      maxTokens: number("At most"),
    }),
    result: open({ role: oneOf("user", "assistant"), model: text() }),
  }),
  request("editor", "elicitation/create", "Client / Elicitation", {
    about: "Asks the person for input.",
    since: "2025-06-18",
    params: open({ message: text("What the person reads") }),
    result: open({ action: oneOf("accept", "decline", "cancel"), "content?": anyObject() }),
  }),
];

const notifications: readonly MethodFacts[] = [
  notification("agent", "notifications/initialized", "Base / Lifecycle", {
    about: "Completes the handshake.",
  }),
  notification("either", "notifications/cancelled", "Base / Utilities / Cancellation", {
    about: "Cancels a request.",
    params: open({ "requestId?": token, "reason?": text("For people") }),
  }),
  notification("either", "notifications/progress", "Base / Utilities / Progress", {
    about: "Reports the progress of a request.",
    params: open({
      progressToken: { ...token, description: "As the request's _meta gave it" },
      progress: number("Increases with each notification"),
      "total?": number("The value at the end"),
      "message?": text("For people; since 2025-03-26"),
    }),
  }),
  notification("editor", "notifications/message", "Server / Utilities / Logging", {
    about: "A log message.",
    params: open({ level: levels, data: {}, "logger?": text() }),
  }),
  notification("editor", "notifications/resources/updated", "Server / Resources", {
    about: "A resource has changed.",
    params: open({ uri: text() }),
  }),
  ...["tools", "prompts", "resources"].map((what) =>
    notification(
      "editor",
      `notifications/${what}/list_changed`,
      `Server / ${what.charAt(0).toUpperCase()}${what.slice(1)}`,
      { about: `The list of ${what} has changed.` },
    ),
  ),
  notification("agent", "notifications/roots/list_changed", "Client / Roots", {
    about: "The list of the agent's folders has changed.",
  }),
  notification("editor", "notifications/elicitation/complete", "Client / Elicitation", {
    about: "The person has finished at the URL.",
    since: "2025-11-25",
    params: open({ elicitationId: text() }),
  }),
];

/** The methods of MCP's legacy revisions, by name. */
export const mcpMethods: ReadonlyMap<string, MethodFacts> = new Map(
  [...requests, ...notifications].map((facts) => [facts.method, facts]),
);
