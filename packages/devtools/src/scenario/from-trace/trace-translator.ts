import { CloseCode } from "@idewire/core";
import { frameMessages } from "../../trace/format/frame-messages.ts";
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
  /** The connection that is played. */
  #channel: string | undefined;
  readonly #ignored = new Set<string>();

  constructor(into: Translation) {
    this.#into = into;
    this.#editor = new EditorMessages(into);
  }

  take(event: TraceEvent): void {
    const { omissions } = this.#into;
    switch (event.ev) {
      case "open":
        this.#open(event.ch, event.t);
        return;
      case "close":
        this.#close(event, event.t);
        return;
      case "frame":
        this.#frame(event, event.t);
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
      // Words for the reader: what they tell of is in the frames.
      default:
        omissions.add("words: what they tell of is in the frames");
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
    into.pending.clear();
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
    // Of the two ends it is editors that go away.
    if (code === CloseCode.GoingAway) steps.act({ do: "drop" }, t);
    // Who notices an abnormal end gives it a code.
    const isSent = code !== CloseCode.Abnormal && code !== CloseCode.GoingAway;
    steps.expect({ expect: "disconnected", ...(isSent && { code }) }, t);
  }

  #control({ op }: ControlEvent, t: number): void {
    const { steps, omissions } = this.#into;
    if (op === "refused") steps.expect({ expect: "refused" }, t);
    else if (op === "upgrade") omissions.add("upgrade: it is a part of connecting");
    else omissions.add(`${op}: the connection keeps itself alive`);
  }

  #frame(frame: FrameEvent, t: number): void {
    const { ch, dir, raw } = frame;
    // A trace may begin within a connection.
    if (this.#channel === undefined && !this.#ignored.has(ch)) this.#open(ch, t);
    const why = ch === this.#channel ? whyUnread(frame) : `a frame of connection ${ch}, not played`;
    if (why !== undefined) {
      this.#into.omissions.add(why);
      return;
    }
    for (const message of frameMessages(raw)) {
      if (dir === "agent>ide") translateAgentMessage(message, t, this.#into);
      else this.#editor.translate(message, t);
    }
  }
}

/** Why a frame says nothing that a scenario could say; undefined when it may. */
function whyUnread({ raw, lost, form, cut }: FrameEvent): string | undefined {
  if (lost === true) return "a frame that never arrived";
  if (form !== undefined) return "a frame that is not text";
  if (cut !== undefined) return "a frame of which only the beginning is kept";
  return frameMessages(raw).length === 0 ? "a frame that is no message of JSON-RPC" : undefined;
}
