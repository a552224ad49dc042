import { readFileSync } from "node:fs";
import type { EditorContext, Mention } from "./claude-notifications.ts";
import { mentionText, readMention, readSelection } from "./claude-notifications.ts";
import type { Transcript } from "./transcript.ts";
import type { JsonObject, WireMessage } from "./wire.ts";
import { isObject, toObject } from "./wire.ts";

/** The notifications and requests of the server since the last prompt. */
export class ClaudeInbox {
  context: EditorContext | undefined;
  /** The text typed into the prompt by mentions. */
  promptInput = "";
  /** Server requests that opened a dialog in the terminal. */
  readonly dialogs: WireMessage[] = [];
  readonly #transcript: Transcript;
  readonly #cwd: string;
  #mentions: Mention[] = [];

  constructor(transcript: Transcript, cwd: string) {
    this.#transcript = transcript;
    this.#cwd = cwd;
  }

  receive(method: string, params: unknown, frame: WireMessage): void {
    if (method === "selection_changed") this.#onSelection(params, frame);
    else if (method === "at_mentioned") this.#onMention(params, frame);
    else if (method === "log_event") this.#onLogEvent(params, frame);
    else {
      this.#transcript.add({ kind: "dropped", frame, reason: "unknown-method" });
      if (/(selection_changed|at_mentioned)$/.test(method)) {
        this.#transcript.violate("prefixed-method", method);
      }
    }
  }

  /** The answer to a server's request; none yet while a dialog waits for the person. */
  answer(frame: WireMessage): JsonObject | undefined {
    if (frame.method === "ping") return { result: {} };
    if (frame.method === "roots/list") {
      return { result: { roots: [{ uri: `file://${this.#cwd}` }] } };
    }
    if (frame.method === "elicitation/create") {
      this.dialogs.push(frame);
      return undefined;
    }
    return { error: { code: -32601, message: "Method not found" } };
  }

  /** A prompt consumes the context, the mentions and their text. */
  take(): {
    readonly context: EditorContext | undefined;
    readonly typed: string;
    readonly attachments: readonly string[];
  } {
    const taken = {
      context: this.context,
      typed: this.promptInput,
      attachments: this.#mentions.flatMap(attachment),
    };
    this.context = undefined;
    this.promptInput = "";
    this.#mentions = [];
    return taken;
  }

  #onSelection(params: unknown, frame: WireMessage): void {
    const read = readSelection(params);
    if (!read.ok) this.#refuse(read.reason, read.detail, frame);
    else if (read.value.kind === "clear") this.context = undefined;
    else if (read.value.kind === "set") this.context = read.value.context;
  }

  #onMention(params: unknown, frame: WireMessage): void {
    const read = readMention(params);
    if (!read.ok) {
      this.#refuse(read.reason, read.detail, frame);
      return;
    }
    this.#mentions.push(read.value);
    this.promptInput += mentionText(read.value, this.#cwd);
  }

  #onLogEvent(params: unknown, frame: WireMessage): void {
    const { eventName, eventData } = toObject(params);
    const ok = typeof eventName === "string" && isObject(eventData);
    if (!ok) this.#refuse("schema", "eventName and eventData expected", frame);
  }

  #refuse(reason: "null" | "schema", detail: string, frame: WireMessage): void {
    this.#transcript.add({ kind: "dropped", frame, reason });
    const rule = reason === "null" ? "null-key" : "notification-schema";
    this.#transcript.violate(rule, `${String(frame.method)}: ${detail}`);
  }
}

function attachment(mention: Mention): string[] {
  const { filePath, lineStart, lineEnd } = mention;
  try {
    const text = readFileSync(filePath, "utf8");
    if (lineStart === undefined || lineEnd === undefined) return [text];
    const lines = text.split("\n").slice(lineStart, lineEnd + 1);
    return [lines.join("\n")];
  } catch {
    return [];
  }
}
