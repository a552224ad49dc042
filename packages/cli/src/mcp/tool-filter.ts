import { asObject, isObject, isRequestId, type RequestId } from "@idewire/core/internal";
import { type CloseReason, RpcErrorCode, type Transport } from "@idewire/core/rpc";
import { globMatcher } from "@idewire/paired-comments/internal";
import { exactJson } from "../output/exact-json.ts";

interface Glob {
  /** The flag with its glob, as messages name it. */
  readonly name: string;
  readonly isHiding: boolean;
  readonly matches: (name: string) => boolean;
}

/**
 * The filter of `--tools` and `--hide-tools`; an error message for a wrong glob.
 * @param shown globs of the tools to show; all if empty
 * @param hidden globs of the tools to hide
 */
export function createToolFilter(
  shown: readonly string[],
  hidden: readonly string[],
): ToolFilter | string {
  const globs: Glob[] = [];
  for (const [flag, texts] of Object.entries({ "--tools": shown, "--hide-tools": hidden })) {
    for (const text of texts) {
      const matches = globMatcher(withoutFolders(text));
      if (matches === undefined) return `${flag}: ${JSON.stringify(text)} is not a glob`;
      const isHiding = flag === "--hide-tools";
      globs.push({ name: `${flag} ${JSON.stringify(text)}`, isHiding, matches });
    }
  }
  return new ToolFilter(globs);
}

/** Which tools of a server are listed and may be called. */
export class ToolFilter {
  readonly #showing: readonly Glob[];
  readonly #hiding: readonly Glob[];
  /** The globs that have matched no listed tool, and were not reported. */
  readonly #unmatched: Set<Glob>;
  #hasHidden = false;

  constructor(globs: readonly Glob[]) {
    this.#showing = globs.filter(({ isHiding }) => !isHiding);
    this.#hiding = globs.filter(({ isHiding }) => isHiding);
    this.#unmatched = new Set(globs);
  }

  /** Whether a tool of the server was left out of a list. */
  get hasHidden(): boolean {
    return this.#hasHidden;
  }

  /** Whether a tool may be called. */
  isShown(name: string): boolean {
    const matchesAny = (globs: readonly Glob[]) =>
      globs.some(({ matches }) => matches(withoutFolders(name)));
    return (this.#showing.length === 0 || matchesAny(this.#showing)) && !matchesAny(this.#hiding);
  }

  /** Whether a tool of the server is listed. */
  list(name: string): boolean {
    for (const glob of this.#unmatched) {
      if (glob.matches(withoutFolders(name))) this.#unmatched.delete(glob);
    }
    const isShown = this.isShown(name);
    this.#hasHidden ||= !isShown;
    return isShown;
  }

  /** The globs that match no tool of a complete list: each of them once, since a host lists often. */
  takeUnmatched(): readonly string[] {
    const names = [...this.#unmatched].map(({ name }) => name);
    this.#unmatched.clear();
    return names;
  }
}

/** A tool's name is not a path: a star matches a slash, too. */
function withoutFolders(text: string): string {
  return text.replaceAll("/", "\ue000");
}

/**
 * A transport to a server whose hidden tools are neither listed nor called, in any era of MCP.
 * @param warn called for each glob that matches no tool, once all tools are listed
 */
export function filterTools(
  transport: Transport,
  filter: ToolFilter,
  warn: (words: string) => void,
): Transport {
  return new FilteredTransport(transport, filter, warn);
}

class FilteredTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #transport: Transport;
  readonly #filter: ToolFilter;
  readonly #warn: (words: string) => void;
  /** The unanswered requests for tools. */
  readonly #listing = new Set<RequestId>();

  constructor(transport: Transport, filter: ToolFilter, warn: (words: string) => void) {
    this.#transport = transport;
    this.#filter = filter;
    this.#warn = warn;
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
    return typeof name !== "string" || !this.#filter.isShown(name);
  }

  #withoutHidden(frame: string): string {
    if (this.#listing.size === 0) return frame;
    const messages = messagesOf(frame);
    if (!messages.some((message) => this.#isListing(message))) return frame;
    const shown = messages.map((message) => {
      if (!this.#isListing(message)) return message;
      this.#listing.delete(message.id as RequestId);
      const result = asObject(message["result"]);
      const { tools, nextCursor } = result;
      if (!Array.isArray(tools)) return message;
      const left = tools.filter((tool) => this.#isListed(tool));
      if (nextCursor === undefined) this.#reportUnmatched();
      return { ...message, result: { ...result, tools: left } };
    });
    const isBatch = shown.length > 1 || frame.trimStart().startsWith("[");
    return exactJson.stringify(isBatch ? shown : shown[0]);
  }

  #isListing({ id, method }: Message): boolean {
    return method === undefined && isRequestId(id) && this.#listing.has(id);
  }

  #isListed(tool: unknown): boolean {
    const { name } = asObject(tool);
    return typeof name === "string" && this.#filter.list(name);
  }

  #reportUnmatched(): void {
    for (const glob of this.#filter.takeUnmatched()) {
      this.#warn(`${glob} matches no tool of the server`);
    }
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
