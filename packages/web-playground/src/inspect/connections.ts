import { isObject } from "@idewire/core/internal";
import { Conversation, type TracedMessage } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";

/** The facts of one connection between an agent and the editor. */
export interface ConnectionFacts {
  readonly ch: string;
  readonly state: "asking" | "open" | "refused" | "closed";
  /** Name and version of the agent. */
  readonly agent?: string;
  readonly protocol?: string;
  readonly frames: number;
  readonly pings: number;
  /** The upgrade request and its response. */
  readonly request?: string;
  readonly answer?: string;
  readonly code?: number;
  readonly reason?: string;
}

/** A tool as the editor listed it. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}

/** The connections of a log, updated as it grows. */
export class Connections {
  readonly #byName = new Map<string, ConnectionFacts>();
  readonly #conversation = new Conversation();
  /** As they were last listed; undefined before that. */
  tools: readonly OfferedTool[] | undefined;

  /** Oldest first. */
  get all(): readonly ConnectionFacts[] {
    return [...this.#byName.values()];
  }

  get size(): number {
    return this.#byName.size;
  }

  add(event: TraceEvent): void {
    switch (event.ev) {
      case "control":
        this.#control(event);
        break;
      case "open":
        this.#change(event.ch, {
          state: "open",
          ...(event.protocol !== undefined && { protocol: event.protocol }),
        });
        break;
      case "close":
        this.#change(event.ch, { state: "closed", code: event.code, reason: event.reason });
        break;
      case "frame":
        this.#change(event.ch, { frames: this.#of(event.ch).frames + 1 });
        this.#frame(event);
        break;
      default:
    }
  }

  #control({ ch, op, dir, text = "" }: TraceEvent & { readonly ev: "control" }): void {
    if (op === "ping") this.#change(ch, { pings: this.#of(ch).pings + 1 });
    else if (op === "refused") this.#change(ch, { state: "refused", answer: text });
    else if (op === "upgrade")
      this.#change(ch, dir === "agent>ide" ? { request: text } : { answer: text });
  }

  #frame(event: TraceEvent & { readonly ev: "frame" }): void {
    // Only `initialize` and lists of tools are parsed.
    if (!/"initialize"|"tools\/list"|"tools"/.test(event.raw)) return;
    for (const message of this.#conversation.add(event).messages) this.#message(event.ch, message);
  }

  #message(ch: string, { kind, request, value: { params, result } }: TracedMessage): void {
    if (kind === "request" && request?.method === "initialize") this.#initialize(ch, params);
    if (kind === "result" && request?.method === "tools/list") this.#list(result);
  }

  #initialize(ch: string, params: unknown): void {
    const info = isObject(params) ? params["clientInfo"] : undefined;
    if (!isObject(info)) return;
    const words = [info["name"], info["version"]].filter((word) => typeof word === "string");
    this.#change(ch, { agent: words.join(" ") });
  }

  #list(result: unknown): void {
    const tools = isObject(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return;
    this.tools = tools.flatMap((tool: unknown) => {
      if (!isObject(tool) || typeof tool["name"] !== "string") return [];
      const { name, description, inputSchema } = tool;
      const words = typeof description === "string" ? { description } : {};
      return [{ name: String(name), inputSchema, ...words }];
    });
  }

  #of(ch: string): ConnectionFacts {
    return this.#byName.get(ch) ?? { ch, state: "asking", frames: 0, pings: 0 };
  }

  #change(ch: string, facts: Partial<ConnectionFacts>): void {
    this.#byName.set(ch, { ...this.#of(ch), ...facts });
  }
}
