import { isCostly } from "@idewire/core/internal";
import { readFrame, type UnreadFrame } from "../conversation/read-frame.ts";
import { describeUnanswered, type FrameFacts } from "../rows/frame-index.ts";
import { type EndNames, editorEnds } from "./end-names.ts";
import { type FrameMembers, fieldOf, fieldsOf, plain, quote } from "./frame-fields.ts";
import { methodSentences, toolSentences } from "./method-sentences.ts";

/** The meaning of a frame in a sentence, and its source. */
export interface Explanation {
  readonly sentence: string;
  /** A description of a plugin, a measured fact, or a page of a specification. */
  readonly source?: string;
}

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
  const { sentence, ...rest } = explainMethod(facts, params, ends);
  return { sentence: `${sentence}${describeEnd(facts)}`, ...rest };
}

/** Why a request has no answer, as a sentence; empty if it has one or may still get one. */
function describeEnd({ unanswered, pair }: FrameFacts): string {
  const isOver = unanswered !== undefined && pair === undefined;
  return isOver ? ` It ${describeUnanswered(unanswered)}.` : "";
}

function explainMethod(
  { kind, method = "", tool }: FrameFacts,
  params: FrameMembers,
  ends: EndNames,
): Explanation {
  if (tool !== undefined && ends === editorEnds && Object.hasOwn(toolSentences, tool)) {
    const sentence = toolSentences[tool]?.(fieldsOf(params["arguments"]), ends) ?? "";
    return { sentence, source: "Claude Code, tools" };
  }
  if (tool !== undefined) return { sentence: `The ${ends.agent} calls the tool ${quote(tool)}.` };
  const known = Object.hasOwn(methodSentences, method) ? methodSentences[method] : undefined;
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
