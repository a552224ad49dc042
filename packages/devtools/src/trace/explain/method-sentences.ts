import { appSentences } from "./app-sentences.ts";
import type { EndNames } from "./end-names.ts";
import { type FrameMembers, fieldOf, fieldsOf, fileName, plain, quote } from "./frame-fields.ts";

/** Describes a message by its parameters. */
export type Sentence = (fields: FrameMembers, ends: EndNames) => string;

/** The sentence of each request and notification, and its source. */
export const methodSentences: Readonly<Record<string, readonly [Sentence, string]>> = {
  initialize: [
    ({ clientInfo, protocolVersion }, { agent }) =>
      `The ${agent} ${quote(fieldOf(clientInfo, "name"))} starts the handshake and asks for MCP ${plain(protocolVersion)}.`,
    "MCP 2025-11-25, Lifecycle / Initialization",
  ],
  "server/discover": [
    (_, { agent, ide }) => `The ${agent} asks which revisions of MCP the ${ide} speaks.`,
    "MCP 2026-07-28, Server / Discover",
  ],
  ping: [() => "Checks that the other end is alive.", "MCP 2025-11-25, Utilities / Ping"],
  "tools/list": [
    (_, { agent, ide }) => `The ${agent} asks which tools the ${ide} has.`,
    "MCP 2025-11-25, Server / Tools",
  ],
  "resources/list": [
    (_, { agent }) => `The ${agent} asks which resources there are.`,
    "MCP, Server / Resources",
  ],
  "resources/templates/list": [
    (_, { agent }) => `The ${agent} asks which templates of resources there are.`,
    "MCP, Server / Resources",
  ],
  "resources/read": [
    ({ uri }, { agent }) => `The ${agent} reads the resource ${quote(uri)}.`,
    "MCP, Server / Resources",
  ],
  "resources/subscribe": [
    ({ uri }, { agent }) => `The ${agent} subscribes to changes of the resource ${quote(uri)}.`,
    "MCP 2025-11-25, Server / Resources",
  ],
  "resources/unsubscribe": [
    ({ uri }, { agent }) => `The ${agent} unsubscribes from changes of the resource ${quote(uri)}.`,
    "MCP 2025-11-25, Server / Resources",
  ],
  "prompts/list": [
    (_, { agent }) => `The ${agent} asks which prompts there are.`,
    "MCP, Server / Prompts",
  ],
  "prompts/get": [
    ({ name }, { agent }) => `The ${agent} asks for the prompt ${quote(name)}.`,
    "MCP, Server / Prompts",
  ],
  "completion/complete": [
    ({ argument }, { agent }) =>
      `The ${agent} asks which values ${quote(fieldOf(argument, "name"))} may have.`,
    "MCP, Utilities / Completion",
  ],
  "logging/setLevel": [
    ({ level }, { agent }) =>
      `The ${agent} asks for log messages from the level ${quote(level)} on.`,
    "MCP 2025-11-25, Utilities / Logging",
  ],
  "sampling/createMessage": [
    (_, { agent, ide }) => `The ${ide} asks for an answer of the model of the ${agent}.`,
    "MCP, Client / Sampling",
  ],
  "elicitation/create": [
    ({ message }, { ide }) => `The ${ide} asks you: ${plain(message)}`,
    "MCP, Client / Elicitation",
  ],
  "roots/list": [
    (_, { ide }) => `The ${ide} asks which folders it may know of.`,
    "MCP, Client / Roots",
  ],
  "notifications/initialized": [
    (_, { agent }) => `The ${agent} confirms the answer: the handshake is complete.`,
    "MCP 2025-11-25, Lifecycle / Initialization",
  ],
  "notifications/message": [
    ({ level, data }, { ide }) => `The ${ide} logs, at the level ${plain(level)}: ${plain(data)}`,
    "MCP, Utilities / Logging",
  ],
  "notifications/progress": [
    ({ progress, total, progressToken }) =>
      `The request ${plain(progressToken)} has come to ${plain(progress)}${total === undefined ? "" : ` of ${plain(total)}`}.`,
    "MCP, Utilities / Progress",
  ],
  "notifications/tools/list_changed": [
    (_, { ide }) => `The ${ide} reports that its tools have changed.`,
    "MCP, Server / Tools",
  ],
  "notifications/prompts/list_changed": [
    (_, { ide }) => `The ${ide} reports that its prompts have changed.`,
    "MCP, Server / Prompts",
  ],
  "notifications/resources/list_changed": [
    (_, { ide }) => `The ${ide} reports that its resources have changed.`,
    "MCP, Server / Resources",
  ],
  "notifications/resources/updated": [
    ({ uri }, { ide }) => `The ${ide} reports that the resource ${quote(uri)} has changed.`,
    "MCP, Server / Resources",
  ],
  "notifications/roots/list_changed": [
    (_, { agent }) => `The ${agent} reports that its roots have changed.`,
    "MCP 2025-11-25, Client / Roots",
  ],
  "notifications/elicitation/complete": [
    (_, { ide }) => `The ${ide} reports that you have finished at the address that it gave.`,
    "MCP 2025-11-25, Client / Elicitation",
  ],
  "tasks/get": [
    ({ taskId }, { agent }) => `The ${agent} asks for the state of the task ${quote(taskId)}.`,
    "MCP 2025-11-25, Utilities / Tasks",
  ],
  "tasks/result": [
    ({ taskId }, { agent }) => `The ${agent} waits for the result of the task ${quote(taskId)}.`,
    "MCP 2025-11-25, Utilities / Tasks",
  ],
  "tasks/list": [
    (_, { agent }) => `The ${agent} asks which tasks there are.`,
    "MCP 2025-11-25, Utilities / Tasks",
  ],
  "tasks/update": [
    ({ taskId }, { agent }) => `The ${agent} answers the questions of the task ${quote(taskId)}.`,
    "Extension io.modelcontextprotocol/tasks",
  ],
  "tasks/cancel": [
    ({ taskId }, { agent }) => `The ${agent} cancels the task ${quote(taskId)}.`,
    "MCP 2025-11-25, Utilities / Tasks",
  ],
  "notifications/tasks/status": [
    ({ taskId, status }, { ide }) =>
      `The ${ide} reports that the task ${quote(taskId)} is ${plain(status)}.`,
    "MCP 2025-11-25, Utilities / Tasks",
  ],
  "notifications/tasks": [
    ({ taskId, status }, { ide }) =>
      `The ${ide} reports that the task ${quote(taskId)} is ${plain(status)}.`,
    "Extension io.modelcontextprotocol/tasks",
  ],
  "subscriptions/listen": [
    (_, { agent, ide }) => `The ${agent} asks the ${ide} to report changes in one stream.`,
    "MCP 2026-07-28, Patterns / Subscriptions",
  ],
  "notifications/subscriptions/acknowledged": [
    (_, { ide }) => `The ${ide} confirms which changes it will report.`,
    "MCP 2026-07-28, Patterns / Subscriptions",
  ],
  ide_connected: [
    ({ pid }) => `The agent sends its process id, ${plain(pid)}.`,
    "Claude Code, handshake",
  ],
  selection_changed: [
    ({ filePath, text, selection }) =>
      filePath === undefined
        ? "The editor reports that nothing is selected."
        : `The editor reports that ${describeSelection(text, selection)} selected in ${fileName(filePath)}.`,
    "Claude Code, notifications",
  ],
  at_mentioned: [
    ({ filePath, lineStart, lineEnd }) =>
      `You send ${fileName(filePath)}${describeLines(lineStart, lineEnd)} to the agent.`,
    "Claude Code, notifications",
  ],
  diagnostics_changed: [
    () => "The editor reports that the diagnostics of some files have changed.",
    "Neovim plugin, diagnostics_changed",
  ],
  log_event: [
    ({ eventName }) => `The editor passes on the event ${quote(eventName)} as telemetry.`,
    "Neovim plugin, log_event",
  ],
  "notifications/cancelled": [
    ({ requestId }) => `The request ${plain(requestId)} is cancelled.`,
    "MCP 2025-11-25, Utilities / Cancellation",
  ],
  ...appSentences,
};

