import { isObject, isRequestId, Method, type RawMessage } from "@idewire/core";
import { commonFolder, pathsIn } from "../../recorded-paths.ts";
import { frameMessages } from "../format/frame-messages.ts";
import {
  type Direction,
  type FrameEvent,
  opposite,
  type TraceEvent,
} from "../format/trace-event.ts";
import type { RecordedSession, SessionAnswer, SessionMessage } from "./model.ts";

/** The member of a result that lists, by method. */
const LISTED: ReadonlyMap<string, string> = new Map([
  [Method.ToolsList, "tools"],
  [Method.PromptsList, "prompts"],
  [Method.ResourcesList, "resources"],
  [Method.ResourceTemplatesList, "resourceTemplates"],
]);

/** Keeps the connection alive or tells of progress: how often differs from run to run. */
const INCIDENTAL: ReadonlySet<string> = new Set([Method.Ping, "notifications/progress"]);

/** Whether a method asks for a list whose entries are compared by name. */
export function isListRequest(method: string | undefined): boolean {
  return method !== undefined && LISTED.has(method);
}

/** The connections of a trace that carried frames, in the order of their first event. */
export function readSessions(events: Iterable<TraceEvent>): readonly RecordedSession[] {
  const readers = new Map<string, SessionReader>();
  for (const event of events) {
    if (event.ev !== "frame" && event.ev !== "open") continue;
    const reader = readers.get(event.ch) ?? new SessionReader(event.ch);
    readers.set(event.ch, reader);
    if (event.ev === "open") reader.protocol = event.protocol;
    else reader.take(event, event.n);
  }
  return [...readers.values()].filter(({ frames }) => frames > 0).map((reader) => reader.finish());
}

type Draft = { -readonly [K in keyof SessionMessage]: SessionMessage[K] };

class SessionReader {
  protocol: string | undefined;
  frames = 0;
  readonly #ch: string;
  readonly #messages: Draft[] = [];
  readonly #waiting = new Map<string, Draft>();
  readonly #lists = new Map<string, Map<string, unknown>>();
  readonly #paths: Readonly<Record<Direction, string[]>> = { "ide>agent": [], "agent>ide": [] };
  #initialize: Draft | undefined;

  constructor(ch: string) {
    this.#ch = ch;
  }

  take(frame: FrameEvent, n: number): void {
    this.frames += 1;
    const { raw, dir, lost, form, cut } = frame;
    if (lost === true) return;
    const isWhole = form === undefined && cut === undefined;
    const messages = isWhole ? frameMessages(raw) : [];
    if (messages.length === 0) this.#messages.push({ n, dir, kind: "malformed", params: raw });
    for (const message of messages) this.#message(message, { n, dir });
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
        ...(params !== undefined && { asked: params }),
        ...(answer !== undefined && { answered: answer }),
      },
      messages: this.#messages,
    };
  }

  #message(message: RawMessage, at: { readonly n: number; readonly dir: Direction }): void {
    const { method, params, id } = message;
    if (typeof method !== "string") {
      this.#answer(message, at);
      return;
    }
    if (isObject(params)) this.#paths[at.dir].push(...pathsIn(params));
    const kind = id === undefined ? "notification" : "request";
    const tool = method === Method.ToolsCall && isObject(params) ? params["name"] : undefined;
    const said: Draft = {
      ...{ ...at, kind, method },
      ...(typeof tool === "string" && { tool }),
      ...(params !== undefined && { params }),
    };
    if (isRequestId(id)) this.#waiting.set(keyOf(at.dir, id), said);
    if (method === Method.Initialize && kind === "request") this.#initialize ??= said;
    else if (!INCIDENTAL.has(method)) this.#messages.push(said);
  }

  #answer({ id, result, error }: RawMessage, at: { readonly n: number; readonly dir: Direction }) {
    const answer: SessionAnswer = {
      n: at.n,
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error }),
    };
    const key = isRequestId(id) ? keyOf(opposite(at.dir), id) : "";
    const request = this.#waiting.get(key);
    if (request === undefined) {
      const { n: _, ...params } = answer;
      this.#messages.push({ ...at, kind: "answer", params });
      return;
    }
    this.#waiting.delete(key);
    request.answer = answer;
    if (isObject(result)) this.#list(request.method, result);
  }

  /** A list may come in pages, and again after a change: the newest entry of a name counts. */
  #list(method: string | undefined, result: Readonly<Record<string, unknown>>): void {
    const what = LISTED.get(method ?? "");
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

function keyOf(dir: Direction, id: string | number): string {
  return `${dir} ${JSON.stringify(id)}`;
}

/** `claude-code 2.1.0`. */
function nameOf(info: unknown): string | undefined {
  if (!isObject(info) || typeof info["name"] !== "string") return undefined;
  const { name, version } = info;
  return typeof version === "string" ? `${name} ${version}` : String(name);
}
