import { asObject, isObject, isRequestId, type RequestId } from "@idewire/core/internal";
import { type CloseReason, RpcErrorCode, type Transport } from "@idewire/core/rpc";
import { globMatcher } from "@idewire/paired-comments/internal";
import { exactJson } from "../output/exact-json.ts";

/** Whether a tool is listed and may be called. */
export type ToolFilter = (name: string) => boolean;

/**
 * The filter of `--tools` and `--hide-tools`; an error message for a wrong glob.
 * @param shown globs of the tools to show; all if empty
 * @param hidden globs of the tools to hide
 */
export function createToolFilter(
  shown: readonly string[],
  hidden: readonly string[],
): ToolFilter | string {
  const flags = { "--tools": shown, "--hide-tools": hidden };
  const matchers = new Map<string, ToolFilter>();
  for (const [flag, globs] of Object.entries(flags)) {
    for (const glob of globs) {
      const matches = globMatcher(withoutFolders(glob));
      if (matches === undefined) return `${flag}: ${JSON.stringify(glob)} is not a glob`;
      matchers.set(glob, matches);
    }
  }
  const matchesAny = (globs: readonly string[], name: string) =>
    globs.some((glob) => matchers.get(glob)?.(withoutFolders(name)));
  return (name) => (shown.length === 0 || matchesAny(shown, name)) && !matchesAny(hidden, name);
}

/** A tool's name is not a path: a star matches a slash, too. */
function withoutFolders(text: string): string {
  return text.replaceAll("/", "\ue000");
}

/** A transport to a server whose hidden tools are neither listed nor called, in any era of MCP. */
export function filterTools(transport: Transport, isShown: ToolFilter): Transport {
  return new FilteredTransport(transport, isShown);
}

class FilteredTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #transport: Transport;
  readonly #isShown: ToolFilter;
  /** The unanswered requests for tools. */
  readonly #listing = new Set<RequestId>();

  constructor(transport: Transport, isShown: ToolFilter) {
    this.#transport = transport;
    this.#isShown = isShown;
    transport.onframe = (frame) => this.onframe?.(this.#withoutHidden(frame));
    transport.onclose = (reason) => this.onclose?.(reason);
    transport.ondrain = () => this.ondrain?.();
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  get requests(): Transport["requests"] {
    return this.#transport.requests;
  }

  set requests(tracker: Transport["requests"]) {
    this.#transport.requests = tracker;
  }

  redact<T>(value: T): T {
    return this.#transport.redact?.(value) ?? value;
  }

  reaches(about?: RequestId): boolean {
    return this.#transport.reaches?.(about) ?? true;
  }

  partial(): string {
    return this.#transport.partial?.() ?? "";
  }

  send(frame: string, about?: RequestId): void {
    const messages = messagesOf(frame);
    const refused = messages.filter((message) => this.#isHiddenCall(message));
    for (const { method, id } of messages) {
      if (method === "tools/list" && isRequestId(id)) this.#listing.add(id);
    }
    if (refused.length === 0) {
      this.#transport.send(frame, about);
      return;
    }
    // Other messages of a batch are sent.
    const rest = messages.filter((message) => !refused.includes(message));
    if (rest.length > 0) this.#transport.send(exactJson.stringify(rest), about);
    for (const { id, params } of refused) {
      if (!isRequestId(id)) continue;
      const name = String(asObject(params)["name"]);
      const message = `Unknown tool: ${name} (hidden by --tools or --hide-tools)`;
      const error = { code: RpcErrorCode.InvalidParams, message };
      // A transport never calls back from within `send`.
      queueMicrotask(() => this.onframe?.(exactJson.stringify({ jsonrpc: "2.0", id, error })));
    }
  }

  close(code?: number, reason?: string): void {
    this.#transport.close(code, reason);
  }

  #isHiddenCall({ method, params }: Message): boolean {
    if (method !== "tools/call") return false;
    const { name } = asObject(params);
    return typeof name !== "string" || !this.#isShown(name);
  }

  #withoutHidden(frame: string): string {
    if (this.#listing.size === 0) return frame;
    const messages = messagesOf(frame);
    const isListed = messages.some((message) => this.#isListing(message));
    if (!isListed) return frame;
    const shown = messages.map((message) => {
      if (!this.#isListing(message)) return message;
      this.#listing.delete(message.id as RequestId);
      const result = asObject(message["result"]);
      const { tools } = result;
      if (!Array.isArray(tools)) return message;
      return {
        ...message,
        result: { ...result, tools: tools.filter((tool) => this.#isTool(tool)) },
      };
    });
    const isBatch = shown.length > 1 || frame.trimStart().startsWith("[");
    return exactJson.stringify(isBatch ? shown : shown[0]);
  }

  #isListing({ id, method }: Message): boolean {
    return method === undefined && isRequestId(id) && this.#listing.has(id);
  }

  #isTool(tool: unknown): boolean {
    const { name } = asObject(tool);
    return typeof name === "string" && this.#isShown(name);
  }
}

type Message = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
};

/** The messages of a frame; none if it is not JSON. */
function messagesOf(frame: string): readonly Message[] {
  try {
    const value = exactJson.parse(frame);
    return (Array.isArray(value) ? value : [value]).filter(isObject);
  } catch {
    return [];
  }
}