/** The sentence of a call of each tool of an editor. */
export const toolSentences: Readonly<Record<string, Sentence>> = {
  openDiff: ({ old_file_path }) =>
    `The agent asks the editor to show a diff of ${fileName(old_file_path)}, and waits for you.`,
  close_tab: ({ tab_name }) => `The agent asks the editor to close the tab ${quote(tab_name)}.`,
  closeAllDiffTabs: () => "The agent asks the editor to close all its diffs.",
  getDiagnostics: ({ uri }) =>
    `The agent asks for the diagnostics of ${uri === undefined ? "all open files" : fileName(uri)}.`,
  openFile: ({ filePath }) => `The agent asks the editor to open ${fileName(filePath)}.`,
};

function describeSelection(text: unknown, selection: unknown): string {
  const start = fieldsOf(fieldOf(selection, "start"));
  if (typeof text !== "string" || text === "") {
    return `the cursor is on line ${Number(start["line"] ?? 0) + 1}, with nothing`;
  }
  const lines = text.split("\n").length;
  return `${text.length} characters on ${lines === 1 ? "one line" : `${lines} lines`} are`;
}

function describeLines(start: unknown, end: unknown): string {
  if (typeof start !== "number") return "";
  const last = typeof end === "number" ? end : start;
  return last === start ? `, line ${start + 1},` : `, lines ${start + 1} to ${last + 1},`;
}
