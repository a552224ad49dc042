import { describeValue, isObject } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { readFrame } from "../conversation/read-frame.ts";
import type { FrameFacts } from "../rows/frame-index.ts";

type Fields = Readonly<Record<string, unknown>>;
type Describe = (fields: Fields) => string;

/** Longer frames have no info: a list must be drawn quickly. */
const MAX_UNITS = 200_000;
const MAX_INFO_UNITS = 160;

/** How a diff ended, as its answer is read. */
export type FrameOutcome = "accepted" | "rejected" | `withdrawn by the agent (${string})`;

const calls: Readonly<Record<string, Describe>> = {
  initialize: ({ clientInfo, protocolVersion }) =>
    words(implementation(clientInfo), `MCP ${text(protocolVersion)}`),
  selection_changed: ({ filePath, selection }) =>
    filePath === undefined ? "nothing selected" : `${fileName(filePath)}${place(selection)}`,
  at_mentioned: ({ filePath, lineStart, lineEnd }) =>
    `${fileName(filePath)}${typeof lineStart === "number" ? lines(lineStart, lineEnd) : ""}`,
  ide_connected: ({ pid }) => `process ${text(pid)}`,
  "resources/read": ({ uri }) => text(uri),
  "resources/subscribe": ({ uri }) => text(uri),
  "resources/unsubscribe": ({ uri }) => text(uri),
  "notifications/resources/updated": ({ uri }) => text(uri),
  "prompts/get": ({ name }) => text(name),
  "completion/complete": ({ argument }) =>
    `${text(fieldsOf(argument)["name"])}: ${text(fieldsOf(argument)["value"])}`,
  "logging/setLevel": ({ level }) => text(level),
  "elicitation/create": ({ message }) => text(message),
  "notifications/message": ({ level, data }) => `${text(level)}: ${text(data)}`,
  "notifications/progress": ({ progress, total, message }) =>
    words(
      `${text(progress)}${total === undefined ? "" : ` of ${text(total)}`}`,
      text(message ?? ""),
    ),
  "notifications/cancelled": ({ requestId, reason }) =>
    words(`request ${text(requestId)}`, text(reason ?? "")),
};

/** The members of results that are lists, and what they list. */
const lists = {
  ...{ tools: "tool", prompts: "prompt", resources: "resource" },
  ...{ resourceTemplates: "template", roots: "root" },
} as const;

/** What a frame is about, in a few words for a list; empty if there is nothing to add to its name. */
export function summariseFrame(facts: FrameFacts, raw: string): string {
  if (facts.form !== undefined || facts.units > MAX_UNITS) return "";
  const [message] = readFrame({ raw }).messages;
  if (message === undefined) return "";
  const { kind, value } = message;
  const info =
    kind === "error"
      ? text(fieldsOf(value.error)["message"])
      : kind === "result"
        ? describeResult(facts, fieldsOf(value.result))
        : `${describeCall(facts, fieldsOf(value.params))}${describeFailure(facts)}`;
  return info.replace(/\s+/g, " ").trim().slice(0, MAX_INFO_UNITS);
}

/** How the answer to `openDiff` ended the diff; undefined for any other frame. */
export function outcomeOf(facts: FrameFacts, raw: string): FrameOutcome | undefined {
  const { kind, tool, toolError, withdrawnBy } = facts;
  if (kind !== "result" || tool !== "openDiff" || toolError === true) return undefined;
  if (raw.includes('"FILE_SAVED"')) return "accepted";
  return withdrawnBy === undefined ? "rejected" : `withdrawn by the agent (${withdrawnBy})`;
}

function describeCall({ method = "", tool }: FrameFacts, params: Fields): string {
  if (tool === undefined) {
    return Object.hasOwn(calls, method) ? (calls[method]?.(params) ?? "") : "";
  }
  const given = fieldsOf(params["arguments"]);
  const file = given["old_file_path"] ?? given["filePath"] ?? given["uri"];
  if (file !== undefined) return fileName(file);
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${text(value)}`)
    .join(", ");
}

/** Why a request has failed without an answer. */
function describeFailure({ unanswered, pair }: FrameFacts): string {
  const { reason } = unanswered ?? {};
  return reason === undefined || pair !== undefined ? "" : ` → ${reason}`;
}

function describeResult({ method, tool }: FrameFacts, result: Fields): string {
  if (method === "initialize") {
    return words(implementation(result["serverInfo"]), `MCP ${text(result["protocolVersion"])}`);
  }
  for (const [member, noun] of Object.entries(lists)) {
    const list = result[member];
    if (Array.isArray(list)) return countOf(list.length, noun);
  }
  if (tool === undefined) return "";
  const { content: given } = result;
  const first: unknown = Array.isArray(given) ? given[0] : undefined;
  const content = fieldsOf(first);
  return text(content["text"] ?? content["mimeType"] ?? "");
}

function implementation(value: unknown): string {
  const { name, version } = fieldsOf(value);
  return words(text(name ?? ""), text(version ?? "")).replace(", ", " ");
}

function place(selection: unknown): string {
  const { start, end } = fieldsOf(selection);
  const [from, to] = [fieldsOf(start)["line"], fieldsOf(end)["line"]];
  return typeof from === "number" ? lines(from, to) : "";
}

function lines(from: number, to: unknown): string {
  const last = typeof to === "number" ? to : from;
  return last === from ? `, line ${from + 1}` : `, lines ${from + 1} to ${last + 1}`;
}

function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function fileName(path: unknown): string {
  return typeof path === "string" ? (path.split(/[\\/]/).at(-1) ?? path) : "";
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_INFO_UNITS) : describeValue(value);
}
