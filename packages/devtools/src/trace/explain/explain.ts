import { describeValue, isCostly, isObject } from "@idewire/core/internal";
import { readFrame, type UnreadFrame } from "../conversation/read-frame.ts";
import { type FrameFacts, unansweredReasons } from "../rows/frame-index.ts";
import { type EndNames, editorEnds } from "./end-names.ts";

/** The meaning of a frame in a sentence, and its source. */
export interface Explanation {
  readonly sentence: string;
  /** A description of a plugin, a measured fact, or a page of a specification. */
  readonly source?: string;
}

type FrameMembers = Readonly<Record<string, unknown>>;
type Explain = (fields: FrameMembers, ends: EndNames) => string;

const requests: Readonly<Record<string, readonly [Explain, string]>> = {
  initialize: [
    ({ clientInfo, protocolVersion }, { agent }) =>
      `The ${agent} ${quote(fieldOf(clientInfo, "name"))} starts the handshake and asks for MCP ${plain(protocolVersion)}.`,
    "MCP 2025-11-25, Lifecycle / Initialization",
  ],
  "server/discover": [
    (_, { agent, ide }) => `The ${agent} asks which revisions of MCP the ${ide} speaks.`,
    "MCP 2026-07-28, Basic / Lifecycle",
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
    ({ uri }, { agent }) => `The ${agent} asks to hear of changes of the resource ${quote(uri)}.`,
    "MCP 2025-11-25, Server / Resources",
  ],
  "resources/unsubscribe": [
    ({ uri }, { agent }) =>
      `The ${agent} no longer asks to hear of changes of the resource ${quote(uri)}.`,
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
  "notifications/cancelled": [
    ({ requestId }) => `The request ${plain(requestId)} is cancelled.`,
    "MCP 2025-11-25, Utilities / Cancellation",
  ],
};

const tools: Readonly<Record<string, Explain>> = {
  openDiff: ({ old_file_path }) =>
    `The agent asks the editor to show a diff of ${fileName(old_file_path)}, and waits for you.`,
  close_tab: ({ tab_name }) => `The agent asks the editor to close the tab ${quote(tab_name)}.`,
  closeAllDiffTabs: () => "The agent asks the editor to close all its diffs.",
  getDiagnostics: ({ uri }) =>
    `The agent asks for the diagnostics of ${uri === undefined ? "all open files" : fileName(uri)}.`,
  openFile: ({ filePath }) => `The agent asks the editor to open ${fileName(filePath)}.`,
};

const answers: Readonly<Record<string, (text: string, facts: FrameFacts) => string>> = {
  openDiff: (text, { withdrawnBy }) =>
    text === "FILE_SAVED"
      ? "You accepted: the second text is what the agent writes."
      : withdrawnBy === undefined
        ? "You rejected: the agent writes nothing."
        : `The agent withdrew the diff by ${withdrawnBy}, so it ends without an answer of yours.`,
  close_tab: () => "The tab is closed.",
  getDiagnostics: (text) => `The editor reports ${countProblems(text)}.`,
};

const unread: Readonly<Record<UnreadFrame, Explanation>> = {
  binary: {
    sentence: "A binary message, which no dialect uses; its bytes are shown as base64.",
    source: "RFC 6455, 5.6",
  },
  "not-utf8": {
    sentence: "A text message that is not UTF-8; its bytes are shown as base64.",
    source: "RFC 6455, 5.6",
  },
  cut: {
    sentence: "A message that is too long to be recorded; only its beginning is shown.",
    source: "RFC 6455, 5.6",
  },
  costly: {
    sentence: "A message with too many values or levels to be parsed; it is shown as received.",
    source: "RFC 8259, 9",
  },
  "not-json": { sentence: "This is not a JSON-RPC message.", source: "JSON-RPC 2.0" },
};

/** Explains a frame in words. The tools of an editor are known by name, those of other servers are not. */
export function explainFrame(
  facts: FrameFacts,
  raw: string,
  ends: EndNames = editorEnds,
): Explanation {
  const { form } = facts;
  if (form !== undefined) return unread[form];
  const frame = readFrame({ raw });
  if (frame.unread !== undefined) return unread[frame.unread];
  const [message] = frame.messages;
  if (frame.kind === "batch" || message === undefined) {
    const source = "MCP 2025-03-26, Base / Batching";
    return { sentence: "Several messages in one frame.", source };
  }
  const { kind, value } = message;
  if (kind === "malformed") return unread["not-json"];
  if (kind === "error") return explainError(value.error, facts.method ?? "");
  if (kind === "result") return explainResult(value.result, facts, ends);
  return explainCall(facts, fieldsOf(value.params), ends);
}

function explainCall(facts: FrameFacts, params: FrameMembers, ends: EndNames): Explanation {
  const { sentence, ...rest } = explainAsked(facts, params, ends);
  return { sentence: `${sentence}${describeUnanswered(facts)}`, ...rest };
}

/** Why a request has no answer, as a sentence; empty if it has one or may still get one. */
function describeUnanswered({ unanswered, pair }: FrameFacts): string {
  return unanswered === undefined || pair !== undefined
    ? ""
    : ` It was never answered: ${unansweredReasons[unanswered.why]}.`;
}

function explainAsked(
  { kind, method = "", tool }: FrameFacts,
  params: FrameMembers,
  ends: EndNames,
): Explanation {
  if (tool !== undefined && ends === editorEnds && Object.hasOwn(tools, tool)) {
    const sentence = tools[tool]?.(fieldsOf(params["arguments"]), ends) ?? "";
    return { sentence, source: "Claude Code, tools" };
  }
  if (tool !== undefined) return { sentence: `The ${ends.agent} calls the tool ${quote(tool)}.` };
  const known = Object.hasOwn(requests, method) ? requests[method] : undefined;
  if (known !== undefined) return { sentence: known[0](params, ends), source: known[1] };
  const what = kind === "request" ? "A request" : "A notification";
  return { sentence: `${what} with an unknown method: ${quote(method)}.` };
}

function explainError(error: unknown, method: string): Explanation {
  const { code, message } = fieldsOf(error);
  const to = method === "" ? "" : ` to ${method}`;
  const sentence = `The answer${to} is an error: ${plain(message)} (${plain(code)}).`;
  return { sentence, source: "JSON-RPC 2.0, section 5.1" };
}

function explainResult(result: unknown, facts: FrameFacts, ends: EndNames): Explanation {
  const { method = "", tool, toolError } = facts;
  const { protocolVersion, serverInfo, tools: list, content } = fieldsOf(result);
  if (method === "initialize") {
    const name = quote(fieldOf(serverInfo, "name"));
    return { sentence: `The ${ends.ide} is ${name} and speaks MCP ${plain(protocolVersion)}.` };
  }
  if (method === "tools/list" && Array.isArray(list)) {
    return { sentence: `The ${ends.ide} has ${list.length} tools.` };
  }
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const found = fieldOf(first, "text");
  const text = typeof found === "string" ? found : "";
  if (toolError === true) {
    return { sentence: `The tool ${tool} failed. The model reads: ${plain(text)}` };
  }
  if (tool !== undefined && ends === editorEnds && Object.hasOwn(answers, tool)) {
    return { sentence: answers[tool]?.(text, facts) ?? "", source: "Claude Code, tools" };
  }
  return {
    sentence:
      method === ""
        ? "Unsolicited reply: no known request has its id."
        : `The answer to ${method}.`,
  };
}

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

function countProblems(text: string): string {
  if (isCostly(text)) return "more than can be counted here";
  try {
    const files: unknown = JSON.parse(text);
    if (!Array.isArray(files)) return "something that is not a list";
    const lists = files.map((file) => fieldOf(file, "diagnostics"));
    const count = lists.reduce<number>(
      (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
      0,
    );
    return count === 1 ? "one problem" : `${count} problems`;
  } catch {
    return "something that is not JSON";
  }
}

function fieldsOf(value: unknown): FrameMembers {
  return isObject(value) ? value : {};
}

function fieldOf(value: unknown, key: string): unknown {
  return fieldsOf(value)[key];
}

function fileName(path: unknown): string {
  return typeof path === "string" ? (path.split(/[\\/]/).at(-1) ?? path) : "a file";
}

function plain(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : describeValue(value);
}

function quote(value: unknown): string {
  return `“${plain(value)}”`;
}
