import type { ProblemLayer } from "./problem-layer.ts";

/** Every rule by its code, with its source. */
export const problemRules = {
  "encoding.not-text": ["A frame is a text message, in UTF-8.", "RFC 6455, 5.6; RFC 6455, 8.1"],
  "encoding.not-json": ["A frame is one JSON text.", "RFC 8259, 2; JSON-RPC 2.0, 4"],
  "encoding.byte-order-mark": ["A JSON text has no byte order mark.", "RFC 8259, 8.1"],
  "encoding.lone-surrogate": [
    "Strings are Unicode: half of a surrogate pair cannot be written as UTF-8.",
    "RFC 8259, 8.2",
  ],
  "rpc.not-a-message": [
    "A message is an object; several are a list of objects.",
    "JSON-RPC 2.0, 4 and 6",
  ],
  "rpc.version": ['Every message has "jsonrpc": "2.0".', "JSON-RPC 2.0, 4 and 5"],
  "rpc.method": ["A method is a string.", "JSON-RPC 2.0, 4"],
  "rpc.id": [
    "An id is a string or an integer; null only answers a message that could not be read.",
    "MCP, Base / Messages",
  ],
  "rpc.params": ["Params are an object.", "JSON-RPC 2.0, 4.2; MCP, Base / Messages"],
  "rpc.result-and-error": ["An answer has a result or an error, never both.", "JSON-RPC 2.0, 5"],
  "rpc.neither": ["A message has a method, a result or an error.", "JSON-RPC 2.0, 4 and 5"],
  "rpc.error": ["An error has an integer code and a string message.", "JSON-RPC 2.0, 5.1"],
  "mcp.batch": ["Only revision 2025-03-26 has batches.", "MCP 2025-06-18, Key Changes"],
  "mcp.sender": ["Each method belongs to one end: the client or the server.", "MCP, Schema"],
  "mcp.kind": ["A request has an id, a notification none.", "MCP, Base / Messages"],
  "mcp.params": ["The params do not match the method's schema.", "MCP, Schema"],
  "mcp.result": ["The result does not match the method's schema.", "MCP, Schema"],
  "mcp.later-revision": [
    "Features of a later revision are not sent after an earlier one was negotiated.",
    "MCP, Base / Lifecycle / Version Negotiation",
  ],
  "mcp.revision": ["The revision must exist.", "MCP, Base / Lifecycle / Version Negotiation"],
  "dialect.sender": [
    "The notification is sent in the other direction.",
    "Claude Code 2.1.330, as measured",
  ],
  "dialect.params": [
    "The params do not match the notification's schema: the agent drops it.",
    "Claude Code 2.1.330, as measured",
  ],
  "dialect.prefix": [
    "The agent listens for the name without `notifications/`, which the plugin of JetBrains has.",
    "Claude Code 2.1.330, as measured",
  ],
  "dialect.arguments": [
    "The arguments do not match the tool's schema.",
    "Claude Code 2.1.330, as measured",
  ],
  "dialect.result": [
    "The result does not match the tool's format: the agent does not understand it.",
    "Claude Code 2.1.330, as measured",
  ],
  "state.before-initialize": [
    "Only ping may be requested before initialize is answered.",
    "MCP, Base / Lifecycle",
  ],
  "state.before-initialized": [
    "The editor sends nothing before notifications/initialized.",
    "MCP, Base / Lifecycle",
  ],
  "state.second-initialize": [
    "initialize is the first request, and is sent once.",
    "MCP, Base / Lifecycle",
  ],
  "state.duplicate-id": ["An end does not reuse an id.", "MCP, Base / Messages"],
  "state.unknown-answer": ["An answer has the id of an open request.", "JSON-RPC 2.0, 5"],
  "state.after-close": ["Nothing is sent after the connection has closed.", "RFC 6455, 5.5.1"],
} as const;

/** The stable names of the rules; the first word is the layer. */
export type ProblemCode = keyof typeof problemRules;

/** A problem of a frame. */
export interface Problem {
  readonly code: ProblemCode;
  readonly layer: ProblemLayer;
  /** A JSON pointer (RFC 6901) into the frame; empty for the whole frame. */
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
  /** The broken rule as a sentence. */
  readonly rule: string;
  /** The source of the rule. */
  readonly source: string;
}

/** Where and how a rule is broken. */
export interface Breach {
  readonly pointer?: string;
  readonly expected: string;
  readonly got: string;
  /** A more precise source than the rule's, if known. */
  readonly source?: string;
}

export function problem(code: ProblemCode, breach: Breach): Problem {
  const [rule, source] = problemRules[code];
  const layer = code.slice(0, code.indexOf(".")) as ProblemLayer;
  return { code, layer, pointer: "", rule, source, ...breach };
}
