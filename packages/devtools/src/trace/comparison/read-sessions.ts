import { isObject, Method } from "@idewire/core/internal";
import { commonFolder, pathsIn } from "../../recorded-paths.ts";
import {
  Conversation,
  type TracedMessage,
  type TracedRequest,
} from "../conversation/conversation.ts";
import type { Direction, EventStamp, FrameEvent, TraceEvent } from "../format/trace-event.ts";
import type { RecordedSession, SessionMessage } from "./model.ts";

/** The member of a result that lists, by method. */
const LISTED: ReadonlyMap<string, string> = new Map([
  [Method.ToolsList, "tools"],
  [Method.PromptsList, "prompts"],
  [Method.ResourcesList, "resources"],
  [Method.ResourceTemplatesList, "resourceTemplates"],
]);

/** Keep-alive and progress: how often they are sent differs from run to run. */
const INCIDENTAL: ReadonlySet<string> = new Set([Method.Ping, "notifications/progress"]);

/** Whether a method asks for a list whose entries are compared by name. */
export function isListRequest(method: string | undefined): boolean {
  return method !== undefined && LISTED.has(method);
}

/** The connections of a trace that carried frames, in the order of their first event. */
export function readSessions(events: Iterable<TraceEvent>): readonly RecordedSession[] {
  const readers = new Map<string, SessionReader>();
  const conversation = new Conversation(true);
  for (const event of events) {
    const { messages } = conversation.add(event);
    if (event.ev !== "frame" && event.ev !== "open") continue;
    const reader = readers.get(event.ch) ?? new SessionReader(event.ch);
    readers.set(event.ch, reader);
    if (event.ev === "open") reader.protocol = event.protocol;
    else reader.take(event, messages);
  }
  return [...readers.values()].filter(({ frames }) => frames > 0).map((reader) => reader.finish());
}

type Draft = { -readonly [K in keyof SessionMessage]: SessionMessage[K] };

class SessionReader {
  protocol: string | undefined;
  frames = 0;
  readonly #ch: string;
  readonly #messages: Draft[] = [];
  readonly #requests = new Map<TracedRequest, Draft>();
  readonly #lists = new Map<string, Map<string, unknown>>();
  readonly #paths: Readonly<Record<Direction, string[]>> = { "ide>agent": [], "agent>ide": [] };
  #initialize: Draft | undefined;

  constructor(ch: string) {
    this.#ch = ch;
  }

  take(frame: EventStamp & FrameEvent, messages: readonly TracedMessage[]): void {
    this.frames += 1;
    const { n, raw, dir, lost } = frame;
    if (lost === true) return;
    if (messages.length === 0) this.#messages.push({ n, dir, kind: "malformed", params: raw });
    for (const message of messages) this.#take(message, { n, dir });
  }

  finish(): RecordedSession {
    const { params, answer } = this.#initialize ?? {};
    const result = isObject(answer?.result) ? answer.result : {};
    const agent = nameOf(isObject(params) ? params["clientInfo"] : undefined);
    const ide = nameOf(result["serverInfo"]);
    const { "ide>agent": byEditor, "agent>ide": byAgent } = this.#paths;
    const folder = commonFolder(byEditor.length > 0 ? byEditor : byAgent);
    return {
      ...{ ch: this.#ch, frames: this.frames, lists: this.#lists },
      ...(agent !== undefined && { agent }),
      ...(ide !== undefined && { ide }),
      ...(folder !== undefined && { folder }),
      handshake: {
        ...(this.protocol !== undefined && { protocol: this.protocol }),
        ...(params !== undefined && { params }),
        ...(answer !== undefined && { answer }),
      },
      messages: this.#messages,
    };
  }

  #take(message: TracedMessage, at: { readonly n: number; readonly dir: Direction }): void {
    const { kind, method, tool, value, request } = message;
    switch (kind) {
      case "malformed":
        this.#messages.push({ ...at, kind, params: value });
        return;
      case "result":
      case "error":
        this.#answer(message, at);
        return;
      default: {
        const { params } = value;
        if (isObject(params)) this.#paths[at.dir].push(...pathsIn(params));
        const draft: Draft = {
          ...{ ...at, kind },
          ...(method !== undefined && { method }),
          ...(tool !== undefined && { tool }),
          ...(params !== undefined && { params }),
        };
        if (request !== undefined) this.#requests.set(request, draft);
        if (method === Method.Initialize && kind === "request") this.#initialize ??= draft;
        else if (!INCIDENTAL.has(method ?? "")) this.#messages.push(draft);
      }
    }
  }

  #answer(
    { request, value: { result, error } }: TracedMessage,
    at: { readonly n: number; readonly dir: Direction },
  ): void {
    const outcome = {
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error }),
    };
    const draft = request === undefined ? undefined : this.#requests.get(request);
    if (request === undefined || draft === undefined) {
      this.#messages.push({ ...at, kind: "answer", params: outcome });
      return;
    }
    this.#requests.delete(request);
    draft.answer = { n: at.n, ...outcome };
    if (isObject(result)) this.#list(request.method, result);
  }

  /** A list may come in pages, and again after a change: the newest entry of a name counts. */
  #list(method: string, result: Readonly<Record<string, unknown>>): void {
    const what = LISTED.get(method);
    const entries = what === undefined ? undefined : result[what];
    if (what === undefined || !Array.isArray(entries)) return;
    const list = this.#lists.get(what) ?? new Map<string, unknown>();
    this.#lists.set(what, list);
    for (const entry of entries.filter(isObject)) {
      const { name, uri, uriTemplate } = entry;
      list.set(String(uri ?? uriTemplate ?? name), entry);
    }
  }
}

/** `claude-code 2.1.0`. */
function nameOf(info: unknown): string | undefined {
  if (!isObject(info) || typeof info["name"] !== "string") return undefined;
  const { name, version } = info;
  return typeof version === "string" ? `${name} ${version}` : String(name);
}
