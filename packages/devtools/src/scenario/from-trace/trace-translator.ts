import { CloseCode } from "@idewire/core/rpc";
import { Conversation, type TracedEvent } from "../../trace/conversation/conversation.ts";
import type { UnreadFrame } from "../../trace/conversation/read-frame.ts";
import type {
  CloseEvent,
  ControlEvent,
  FrameEvent,
  TraceEvent,
} from "../../trace/format/trace-event.ts";
import { translateAgentMessage } from "./agent-messages.ts";
import { translateChange } from "./editor-changes.ts";
import { EditorMessages } from "./editor-messages.ts";
import type { Translation } from "./translation.ts";

/** Reads a trace event by event. */
export class TraceTranslator {
  readonly #into: Translation;
  readonly #editor: EditorMessages;
  readonly #conversation = new Conversation(true);
  /** The connection that is played. */
  #channel: string | undefined;
  readonly #ignored = new Set<string>();

  constructor(into: Translation) {
    this.#into = into;
    this.#editor = new EditorMessages(into);
  }

  take(event: TraceEvent): void {
    const { omissions, calls } = this.#into;
    const read = this.#conversation.add(event);
    for (const { request } of read.ended) {
      const call = calls.get(request);
      if (call !== undefined) call.cancelled = true;
    }
    switch (event.ev) {
      case "open":
        this.#open(event.ch, event.t);
        return;
      case "close":
        this.#close(event, event.t);
        return;
      case "frame":
        this.#frame(event, read, event.t);
        return;
      case "control":
        this.#control(event, event.t);
        return;
      case "editor":
        translateChange(event.change, event.t, this.#into);
        return;
      case "lock":
        omissions.add("lock file: the simulated editor has its own");
        return;
      case "fault":
        omissions.add("an injected fault: a scenario injects none");
        return;
      default:
        omissions.add("transcript lines: covered by the frames");
        return;
    }
  }

  #open(ch: string, t: number): void {
    const into = this.#into;
    if (this.#channel !== undefined) {
      this.#ignored.add(ch);
      into.omissions.add(`connection ${ch}: another agent was connected at the time`);
      return;
    }
    this.#channel = ch;
    into.hadConnection = true;
    into.agent = undefined;
    into.calls.clear();
    into.steps.expect({ expect: "connected" }, t);
    into.enter("connecting", t);
  }

  #close({ ch, code }: CloseEvent, t: number): void {
    const { steps, omissions } = this.#into;
    if (ch !== this.#channel) {
      omissions.add(`the end of connection ${ch}, which is not played`);
      return;
    }
    this.#channel = undefined;
    // Editors close with this code.
    if (code === CloseCode.GoingAway) steps.act({ do: "drop" }, t);
    // Not sent on the wire.
    const isSent = code !== CloseCode.Abnormal && code !== CloseCode.GoingAway;
    steps.expect({ expect: "disconnected", ...(isSent && { code }) }, t);
  }

  #control({ op }: ControlEvent, t: number): void {
    const { steps, omissions } = this.#into;
    if (op === "refused") steps.expect({ expect: "refused" }, t);
    else if (op === "upgrade") omissions.add("upgrade: covered by the connection");
    else omissions.add(`${op}: covered by keep-alive`);
  }

  #frame(frame: FrameEvent, read: TracedEvent, t: number): void {
    const { ch, dir } = frame;
    // A trace may begin in the middle of a connection.
    if (this.#channel === undefined && !this.#ignored.has(ch)) this.#open(ch, t);
    const why =
      ch === this.#channel ? omissionOf(frame, read) : `a frame of connection ${ch}, not played`;
    if (why !== undefined) {
      this.#into.omissions.add(why);
      return;
    }
    for (const message of read.messages) {
      if (message.kind === "malformed") this.#into.omissions.add(NOT_A_MESSAGE);
      else if (dir === "agent>ide") translateAgentMessage(message, t, this.#into);
      else this.#editor.translate(message, t);
    }
  }
}

const NOT_A_MESSAGE = "a frame that is not a JSON-RPC message";

const unread: Readonly<Record<UnreadFrame, string>> = {
  binary: "a frame that is not text",
  "not-utf8": "a frame that is not text",
  cut: "a frame that is recorded only in part",
  costly: "a frame with too many values or levels to be parsed",
  "not-json": NOT_A_MESSAGE,
};

/** Why a frame is not translated; undefined when it is. */
function omissionOf({ lost }: FrameEvent, read: TracedEvent): string | undefined {
  if (lost === true) return "a frame that never arrived";
  return read.unread === undefined ? undefined : unread[read.unread];
}
