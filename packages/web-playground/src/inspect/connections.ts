import { isObject } from "@idewire/core/internal";
import type { CloseReason } from "@idewire/core/rpc";
import { Conversation, type TracedMessage, type TracedRequest } from "@idewire/devtools/internal";
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
  /** How it ended. */
  readonly closed?: CloseReason;
}

/** A tool as it was listed. */
export interface OfferedTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** An entry of a list of a server, with any further members. */
export type OfferedEntry = Readonly<Record<string, unknown>>;

/** The lists of a server, as last listed in a connection; undefined before that. */
export interface OfferedLists {
  readonly tools?: readonly OfferedTool[];
  readonly prompts?: readonly OfferedEntry[];
  readonly resources?: readonly OfferedEntry[];
  readonly resourceTemplates?: readonly OfferedEntry[];
  readonly tasks?: readonly OfferedEntry[];
}

/** A log message of a server. */
export interface ServerMessage {
  /** The event in the log. */
  readonly n: number;
  readonly ch: string;
  readonly level: string;
  readonly logger: string;
  readonly text: string;
}

/** The methods that list something, and where their results have it. */
const LISTS: ReadonlyMap<string, keyof OfferedLists> = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
  ["tasks/list", "tasks"],
]);

/** The messages that may concern a view; no others are parsed. */
const READ =
  /"(?:initialize|(?:tools|prompts|resources|resources\/templates|tasks)\/list|notifications\/message)"|"(?:tools|prompts|resources|resourceTemplates|tasks|taskId)"/;
/** The most log messages that are kept. */
const MAX_MESSAGES = 1_000;

/** The connections of a log, updated as it grows. */
export class Connections {
  readonly #byName = new Map<string, ConnectionFacts>();
  readonly #conversation = new Conversation();
  readonly #lists = new Map<string, OfferedLists>();
  /** The requests for a further page of a list. */
  readonly #further = new WeakSet<TracedRequest>();
  /** The log messages of servers, oldest first. */
  readonly messages: ServerMessage[] = [];
  /** As they were last listed in any connection; undefined before that. */
  tools: readonly OfferedTool[] | undefined;

  /** The lists of a connection. */
  listsOf(ch: string | undefined): OfferedLists {
    return this.#lists.get(ch ?? "") ?? {};
  }

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
        this.#change(event.ch, { state: "closed", closed: event });
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
    if (!READ.test(event.raw)) return;
    for (const message of this.#conversation.add(event).messages) this.#message(event, message);
  }

  #message({ ch, n }: TraceEvent & { readonly ev: "frame" }, message: TracedMessage): void {
    const { kind, request, method, value } = message;
    const { params, result } = value;
    if (kind === "request" && request?.method === "initialize") this.#initialize(ch, params);
    if (kind === "notification" && method === "notifications/message") this.#log(params, { ch, n });
    this.#task(ch, result ?? params, kind === "result");
    const list = request && LISTS.get(request.method);
    if (request === undefined || list === undefined) return;
    if (kind === "request" && isObject(params) && params["cursor"] !== undefined) {
      this.#further.add(request);
    }
    if (kind !== "result" || !isObject(result)) return;
    this.#list(ch, { list, found: result[list], isFurther: this.#further.has(request) });
  }

  /** The state of a task from an answer, also the one that created it, or of a known one from a notification. */
  #task(ch: string, about: unknown, isAnswer: boolean): void {
    const task = isObject(about) && isObject(about["task"]) ? about["task"] : about;
    if (!isObject(task) || typeof task["status"] !== "string") return;
    const { taskId } = task;
    if (typeof taskId !== "string") return;
    const before = this.listsOf(ch);
    const { tasks = [] } = before;
    const at = tasks.findIndex((one) => one["taskId"] === taskId);
    if (at === -1 && !isAnswer) return;
    const all = at === -1 ? [...tasks, task] : tasks.with(at, task);
    this.#lists.set(ch, { ...before, tasks: all });
  }

  #log(params: unknown, { ch, n }: { readonly ch: string; readonly n: number }): void {
    const { level, logger, data } = isObject(params) ? params : {};
    const text = typeof data === "string" ? data : JSON.stringify(data);
    if (this.messages.length === MAX_MESSAGES) this.messages.shift();
    this.messages.push({
      n,
      ch,
      level: String(level),
      logger: typeof logger === "string" ? logger : "",
      text,
    });
  }

  #initialize(ch: string, params: unknown): void {
    const info = isObject(params) ? params["clientInfo"] : undefined;
    if (!isObject(info)) return;
    const words = [info["name"], info["version"]].filter((word) => typeof word === "string");
    this.#change(ch, { agent: words.join(" ") });
  }

  #list(ch: string, { list, found, isFurther }: FoundList): void {
    if (!Array.isArray(found)) return;
    const before = this.listsOf(ch);
    const earlier = isFurther ? (before[list] ?? []) : [];
    const entries = found.filter(list === "tools" ? isTool : isObject);
    const all = [...earlier, ...entries];
    this.#lists.set(ch, { ...before, [list]: all });
    if (list === "tools") this.tools = all.filter(isTool);
  }

  #of(ch: string): ConnectionFacts {
    return this.#byName.get(ch) ?? { ch, state: "asking", frames: 0, pings: 0 };
  }

  #change(ch: string, facts: Partial<ConnectionFacts>): void {
    this.#byName.set(ch, { ...this.#of(ch), ...facts });
  }
}

interface FoundList {
  readonly list: keyof OfferedLists;
  readonly found: unknown;
  /** Whether it continues an earlier page. */
  readonly isFurther: boolean;
}

function isTool(value: unknown): value is OfferedTool {
  return isObject(value) && typeof value["name"] === "string";
}
